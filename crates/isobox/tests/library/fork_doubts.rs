//! Forks of executions with calls whose results are not recorded.

use std::sync::{Arc, Mutex};

use isobox::journal::Verdict;
use isobox::store::memory_store;
use isobox::transcript::{Fork, ForkAnswer, Secrets, Transcript};
use isobox::{
    CallSeq, Code, Decisions, Isobox, Outcome, PendingKind, Program, Resume, Resumed, Run, Tool, Value, json,
};

/// The paths of the calls that reached their tools.
type Made = Arc<Mutex<Vec<String>>>;

fn runtime(made: &Made) -> Isobox {
    let tool = |path: &str| {
        let (made, path_of_call) = (Arc::clone(made), path.to_owned());
        let tool = Tool::new(path, move |_| {
            made.lock().expect("no thread panicked").push(path_of_call.clone());
            async { Ok(json!(1)) }
        });
        tool.expect("a tool")
    };
    Isobox::builder()
        .store(memory_store())
        .tool(tool("get").idempotent(true))
        .tool(tool("peek").ephemeral())
        .tool(tool("look").read_only(true))
        .tool(tool("price"))
        .build()
        .expect("a runtime")
}

const BESIDE: &str = "return await Promise.all([tools.get({}), tools.peek({}), tools.look({}), tools.price({})])";

async fn transcript_of(isobox: &Isobox, source: &str) -> Transcript {
    let outcome = isobox.run(Run::new(Program::single(source)).durable().principal("ada")).await;
    isobox.export(outcome.execution_id(), Secrets::Included).await.expect("it is exported")
}

/// Returns the transcript as it was before the first call had a result.
fn before_results(transcript: &Transcript) -> Transcript {
    let mut document: Value = serde_json::from_str(&transcript.to_json().expect("JSON")).expect("JSON");
    let entries = document["entries"].as_array_mut().expect("entries");
    let first = entries.iter().position(|entry| entry.get("settled").is_some()).expect("a result");
    entries.truncate(first);
    (document["entryCount"], document["status"]) = (json!(first), json!("running"));
    Transcript::read(document.to_string().as_bytes()).expect("it is consistent")
}

fn answered() -> Fork {
    Fork::before(CallSeq::new(3)).answer(ForkAnswer::Result(json!(10))).principal("bob")
}

fn here(resumed: Resumed) -> Outcome {
    resumed.into_outcome().expect("it runs here")
}

/// Takes the calls that were made since the last time.
fn taken(made: &Made) -> Vec<String> {
    let mut made = std::mem::take(&mut *made.lock().expect("no thread panicked"));
    made.sort();
    made
}

#[tokio::test]
async fn of_the_calls_before_a_fork_only_those_without_stored_results_are_made_again() {
    let made = Made::default();
    let isobox = runtime(&made);
    let transcript = transcript_of(&isobox, BESIDE).await;
    assert_eq!(taken(&made), ["get", "look", "peek", "price"]);
    let forked = here(isobox.fork(&transcript, answered(), Resume::default()).await.expect("it forks"));
    assert_eq!(forked.into_result(), Ok(json!([1, 1, 1, 10])));
    assert_eq!(taken(&made), ["peek"]);
}

#[tokio::test]
async fn a_call_that_the_original_has_started_is_in_doubt_in_a_fork_although_its_tool_is_idempotent() {
    let made = Made::default();
    let isobox = runtime(&made);
    let transcript = before_results(&transcript_of(&isobox, BESIDE).await);
    taken(&made);
    let forked = here(isobox.fork(&transcript, answered(), Resume::default()).await.expect("it forks"));
    let Outcome::Paused(paused) = forked else { panic!("a call is in doubt: {forked:?}") };
    let pending: Vec<(CallSeq, PendingKind)> = paused.pending.iter().map(|call| (call.seq, call.kind)).collect();
    assert_eq!(pending, [(CallSeq::new(0), PendingKind::InDoubt)]);
    assert_eq!(taken(&made), ["look", "peek"], "one only reads, and the result of the other is never stored");
    let happened = Decisions::new("ada", [(CallSeq::new(0), Verdict::Happened(json!(7)))]);
    isobox.decide(&paused.execution_id, happened).await.expect("it is in doubt");
    let ended = here(isobox.resume(&paused.execution_id, Resume::default()).await.expect("it goes on"));
    assert_eq!(ended.into_result(), Ok(json!([7, 1, 1, 10])));
}

#[tokio::test]
async fn a_program_that_has_used_a_result_that_is_not_stored_cannot_be_forked_after_it() {
    let made = Made::default();
    let isobox = runtime(&made);
    let source = "const seen = await tools.peek({}); return await tools.price({ seen })";
    let transcript = transcript_of(&isobox, source).await;
    taken(&made);
    let fork = Fork::before(CallSeq::new(1)).principal("bob");
    let failure = isobox.fork(&transcript, fork, Resume::default()).await.expect_err("a value is missing");
    assert_eq!(failure.code, Code::Diverged);
    assert!(taken(&made).is_empty());
}
