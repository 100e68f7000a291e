//! One simulated world: executions, the processes that run them, the people who decide about them, and the injected
//! faults.

mod afterwards;
mod deciding;
mod mischief;
mod notebook;
mod processes;
mod waking;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use isobox_core::journal::StoreKey;
use isobox_core::program::Program;
use isobox_core::store::MemoryStore;
use isobox_core::{
    Approver, CallDetails, Clock, Driver, Durability, Execution, Failure, Label, Limits, Means, Outcome, Principal,
    Purpose, Region, execute, resume,
};

use crate::clock::SimClock;
use crate::executor::{Executor, Group};
use crate::faults::Faults;
use crate::memory::{self, Story};
use crate::people::OnTheSpot;
use crate::process::{Process, beat, cancel_after, tell};
use crate::program::{Body, Leaves, Repetition, generate_snippets, print, print_for_session};
use crate::random::{Random, hash};
use crate::store::{Lies, Shared, SimStore};
use crate::subject::{Stage, Subject, subjects};
use crate::timeline::Timeline;
use crate::trace::{Counts, Trace};
use crate::verify::Evidence;
use crate::versions::Versions;
use crate::world::World;
use notebook::Notebook;
use waking::pause_after;

/// The results of a world.
#[derive(Debug)]
pub struct Report {
    /// The trace of all events.
    pub trace: String,
    /// The number of events by kind.
    pub counts: Counts,
    /// The violated invariants.
    pub violations: Vec<String>,
}

/// Simulates the world of a seed.
pub fn live(sandbox: &Arc<dyn Driver>, seed: u64, lies: Lies) -> Report {
    let mut scene = Scene::new(sandbox, seed, lies);
    scene.play();
    let (trace, counts, violations) = scene.trace.take();
    Report { trace, counts, violations }
}

struct Scene {
    random: Random,
    executor: Executor,
    trace: Trace,
    world: World,
    shared: Shared,
    sandbox: Arc<dyn Driver>,
    versions: Versions,
    processes: Vec<Process>,
    outside: SimStore,
    /// The approver of the host, in some worlds.
    approver: Option<Arc<dyn Approver>>,
    subjects: Vec<Subject>,
    limits: Limits,
    people: u32,
    /// The number of disturbances that may still be caused.
    mischief: u64,
    /// The source of remembered decisions, in half of the worlds. The others have one execution and remember nothing.
    memory: Option<Random>,
    /// Whether tools change from process to process.
    tools_change: bool,
    /// Competitors for the one live execution that every process has, in some worlds.
    rivals: Option<Random>,
    /// The source of decisions about several calls at once.
    several: Random,
    /// The source of slow events.
    slow: Random,
    /// The number of processes that may still be frozen.
    freezes: u64,
    /// The source of wake-ups, in half of the worlds. In the others nothing sleeps.
    sleepy: Option<Random>,
    /// Whether the time of day was set.
    has_jumped: bool,
    /// The source of rollbacks and forks, in half of the worlds.
    afterwards: Option<Random>,
    /// The snippets, in a third of the worlds.
    snippets: Vec<Body>,
    /// The sessions with globals, in a quarter of the worlds.
    notebook: Option<Notebook>,
    /// The seed, for the ids of forks.
    seed: u64,
    /// The number of rounds after which nothing is disturbed any more.
    calm: u32,
    /// In half of the worlds people can see running calls, and need not wait before they decide about calls in doubt.
    doubt: Option<Duration>,
}

/// The maximum number of attempts to resume executions. The longest world needs more than a hundred.
const ROUNDS: u32 = 500;
/// The interval for resuming the executions of a frozen process, in milliseconds.
const LOOKS_AGAIN: u64 = 5_000;
/// The wait while the store cannot be reached, in milliseconds.
const OUTAGE_WAIT: u64 = 10_000;
/// The age up to which executions may sleep. No world lasts as long.
const LIFETIME: Duration = Duration::from_hours(30 * 24);
/// The limit of calls.
const CALLS: u32 = 2_000;
/// The number of rounds in which everything is disturbed.
const CALM: u32 = 6;
/// The maximum number of steps of a world.
const STEPS: u32 = 400_000;

