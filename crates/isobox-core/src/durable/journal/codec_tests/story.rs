//! Executions that contain everything a journal can hold.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::journal::{
    Asked, Beginning, CallAsked, CallDecided, CallNoted, CallSettled, CallStarted, Decision, Ended, Ending, Entry,
    ExecutionResumed, JournalState, LeftApplied, Pause, PlannedRevert, Question, Remember, ResumedFrom, RollbackBegun,
    Settlement, SharedCode, SnippetBudget, SnippetEnded, SnippetStarted, StepTaken, Used, Verdict, Wanted,
};
use crate::program::{Import, Kind, Prepared, PreparedFile, Program};
use crate::{CallDetails, CallPlace, CallSeq, Code, ExecutionId, Failure, Level, Limits, Log, Region, Timestamp};

pub(super) struct Story {
    pub(super) name: &'static str,
    pub(super) id: ExecutionId,
    pub(super) beginning: Beginning<'static>,
    pub(super) entries: Vec<Vec<Entry>>,
}

impl Story {
    pub(super) fn all() -> [Self; 8] {
        let story = |name, number, entries| Self {
            name,
            id: ExecutionId::new(START.0, number),
            beginning: beginning(),
            entries,
        };
        [
            story("completed", 1, completed()),
            story("failed", 2, failed()),
            story("rejected", 3, rejected()),
            story("cancelled", 4, cancelled()),
            story("continued", 5, continued()),
            story("rolled_back", 6, rolled_back()),
            Self { beginning: sleepy(), ..story("asleep", 7, asleep()) },
            story("snippets", 8, snippets()),
        ]
    }
}

const START: Timestamp = Timestamp(1_780_000_000_000);
const USED: Used = Used { wall: 31, cpu: 1_234 };

fn at(later: u64) -> Timestamp {
    Timestamp(START.0 + later)
}

fn beginning() -> Beginning<'static> {
    let files = [
        (
            "main.ts",
            "import { to } from './to'; export default async () => await tools.mail.send({ to: to as string })",
        ),
        ("to.ts", "export const to: string = 'ada ü \u{2028}'"),
    ];
    let files = files.into_iter().map(|(path, source)| (path.to_owned(), source.to_owned()));
    let program = Program::new(files.collect::<BTreeMap<_, _>>(), "main.ts").unwrap();
    Beginning {
        owner: Some("ada".to_owned()),
        roles: vec!["ops".to_owned()].into(),
        session: Some("a session\u{0}".to_owned()),
        function: Some("nightly".to_owned()),
        details: CallDetails { inputs: true, outputs: false },
        prepared: Cow::Owned(prepared()),
        program: Cow::Owned(program),
        image: "0123abcd".into(),
        limits: Cow::Owned(Limits::default()),
        seed: u64::MAX,
        namespaces: vec!["mail".to_owned()].into(),
        tools: Cow::default(),
        region: Region::default(),
        created: START,
        node: None,
        forked_from: None,
        warnings: Cow::default(),
        globals: None,
    }
}

fn prepared() -> Prepared {
    let file = |path: &str, code: &str, imports: Vec<Import>| PreparedFile {
        path: path.to_owned(),
        code: code.to_owned(),
        first_line: 1,
        segments: Vec::new(),
        imports,
    };
    let import = Import { specifier: "./to".to_owned(), path: "to.ts".to_owned() };
    let main = "import { to } from './to'; export default async () => await tools.mail.send({ to: to           })";
    let to = "export const to         = 'ada ü \u{2028}'";
    Prepared { kind: Kind::Module, files: vec![file("main.ts", main, vec![import]), file("to.ts", to, vec![])] }
}

/// The entries and the state after them. A decision has to name the revision of its question.
#[derive(Default)]
struct Telling {
    entries: Vec<Vec<Entry>>,
    state: JournalState,
}

impl Telling {
    /// Adds entries that become durable together.
    fn together(&mut self, entries: impl IntoIterator<Item = Entry>) {
        let entries: Vec<Entry> = entries.into_iter().collect();
        for entry in &entries {
            self.state.apply(entry.clone()).unwrap_or_else(|_| panic!("{entry:?} is out of place"));
        }
        self.entries.push(entries);
    }

