//! The examples in the documentation run, and do what the text around them says.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use isobox::connector::{ConnectorSettings, WebConnector, WebOptions};
use isobox::policy::{Action, Policy, Rule};
use isobox::policy::{Approval, ApprovalRequest, Approver};
use isobox::{Builder, ByteSize, Checks, Code, ConflictKind, Isobox, Outcome, Run, Tool, Value, demo};
use isobox_spec::SpecLimits;

/// One fenced block, with the comment before it.
struct Block {
    language: String,
    text: String,
    limits: SpecLimits,
}

/// The fenced blocks of a Markdown page; `<!-- limits: … -->` before one lowers the limits of its run.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut limits = SpecLimits::default();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(comment) = line.strip_prefix("<!-- limits:") {
            let inline = comment.trim().trim_end_matches("-->").trim();
            let table =
                toml::from_str::<std::collections::BTreeMap<String, SpecLimits>>(&format!("limits = {{ {inline} }}"));
            limits = table.expect("the limits are TOML").remove("limits").expect("it was written there");
        } else if let Some(language) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let limits = std::mem::take(&mut limits);
            blocks.push(Block { language: language.to_owned(), text: text.join("\n"), limits });
        }
    }
    blocks
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Says no.
struct Nobody;

impl Approver for Nobody {
    fn decide(&self, _request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        Box::pin(async { Approval::Denied(Some("not today".to_owned())) })
    }
}

/// Beside the demo tools, what the pages about approval and policy speak of.
fn builder() -> Builder {
    let pay = |path| Tool::new(path, |_| async { Ok(Value::Null) }).expect("the tool is well defined");
    let denied = Rule::new(vec!["pay.refund".parse().expect("a pattern")], Action::Deny(None));
    Isobox::builder()
        .tools(demo::tools().expect("the tools are well defined"))
        .tools([pay("pay.refund"), pay("pay.charge").with_approval()])
        .policy(Policy::new(vec![denied]))
        .max_live(NonZeroU32::new(4).expect("it is not zero"))
}

async fn run(block: &Block) -> Outcome {
    run_with(builder(), block).await
}

async fn run_with(builder: Builder, block: &Block) -> Outcome {
    let isobox = builder.build().expect("the runtime starts");
    let limits = block.limits.lowered().expect("the limits are well written");
    isobox.run(Run::from(block.text.as_str()).limits(limits)).await
}

/// Runs a block where programs may request addresses of one service.
async fn run_with_fetch(block: &Block) -> Outcome {
    let mut options = WebOptions::for_output(ByteSize::mib(1));
    options.allow = vec!["https://api.example.com/v1/".to_owned()];
    let connector = Arc::new(WebConnector::new(options));
    let builder = Isobox::builder().checks(Checks::Off).connector(connector, ConnectorSettings::default());
    let connected = builder.build_connected().expect("the runtime starts");
    let isobox = connected.ready().await.expect("it is ready").isobox;
    isobox.run(Run::from(block.text.as_str())).await
}

/// What no program can provoke by itself.
const OF_THE_HOST: [Code; 11] = [
    Code::Aborted,
    Code::Busy,
    Code::Config,
    Code::Conflict,
    Code::Continuation,
    Code::ContinuationTooLarge,
    Code::Diverged,
    Code::Internal,
    Code::JournalLimit,
    Code::Rejected,
    Code::Store,
];

#[tokio::test]
async fn the_example_of_every_error_page_fails_with_that_error_and_that_message() {
    for code in Code::ALL {
        let page = read(&format!("docs/errors/{code}.md"));
        let (_, example) = page.split_once("## Example").unwrap_or_else(|| panic!("{code}: there is no example"));
        let blocks = blocks(example);
        if OF_THE_HOST.contains(&code) {
            assert!(blocks.iter().all(|block| block.language != "ts"), "{code}: no program can provoke it");
            continue;
        }
        let [program, message, ..] = blocks.as_slice() else {
            panic!("{code}: a program and its message are expected")
        };
        assert_eq!((program.language.as_str(), message.language.as_str()), ("ts", "text"), "{code}");
        // The examples are short, so that most of their mistakes would be found before they run.
        let checks = if code == Code::Check { Checks::Errors } else { Checks::Off };
        let builder = builder().checks(checks);
        let builder = if code == Code::ApprovalDenied { builder.approver(Nobody) } else { builder };
        let outcome =
            if code == Code::Fetch { run_with_fetch(program).await } else { run_with(builder, program).await };
        let shown = match outcome {
            Outcome::Failed(failed) => failed.error.to_string(),
            Outcome::Completed(completed) if code == Code::LogLimit => {
                completed.logs.last().map(|log| log.message.clone()).unwrap_or_default()
            }
            other => panic!("{code}: the example does not fail: {other:?}"),
        };
        assert_eq!(shown, message.text, "{code}");
    }
}

#[test]
fn every_error_is_in_the_table_of_errors() {
    let table = read("docs/errors/README.md");
    for code in Code::ALL {
        assert!(table.contains(&format!("[`{code}`]({code}.md)")), "{code} is not in the table");
    }
}

#[test]
fn every_kind_of_conflict_is_on_the_page_of_that_error() {
    let page = read("docs/errors/CONFLICT.md");
    for kind in ConflictKind::ALL {
        assert!(page.contains(&format!("\n| `{kind}` | ")), "{kind} is not in the table");
    }
}

#[tokio::test]
async fn the_programs_of_the_guides_complete() {
    for page in ["docs/programs.md", "docs/limits.md", "README.md"] {
        for block in blocks(&read(page)).iter().filter(|block| block.language == "ts") {
            let outcome = run(block).await;
            assert!(matches!(outcome, Outcome::Completed(_)), "{page}:\n{}\n{outcome:?}", block.text);
        }
    }
}

#[test]
fn every_feature_of_the_library_is_listed_where_it_is_introduced() {
    let manifest: toml::Table = read("crates/isobox/Cargo.toml").parse().expect("the manifest is TOML");
    let features = manifest["features"].as_table().expect("features are a table");
    for page in ["README.md", "crates/isobox/README.md"] {
        let page_text = read(page);
        let rows = page_text.lines().skip_while(|line| !line.starts_with("| feature |")).skip(2);
        let listed = rows.map_while(|row| row.strip_prefix("| `")?.split('`').next()).collect::<BTreeSet<_>>();
        let expected = features.keys().map(String::as_str).filter(|feature| *feature != "default").collect();
        assert_eq!(listed, expected, "{page}");
    }
}
