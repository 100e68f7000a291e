//! The rights to run, decide, cancel and delete, and the principals in the journal.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox::journal::{Ending, Entry, Instruction, Remember, Settlement, Verdict};
use isobox::policy::Policy;
use isobox::policy::{Approval, ApprovalRequest, Approver, Credential, OwnDecisions, Right, Rights};
use isobox::store::memory_store;
use isobox::store::{Filter, Status, Store};
use isobox::{
    CallSeq, CancellationToken, Code, Decisions, ExecutionId, Failure, Isobox, Outcome, Principal, Timestamp, json,
};
use isobox::{Resume, Resumed};
use isobox_core::store::ExpectedState;

use super::ending::{beginning_of, builder, durable};

const PAY: &str = "return await tools.pay({ a: 1 })";

fn only(right: Right) -> Principal {
    Principal::named("eve").with_rights(right)
}

fn approve(by: impl Into<Principal>) -> Decisions {
    Decisions::new(by, [(CallSeq::new(0), Verdict::Approve)])
}

fn code<T: std::fmt::Debug>(result: Result<T, Failure>) -> Code {
    result.expect_err("it is refused").code
}

async fn paused(isobox: &Isobox, by: impl Into<Principal>) -> ExecutionId {
    let outcome = isobox.run(durable(PAY).principal(by)).await;
    assert!(matches!(outcome, Outcome::Paused(_)), "{outcome:?}");
    outcome.execution_id().clone()
}

/// Returns how an execution ended that no process holds.
async fn ended(isobox: &Isobox, id: &ExecutionId) -> (Status, Failure) {
    let seen = isobox.see_ended(id, &CancellationToken::new()).await.expect("a store");
    assert!(matches!(seen, Resumed::Here(_)), "{seen:?}");
    match isobox.inspect(id).await.expect("it is kept").state.ended.expect("it is over").how {
        Ending::Failed(failure) => (Status::Failed, failure),
        Ending::Rejected(failure) => (Status::Rejected, failure),
        Ending::Completed(result) => panic!("it completed with {result}"),
        Ending::RolledBack(stopped) => panic!("it was rolled back: {stopped:?}"),
    }
}

fn denying(store: &Arc<dyn Store>) -> isobox::Builder {
    builder(store).policy(Policy::default().with_own_decisions(OwnDecisions::Deny))
}

#[tokio::test]
async fn programs_run_only_for_those_with_the_right_to_run() {
    let isobox = builder(&memory_store()).build().expect("a runtime");
    for run in [durable("return 1"), "return 1".into()] {
        let refused = isobox.run(run.clone().principal(only(Right::Decide))).await.into_result();
        let failure = refused.expect_err("the right is missing");
        assert_eq!((failure.code, &*failure.message), (Code::Forbidden, "eve does not have the right `run`"));
        assert_eq!(isobox.run(run.principal(only(Right::Run))).await.into_result().expect("it runs"), json!(1));
    }
    assert_eq!(
        isobox.executions(Filter::newest(9)).await.expect("a store").executions.len(),
        1,
        "nothing of it is kept"
    );
    let nameless = isobox.run(durable("return 1").principal("a\nb")).await.into_result();
    assert_eq!(code(nameless), Code::Config);
}

#[tokio::test]
async fn deciding_and_ending_take_the_right_to_decide() {
    let isobox = builder(&memory_store()).build().expect("a runtime");
    let id = paused(&isobox, "ada").await;
    let asked = (CallSeq::new(0), isobox.pending(&id).await.expect("it waits").revision);
    for principal in [only(Right::Run), only(Right::Admin), only(Right::Run).with_rights(Rights::NONE)] {
        assert_eq!(code(isobox.decide(&id, approve(&principal)).await), Code::Forbidden);
        assert_eq!(code(isobox.pass_on(&id, asked, json!(1), &principal).await), Code::Forbidden);
        assert_eq!(code(isobox.reject(&id, &principal, None).await), Code::Forbidden);
        let refused = isobox.cancel(&id, &principal, None).await.expect_err("it is ada's");
        assert_eq!((refused.code, &*refused.message), (Code::Forbidden, "eve does not have the right `decide`"));
    }
    assert_eq!(isobox.inbox(&id).await.expect("a store"), [], "nothing was recorded");
    let unasked = isobox.pass_on(&id, asked, json!(1), only(Right::Decide)).await;
    assert_eq!(code(unasked), Code::Conflict, "eve may answer, and nothing was asked");
    assert_eq!(code(isobox.pass_on(&id, asked, json!(1), "a\nb").await), Code::Config);
    isobox.decide(&id, approve(only(Right::Decide))).await.expect("eve may decide");
}

