//! Events that a host receives while a program runs.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use isobox::Resume;
use isobox::events::{Contents, Event, EventKind, Label, Observer};
use isobox::policy::{Action, Policy, Rule};
use isobox::tools::{OutputChecks, Validation};
use isobox::{Builder, Isobox, Run, Tool, ToolError, json};

/// Records every event in a line.
#[derive(Clone, Default)]
struct Diary(Arc<Mutex<Vec<String>>>);

impl Observer for Diary {
    fn observe(&self, event: &Event) {
        let line = match &event.kind {
            EventKind::Started { source_bytes, .. } => format!("started {source_bytes} for {:?}", event.label.function),
            EventKind::CallIssued { seq, path, input, .. } => {
                format!("issued {seq} {path} {:?} {:?}", input.bytes, input.value)
            }
            EventKind::CallStarted { seq, path, .. } => format!("call {seq} {path}"),
            EventKind::CallAsked { seq, path, kind, .. } => format!("asked {seq} {path} {kind:?}"),
            EventKind::CallSettled { seq, path, result, .. } => match result {
                Ok(output) => format!("settled {seq} {path} {:?} {:?}", output.bytes, output.value),
                Err(failed) => format!("failed {seq} {path} {}", failed.failure.code),
            },
            EventKind::OutputMismatched { seq, path, failure, .. } => format!("mismatch {seq} {path} {failure}"),
            EventKind::Logged(log) => format!("log {}", log.message),
            EventKind::Ended { outcome, .. } => format!("ended with {} calls", outcome.calls().len()),
            other => format!("{other:?}"),
        };
        self.0.lock().expect("no thread panicked").push(line);
    }
}

impl Diary {
    fn lines(&self) -> Vec<String> {
        self.0.lock().expect("no thread panicked").clone()
    }
}

fn builder() -> Builder {
    let add = Tool::new("add", |input| async move { Ok(json!({ "sum": input["a"], "key": "secret" })) });
    let fail = Tool::new("fail", |_| async { Err(ToolError::new("no")) });
    Isobox::builder()
        .max_live(NonZeroU32::new(2).expect("it is not zero"))
        .tools([add.expect("a path"), fail.expect("a path")])
}

const PROGRAM: &str = "console.log('hi'); await tools.add({ a: 1 }); await tools.fail().catch(() => 0); return 1";

#[tokio::test]
async fn everything_that_happens_is_told_in_order_with_sizes_and_without_contents() {
    let diary = Diary::default();
    let isobox = builder().observer(diary.clone()).build().expect("the runtime starts");
    let label = Label::default().function("report".to_owned());
    isobox.run(Run::from(PROGRAM).label(label)).await.into_result().expect("it completes");
    assert_eq!(
        diary.lines(),
        [
            &format!("started {} for Some(\"report\")", PROGRAM.len()),
            "log hi",
            "issued 0 add Some(7) None",
            "call 0 add",
            "settled 0 add Some(24) None",
            "issued 1 fail Some(2) None",
            "call 1 fail",
            "failed 1 fail TOOL",
            "ended with 2 calls",
        ]
    );
}

#[tokio::test]
async fn contents_are_told_when_asked_for_and_never_what_the_policy_redacts() {
    let diary = Diary::default();
    let redact = Rule::new(vec!["add".parse().expect("a pattern")], Action::Redact(vec!["/key".to_owned()]));
    let builder = builder().observer(diary.clone()).contents(Contents::Values).policy(Policy::new(vec![redact]));
    let isobox = builder.build().expect("the runtime starts");
    isobox.run("await tools.add({ a: 1, key: 'secret' })").await.into_result().expect("it completes");
    let told = diary.lines().join("\n");
    assert!(told.contains("\"sum\": Number(1)") && told.contains("[redacted]") && !told.contains("secret"), "{told}");
}

