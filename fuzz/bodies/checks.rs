//! Whatever a program is and whatever the schema of a tool demands, a check ends with findings that are inside the text, or with a
//! `SYNTAX` failure. Findings take no more time than is in proportion to the text.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox_core::policy::{Action, Policy, Rule};
use isobox_core::program::Program;
use isobox_core::{
    ByteSize, Capacity, CapacityLimits, Catalogue, Checks, Clock, Code, Contents, Driver, Finding, Host, Namespaces,
    Timestamp, Tool, Validation, check,
};
use serde_json::{Value, json};

/// The maximum CPU time for each byte of a program, and for any program. Preparing it may take half of that.
const TIME_PER_BYTE: Duration = Duration::from_nanos(16_000);
const TIME: Duration = Duration::from_millis(500);

/// A clock that stands still: a check reads no time.
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp(0)
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn boot_time(&self) -> Duration {
        Duration::ZERO
    }

    fn sleep_until(&self, _moment: Duration) -> BoxFuture<'static, ()> {
        Box::pin(std::future::pending())
    }
}

pub(crate) fn fuzz(data: &[u8], driver: &Arc<dyn Driver>) {
    if let Ok(text) = std::str::from_utf8(data) {
        findings_of(text, driver);
    }
}

/// Checks a text, and what a check promises for any text.
pub(crate) fn findings_of(text: &str, driver: &Arc<dyn Driver>) -> Vec<Finding> {
    // The first line may be the schema of inputs and results.
    let (head, source) = text.split_once('\n').unwrap_or(("", text));
    let schema: Value = serde_json::from_str(head).unwrap_or_else(|_| json!({}));
    let host = host(driver, &schema);
    let Some(program) = program_of(source) else { return Vec::new() };
    let are_several = program.files().len() > 1;
    let before = thread_time();
    let mut work = pin!(check(&host, &program, &[]));
    let checked = loop {
        if let Poll::Ready(checked) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            break checked;
        }
    };
    let findings = match checked {
        Ok(findings) => findings,
        // A text that is refused may have used up what the sandbox allows.
        Err(failure) => {
            assert_eq!(failure.code, Code::Syntax, "{failure}");
            return Vec::new();
        }
    };
    if let (Some(before), Some(after)) = (before, thread_time()) {
        let size = u32::try_from(text.len()).expect("texts are small");
        assert!(after - before <= TIME_PER_BYTE * size + TIME, "{:?} for {size} bytes", after - before);
    }
    let lines = u32::try_from(source.matches(['\n', '\r']).count() + 1).unwrap_or(u32::MAX);
    for finding in &findings {
        assert!((1..=lines).contains(&finding.line) && finding.column >= 1, "{finding:?}");
        assert!(!finding.message.is_empty() && finding.message.len() < 8 << 10, "{finding:?}");
        assert!(finding.source.chars().count() <= 201 && finding.file.is_some() == are_several, "{finding:?}");
    }
    findings
}

/// Returns the program of a text. Lines of three dashes separate its files, and the first is its entry.
fn program_of(source: &str) -> Option<Program> {
    let texts: Vec<&str> = source.split("\n---\n").collect();
    match texts.as_slice() {
        [only] => Some(Program::single(*only)),
        several => {
            let files = several.iter().enumerate().map(|(at, text)| (format!("file{at}.ts"), (*text).to_owned()));
            Program::new(files.collect(), "file0.ts").ok()
        }
    }
}

/// Returns the CPU time that this thread has used, where the system tells: Linux counts it in hundredths of a second.
fn thread_time() -> Option<Duration> {
    /// The number of fields between the name of the thread and its times.
    const BEFORE: usize = 11;
    let state = std::fs::read_to_string("/proc/thread-self/stat").ok()?;
    let (_, fields) = state.rsplit_once(") ")?;
    let times = fields.split(' ').skip(BEFORE).take(2).map(|time| time.parse::<u64>().ok());
    Some(Duration::from_millis(10 * times.sum::<Option<u64>>()?))
}

fn host(driver: &Arc<dyn Driver>, schema: &Value) -> Host {
    let mut catalogue = Catalogue::builder();
    for path in ["a", "github.issues.list", "denied"] {
        let tool = Tool::new(path, |input| async move { Ok(input) }).expect("a path");
        // A schema that is refused is left out.
        let tool = tool.clone().input_schema(schema.clone()).unwrap_or(tool);
        let tool = tool.clone().output_schema(schema.clone()).unwrap_or(tool);
        catalogue.tool(tool).expect("the paths differ");
    }
    let denied = Rule::new(vec!["denied".parse().expect("a pattern")], Action::Deny(None));
    Host {
        driver: Arc::clone(driver),
        clock: Arc::new(Still),
        catalogue: Arc::new(catalogue.build()),
        policy: Arc::new(Policy::new(vec![denied])),
        approver: None,
        namespaces: Namespaces::AsGlobals,
        capacity: Capacity::new(CapacityLimits { memory: ByteSize::mib(1), live: 1, queue: 0 }),
        observer: None,
        contents: Contents::Nothing,
        reshape: None,
        validation: Validation::default(),
        keeper: None,
        learner: None,
        checks: Checks::Errors,
        rules: Arc::default(),
        modules: Arc::default(),
        sessions: None,
    }
}
