//! Programs whose preparation has to wait for that of others.

use std::sync::Arc;
use std::time::Duration;

use isobox::program::{Answer, Prepared, Task};
use isobox::{BoxFuture, Code, Isobox, LoweredLimits, Run};
use isobox_core::driver::Error;
use isobox_core::{Ability, Driver, Instance, Snapshot, StartOptions};

/// A driver that is occupied with other programs for ever.
struct Occupied;

impl Driver for Occupied {
    fn prepare<'a>(&'a self, _: Task<'a>) -> BoxFuture<'a, Result<Answer, Error>> {
        Box::pin(std::future::pending())
    }

    fn start(&self, _: Arc<Prepared>, _: StartOptions) -> BoxFuture<'_, Result<Box<dyn Instance>, Error>> {
        unreachable!("no program is prepared")
    }

    fn restore<'a>(&'a self, _: &'a Snapshot, _: StartOptions) -> BoxFuture<'a, Result<Box<dyn Instance>, Error>> {
        unreachable!("no program is prepared")
    }

    fn image(&self) -> &'static str {
        "an image"
    }

    fn can(&self, _: Ability) -> bool {
        false
    }
}

#[tokio::test]
async fn a_program_waits_for_the_preparation_of_others_no_longer_than_it_may_take() {
    let isobox = Isobox::builder().driver(Arc::new(Occupied)).build().expect("a runtime");
    let limits = LoweredLimits::default().timeout(Duration::from_millis(50));
    let run = isobox.run(Run::from("return 1").limits(limits));
    let outcome = tokio::time::timeout(Duration::from_secs(30), run).await.expect("it does not wait for ever");
    assert_eq!(outcome.into_result().expect_err("it is not prepared").code, Code::Busy);
}