#[tokio::test]
async fn removing_and_expiring_take_the_right_to_administrate() {
    let isobox = builder(&memory_store()).build().expect("a runtime");
    let id = paused(&isobox, "ada").await;
    isobox.run(durable("return 1")).await.into_result().expect("it completes");
    let eve = Principal::named("eve").with_rights([Right::Run, Right::Decide]);
    assert_eq!(code(isobox.delete(&id, &eve).await), Code::Forbidden);
    assert_eq!(code(isobox.prune(&eve, 0).await), Code::Forbidden);
    assert_eq!(code(isobox.expire(&eve, Duration::ZERO).await), Code::Forbidden);
    assert_eq!(isobox.executions(Filter::newest(9)).await.expect("a store").executions.len(), 2);
    let admin = only(Right::Admin);
    assert_eq!(isobox.prune(&admin, 0).await.expect("a store").len(), 1);
    isobox.expire(&admin, Duration::ZERO).await.expect("a store");
    isobox.delete(&id, &admin).await.expect("it is removed");
}

#[tokio::test]
async fn what_runs_for_nobody_in_particular_runs_for_the_host() {
    let isobox = builder(&memory_store()).build().expect("a runtime");
    let id = isobox.run(durable("return 1")).await.execution_id().clone();
    let owner = isobox.inspect(&id).await.expect("it is kept").beginning.principal();
    assert_eq!((owner.name(), owner.rights(), owner.roles()), (Principal::host().name(), Rights::ALL, &[][..]));
}

#[tokio::test]
async fn a_cancelled_execution_fails_and_a_rejected_one_is_rejected() {
    let isobox = builder(&memory_store()).build().expect("a runtime");
    let (cancelled, rejected) = (paused(&isobox, "ada").await, paused(&isobox, "ada").await);
    isobox.cancel(&cancelled, "bob", Some("the order was withdrawn")).await.expect("it is recorded");
    isobox.reject(&rejected, "bob", Some("too much")).await.expect("it is recorded");
    let (status, failure) = ended(&isobox, &cancelled).await;
    assert_eq!((status, failure.code, &failure.details["by"]), (Status::Failed, Code::Aborted, &json!("bob")));
    assert_eq!(failure.message, "bob cancelled the execution: the order was withdrawn");
    let (status, failure) = ended(&isobox, &rejected).await;
    assert_eq!((status, failure.code, &failure.details["by"]), (Status::Rejected, Code::Rejected, &json!("bob")));
    assert_eq!(failure.message, "bob rejected the execution: too much");
    let listed = isobox.executions(Filter::newest(2)).await.expect("a store").executions;
    let codes: Vec<_> = listed.iter().map(|one| (one.head.status, one.head.code)).collect();
    assert!(codes.contains(&(Status::Failed, Some(Code::Aborted))), "{codes:?}");
    assert!(codes.contains(&(Status::Rejected, Some(Code::Rejected))), "{codes:?}");
    assert_eq!(code(isobox.cancel(&cancelled, "bob", None).await), Code::Conflict, "it is over");
}

#[tokio::test]
async fn what_another_process_runs_can_be_cancelled() {
    let store = memory_store();
    let (isobox, other) = (builder(&store).build().expect("a runtime"), builder(&store).build().expect("a runtime"));
    let running = tokio::spawn(async move { isobox.run(durable("await tools.hang({})")).await });
    let id = loop {
        tokio::task::yield_now().await;
        if let Some(listed) = other.executions(Filter::newest(1)).await.expect("a store").executions.pop() {
            break listed.id;
        }
    };
    other.cancel(&id, "bob", None).await.expect("it is said");
    let failure = running.await.expect("no panic").into_result().expect_err("it was ended");
    assert_eq!((failure.code, &*failure.message), (Code::Aborted, "bob cancelled the execution"));
}

#[tokio::test]
async fn an_execution_is_ended_once() {
    let isobox = builder(&memory_store()).build().expect("a runtime");
    let id = paused(&isobox, "ada").await;
    isobox.cancel(&id, "bob", None).await.expect("it is recorded");
    let late = isobox.reject(&id, "eve", None).await.expect_err("bob was first");
    assert!(late.code == Code::Conflict && late.message.starts_with("bob has already cancelled it"), "{late}");
    isobox.decide(&id, approve("eve")).await.expect("the call still waits");
    assert_eq!(isobox.end_stopped().await.expect("a store"), std::slice::from_ref(&id), "no other process ends it");
    assert_eq!(ended(&isobox, &id).await.1.message, "bob cancelled the execution", "and not what eve decided");
}

