//! Sessions whose globals another version of the sandbox has left.

use std::sync::Arc;
use std::time::Duration;

use isobox::driver::{Sandbox, SandboxOptions};
use isobox::program::{Prepared, Task};
use isobox::store::memory_store;
use isobox::{BoxFuture, ByteSize, ConflictKind, Isobox};
use isobox_core::{Ability, Answer, BookUse, Driver, Instance, Log, Snapshot, StartOptions, Step, Timestamp, driver};

use super::sessions::{cell, refusal, result, runtime};

/// A sandbox of another version: what programs leave is of another image.
struct Other(Sandbox);

struct OtherInstance(Box<dyn Instance>);

impl Driver for Other {
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<isobox::program::Answer, driver::Error>> {
        self.0.prepare(task)
    }

    fn start(
        &self,
        program: Arc<Prepared>,
        options: StartOptions,
    ) -> BoxFuture<'_, Result<Box<dyn Instance>, driver::Error>> {
        Box::pin(async {
            let instance = self.0.start(program, options).await?;
            Ok(Box::new(OtherInstance(instance)) as Box<dyn Instance>)
        })
    }

    fn restore<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        options: StartOptions,
    ) -> BoxFuture<'a, Result<Box<dyn Instance>, driver::Error>> {
        self.0.restore(snapshot, options)
    }

    fn image(&self) -> &'static str {
        "another image"
    }

    fn can(&self, ability: Ability) -> bool {
        self.0.can(ability)
    }
}

impl Instance for OtherInstance {
    fn step(&mut self, answers: Vec<Answer>, clock: Timestamp) -> BoxFuture<'_, Result<Step, driver::Error>> {
        self.0.step(answers, clock)
    }

    fn take_logs(&mut self) -> Vec<Log> {
        self.0.take_logs()
    }

    fn snapshot(&mut self, limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        self.0.snapshot(limit)
    }

    fn globals(&mut self, limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        let left = self.0.globals(limit);
        Box::pin(async { left.await.map(|left| Snapshot { image: "another image".to_owned(), ..left }) })
    }

    fn cpu_used(&self) -> Duration {
        self.0.cpu_used()
    }

    fn set_cpu_used(&mut self, used: Duration) {
        self.0.set_cpu_used(used);
    }

    fn written(&self) -> BookUse {
        self.0.written()
    }

    fn set_written(&mut self, written: BookUse) {
        self.0.set_written(written);
    }
}

#[tokio::test]
async fn a_session_of_another_image_is_refused_and_nothing_of_it_is_lost() {
    let store = memory_store();
    let options = SandboxOptions::default().instances(std::num::NonZeroU32::new(2).expect("it is not zero"));
    let other = Other(Sandbox::new(options).expect("a sandbox"));
    let other = Isobox::builder().driver(Arc::new(other)).store(Arc::clone(&store)).build().expect("a runtime");
    result(&other, cell("globalThis.a = 1; return a")).await;
    let isobox = runtime(Some(&store));
    let before = isobox.sessions().get("work").await.expect("it is kept");
    let failure = refusal(&isobox, cell("return a")).await;
    assert_eq!(failure.conflict_kind(), Some(ConflictKind::Incompatible));
    assert!(failure.message.contains("`work` cannot be used here"), "{}", failure.message);
    let after = isobox.sessions().get("work").await.expect("it is kept");
    assert_eq!((after.versions, after.used_by), (before.versions, None));
}
