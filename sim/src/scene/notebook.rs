//! The sessions of a world: programs that leave globals for each other, and people who fork and rewind sessions.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::FutureExt;
use isobox_core::driver::ErrorKind;
use isobox_core::journal::{Ending, UsedGlobals};
use isobox_core::program::{Program, prepare};
use isobox_core::store::Store;
use isobox_core::{
    BusySession, ByteSize, CallDetails, Capacity, CapacityLimits, Checks, Durability, Execution, ExecutionId, Globals,
    Home, Host, Label, Outcome, Principal, ProgramState, Purpose, Region, SessionOptions, Sessions, StartOptions,
    Timestamp, execute, inspect,
};
use serde_json::Value;

use super::{OUTAGE_WAIT, Scene};
use crate::driver::at_once;
use crate::model::expect;
use crate::phases::{end_of, phases};
use crate::process::beat;
use crate::program::{Repetition, Thrown, ToolKind, generate};
use crate::random::Random;
use crate::record::Record;
use crate::sessions::{Final, Left, Results, Used, wrongs};
use crate::store::now;
use crate::subject::Subject;

/// The session that is forked from another one.
const BRANCH: &str = "branch";
/// The sessions of a world.
const NAMES: [&str; 3] = ["shared", "another", BRANCH];
/// The program that tells what is in the globals.
const LOOK: &str = "return globalThis.results ?? []";

/// The sessions with globals of a world.
pub(super) struct Notebook {
    random: Random,
    /// The sessions that someone has tried to rewind.
    rewound: Vec<&'static str>,
    is_forked: bool,
}

impl Notebook {
    pub(super) fn new(random: Random) -> Self {
        Self { random, rewound: Vec::new(), is_forked: false }
    }

    /// Returns the globals that an execution asks for.
    pub(super) fn globals(&mut self) -> Globals {
        Globals::OfSession(if self.random.percent(90) { BusySession::Wait } else { BusySession::Refuse })
    }
}

impl Scene {
    /// Returns the sessions in a store.
    pub(super) fn sessions_in(&self, store: Arc<dyn Store>) -> Sessions {
        Sessions::new(store, Home::Store, Arc::new(self.shared.clock.clone()), SessionOptions::default())
    }

    /// Forks or rewinds a session now and then, in one of the processes.
    pub(super) fn disturb_sessions(&mut self) {
        let Some(notebook) = &mut self.notebook else { return };
        match notebook.random.below(100) {
            0..10 => self.rewind_session(),
            10..22 if !notebook.is_forked => self.fork_session(),
            _ => {}
        }
    }

    fn rewind_session(&mut self) {
        let Some(notebook) = &mut self.notebook else { return };
        let (name, version) = (*notebook.random.pick(&NAMES), 1 + notebook.random.below(3));
        notebook.rewound.push(name);
        let place = self.process();
        let (host, trace, clock) = (self.processes[place].host.clone(), self.trace.clone(), self.shared.clock.clone());
        let task = async move {
            if beat(&host).await.is_err() {
                return clock.sleep(OUTAGE_WAIT).await;
            }
            let Some(sessions) = &host.sessions else { return };
            match sessions.rewind(name, version).await {
                Ok(_) => trace.count("session rewound", format_args!("{name} to {version}")),
                Err(failure) => trace.count("session not rewound", failure.code),
            }
        };
        self.run(0, place, task);
    }

    /// Forks a session. Another program uses the fork, or begins that session if it cannot be forked.
    fn fork_session(&mut self) {
        let Some(notebook) = &mut self.notebook else { return };
        notebook.is_forked = true;
        let program = generate(&mut notebook.random, Repetition::Often);
        let id = ExecutionId::new(self.seed, 500);
        self.subjects.push(Subject::new(id, program, Some(BRANCH)));
        let place = self.process();
        let (host, trace) = (self.processes[place].host.clone(), self.trace.clone());
        let task = async move {
            let (Ok(()), Some(sessions)) = (beat(&host).await, &host.sessions) else { return };
            match sessions.fork(NAMES[0], None, BRANCH).await {
                Ok(_) => trace.count("session forked", BRANCH),
                Err(failure) => trace.count("session not forked", failure.code),
            }
        };
        self.run(0, place, task);
    }

    /// Checks the sessions at the end of the world.
    pub(super) fn check_sessions(&mut self) {
        let Some(notebook) = &self.notebook else { return };
        let rewound = notebook.rewound.clone();
        let used: Vec<Used> = self.subjects.iter().filter_map(|subject| self.use_of(subject)).collect();
        let mut sessions = BTreeMap::new();
        for name in NAMES {
            let session = Final { results: self.results_of(name), may_be_rewound: rewound.contains(&name) };
            self.trace.line(format_args!("session {name}: {session:?}"));
            sessions.insert(name.to_owned(), session);
        }
        wrongs(&used, &sessions).into_iter().for_each(|wrong| self.trace.violation(wrong));
    }