    fn decide(&mut self, seq: u32, verdict: Verdict, remember: Remember) {
        let asked = self.state.asked(CallSeq::new(seq)).unwrap();
        let by = "ada".to_owned();
        let reason = matches!(verdict, Verdict::Approve).then(|| "she asked\nfor it".to_owned());
        let decision = Decision { seq: CallSeq::new(seq), asked, verdict, by, reason, remember };
        self.together([Entry::Decided(CallDecided { decision, at: at(60) })]);
    }
}

fn tool(seq: u32, path: &str, input: Value) -> Asked {
    let place = CallPlace { file: Some("main.ts".to_owned()), line: 1, column: 60 + seq };
    let what = Wanted::Tool {
        path: path.to_owned(),
        names: Vec::new(),
        hidden: Vec::new(),
        input: to_raw_value(&input).unwrap(),
    };
    Asked { seq: CallSeq::new(seq), what, at: (seq != 2).then_some(place) }
}

fn timer(seq: u32, delay: u64) -> Asked {
    Asked { seq: CallSeq::new(seq), what: Wanted::Timer(delay), at: None }
}

fn step(answers: &[u32], calls: Vec<Asked>, cleared: &[u32], logs: Vec<Log>) -> Entry {
    let numbers = |numbers: &[u32]| numbers.iter().copied().map(CallSeq::new).collect();
    let clock = at(10 * answers.len() as u64);
    Entry::Step(StepTaken {
        answers: numbers(answers),
        clock,
        calls,
        cleared: numbers(cleared),
        logs,
        facts: Vec::new(),
        used: USED,
        returned: false,
        ended: Vec::new(),
    })
}

fn started(seq: u32) -> Entry {
    Entry::Started(CallStarted { seq: CallSeq::new(seq), at: at(20), approved: None, approved_by: None, input: None })
}

fn settled(seq: u32, settlement: Settlement) -> Entry {
    Entry::Settled(CallSettled { seq: CallSeq::new(seq), settlement, took: 12, lost: false })
}

fn result(value: Value) -> Settlement {
    Settlement::Result(to_raw_value(&value).unwrap())
}

fn asked(seq: u32, question: Question) -> Entry {
    let input = Some(json!({ "to": "ada", "cc": seq }));
    Entry::Asked(CallAsked { seq: CallSeq::new(seq), question, input, at: at(30), not_before: None, why: None })
}

fn approval() -> Question {
    Question::Approval { why: "the policy says so".to_owned(), definition: "a1b2".to_owned() }
}

fn failure(code: Code) -> Failure {
    let mut failure = Failure::new(code, "it did not work: \"ü\"\n").hint("try again").detail("tool", "mail.read");
    (failure.line, failure.column) = (Some(3), Some(7));
    failure
}

fn log(level: Level, message: &str) -> Log {
    Log { level, message: message.to_owned() }
}

fn resumed(from: ResumedFrom) -> Entry {
    Entry::Resumed(ExecutionResumed { at: at(50), from, released_by: None, lease: None })
}

fn paused() -> Entry {
    Entry::Paused(Pause { at: at(40), used: USED, restored_by: None, until: None })
}

/// Leaves memory until a timer is due.
fn slept(until: u64) -> Entry {
    Entry::Paused(Pause { at: at(40), used: USED, restored_by: None, until: Some(at(until)) })
}

/// Returns the beginning of an execution that may sleep.
fn sleepy() -> Beginning<'static> {
    let limits = Limits::default().lifetime(std::time::Duration::from_secs(86_400));
    Beginning { limits: Cow::Owned(limits), ..beginning() }
}

fn ended(how: Ending, logs: Vec<Log>) -> Entry {
    Entry::Ended(Ended { how, logs, facts: Vec::new(), hints: Vec::new(), duration: 99, at: at(90) })
}

