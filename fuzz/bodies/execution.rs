//! Whatever steps an instance makes, an execution ends in an outcome: no panic, no hang.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arbitrary::{Arbitrary, Unstructured};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox_core::driver::{Error, ErrorKind, Returned};
use isobox_core::policy::{Action, Policy, Rule};
use isobox_core::program::{self, Prepared, Program, Task};
use isobox_core::{
    Ability, Answer, Approval, ApprovalRequest, Approver, BookUse, ByteSize, Call, CallDetails, CallSeq, Capacity,
    CapacityLimits, Catalogue, Clock, Code, Contents, Driver, Durability, Event, Execution, ExecutionId, Exhausted,
    GuestError, Host, Instance, Label, Limits, Log, Namespaces, Observer, Origin, Principal, ProgramState, Region,
    Request, Snapshot, StartOptions, Step, Timestamp, Tool, ToolError, Validation, execute,
};

#[derive(Debug, Clone)]
enum Doing {
    Call { path: u8, input: u16 },
    Timer(u16),
    Clear(u8),
    Log(String),
    Wait,
    Done { unawaited: Vec<u8> },
    Fail { origin: u8, name: String, message: String, stack: String },
    Exhaust(u8),
    Break,
}

impl Arbitrary<'_> for Doing {
    fn arbitrary(input: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        Ok(match input.int_in_range(0..=8)? {
            0 => Self::Call { path: input.arbitrary()?, input: input.arbitrary()? },
            1 => Self::Timer(input.arbitrary()?),
            2 => Self::Clear(input.arbitrary()?),
            3 => Self::Log(input.arbitrary()?),
            4 => Self::Wait,
            5 => Self::Done { unawaited: input.arbitrary()? },
            6 => Self::Fail {
                origin: input.arbitrary()?,
                name: input.arbitrary()?,
                message: input.arbitrary()?,
                stack: input.arbitrary()?,
            },
            7 => Self::Exhaust(input.arbitrary()?),
            _ => Self::Break,
        })
    }
}

struct Scripted(Vec<Doing>);

impl Driver for Scripted {
    fn prepare<'a>(&'a self, _task: Task<'a>) -> BoxFuture<'a, Result<program::Answer, Error>> {
        let prepared = Prepared { kind: program::Kind::Script, files: Vec::new() };
        std::future::ready(Ok(program::Answer::Prepared(program::Surveyed {
            program: prepared,
            survey: Arc::default(),
        })))
        .boxed()
    }

    fn start(&self, _program: Arc<Prepared>, options: StartOptions) -> BoxFuture<'_, Result<Box<dyn Instance>, Error>> {
        let _is_granted = options.meter.grow(self.0.len() as u64, u64::MAX);
        let actor: Box<dyn Instance> = Box::new(Actor { script: self.0.clone().into_iter(), next: 0 });
        std::future::ready(Ok(actor)).boxed()
    }

    fn restore<'a>(
        &'a self,
        _snapshot: &'a Snapshot,
        _options: StartOptions,
    ) -> BoxFuture<'a, Result<Box<dyn Instance>, Error>> {
        std::future::ready(Err(Error::new(ErrorKind::Snapshot, "an actor has no snapshots"))).boxed()
    }

    fn image(&self) -> &str {
        "actor"
    }

    fn can(&self, _ability: Ability) -> bool {
        false
    }
}

struct Actor {
    script: std::vec::IntoIter<Doing>,
    next: u32,
}

impl Actor {
    fn act(&mut self) -> Result<Step, Error> {
        let mut step =
            Step { calls: vec![], cleared: vec![], logs: vec![], facts: vec![], state: ProgramState::Waiting };
        for doing in self.script.by_ref() {
            match doing {
                Doing::Call { path, input } => {
                    const PATHS: [&str; 9] =
                        ["ok", "fail", "panic", "late", "missing", "o\u{1b}k", "asks", "codemode.search", "describe"];
                    let path = PATHS[path as usize % PATHS.len()].to_owned();
                    let request = Request::Tool { path, input: serde_json::json!({ "n": input }) };
                    step.calls.push(Call { seq: CallSeq::new(self.next), request, place: None });
                    self.next += 1;
                }
                Doing::Timer(ms) => {
                    let request = Request::Timer(Duration::from_millis(ms.into()));
                    step.calls.push(Call { seq: CallSeq::new(self.next), request, place: None });
                    self.next += 1;
                }
                Doing::Clear(seq) => step.cleared.push(CallSeq::new(seq.into())),
                Doing::Log(message) => step.logs.push(Log { level: isobox_core::Level::Log, message }),
                Doing::Wait => return Ok(step),
                Doing::Done { unawaited } => {
                    let unawaited = unawaited.into_iter().map(|seq| CallSeq::new(seq.into())).collect();
                    step.state = ProgramState::Done(Returned::with_result(serde_json::json!(1)).unawaited(unawaited));
                    return Ok(step);
                }
                Doing::Fail { origin, name, message, stack } => {
                    let origin = match origin % 4 {
                        0 => Origin::Program,
                        1 => Origin::Call(CallSeq::new(u32::from(origin / 4))),
                        _ => Origin::Engine(Code::ALL[origin as usize % Code::ALL.len()]),
                    };
                    let parts = serde_json::from_str(&message).unwrap_or_default();
                    step.state = ProgramState::Failed(GuestError {
                        origin,
                        name,
                        message,
                        thrown_at: stack.clone(),
                        stack,
                        parts,
                    });
                    return Ok(step);
                }
                Doing::Exhaust(which) => {
                    let limits = [Exhausted::Cpu, Exhausted::Memory, Exhausted::Stack, Exhausted::Result(7)];
                    step.state = ProgramState::Exhausted(limits[which as usize % 4]);
                    return Ok(step);
                }
                Doing::Break => return Err(Error::new(ErrorKind::Broken, "the sandbox failed")),
            }
        }
        Ok(step)
    }
}

