//! Snippets of a store that cannot be read for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use isobox::store::{Timing, memory_store};
use isobox::{Code, Isobox, Outcome, Resume, Run, Tool, Value, json};

use super::faulty_store::{Fault, FaultyStore};
use super::snippets::{put, runtime};

#[tokio::test]
async fn a_durable_program_does_not_fail_while_its_snippets_cannot_be_read() {
    const OUTAGE: Duration = Duration::from_millis(400);
    for (patience, is_short) in [(Duration::from_secs(30), true), (OUTAGE, false)] {
        let store = memory_store();
        put(&runtime(&store), "mine", "return 'ran'").await;
        let faulty = FaultyStore::new(&store);
        let (made, failing) = (Arc::new(AtomicUsize::new(0)), faulty.clone());
        let counted = Arc::clone(&made);
        let pay = Tool::new("pay", move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            match is_short {
                true => failing.has_for(Fault::NoSnippets, OUTAGE),
                false => failing.has(Fault::NoSnippets),
            }
            async { Ok(Value::Null) }
        });
        let builder = Isobox::builder().tool(pay.expect("a path")).store(Arc::new(faulty.clone()));
        let isobox = builder.timing(Timing::default().outage(patience)).build().expect("a runtime");
        let mut outcome = isobox.run(Run::from("await tools.pay({}); return codemode.run('mine')").durable()).await;
        if !is_short {
            let Outcome::Interrupted(interrupted) = outcome else { panic!("it has not ended: {outcome:?}") };
            assert_eq!(interrupted.error.code, Code::Store);
            faulty.has(Fault::No);
            let resumed = isobox.resume(&interrupted.execution_id, Resume::default()).await;
            outcome = resumed.expect("the store is back").into_outcome().expect("it runs here");
        }
        assert_eq!(outcome.into_result().expect("it completes"), json!("ran"));
        assert_eq!(made.load(Ordering::SeqCst), 1);
    }
}