#[tokio::test]
async fn owners_cancel_their_own_executions_without_a_right_to_decide_and_without_a_credential() {
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    let ada = Principal::named("ada").with_rights(Right::Run);
    let (own, other) = (paused(&isobox, &ada).await, paused(&isobox, "bob").await);
    let boss = Principal::holding(Credential::new([7; 32], "boss").expect("a name"));
    isobox.decide(&other, approve(&boss)).await.expect("the store is bound to it");
    assert_eq!(code(isobox.reject(&own, &ada, None).await), Code::Forbidden);
    assert_eq!(code(isobox.cancel(&other, &ada, None).await), Code::Forbidden);
    assert_eq!(code(isobox.cancel(&own, ada.clone().with_rights(Right::Admin), None).await), Code::Forbidden);
    let forged = Principal::holding(Credential::new([8; 32], "ada").expect("a name"));
    assert_eq!(code(isobox.cancel(&own, &forged, None).await), Code::Forbidden, "anyone can write a name");
    isobox.cancel(&own, &ada, None).await.expect("it is hers");
    assert_eq!(ended(&isobox, &own).await.1.message, "ada cancelled the execution");
}

#[tokio::test]
async fn nobody_decides_about_their_own_execution_where_the_host_says_so() {
    let isobox = denying(&memory_store()).build().expect("a runtime");
    let id = paused(&isobox, "ada").await;
    let refused = isobox.decide(&id, approve("ada")).await.expect_err("it is her own");
    assert_eq!(refused.code, Code::Forbidden);
    assert_eq!(refused.message, "ada may not decide about this execution: it is their own");
    assert_eq!(code(isobox.reject(&id, "ada", None).await), Code::Forbidden);
    assert_eq!(isobox.inbox(&id).await.expect("a store"), []);
    isobox.decide(&id, approve("bob")).await.expect("it is not his");
    let Resumed::Here(outcome) = isobox.resume(&id, Resume::default()).await.expect("it goes on") else {
        panic!("here")
    };
    assert_eq!(outcome.into_result().expect("it is approved"), json!({ "a": 1 }));
    let own = paused(&isobox, "ada").await;
    isobox.cancel(&own, "ada", None).await.expect("this is no decision");
    assert_eq!(ended(&isobox, &own).await.1.code, Code::Aborted);
}

#[tokio::test]
async fn what_an_owner_decided_for_a_session_does_not_count_for_their_own_execution_where_the_host_denies_it() {
    for own in [OwnDecisions::Allow, OwnDecisions::Deny] {
        let policy = Policy::default().with_own_decisions(own);
        let isobox = builder(&memory_store()).policy(policy).build().expect("a runtime");
        let run = |by: &str| isobox.run(durable(PAY).principal(by).session("s"));
        let first = run("bob").await.execution_id().clone();
        isobox.decide(&first, approve("ada").remember(Remember::Session)).await.expect("it is not hers");
        let Resumed::Here(outcome) = isobox.resume(&first, Resume::default()).await.expect("it goes on") else {
            panic!("it is resumed here")
        };
        assert_eq!(outcome.into_result().expect("it is approved"), json!({ "a": 1 }));
        assert_eq!(run("bob").await.into_result().expect("ada decided for the session"), json!({ "a": 1 }));
        let hers = run("ada").await;
        let again = run("bob").await;
        let journal = isobox.inspect(again.execution_id()).await.expect("it is kept");
        let approved = journal.entries.iter().find_map(|entry| match entry {
            Entry::Started(started) => started.approved_by.as_deref(),
            _ => None,
        });
        assert_eq!(approved, Some("ada"), "this journal has no decision");
        match own {
            OwnDecisions::Allow => assert_eq!(hers.into_result().expect("it is remembered"), json!({ "a": 1 })),
            OwnDecisions::Deny => assert!(matches!(hers, Outcome::Paused(_)), "{hers:?}"),
        }
    }
}

