//! Transcripts of executions that ran snippets.

use isobox::policy::{Action, Policy, Rule};
use isobox::snippets::NewSnippet;
use isobox::store::memory_store;
use isobox::transcript::{Fork, ReplayEnd, ReplayUntil, Secrets, Transcript};
use isobox::{CallSeq, Code, Isobox, Outcome, Principal, Program, Resume, Run, Tool, json};

/// Runs a snippet twice, and returns the default export as another process reads it.
async fn exported(rules: Vec<Rule>) -> (Isobox, Transcript) {
    let pay = Tool::new("pay", |input| async move { Ok(input) }).expect("a path");
    let builder = Isobox::builder().tool(pay).store(memory_store()).policy(Policy::new(rules));
    let isobox = builder.build().expect("a runtime");
    let code = "await tools.pay({ pin: 'hunter22', to: input }); return input";
    let new = NewSnippet::new("pays", Program::single(code)).description("Pays.");
    isobox.snippets().expect("a store").put(new, Principal::host()).await.expect("it is saved");
    let source = "return [await codemode.run('pays', 'ada'), await codemode.run('pays', 'bo')]";
    let outcome = isobox.run(Run::from(source).durable()).await;
    assert!(matches!(outcome, Outcome::Completed(_)), "{outcome:?}");
    let exported = isobox.export(outcome.execution_id(), Secrets::default()).await.expect("it is exported");
    let read = Transcript::read(exported.to_json().expect("JSON").as_bytes()).expect("it is read");
    (isobox, read)
}

#[tokio::test]
async fn a_default_export_is_replayed_and_forked_with_the_code_of_its_snippets() {
    let (isobox, transcript) = exported(Vec::new()).await;
    let replayed = isobox.replay(&transcript, ReplayUntil::End).await.expect("it is replayed");
    assert!(matches!(replayed.end, ReplayEnd::Same), "{:?}", replayed.end);
    let fork = Fork::before(CallSeq::new(1));
    let forked = isobox.fork(&transcript, fork, Resume::default()).await.expect("it forks");
    let outcome = forked.into_outcome().expect("it runs here");
    assert_eq!(outcome.into_result().expect("it completes"), json!(["ada", "bo"]));
}

#[tokio::test]
async fn an_export_that_the_policy_redacts_has_no_code_of_snippets() {
    let rule = Rule::new(vec!["pay".parse().expect("a pattern")], Action::Redact(vec!["/pin".to_owned()]));
    let (isobox, transcript) = exported(vec![rule]).await;
    let json = transcript.to_json().expect("JSON");
    assert!(transcript.is_redacted && !json.contains("hunter22"), "{json}");
    let refused = isobox.replay(&transcript, ReplayUntil::End).await.expect_err("it can only be read");
    assert_eq!(refused.code, Code::Config);
}
