//! Decisions that are recorded although the store has not confirmed them.

use std::sync::Arc;

use isobox::journal::{Instruction, Verdict};
use isobox::store::{Store, memory_store};
use isobox::{CallSeq, Code, Decisions, ExecutionId, Failure, Isobox, Outcome, Resume, Run, Tool, json};

use crate::faulty_store::{Fault, FaultyStore};

/// An execution that waits for approval, a process whose store fails, and another one.
struct World {
    id: ExecutionId,
    faulty: FaultyStore,
    deciding: Isobox,
    other: Isobox,
}

impl World {
    async fn new() -> Self {
        let store = memory_store();
        let faulty = FaultyStore::new(&store);
        let (deciding, other) = (process(Arc::new(faulty.clone())), process(store));
        let outcome = other.run(Run::from("return await tools.pay()").durable()).await;
        assert!(matches!(outcome, Outcome::Paused(_)), "{outcome:?}");
        Self { id: outcome.execution_id().clone(), faulty, deciding, other }
    }

    /// Returns the messages of the inbox once there are some.
    async fn posted(&self) -> Vec<Instruction> {
        loop {
            let inbox = self.other.inbox(&self.id).await.expect("the store is there");
            if !inbox.is_empty() {
                return inbox;
            }
            tokio::task::yield_now().await;
        }
    }

    async fn resume(&self) -> Outcome {
        let resumed = self.other.resume(&self.id, Resume::default()).await.expect("no process runs it");
        resumed.into_outcome().expect("no process runs it")
    }
}

fn process(store: Arc<dyn Store>) -> Isobox {
    let pay = Tool::new("pay", |_| async { Ok(json!("paid")) }).expect("a tool").with_approval();
    Isobox::builder().tool(pay).store(store).build().expect("the runtime starts")
}

fn approval() -> Decisions {
    Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])
}

/// An act of ada.
#[derive(Debug, Clone, Copy)]
enum Act {
    Approve,
    Reject,
    Cancel,
}

async fn act(isobox: &Isobox, id: &ExecutionId, act: Act) -> Result<(), Failure> {
    match act {
        Act::Approve => isobox.decide(id, approval()).await,
        Act::Reject => isobox.reject(id, "ada", Some("no")).await,
        Act::Cancel => isobox.cancel(id, "ada", None).await,
    }
}

#[tokio::test]
async fn a_decision_whose_commit_is_not_confirmed_is_found_in_the_inbox() {
    for what in [Act::Approve, Act::Reject, Act::Cancel] {
        let world = World::new().await;
        world.faulty.has(Fault::LatePosts);
        let breaks = async {
            let posted = world.posted().await;
            world.faulty.has(Fault::No);
            posted
        };
        let (decided, posted) = futures_util::join!(act(&world.deciding, &world.id, what), breaks);
        decided.unwrap_or_else(|failure| panic!("{what:?} is recorded: {failure}"));
        assert_eq!(world.posted().await, posted, "it is recorded once");
    }
}

#[tokio::test]
async fn a_decision_whose_commit_is_not_confirmed_is_found_where_it_was_carried_out() {
    for what in [Act::Approve, Act::Reject, Act::Cancel] {
        let world = World::new().await;
        world.faulty.has(Fault::LatePosts);
        let breaks = async {
            world.posted().await;
            let outcome = world.resume().await;
            world.faulty.has(Fault::No);
            outcome
        };
        let (decided, outcome) = futures_util::join!(act(&world.deciding, &world.id, what), breaks);
        decided.unwrap_or_else(|failure| panic!("{what:?} was carried out: {failure}"));
        assert_eq!(outcome.into_result().is_ok(), matches!(what, Act::Approve), "{what:?}");
    }
}

#[tokio::test]
async fn a_decision_of_another_person_is_not_taken_for_the_one_that_failed() {
    let world = World::new().await;
    world.other.reject(&world.id, "bob", None).await.expect("it waits");
    world.faulty.has(Fault::LatePosts);
    let breaks = async { world.faulty.has(Fault::No) };
    let (decided, ()) = futures_util::join!(world.deciding.reject(&world.id, "ada", None), breaks);
    let refused = decided.expect_err("bob was first");
    assert_eq!((refused.code, refused.is_unconfirmed()), (Code::Conflict, false), "{refused}");
    assert_eq!(refused.details.get("decidedBy"), Some(&json!("bob")));
}

/// A person who is told that nothing was changed does not expect the call to be made.
#[tokio::test]
async fn a_decision_that_may_be_recorded_is_reported_as_unconfirmed() {
    for what in [Act::Approve, Act::Reject, Act::Cancel] {
        let world = World::new().await;
        world.faulty.has(Fault::LatePosts);
        let breaks = async {
            world.posted().await;
            world.faulty.has(Fault::Outage);
        };
        let (decided, ()) = futures_util::join!(act(&world.deciding, &world.id, what), breaks);
        let failure = decided.expect_err("the store does not answer");
        assert_eq!((failure.code, failure.is_unconfirmed()), (Code::Store, true), "{failure}");
        assert!(failure.message.starts_with("it is not known whether the decision was recorded"), "{failure}");
        assert_eq!(world.posted().await.len(), 1, "it takes effect with the next resume");
    }
}

#[tokio::test]
async fn a_decision_that_was_never_sent_is_not_unconfirmed() {
    let world = World::new().await;
    world.faulty.has(Fault::Outage);
    for what in [Act::Approve, Act::Reject, Act::Cancel] {
        let failure = act(&world.deciding, &world.id, what).await.expect_err("the store does not answer");
        assert_eq!((failure.code, failure.is_unconfirmed()), (Code::Store, false), "{failure}");
    }
}
