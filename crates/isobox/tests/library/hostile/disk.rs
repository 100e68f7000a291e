//! A disk that becomes full while a program runs.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox::Resume;
use isobox::connector::{Connector, ConnectorSettings, Offer};
use isobox::store::Timing;
use isobox::store::{Filter, Status};
use isobox::tools::Catalogue;
use isobox::{Code, ExecutionId, Isobox, Outcome, Tool, ToolCall, ToolError, Value, connector, json};

use super::support::{Database, durable, here, result};

/// Limits the size of files that this process writes. None removes the limit.
fn limit_files(bytes: Option<u64>) {
    let limit = bytes.map_or("unlimited".to_owned(), |bytes| bytes.to_string());
    let process = std::process::id().to_string();
    let set = Command::new("prlimit").arg(format!("--fsize={limit}:unlimited")).args(["--pid", &process]).status();
    assert!(set.expect("prlimit is there").success());
}

/// Set in the child process whose disk is full.
const IS_FULL: &str = "ISOBOX_TEST_FULL_DISK";

/// Runs in a separate process, because the limit applies to a process, and its signal would end it.
#[test]
fn a_full_disk_ends_a_pass_and_the_execution_goes_on_once_there_is_room() {
    if std::env::var_os(IS_FULL).is_some() {
        let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        return threads.expect("a runtime").block_on(fill_the_disk());
    }
    let script = "trap '' XFSZ; exec \"$0\" \"$@\"";
    let child = Command::new("sh")
        .args(["-c", script])
        .arg(std::env::current_exe().expect("this program"))
        .args(["--exact", "hostile::disk::a_full_disk_ends_a_pass_and_the_execution_goes_on_once_there_is_room"])
        .env(IS_FULL, "1")
        .output()
        .expect("a shell");
    let said = format!("{}{}", String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success() && said.contains("1 passed"), "{said}");
}

/// Counts the executions that are reported as ended.
#[derive(Default)]
struct Told(AtomicU32);

impl Connector for Told {
    fn name(&self) -> &'static str {
        "told"
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, connector::Error>> {
        std::future::ready(Ok(Offer::default())).boxed()
    }

    fn call<'a>(&'a self, _tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        std::future::ready(Ok(call.input)).boxed()
    }

    fn execution_ended<'a>(&'a self, _execution: &'a ExecutionId, _status: Status) -> BoxFuture<'a, ()> {
        self.0.fetch_add(1, Ordering::SeqCst);
        std::future::ready(()).boxed()
    }
}

async fn fill_the_disk() {
    let database = Database::sqlite();
    // From the third call on the disk is full, once.
    let is_to_fill = Arc::new(AtomicBool::new(true));
    let fill = Tool::new("fill", move |input| {
        if input["number"] == json!(3) && is_to_fill.swap(false, Ordering::SeqCst) {
            limit_files(Some(100_000));
        }
        async { Ok(json!("x".repeat(50_000))) }
    });
    let fill = fill.expect("a tool").idempotent(true);
    let timing = Timing::default().outage(Duration::from_millis(500));
    let isobox = Isobox::builder().store(database.open().await).timing(timing).build().expect("a runtime");
    let told = Arc::new(Told::default());
    let connector: Arc<dyn Connector> = Arc::<Told>::clone(&told);
    let mut catalogue = Catalogue::builder();
    catalogue.tool(fill).expect("it is free");
    catalogue.connector(&connector, Offer::default(), &ConnectorSettings::default());
    let isobox = isobox.with_catalogue(catalogue.build()).expect("its names are there");
    let source = "let size = 0;
        for (let number = 1; number <= 6; number++) size += (await tools.fill({ number })).length;
        return size";
    let outcome = isobox.run(durable(source)).await;
    let id = outcome.execution_id().clone();
    let Outcome::Interrupted(interrupted) = outcome else { panic!("the disk is full: {outcome:?}") };
    assert_eq!(interrupted.error.code, Code::Store, "{}", interrupted.error);
    assert_eq!(told.0.load(Ordering::SeqCst), 0, "it is not over");

    // The journal can still be read, but nothing can be run.
    let before = isobox.inspect(&id).await.expect("a journal").entries.len();
    assert!(before > 2, "{before}");
    let refusal = isobox.resume(&id, Resume::default()).await.expect_err("the disk is still full");
    assert_eq!(refusal.code, Code::Store, "{refusal}");

    limit_files(None);
    assert_eq!(isobox.inspect(&id).await.expect("a journal").entries.len(), before);
    let outcome = here(isobox.resume(&id, Resume::default()).await.expect("there is room"));
    assert_eq!(result(outcome), json!(300_000));
    let listed = isobox.executions(Filter::newest(9)).await.expect("a list").executions;
    assert_eq!((listed.len(), told.0.load(Ordering::SeqCst)), (1, 1));
}