impl Instance for Actor {
    fn step(&mut self, _answers: Vec<Answer>, _clock: Timestamp) -> BoxFuture<'_, Result<Step, Error>> {
        let step = self.act();
        Box::pin(async move { step })
    }

    fn take_logs(&mut self) -> Vec<Log> {
        Vec::new()
    }

    fn snapshot(&mut self, _limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        std::future::ready(None).boxed()
    }

    fn cpu_used(&self) -> Duration {
        Duration::ZERO
    }

    fn set_cpu_used(&mut self, _used: Duration) {}

    fn written(&self) -> BookUse {
        BookUse::default()
    }

    fn set_written(&mut self, _written: BookUse) {}
}

/// A clock that advances when it is waited for.
struct Simulated(AtomicU64);

impl Clock for Simulated {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::Relaxed))
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::Relaxed))
    }

    fn boot_time(&self) -> Duration {
        self.elapsed()
    }

    fn sleep_until(&self, moment: Duration) -> BoxFuture<'static, ()> {
        self.0.fetch_max(moment.as_millis() as u64, Ordering::Relaxed);
        Box::pin(async {})
    }
}

/// Approves what its number says.
struct Undecided;

impl Approver for Undecided {
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        let is_even = request.seq.number().is_multiple_of(2);
        Box::pin(async move { if is_even { Approval::Approved } else { Approval::Denied(None) } })
    }
}

/// Sees nothing.
struct Blind;

impl Observer for Blind {
    fn observe(&self, event: &Event) {
        std::hint::black_box(event);
    }
}

pub(crate) fn fuzz(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let Ok(script) = Vec::<Doing>::arbitrary(&mut input) else { return };
    let tool = |path: &str, make: fn() -> BoxFuture<'static, Result<serde_json::Value, ToolError>>| {
        Tool::new(path, move |_| make()).expect("the path is one")
    };
    let mut catalogue = Catalogue::builder();
    for tool in [
        tool("ok", || Box::pin(async { Ok(serde_json::json!([1])) })),
        tool("fail", || Box::pin(async { Err(ToolError::new("no\0pe")) })),
        tool("late", || Box::pin(std::future::pending())),
        tool("asks", || Box::pin(async { Ok(serde_json::json!(1)) })).with_approval(),
    ] {
        catalogue.tool(tool).expect("the paths differ");
    }
    let rule = |path: &str, action| Rule::new(vec![path.parse().expect("a pattern")], action);
    let policy = Policy::new(vec![rule("fail", Action::Rate(2)), rule("late", Action::Redact(vec!["/a".to_owned()]))]);
    let host = Host {
        driver: Arc::new(Scripted(script)),
        clock: Arc::new(Simulated(AtomicU64::new(0))),
        catalogue: Arc::new(catalogue.build()),
        policy: Arc::new(policy),
        approver: data.len().is_multiple_of(2).then(|| Arc::new(Undecided) as Arc<dyn Approver>),
        namespaces: Namespaces::default(),
        capacity: Capacity::new(CapacityLimits { memory: ByteSize::mib(1), live: 1, queue: 0 }),
        observer: Some(Arc::new(Blind)),
        contents: Contents::Values,
        reshape: None,
        validation: Validation::default(),
        keeper: None,
        learner: None,
        checks: isobox_core::Checks::default(),
        rules: Arc::default(),
        modules: Arc::default(),
        sessions: None,
    };
    let execution = Execution {
        principal: Principal::host(),
        id: ExecutionId::new(1, 2),
        seed: 3,
        program: Program::single("return 1"),
        limits: Limits::default().in_flight(3),
        label: Label::default(),
        details: CallDetails::default().inputs(true).outputs(true),
        durability: Durability::Nothing,
        session: None,
        globals: isobox_core::Globals::None,
        tools: Vec::new(),
        region: Region::default(),
        purpose: isobox_core::Purpose::Program,
        checks: None,
    };
    let outcome = execute(&host, execution, std::future::pending()).now_or_never().expect("an execution ends");
    let outcome = outcome.expect("nothing is stored");
    serde_json::to_string(&outcome).expect("an outcome is JSON");
    assert_eq!(host.capacity.usage().live, 0, "its place is free");
}