impl Scene {
    fn new(sandbox: &Arc<dyn Driver>, seed: u64, lies: Lies) -> Self {
        let mut random = Random::new(seed);
        let clock = SimClock::default();
        let trace = Trace::new(clock.clone());
        let inner = MemoryStore::new(StoreKey::new([7; 32]), Arc::new(clock.clone()));
        let mut slow = Random::new(hash(seed, "slow"));
        let faults = Arc::new(Mutex::new(Faults::new(random.fork(), slow.fork(), trace.clone())));
        let world = World::new(seed, random.fork(), clock.clone(), trace.clone(), inner.clone());
        let shared = Shared {
            inner,
            clock: clock.clone(),
            trace: trace.clone(),
            faults,
            timeline: Timeline::default(),
            lies,
            outage: Arc::default(),
        };
        let mut executor = Executor::new(clock, random.fork());
        let outside = SimStore::new(shared.clone(), 0, Arc::default(), random.fork());
        executor.spawn(Group::Outside, outside.clone().serve().boxed());
        let mut memory = hash(seed, "remembered").is_multiple_of(2).then(|| Random::new(hash(seed, "memory")));
        let snippets = if hash(seed, "children").is_multiple_of(3) {
            let repetition = if memory.is_some() { Repetition::Often } else { Repetition::Never };
            generate_snippets(&mut Random::new(hash(seed, "snippets")), repetition)
        } else {
            Vec::new()
        };
        let mut subjects = subjects(seed, &mut random.fork(), memory.as_mut(), snippets.len());
        let mut afterwards = hash(seed, "afterwards").is_multiple_of(2).then(|| Random::new(hash(seed, "regret")));
        if let Some(afterwards) = &mut afterwards {
            subjects.iter_mut().for_each(|subject| subject.plans = afterwards::plans(afterwards));
        }
        let on_the_spot =
            OnTheSpot { clock: shared.clock.clone(), random: Mutex::new(random.fork()), trace: trace.clone() };
        let approver = random.percent(20).then(|| Arc::new(on_the_spot) as Arc<dyn Approver>);
        let in_flight = if random.percent(20) { 2 } else { 32 };
        let sleepy = hash(seed, "sleepy").is_multiple_of(2).then(|| Random::new(hash(seed, "waking")));
        let lifetime = if sleepy.is_some() { LIFETIME } else { Duration::ZERO };
        let has_notebook = memory.is_some() && hash(seed, "notebook").is_multiple_of(2);
        Self {
            executor,
            trace,
            versions: Versions::new(world.catalogue(0, lies)),
            world,
            shared,
            sandbox: Arc::clone(sandbox),
            processes: Vec::new(),
            outside,
            approver,
            // A snippet in a loop of a snippet in a loop makes many calls.
            limits: Limits::default().in_flight(in_flight).lifetime(lifetime).calls(CALLS),
            people: 0,
            mischief: random.below(30) * subjects.len() as u64,
            subjects,
            tools_change: memory.as_mut().is_some_and(|memory| memory.percent(35)),
            memory,
            rivals: hash(seed, "crowded").is_multiple_of(4).then(|| Random::new(hash(seed, "rivals"))),
            several: Random::new(hash(seed, "several")),
            freezes: slow.below(5),
            doubt: slow.percent(50).then_some(Duration::ZERO),
            slow,
            sleepy,
            has_jumped: false,
            afterwards,
            snippets,
            notebook: has_notebook.then(|| Notebook::new(Random::new(hash(seed, "pages")))),
            seed,
            calm: CALM,
            random,
        }
    }

