//! Requests that a store refuses: each error states the actual reason, independent of the inbox.

use std::sync::Arc;
use std::time::Duration;

use isobox::journal::Verdict;
use isobox::store::{Head, Status, memory_store};
use isobox::{CallSeq, ConflictKind, Decisions, ExecutionId, Isobox};
use isobox_core::store::{Append, Batch, Change, Claim, ExpectedState, Message, Node, Part};

use super::ending::{builder, durable};

async fn paused(isobox: &Isobox) -> ExecutionId {
    isobox
        .run(durable("return await Promise.all([tools.pay({ a: 1 }), tools.pay({ b: 1 })])"))
        .await
        .execution_id()
        .clone()
}

#[tokio::test]
async fn what_is_over_is_said_to_be_over_though_a_rejection_was_left_in_its_inbox() {
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    let id = paused(&isobox).await;
    isobox.reject(&id, "bob", None).await.expect("it is recorded");
    // The process that runs it ends without having read the inbox.
    let lease = store.acquire(&id, &Node("another".into()), Claim::Unfinished).await.expect("the lease is free");
    let stored = store.load(&id, Part::Whole).await.expect("it is kept");
    let append = Append {
        position: stored.batches.len() as u64,
        batch: Batch { bytes: Vec::new().into(), seal: [0; 32] },
        head: Head { status: Status::Completed, ..stored.head },
        heard: Vec::new(),
    };
    store.write(Arc::new(Change::append(lease, append))).await.expect("it is held");
    let refused = isobox.cancel(&id, "eve", None).await.expect_err("it is over");
    assert_eq!(refused.conflict_kind(), Some(ConflictKind::Over));
    assert_eq!(refused.message, format!("execution {id} is over: it is completed"));
}

#[tokio::test]
async fn a_decision_on_what_was_shown_before_is_refused_as_such_though_another_is_recorded() {
    let isobox = builder(&memory_store()).build().expect("a runtime");
    let id = paused(&isobox).await;
    let shown = isobox.pending(&id).await.expect("it waits").revision;
    isobox.decide(&id, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await.expect("it waits");
    let all = Decisions::about_all("bob", shown - 1, Verdict::Approve);
    let refused = isobox.decide(&id, all).await.expect_err("another revision");
    assert_eq!(refused.conflict_kind(), Some(ConflictKind::Changed));
    assert!(refused.message.starts_with("the pending calls have changed"), "{refused}");
}

#[tokio::test]
async fn a_deletion_that_cannot_be_said_to_a_process_does_not_wait_for_it() {
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    let (id, holder) = (paused(&isobox).await, Node("a process that does not react".into()));
    store.keep_alive(&holder, Duration::from_hours(1)).await.expect("it is alive");
    store.acquire(&id, &holder, Claim::Unfinished).await.expect("the lease is free");
    let messages = (0..Message::MOST).map(|number| Message { key: format!("k{number}"), bytes: Vec::new() });
    store.post(&id, messages.collect(), ExpectedState::Anyhow).await.expect("there is room");
    let deleted = tokio::time::timeout(Duration::from_secs(5), isobox.delete(&id, "ada"));
    let refused = deleted.await.expect("it is refused at once").expect_err("a process runs it");
    assert_eq!(refused.conflict_kind(), Some(ConflictKind::Full));
    assert!(refused.message.ends_with(" is full"), "{refused}");
    assert!(store.load(&id, Part::Whole).await.is_ok());
}