fn completed() -> Vec<Vec<Entry>> {
    let mut telling = Telling::default();
    let first = vec![
        tool(0, "mail.send", json!({ "to": "ada ü", "n": 1.5 })),
        timer(1, 50),
        tool(2, "mail.read", json!(null)),
        timer(3, 1_000_000),
        tool(4, "secret.get", json!([])),
        tool(5, "mail.read", json!({ "z": 1, "a": 2 })),
        tool(6, "drive.list", json!({})),
    ];
    let logs = vec![log(Level::Log, "hello"), log(Level::Error, "a\u{1b}[31m\"b\"\n")];
    telling.together([
        step(&[], first, &[3], logs),
        asked(0, approval()),
        started(2),
        started(4),
        started(5),
        started(6),
    ]);
    telling.together([settled(2, result(json!({ "text": "ü", "count": 18_446_744_073_709_551_615_u64 })))]);
    let payload = json!({ "url": "https://login.example.com" });
    telling.together([
        settled(4, Settlement::Ephemeral),
        settled(5, Settlement::Failed(Box::new(failure(Code::Tool)))),
        asked(6, Question::Interrupt { payload }),
        step(&[2, 5, 4], vec![], &[], vec![]),
    ]);
    telling.together([paused()]);
    telling.together([resumed(ResumedFrom::Snapshot)]);
    telling.decide(0, Verdict::Approve, Remember::Execution);
    telling.decide(6, Verdict::Answer(json!({ "token": "t" })), Remember::Session);
    telling.together([started(0), started(6)]);
    // The process died.
    telling.together([resumed(ResumedFrom::Journal), started(6), asked(0, Question::InDoubt)]);
    telling.decide(0, Verdict::Happened(json!({ "sent": true })), Remember::Nothing);
    let more = vec![tool(7, "mail.send", json!(7)), tool(8, "mail.send", json!(8)), tool(9, "mail.send", json!(9))];
    telling.together([
        settled(0, result(json!({ "sent": true }))),
        settled(6, result(json!(["a.txt"]))),
        step(&[1, 6, 0], more, &[], vec![log(Level::Warn, "")]),
        asked(7, approval()),
        started(8),
        started(9),
    ]);
    telling.decide(7, Verdict::Deny(Some("not today".to_owned())), Remember::Nothing);
    telling.together([
        settled(7, Settlement::Failed(Box::new(failure(Code::ApprovalDenied)))),
        resumed(ResumedFrom::Journal),
        asked(8, Question::InDoubt),
        asked(9, Question::InDoubt),
        paused(),
    ]);
    telling.decide(8, Verdict::DidNotHappen, Remember::Nothing);
    telling.decide(9, Verdict::Fail(None), Remember::Nothing);
    telling.together([started(8), settled(9, Settlement::Failed(Box::new(failure(Code::Tool))))]);
    telling.together([
        settled(8, result(json!(null))),
        step(&[7, 9, 8], vec![], &[], vec![]),
        ended(Ending::Completed(json!({ "all": [1, -2.5, "ü", null, true] })), vec![log(Level::Debug, "bye")]),
    ]);
    telling.entries
}

fn failed() -> Vec<Vec<Entry>> {
    let mut telling = Telling::default();
    telling.together([step(&[], vec![tool(0, "mail.read", json!(1))], &[], vec![]), started(0)]);
    telling.together([ended(Ending::Failed(failure(Code::Timeout)), vec![])]);
    telling.entries
}

fn rejected() -> Vec<Vec<Entry>> {
    let mut telling = Telling::default();
    let call = tool(0, "mail.send", json!(1));
    telling.together([step(&[], vec![call], &[], vec![]), asked(0, approval()), paused()]);
    telling.together([resumed(ResumedFrom::Snapshot), ended(Ending::Rejected(failure(Code::Rejected)), vec![])]);
    telling.entries
}

fn cancelled() -> Vec<Vec<Entry>> {
    let mut telling = Telling::default();
    let call = tool(0, "mail.send", json!(1));
    telling.together([step(&[], vec![call], &[], vec![]), asked(0, approval()), paused()]);
    let failure = Failure::new(Code::Aborted, "ada cancelled the execution: too late").detail("by", "ada");
    telling.together([resumed(ResumedFrom::Snapshot), ended(Ending::Failed(failure), vec![])]);
    telling.entries
}

