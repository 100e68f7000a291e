//! Facts: what a program has found out is in every outcome, in events and in transcripts.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use isobox::events::{Contents, Event, EventKind, Observer};
use isobox::policy::{Action, Policy, Rule};
use isobox::store::memory_store;
use isobox::text::{AnswerOptions, answer_json, answer_text};
use isobox::transcript::{ReplayEnd, ReplayUntil, Secrets};
use isobox::{Isobox, Limits, Outcome, Run, Tool, json};

#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Observer for Seen {
    fn observe(&self, event: &Event) {
        if let EventKind::FactRecorded { name, value, .. } = &event.kind {
            let text = format!("{name} {:?} {:?}", value.bytes, value.value);
            self.0.lock().expect("nothing panics").push(text);
        }
    }
}

#[tokio::test]
async fn an_observer_hears_of_facts_and_of_their_values_only_if_it_asks_for_values() {
    for (contents, expected) in [
        (Contents::Nothing, "a None None"),
        (Contents::Sizes, "a Some(3) None"),
        (Contents::Values, "a Some(3) Some(Array [Number(1)])"),
    ] {
        let seen = Seen::default();
        let isobox = Isobox::builder().observer(seen.clone()).contents(contents).build().expect("a runtime");
        isobox.run("codemode.fact('a', [1]); return 1").await;
        assert_eq!(*seen.0.lock().expect("nothing panics"), [expected]);
    }
}

#[tokio::test]
async fn a_model_reads_facts_after_the_result_and_within_bounds() {
    let isobox = Isobox::builder().build().expect("a runtime");
    let outcome =
        isobox.run("codemode.fact('rows', 3); codemode.fact('a\\nb', 'x\\u001b[1m'); throw new Error('no')").await;
    let text = answer_text(&outcome, &AnswerOptions::default());
    assert!(text.ends_with("\n\nfacts:\n| rows: 3\n| a\\nb: \"x\\u001b[1m\""), "{text}");
    let many = isobox.run("for (let n = 0; n < 60; n++) codemode.fact('n' + n, 'x'.repeat(n * 50)); return 1").await;
    let text = answer_text(&many, &AnswerOptions::default());
    assert!(text.contains("\n… 10 more facts"), "{text}");
    let shown = answer_json(&many, &AnswerOptions::default());
    assert_eq!((shown["facts"].as_object().map(|facts| facts.len()), &shown["truncated"]), (Some(50), &json!(true)));
    assert!(shown.to_string().len() < 40_000);
}

#[tokio::test]
async fn facts_are_in_a_transcript_and_are_compared_by_its_replay() {
    let isobox = Isobox::builder().store(memory_store()).build().expect("a runtime");
    let outcome = isobox.run(Run::from("codemode.fact('a', 1); codemode.fact('a', 2); return 1").durable()).await;
    let transcript = isobox.export(outcome.execution_id(), Secrets::Included).await.expect("it is kept");
    assert_eq!(transcript.outcome().as_ref().map(Outcome::facts), Some(outcome.facts()));
    let replayed = isobox.replay(&transcript, ReplayUntil::End).await.expect("it is the same");
    assert_eq!((replayed.end, &replayed.facts), (ReplayEnd::Same, outcome.facts()));
    let json =
        transcript.to_json().expect("it is JSON").replace(r#"{"name":"a","value":2}"#, r#"{"name":"a","value":3}"#);
    let altered = isobox::transcript::Transcript::read(json.as_bytes()).expect("it is a transcript");
    let failure = isobox.replay(&altered, ReplayUntil::End).await.expect_err("it recorded another fact");
    assert!(failure.message.ends_with("it recorded other facts"), "{}", failure.message);
}

#[tokio::test]
async fn what_the_policy_redacts_is_concealed_in_the_facts_of_a_transcript() {
    let tool =
        Tool::new("bank.account", |_| async { Ok(json!({ "iban": "DE89370400440532013000" })) }).expect("a tool");
    let rule = Rule::new(vec!["bank.*".parse().expect("a pattern")], Action::Redact(vec!["/iban".to_owned()]));
    let builder = Isobox::builder().tool(tool).policy(Policy::new(vec![rule])).store(memory_store());
    let isobox = builder.build().expect("a runtime");
    let source = "const { iban } = await tools.bank.account(); codemode.fact('account ' + iban, [iban]); return 1";
    let outcome = isobox.run(Run::from(source).durable()).await;
    let transcript = isobox.export(outcome.execution_id(), Secrets::Hidden).await.expect("it is kept");
    let json = transcript.to_json().expect("it is JSON");
    assert!(!json.contains("DE89370400440532013000") && json.contains("account "), "{json}");
}

#[tokio::test]
async fn a_million_facts_stay_within_their_bound() {
    let limits = Limits::default().cpu(Duration::from_secs(300)).timeout(Duration::from_secs(300));
    let isobox = Isobox::builder().limits(limits.clone()).build().expect("a runtime");
    let outcome = isobox.run("for (let n = 0; n < 1_000_000; n++) codemode.fact('fact ' + n, n);\nreturn 'done'").await;
    let facts = outcome.facts();
    let size: usize = facts.iter().map(|(name, value)| name.len() + value.to_string().len()).sum();
    assert!(!facts.is_empty() && limits.facts.holds(size), "{} facts of {size} bytes", facts.len());
    assert!(outcome.logs().iter().any(|log| log.message.starts_with("LOG_LIMIT: the facts are full")));
    assert_eq!(outcome.into_result(), Ok(json!("done")));
}
