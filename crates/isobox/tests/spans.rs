//! The spans in the traces of a host, with all their fields. A separate test program: the interest in a span is decided
//! for the whole process, and a test without a subscriber would disable it.

use std::fmt::{Debug, Write as _};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use isobox::Principal;
use isobox::events::{Contents, Label};
use isobox::policy::{Action, Policy, Rule};
use isobox::store::memory_store;
use isobox::{Checks, Isobox, Outcome, Run, Tool, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Records every span: its name, its parent, and the last values of its fields.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Recorded>>);

#[derive(Default)]
struct Recorded {
    spans: Vec<Span>,
    entered: Vec<usize>,
    /// The fields of events that name a principal.
    acts: Vec<Fields>,
}

struct Span {
    name: &'static str,
    parent: Option<usize>,
    fields: Fields,
}

#[derive(Default)]
struct Fields(Vec<(&'static str, String)>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push((field.name(), format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.push((field.name(), value.to_owned()));
    }
}

fn place(id: &Id) -> usize {
    usize::try_from(id.into_u64()).expect("a place") - 1
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let names_principal = metadata.fields().field("by").is_some();
        (metadata.is_span() || names_principal) && metadata.target().starts_with("isobox")
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut recorded = self.0.lock().expect("no thread panicked");
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let parent = recorded.entered.last().copied();
        recorded.spans.push(Span { name: attributes.metadata().name(), parent, fields });
        Id::from_u64(recorded.spans.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        values.record(&mut self.0.lock().expect("no thread panicked").spans[place(span)].fields);
    }

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        self.0.lock().expect("no thread panicked").acts.push(fields);
    }

    fn enter(&self, span: &Id) {
        self.0.lock().expect("no thread panicked").entered.push(place(span));
    }

    fn exit(&self, span: &Id) {
        let mut recorded = self.0.lock().expect("no thread panicked");
        assert_eq!(recorded.entered.pop(), Some(place(span)));
    }
}

/// Runs the program and formats its trace, without values that differ every time.
async fn traced(contents: Contents) -> String {
    let recorder = Recorder::default();
    let _default = tracing::subscriber::set_default(recorder.clone());
    let redact = Rule::new(vec!["*".parse().expect("a pattern")], Action::Redact(vec!["/password".to_owned()]));
    let deny = Rule::new(vec!["demo.forbidden".parse().expect("a pattern")], Action::Deny(None));
    let tool = |path| Tool::new(path, |input| async move { Ok(json!({ "given": input["a"], "password": "hunter2" })) });
    let isobox = Isobox::builder()
        .max_live(NonZeroU32::MIN)
        .tools([tool("demo.echo").expect("a path"), tool("demo.forbidden").expect("a path")])
        .policy(Policy::new(vec![redact, deny]))
        .contents(contents)
        .build()
        .expect("the runtime starts");
    let metadata = json!({ "tenant": 7 }).as_object().cloned().expect("an object");
    let label = Label::default().function("report".to_owned()).metadata(metadata);
    let program = "await tools.demo.echo({ a: 1, password: 'hunter2' });
        await codemode.search('echo');
        await tools.demo.forbidden({})";
    let outcome = isobox.run(Run::from(program).label(label).checks(Checks::Off)).await;
    assert!(matches!(outcome, Outcome::Failed(_)));
    let recorded = recorder.0.lock().expect("no thread panicked");
    let mut text = String::new();
    for span in &recorded.spans {
        let parent = span.parent.map(|parent| format!(" in {}", recorded.spans[parent].name));
        writeln!(text, "{}{}", span.name, parent.unwrap_or_default()).expect("text takes everything");
        for (name, value) in &span.fields.0 {
            let value = value.replace(outcome.execution_id().as_str(), "exec_…");
            writeln!(text, "  {name} = {value}").expect("text takes everything");
        }
    }
    text
}

#[tokio::test]
async fn spans_have_the_names_of_the_conventions_and_sizes_but_no_contents() {
    insta::assert_snapshot!(traced(Contents::default()).await);
}

#[tokio::test]
async fn contents_are_in_spans_where_they_are_asked_for_and_never_what_the_policy_redacts() {
    let text = traced(Contents::Values).await;
    assert!(!text.contains("hunter2"), "{text}");
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn what_removes_or_expires_executions_names_the_principal() {
    let recorder = Recorder::default();
    let _default = tracing::subscriber::set_default(recorder.clone());
    let pay = Tool::new("pay", |_| async { Ok(json!(1)) }).expect("a path").with_approval();
    let builder = Isobox::builder().max_live(NonZeroU32::MIN).tool(pay).store(memory_store());
    let isobox = builder.build().expect("the runtime starts");
    let run = async |source: &str| isobox.run(Run::from(source).durable()).await.execution_id().clone();
    let [over, waiting, wrong] = [run("return 1").await, run("await tools.pay()").await, run("return 2").await];
    isobox.delete(&wrong, "ada").await.expect("it is over");
    assert_eq!(isobox.prune("bob", 0).await.expect("a store"), std::slice::from_ref(&over));
    tokio::time::sleep(Duration::from_millis(5)).await;
    let expired = isobox.expire(Principal::host(), Duration::ZERO).await.expect("a store").executions;
    assert_eq!(expired, std::slice::from_ref(&waiting));
    let recorded = recorder.0.lock().expect("no thread panicked");
    let acts = recorded.acts.iter().map(|fields| {
        let field = |wanted: &str| fields.0.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str());
        [field("message"), field("by"), field("execution")].map(Option::unwrap_or_default)
    });
    let expected = [("deleted", "ada", &wrong), ("pruned", "bob", &over), ("expired", "the host", &waiting)];
    assert!(acts.eq(expected.map(|(act, by, id)| [act, by, id.as_str()])));
}

#[tokio::test]
async fn sizes_can_be_switched_off() {
    let text = traced(Contents::Nothing).await;
    assert!(!text.contains("bytes") && !text.contains("arguments"), "{text}");
}

#[tokio::test]
async fn a_program_that_completes_has_the_size_of_its_result_and_no_error() {
    let recorder = Recorder::default();
    let _default = tracing::subscriber::set_default(recorder.clone());
    let isobox = Isobox::builder().max_live(NonZeroU32::MIN).build().expect("the runtime starts");
    isobox.run("return 'four'").await.into_result().expect("it completes");
    let recorded = recorder.0.lock().expect("no thread panicked");
    let fields = &recorded.spans[0].fields.0;
    let sizes: Vec<&(&str, String)> = fields.iter().filter(|(name, _)| name.ends_with("bytes")).collect();
    assert_eq!(sizes, [&("isobox.input.bytes", "13".to_owned()), &("isobox.output.bytes", "6".to_owned())]);
    assert!(fields.iter().all(|(name, _)| *name != "error.type"));
}