fn rollback(to: Option<&str>, first: u32, reverts: &[(u32, &str, Option<Value>)], left: &[(u32, &str)]) -> Entry {
    let reverts = reverts.iter().map(|(seq, path, input)| PlannedRevert {
        seq: CallSeq::new(*seq),
        path: (*path).to_owned(),
        input: input.clone(),
    });
    let left = left.iter().map(|(seq, path)| LeftApplied {
        seq: CallSeq::new(*seq),
        path: (*path).to_owned(),
        reason: "its tool has no revert".to_owned(),
    });
    Entry::Rollback(RollbackBegun {
        by: "ada".to_owned(),
        at: at(100),
        lease: None,
        to: to.map(str::to_owned),
        first: CallSeq::new(first),
        reverts: reverts.collect(),
        left: left.collect(),
        restored: false,
    })
}

fn rolled_back() -> Vec<Vec<Entry>> {
    let mut telling = Telling::default();
    let calls = vec![
        tool(0, "mail.send", json!({ "to": "ada" })),
        tool(1, "drive.write", json!({ "n": 1 })),
        tool(2, "log.add", json!(1)),
        timer(3, 9),
        tool(4, "mail.read", json!(1)),
    ];
    telling.together([step(&[], calls, &[], vec![]), started(0), started(1), started(2)]);
    telling.together([
        settled(0, result(json!({ "id": 7 }))),
        settled(1, result(json!({ "id": 8 }))),
        settled(2, result(json!(null))),
        step(&[0, 1, 2], vec![], &[], vec![]),
        ended(Ending::Failed(failure(Code::Thrown)), vec![]),
    ]);
    // The first rollback stops before its last revert.
    let template = json!({ "id": "$result.id" });
    let reverts = [(1, "drive.delete", Some(template.clone())), (0, "mail.send.revert", None)];
    let delete = tool(5, "drive.delete", json!({ "id": 8 }));
    telling.together([
        rollback(None, 5, &reverts, &[(2, "log.add")]),
        step(&[], vec![delete], &[], vec![]),
        started(5),
    ]);
    let both = json!({ "input": { "to": "ada" }, "result": { "id": 7 } });
    telling.together([
        settled(5, result(json!(true))),
        step(&[5], vec![tool(6, "mail.send.revert", both)], &[], vec![]),
        asked(6, approval()),
        paused(),
    ]);
    telling.together([
        resumed(ResumedFrom::Journal),
        ended(Ending::RolledBack(Some(Box::new(failure(Code::Rejected)))), vec![]),
    ]);
    let both = json!({ "input": { "to": "ada" }, "result": { "id": 7 } });
    telling.together([
        rollback(Some("mails"), 7, &[(0, "mail.send.revert", None)], &[]),
        step(&[], vec![tool(7, "mail.send.revert", both)], &[], vec![]),
        started(7),
    ]);
    telling.together([
        settled(7, Settlement::Failed(Box::new(failure(Code::Tool)))),
        step(&[7], vec![], &[], vec![]),
        ended(Ending::RolledBack(None), vec![]),
    ]);
    telling.entries
}

fn continued() -> Vec<Vec<Entry>> {
    let mut telling = Telling::default();
    let noted = |note: Value| Entry::Noted(CallNoted { seq: CallSeq::new(0), note });
    telling.together([step(&[], vec![tool(0, "video.render", json!({}))], &[], vec![]), started(0)]);
    telling.together([noted(json!({ "task": "t1" })), started(0)]);
    // The process died.
    telling.together([resumed(ResumedFrom::Journal), started(0)]);
    telling.together([noted(json!({ "task": "t1", "round": 1 })), started(0)]);
    let why = Some("the server no longer knows the task".to_owned());
    let (seq, question) = (CallSeq::new(0), Question::InDoubt);
    telling.together([Entry::Asked(CallAsked { seq, question, input: None, at: at(30), not_before: None, why })]);
    telling.decide(0, Verdict::DidNotHappen, Remember::Nothing);
    telling.together([started(0), noted(json!({ "task": "t2" })), started(0), settled(0, result(json!("done")))]);
    telling.together([step(&[0], vec![], &[], vec![]), ended(Ending::Completed(json!(null)), vec![])]);
    telling.entries
}