    /// Returns how an execution used its session. A fork of an execution uses none.
    fn use_of(&self, subject: &Subject) -> Option<Used> {
        let session = subject.session?.to_owned();
        let inspected = now(inspect(&self.shared.inner, &subject.id)).ok()?;
        let found = self.results_in(inspected.beginning.globals.as_ref()?);
        let (program, _) = phases(&inspected.entries);
        let left = match end_of(program).map(|ended| (&ended.how, &ended.hints)) {
            Some((Ending::Completed(result), hints)) => {
                let is_kept = !hints.iter().any(|hint| hint.contains("not kept"));
                self.trace.count(if is_kept { "session left" } else { "session not kept" }, &session);
                if is_kept { Left::Result(result.as_u64().unwrap_or(u64::MAX)) } else { Left::Nothing }
            }
            Some(_) | None => {
                let gives = |path: &str, label: &str, a: u64| match ToolKind::at(path) {
                    Some(kind) => self.world.gives(kind, label, a),
                    None => Err(Thrown::Unknown),
                };
                let last = Some(found.last().copied().unwrap_or_default());
                let expected = expect(&subject.program, &self.snippets, &Record::of(program, gives), last);
                match expected.end {
                    Some((_, Ok(result))) => Left::Perhaps(result),
                    Some((_, Err(_))) | None => Left::Nothing,
                }
            }
        };
        self.trace.line(format_args!("session {session} of {}: {found:?}, {left:?}", subject.id));
        Some(Used { session, found, left })
    }

    /// Returns the last result that a program of a session found. None if the execution uses no session.
    pub(super) fn found(&self, id: &ExecutionId) -> Option<u64> {
        let inspected = now(inspect(&self.shared.inner, id)).ok()?;
        let results = self.results_in(inspected.beginning.globals.as_ref()?);
        Some(results.last().copied().unwrap_or_default())
    }

    /// Returns the results that the next program of a session would find. Another session is made of it, because an execution
    /// that never began may still hold it.
    fn results_of(&mut self, name: &str) -> Results {
        self.start_process();
        let sessions = self.sessions_in(Arc::new(self.shared.inner.clone()));
        let seen = format!("{name} at the end");
        if now(sessions.fork(name, None, &seen)).is_err() {
            return Results::new();
        }
        let Some(process) = self.processes.last() else { return Results::new() };
        let (driver, keeper) = (Arc::clone(&self.sandbox), None);
        let host = Host { driver, keeper, sessions: Some(sessions), ..process.host.clone() };
        let execution = Execution {
            principal: Principal::host(),
            id: ExecutionId::new(self.seed, 900),
            seed: 7,
            program: Program::single(LOOK),
            limits: self.limits.clone(),
            label: Label::default(),
            details: CallDetails::default(),
            durability: Durability::Nothing,
            session: Some(seen.into()),
            globals: Globals::OfSession(BusySession::Refuse),
            tools: Vec::new(),
            region: Region::default(),
            purpose: Purpose::Program,
            checks: Some(Checks::Off),
        };
        let outcome = now(at_once(execute(&host, execution, std::future::pending()).boxed()));
        match outcome {
            Ok(Outcome::Completed(completed)) => results(completed.result),
            other => panic!("the session cannot be read: {other:?}"),
        }
    }

    /// Reads the globals that a program found.
    fn results_in(&self, used: &UsedGlobals) -> Results {
        let program = Program::single(LOOK);
        let prepared = Arc::new(now(at_once(prepare(&*self.sandbox, &program).boxed())).expect("it is a program"));
        let capacity = Capacity::new(CapacityLimits { memory: ByteSize::mib(64), live: 1, queue: 0 });
        let permit = now(capacity.admit()).expect("there is a place");
        let options = StartOptions {
            limits: self.limits.clone(),
            seed: 7,
            meter: permit.meter(),
            namespaces: Arc::new([]),
            region: Region::default(),
            globals: used.snapshot.clone(),
        };
        let mut instance = loop {
            match now(at_once(self.sandbox.start(Arc::clone(&prepared), options.clone()))) {
                // The real sandbox frees instances in real time.
                Err(error) if error.kind == ErrorKind::Busy => std::thread::yield_now(),
                started => break started.expect("the globals are those of this sandbox"),
            }
        };
        match now(at_once(instance.step(Vec::new(), Timestamp(0)))).expect("it runs").state {
            ProgramState::Done(returned) => results(returned.result),
            other => panic!("the globals cannot be read: {other:?}"),
        }
    }
}

fn results(value: Value) -> Results {
    serde_json::from_value(value).expect("the globals have a list of numbers")
}