    fn play(&mut self) {
        self.save_snippets();
        self.begin(0);
        let (mut rounds, mut are_over) = (0, false);
        for step in 0.. {
            if step > STEPS {
                return self.trace.violation("the world does not end");
            }
            self.executor.step();
            self.bury();
            for process in &self.processes {
                let held_back = process.life.take_held_back();
                if held_back > 0 {
                    self.executor.is_held_up(Group::Process(process.number), held_back);
                }
            }
            if self.mischief > 0 && self.random.below(16) == 0 {
                self.mischief -= 1;
                self.do_mischief();
            }
            if self.freezes > 0 && self.slow.below(24) == 0 {
                self.freezes -= 1;
                self.freeze();
            }
            if self.is_quiet() {
                let stands_still = self.subjects.iter().any(|subject| !subject.tasks.is_empty());
                if are_over && stands_still {
                    continue;
                }
                let stages = self.stages();
                are_over = stages.iter().zip(&self.subjects).all(|(stage, subject)| match stage {
                    Stage::Over => subject.plans.is_empty(),
                    Stage::Gone => true,
                    Stage::ToCome | Stage::UnderWay => false,
                });
                // A frozen process must do no harm when it continues.
                if are_over && stands_still {
                    continue;
                }
                if are_over {
                    break;
                }
                rounds += u32::from(!stands_still);
                self.go_on(rounds, &stages);
                if rounds > ROUNDS {
                    return self.trace.violation("the world is stuck");
                }
            }
        }
        self.check();
        self.check_sessions();
    }

    fn check(&self) {
        let timeout = u64::try_from(self.limits.timeout.as_millis()).unwrap_or(u64::MAX);
        let Shared { inner: store, timeline, .. } = &self.shared;
        let mut said = Vec::new();
        for subject in &self.subjects {
            let Subject { id, program, session, sayings, told, forked, .. } = subject;
            if subject.stage(store) == Stage::Gone {
                self.trace.count("nothing is left of it", "");
            }
            let sayings = sayings.lock().expect("no holder of the lock panics").clone();
            let told = told.lock().expect("no holder of the lock panics");
            let (world, trace) = (&self.world, &self.trace);
            let has_jumped = self.has_jumped;
            let (sayings, told) = (&sayings[..], &told[..]);
            let (snippets, forked, found) = (&self.snippets[..], forked.as_ref(), self.found(id));
            let evidence = Evidence {
                id,
                program,
                snippets,
                found,
                forked,
                timeout,
                store,
                timeline,
                world,
                sayings,
                told,
                trace,
                has_jumped,
                lies: self.shared.lies,
            };
            evidence.check();
            said.push((id, *session, sayings.to_vec(), forked.is_some()));
        }
        let stories: Vec<Story<'_>> = said
            .iter()
            .map(|(id, session, sayings, is_fork)| Story { id, session: *session, sayings, is_fork: *is_fork })
            .collect();
        memory::check(&stories, store, timeline, &self.versions, &self.trace);
    }

    /// Tells whether no task runs an execution or decides about one.
    fn is_quiet(&mut self) -> bool {
        let Self { subjects, executor, .. } = self;
        let busy = subjects.iter_mut().map(|subject| !subject.is_quiet(executor));
        busy.filter(|is_busy| *is_busy).count() == 0
    }

    fn stages(&self) -> Vec<Stage> {
        self.subjects.iter().map(|subject| subject.stage(&self.shared.inner)).collect()
    }

    /// Drives the executions: starts new ones, decides about pending calls, and resumes.
    fn go_on(&mut self, rounds: u32, stages: &[Stage]) {
        if rounds > self.calm {
            self.mischief = 0;
            self.shared.faults.lock().expect("no holder of the lock panics").stop();
        }
        self.disturb_sessions();
        let is_alone = !stages.contains(&Stage::UnderWay);
        for (which, stage) in stages.iter().enumerate() {
            match stage {
                Stage::ToCome => {
                    if is_alone || self.memory.as_mut().is_some_and(|memory| memory.percent(15)) {
                        self.begin(which);
                    }
                }
                Stage::UnderWay => self.go_on_with(which),
                Stage::Over => self.go_on_after_the_end(which, rounds),
                Stage::Gone => {}
            }
        }
    }