/// Sleeps, is woken, clears a timer, and sleeps on beside a pending call.
fn asleep() -> Vec<Vec<Entry>> {
    let mut telling = Telling::default();
    telling.together([step(&[], vec![timer(0, 5_000), timer(1, 3_600_000)], &[], vec![]), slept(5_000)]);
    telling.together([resumed(ResumedFrom::Snapshot)]);
    let second = vec![timer(2, 60_000), tool(3, "mail.send", json!({ "to": "ada" }))];
    telling.together([step(&[0], second, &[1], vec![]), asked(3, approval()), slept(60_010)]);
    telling.together([resumed(ResumedFrom::Journal), step(&[2], vec![timer(4, 2_000)], &[], vec![])]);
    telling.decide(3, Verdict::Deny(None), Remember::Nothing);
    telling.together([settled(3, Settlement::Failed(Box::new(failure(Code::ApprovalDenied))))]);
    telling.together([step(&[3], vec![], &[], vec![]), slept(2_010)]);
    telling.entries
}

/// Tells of a program that runs a snippet twice at the same time. The second run fails.
fn snippets() -> Vec<Vec<Entry>> {
    let mut telling = Telling::default();
    let start = |seq: u32, code: Option<SharedCode>| {
        let (input, budget) =
            (to_raw_value(&json!({ "n": seq })).unwrap(), SnippetBudget { calls: 7, logs: 8, facts: 9 });
        let (name, hash) = ("greet".to_owned(), "c0de".to_owned());
        settled(
            seq,
            Settlement::Snippet(Box::new(SnippetStarted {
                name,
                version: 2,
                hash,
                code,
                input,
                budget,
                approved_by: None,
                warning: None,
                is_repeated: false,
            })),
        )
    };
    let nested = |seq: u32, asked: Asked| Asked { seq: CallSeq::new(seq).child(asked.seq.number()).unwrap(), ..asked };
    let step = |answers: Vec<CallSeq>, calls: Vec<Asked>, ended: Vec<SnippetEnded>| {
        let (clock, cleared, logs) = (at(5), Vec::new(), Vec::new());
        let facts = Vec::new();
        Entry::Step(StepTaken { answers, clock, calls, cleared, logs, facts, used: USED, returned: false, ended })
    };
    let seq = CallSeq::new;
    let code = SharedCode::new(Program::single("return tools.a()"), prepared());
    let runs = [0, 1].map(|number| tool(number, "codemode.run", json!(["greet", { "n": number }])));
    telling.together([step(vec![], runs.into(), vec![]), start(0, Some(code)), start(1, None)]);
    let calls = vec![nested(0, tool(0, "a", json!(1))), nested(1, timer(0, 9)), nested(1, tool(1, "a", json!(2)))];
    telling.together([step(vec![seq(0), seq(1)], calls, vec![])]);
    let inner = seq(0).child(0).unwrap();
    let done = CallSettled { seq: inner, settlement: result(json!(1)), took: 3, lost: false };
    let ended_first = SnippetEnded { seq: seq(0), failure: None, took: 4 };
    telling.together([Entry::Settled(done), step(vec![inner], vec![tool(2, "b", json!(null))], vec![ended_first])]);
    let inner = seq(1).child(1).unwrap();
    let settlement = Settlement::Failed(Box::new(failure(Code::Tool)));
    let ended_second = SnippetEnded { seq: seq(1), failure: Some(Box::new(failure(Code::Tool))), took: 5 };
    telling.together([
        Entry::Settled(CallSettled { seq: inner, settlement, took: 3, lost: false }),
        step(vec![inner], vec![], vec![ended_second]),
        ended(Ending::Failed(failure(Code::Tool)), vec![]),
    ]);
    telling.entries
}