#[tokio::test]
async fn an_output_that_does_not_fit_is_told_without_what_the_policy_redacts() {
    let tool = Tool::new("login", |_| async { Ok(json!({ "key": "hunter2", "count": "two" })) });
    let schema = json!({ "properties": { "key": { "type": "integer" }, "count": { "type": "integer" } } });
    let redact = Rule::new(vec!["*".parse().expect("a pattern")], Action::Redact(vec!["/key".to_owned()]));
    let login = tool.and_then(|tool| tool.output_schema(schema)).expect("a tool");
    for contents in [Contents::Nothing, Contents::Sizes, Contents::Progress, Contents::Values] {
        let diary = Diary::default();
        let isobox = builder()
            .tool(login.clone())
            .policy(Policy::new(vec![redact.clone()]))
            .validation(Validation::default().outputs(OutputChecks::Warn))
            .observer(diary.clone())
            .contents(contents);
        let outcome = isobox.build().expect("the runtime starts").run("return (await tools.login()).count").await;
        assert_eq!(outcome.logs(), []);
        assert_eq!(outcome.into_result().expect("it completes"), json!("two"));
        let lines = diary.lines();
        let told = lines.iter().find(|line| line.starts_with("mismatch ")).expect("it is told");
        assert!(told.starts_with("mismatch 0 login INVALID_OUTPUT: "), "{told}");
        let (quotes, is_asked) = (told.contains("/count") && told.contains("two"), contents == Contents::Values);
        assert_eq!(quotes, is_asked, "{contents:?}: {told}");
        assert!(!told.contains("hunter2"), "{told}");
    }
}

#[tokio::test]
async fn an_observer_that_panics_hurts_nothing() {
    struct Broken;
    impl Observer for Broken {
        fn observe(&self, _event: &Event) {
            panic!("the observer is broken");
        }
    }
    let isobox = builder().observer(Broken).build().expect("the runtime starts");
    assert_eq!(isobox.run(PROGRAM).await.into_result().expect("it completes"), json!(1));
}

#[tokio::test]
async fn a_call_that_waits_for_a_person_is_reported() {
    let diary = Diary::default();
    let pay = Tool::new("pay", |_| async { Ok(json!(1)) }).expect("a path").with_approval();
    let login = Tool::new("login", |_| async { Err(ToolError::interrupt(json!({ "url": "x" }))) }).expect("a path");
    let isobox = builder().tools([pay, login]).store(isobox::store::memory_store()).observer(diary.clone()).build();
    let program = Run::from("await Promise.all([tools.pay(), tools.login()])").durable();
    let outcome = isobox.expect("the runtime starts").run(program).await;
    assert!(matches!(outcome, isobox::Outcome::Paused(_)), "{outcome:?}");
    let asked: Vec<String> = diary.lines().into_iter().filter(|line| line.starts_with("asked")).collect();
    assert_eq!(asked, ["asked 0 pay Approval", "asked 1 login Interrupt"]);
}

#[tokio::test]
async fn every_pass_of_an_execution_numbers_its_events_from_the_beginning() {
    #[derive(Clone, Default)]
    struct Numbers(Arc<Mutex<Vec<(u64, u64)>>>);
    impl Observer for Numbers {
        fn observe(&self, event: &Event) {
            self.0.lock().expect("no thread panicked").push((event.pass, event.number));
        }
    }
    let numbers = Numbers::default();
    let pay = Tool::new("pay", |_| async { Ok(json!(1)) }).expect("a path").with_approval();
    let isobox = builder().tool(pay).store(isobox::store::memory_store()).observer(numbers.clone()).build();
    let isobox = isobox.expect("the runtime starts");
    let outcome = isobox.run(Run::from("return await tools.pay()").durable()).await;
    let first: Vec<_> = std::mem::take(&mut *numbers.0.lock().expect("no thread panicked"));
    assert_eq!(first, (0..5).map(|number| (1, number)).collect::<Vec<_>>());
    let isobox::Outcome::Paused(paused) = outcome else { panic!("it asks: {outcome:?}") };
    let approval = isobox::Decisions::about_all("ada", paused.revision, isobox::journal::Verdict::Approve);
    isobox.decide(&paused.execution_id, approval).await.expect("it waits for that");
    let resumed = isobox.resume(&paused.execution_id, Resume::default()).await.expect("it is kept");
    resumed.into_outcome().expect("no other process runs it").into_result().expect("it completes");
    let second = numbers.0.lock().expect("no thread panicked").clone();
    let pass = second[0].0;
    assert!(pass > 1, "{second:?}");
    assert_eq!(second, (0..second.len() as u64).map(|number| (pass, number)).collect::<Vec<_>>());
}