    fn go_on_with(&mut self, which: usize) {
        if self.random.percent(75) {
            for (seq, _) in self.pending(which) {
                if self.random.percent(80) {
                    self.decide(which, &[seq]);
                }
            }
        }
        if self.looks_for_due() {
            self.wake(which);
        } else {
            self.resume(which);
        }
        if self.subjects[which].tasks.iter().any(|task| self.executor.stands_still(*task)) {
            // A task may have to wait for a frozen process.
            let pause = self.shared.clock.sleep(LOOKS_AGAIN);
            self.speak(which, pause);
        }
    }

    fn begin(&mut self, which: usize) {
        let subject = &mut self.subjects[which];
        subject.has_begun = true;
        let mut printed = subject.program.clone();
        printed.start += u64::from(self.shared.lies == Lies::RunsAnother);
        let leaves = if self.shared.lies == Lies::LeavesNothing { Leaves::Nothing } else { Leaves::Result };
        let (source, globals) = match &mut self.notebook {
            Some(notebook) if subject.session.is_some() => (print_for_session(&printed, leaves), notebook.globals()),
            Some(_) | None => (print(&printed), isobox_core::Globals::None),
        };
        self.trace.line(format_args!("program\n{source}"));
        let execution = Execution {
            principal: Principal::host(),
            id: subject.id.clone(),
            seed: 7,
            program: Program::single(source),
            limits: self.limits.clone(),
            label: Label::default(),
            details: CallDetails::default(),
            durability: Durability::Journal,
            session: subject.session.map(Into::into),
            globals,
            tools: Vec::new(),
            region: Region::default(),
            purpose: Purpose::Program,
            // A program that calls a missing tool runs until then.
            checks: Some(isobox_core::Checks::Off),
        };
        let told = Arc::clone(&subject.told);
        let place = self.process();
        let (host, cancelled) = (self.processes[place].host.clone(), self.patience());
        let (trace, clock) = (self.trace.clone(), self.shared.clock.clone());
        let task = async move {
            if beat(&host).await.is_err() {
                // The store cannot be reached; this is tried again later.
                return clock.sleep(OUTAGE_WAIT).await;
            }
            let (id, outcome) = (execution.id.clone(), execute(&host, execution, cancelled).await);
            tell(&trace, &told, Ok(outcome.unwrap_or_else(|error| Outcome::refused(id, error.into()))));
        };
        self.run(which, place, task);
    }

    /// Resumes an execution in one of the processes.
    fn resume(&mut self, which: usize) {
        let place = self.process();
        let (host, cancelled) = (self.processes[place].host.clone(), self.patience());
        let Subject { id, told, .. } = &self.subjects[which];
        let (id, told) = (id.clone(), Arc::clone(told));
        let (trace, clock) = (self.trace.clone(), self.shared.clock.clone());
        let number = self.processes[place].number;
        self.trace.count("resume", format_args!("in process {number}"));
        let task = async move {
            if beat(&host).await.is_err() {
                return clock.sleep(OUTAGE_WAIT).await;
            }
            let outcome = resume(&host, &id, Means::default(), cancelled).await.map_err(Failure::from);
            let pause = pause_after(&outcome, clock.now().0);
            tell(&trace, &told, outcome);
            if let Some(pause) = pause {
                clock.sleep(pause).await;
            }
        };
        self.run(which, place, task);
    }

    /// Returns how long a caller waits before it cancels, mostly for ever.
    fn patience(&mut self) -> impl Future<Output = ()> + Send + 'static {
        let patience = if self.random.percent(2) { Some(self.random.below(5000)) } else { None };
        cancel_after(patience, self.shared.clock.clone(), self.trace.clone())
    }

    fn run(&mut self, which: usize, place: usize, task: impl Future<Output = ()> + Send + 'static) {
        let group = Group::Process(self.processes[place].number);
        let task = self.executor.spawn(group, task.boxed());
        self.subjects[which].tasks.push(task);
    }
}