#[tokio::test]
async fn a_denial_that_is_remembered_for_a_session_names_who_denied() {
    let isobox = builder(&memory_store()).build().expect("a runtime");
    let run = || isobox.run(durable(PAY).principal("bob").session("s"));
    let first = run().await.execution_id().clone();
    let denial = Decisions::new("ada", [(CallSeq::new(0), Verdict::Deny(None))]).remember(Remember::Session);
    isobox.decide(&first, denial).await.expect("it waits");
    isobox.resume(&first, Resume::default()).await.expect("it goes on");
    let again = run().await;
    let journal = isobox.inspect(again.execution_id()).await.expect("it is kept");
    let denied = journal.entries.iter().find_map(|entry| match entry {
        Entry::Settled(settled) => Some(&settled.settlement),
        _ => None,
    });
    let Some(Settlement::Failed(failure)) = denied else { panic!("it is denied: {denied:?}") };
    assert_eq!((failure.code, failure.details.get("by")), (Code::ApprovalDenied, Some(&json!("ada"))));
}

#[tokio::test]
async fn what_an_owner_said_through_another_process_counts_for_nothing_where_the_host_denies_it() {
    let store = memory_store();
    let (lax, strict) = (builder(&store).build().expect("a runtime"), denying(&store).build().expect("a runtime"));
    let id = paused(&strict, "ada").await;
    lax.decide(&id, approve("ada")).await.expect("this process allows it");
    let outcome = strict.resume(&id, Resume::default()).await.expect("a store").into_outcome();
    assert!(matches!(outcome, Some(Outcome::Paused(_))), "{outcome:?}");
    assert_eq!(strict.inbox(&id).await.expect("a store"), [], "it is not looked at again");
    lax.reject(&id, "ada", None).await.expect("this process allows it");
    let outcome = strict.resume(&id, Resume::default()).await.expect("a store").into_outcome();
    assert!(matches!(outcome, Some(Outcome::Paused(_))), "{outcome:?}");
    strict.decide(&id, approve("bob")).await.expect("the call still waits");
    let Resumed::Here(outcome) = strict.resume(&id, Resume::default()).await.expect("it goes on") else {
        panic!("here")
    };
    assert_eq!(outcome.into_result().expect("bob approved it"), json!({ "a": 1 }));
}

#[tokio::test]
async fn a_message_of_a_process_that_knows_no_cancellation_counts_as_before() {
    let store = memory_store();
    let isobox = denying(&store).build().expect("a runtime");
    let id = paused(&isobox, "ada").await;
    let said: Instruction =
        serde_json::from_value(json!({ "reject": { "by": "bob", "reason": null, "at": 1 } })).expect("v1");
    assert_eq!(said, Instruction::Reject { by: "bob".to_owned(), reason: None, at: Timestamp(1) });
    let message = said.message(store.key(), &beginning_of(&*store, &id).await).expect("a message");
    store.post(&id, vec![message], ExpectedState::Anyhow).await.expect("it is posted");
    assert_eq!(ended(&isobox, &id).await.1.message, "bob rejected the execution");
}

/// Approves everything, under the name of a person.
struct Ada;

impl Approver for Ada {
    fn name(&self) -> &'static str {
        "ada"
    }

    fn decide(&self, _request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        std::future::ready(Approval::Approved).boxed()
    }
}

#[tokio::test]
async fn an_approver_is_not_asked_about_their_own_execution_where_the_host_denies_it() {
    let isobox = denying(&memory_store()).approver(Ada).build().expect("a runtime");
    assert_eq!(isobox.run(durable(PAY).principal("bob")).await.into_result().expect("ada decides"), json!({ "a": 1 }));
    paused(&isobox, "ada").await;
    let not_kept = isobox.run(isobox::Run::from(PAY).principal("ada")).await.into_result();
    assert_eq!(code(not_kept), Code::ApprovalRequired);
}

#[tokio::test]
async fn only_a_decision_that_counts_binds_a_store_to_a_credential() {
    let holding = |name: &str, secret: u8| {
        let credential = Credential::new([secret; 32], name).expect("a credential");
        Principal::holding(credential)
    };
    let (ada, bob) = (holding("ada", 1), holding("bob", 2));
    let store = memory_store();
    let isobox = denying(&store).build().expect("a runtime");
    let id = paused(&isobox, &ada).await;
    let other = paused(&isobox, &ada).await;
    assert_eq!(code(isobox.decide(&id, approve(&ada)).await), Code::Forbidden, "it is her own");
    assert_eq!(code(isobox.reject(&id, &ada, None).await), Code::Forbidden, "it is her own");
    isobox.cancel(&other, &ada, None).await.expect("that is no decision");
    isobox.delete(&other, ada.with_rights(Right::Admin)).await.expect("nor is that");
    isobox.decide(&id, approve(&bob)).await.expect("there is no decision yet");
    let third = paused(&isobox, "ada").await;
    assert_eq!(code(isobox.decide(&third, approve("carl")).await), Code::Forbidden, "the store is bob's now");
}
