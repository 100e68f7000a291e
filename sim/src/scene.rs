//! One simulated world: an execution, the processes that run it, the people who decide about it, and all that goes wrong.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use isobox_core::journal::StoreKey;
use isobox_core::policy::Policy;
use isobox_core::program::Program;
use isobox_core::store::{MemoryStore, Node, Part, Store};
use isobox_core::{
    Approver, ByteSize, CallDetails, CallSeq, Capacity, CapacityLimits, Catalogue, Clock, Code, Contents, Driver,
    Execution, ExecutionId, Failure, Host, Keeper, Keeping, Label, Limits, Outcome, Timestamp, Validation, execute,
    expire, inspect, resume,
};

use crate::clock::SimClock;
use crate::driver::SimDriver;
use crate::executor::{Executor, Group};
use crate::faults::Faults;
use crate::people::{OnTheSpot, Person, Sayings, verdict};
use crate::program::{Body, generate, print};
use crate::random::{Random, hash};
use crate::store::{Lies, Life, Shared, SimStore, now};
use crate::trace::{Counts, Trace};
use crate::verify::Evidence;
use crate::world::World;

/// What is known of a world when it is over.
#[derive(Debug)]
pub struct Report {
    /// Everything that happened.
    pub trace: String,
    /// How often what happened.
    pub counts: Counts,
    /// What must not have happened.
    pub violations: Vec<String>,
}

/// Lives through the world of a seed.
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
    catalogue: Arc<Catalogue>,
    processes: Vec<Process>,
    outside: SimStore,
    /// Who is asked on the spot, in some worlds.
    approver: Option<Arc<dyn Approver>>,
    id: ExecutionId,
    program: Body,
    limits: Limits,
    /// Tasks that run the execution.
    tasks: Vec<u64>,
    /// Tasks that decide about it.
    talks: Vec<u64>,
    people: u32,
    sayings: Sayings,
    told: Arc<Mutex<Vec<Result<Outcome, Failure>>>>,
    /// How much is still done to it on purpose.
    mischief: u64,
    /// Who else wants the one place that every process has, in some worlds.
    rivals: Option<Random>,
}

struct Process {
    number: u32,
    life: Arc<Life>,
    host: Host,
    /// The task that says that it is alive.
    heart: u64,
}

/// So long a process is taken to be alive after it last said so, and so often it does.
const ALIVE: Duration = Duration::from_secs(30);
const BEAT: u64 = 10_000;

/// An execution of which nothing moves ends or pauses within so many attempts to go on with it.
const ROUNDS: u32 = 100;
/// A world that does not end within so many steps never does.
const STEPS: u32 = 400_000;

impl Scene {
    fn new(sandbox: &Arc<dyn Driver>, seed: u64, lies: Lies) -> Self {
        let mut random = Random::new(seed);
        let clock = SimClock::default();
        let trace = Trace::new(clock.clone());
        let inner = MemoryStore::new(StoreKey::new([7; 32]), Arc::new(clock.clone()));
        let faults = Arc::new(Mutex::new(Faults::new(random.fork(), trace.clone())));
        let world = World::new(seed, random.fork(), clock.clone(), trace.clone(), inner.clone());
        let shared =
            Shared { inner, clock: clock.clone(), trace: trace.clone(), faults, acknowledged: Arc::default(), lies };
        let mut executor = Executor::new(clock, random.fork());
        let outside = SimStore::new(shared.clone(), Arc::default(), random.fork());
        executor.spawn(Group::Outside, outside.clone().serve().boxed());
        let program = generate(&mut random.fork());
        let on_the_spot =
            OnTheSpot { clock: shared.clock.clone(), random: Mutex::new(random.fork()), trace: trace.clone() };
        let approver = random.percent(20).then(|| Arc::new(on_the_spot) as Arc<dyn Approver>);
        let in_flight = if random.percent(20) { 2 } else { 32 };
        Self {
            executor,
            trace,
            catalogue: world.catalogue(lies),
            world,
            shared,
            sandbox: Arc::clone(sandbox),
            processes: Vec::new(),
            outside,
            approver,
            id: ExecutionId::new(seed, 0),
            program,
            limits: Limits { in_flight, ..Limits::default() },
            tasks: Vec::new(),
            talks: Vec::new(),
            people: 0,
            sayings: Sayings::default(),
            told: Arc::default(),
            mischief: random.below(30),
            rivals: hash(seed, "crowded").is_multiple_of(4).then(|| Random::new(hash(seed, "rivals"))),
            random,
        }
    }

    fn play(&mut self) {
        let mut printed = self.program.clone();
        printed.start += u64::from(self.shared.lies == Lies::RunsAnother);
        let source = print(&printed);
        self.trace.line(format_args!("program\n{source}"));
        self.begin(source);
        let mut rounds = 0;
        for step in 0.. {
            if step > STEPS {
                return self.trace.violation("it does not come to an end");
            }
            self.executor.step();
            self.bury();
            if self.mischief > 0 && self.random.below(16) == 0 {
                self.mischief -= 1;
                self.do_mischief();
            }
            if self.is_quiet() {
                if self.is_over() {
                    break;
                }
                rounds += 1;
                self.go_on(rounds);
                if rounds > ROUNDS {
                    return self.trace.violation("it is stuck");
                }
            }
        }
        let sayings = self.sayings.lock().expect("nobody panics while holding it").clone();
        let told = self.told.lock().expect("nobody panics while holding it");
        let timeout = u64::try_from(self.limits.timeout.as_millis()).unwrap_or(u64::MAX);
        Evidence {
            id: &self.id,
            program: &self.program,
            timeout,
            store: &self.shared.inner,
            acknowledged: &self.shared.acknowledged,
            world: &self.world,
            sayings: &sayings,
            told: &told,
            trace: &self.trace,
        }
        .check();
    }

    /// Whether nobody runs the execution or decides about it.
    fn is_quiet(&mut self) -> bool {
        let Self { tasks, talks, executor, .. } = self;
        tasks.retain(|task| executor.is_running(*task));
        talks.retain(|task| executor.is_running(*task));
        tasks.is_empty() && talks.is_empty()
    }

    /// Whether it has ended, was removed, or never began.
    fn is_over(&self) -> bool {
        match now(self.shared.inner.load(&self.id, Part::Whole)) {
            Ok(stored) => stored.head.status.is_over(),
            Err(_) => {
                self.trace.count("nothing is left of it", "");
                true
            }
        }
    }

    /// What somebody does who wants it to go on: decides what there is to decide, and resumes it.
    fn go_on(&mut self, rounds: u32) {
        if rounds > 6 {
            self.mischief = 0;
            self.shared.faults.lock().expect("nobody panics while holding it").stop();
        }
        if self.random.percent(75) {
            for (seq, _) in self.pending() {
                if self.random.percent(80) {
                    self.decide(seq);
                }
            }
        }
        self.resume();
    }

    fn begin(&mut self, source: String) {
        let execution = Execution {
            owner: None,
            id: self.id.clone(),
            seed: 7,
            program: Program::single(source),
            limits: self.limits.clone(),
            roles: Vec::new(),
            label: Label::default(),
            details: CallDetails::default(),
            keeping: Keeping::Journal,
            session: None,
        };
        let place = self.process();
        let (host, told, cancelled) = (self.processes[place].host.clone(), Arc::clone(&self.told), self.patience());
        let trace = self.trace.clone();
        let task = async move {
            if beat(&host).await.is_err() {
                return;
            }
            let outcome = execute(&host, execution, cancelled).await;
            tell(&trace, &told, Ok(outcome));
        };
        self.run(place, task);
    }

    /// Somebody resumes it in one of the processes.
    fn resume(&mut self) {
        let place = self.process();
        let (host, told, cancelled) = (self.processes[place].host.clone(), Arc::clone(&self.told), self.patience());
        let (id, trace, clock) = (self.id.clone(), self.trace.clone(), self.shared.clock.clone());
        let number = self.processes[place].number;
        self.trace.count("resume", format_args!("in process {number}"));
        let task = async move {
            if beat(&host).await.is_err() {
                return;
            }
            let outcome = resume(&host, &id, cancelled).await;
            let has_to_wait = outcome.is_err();
            tell(&trace, &told, outcome);
            if has_to_wait {
                clock.sleep(8_000).await;
            }
        };
        self.run(place, task);
    }

    /// How long somebody waits before they cancel: mostly forever.
    fn patience(&mut self) -> impl Future<Output = ()> + Send + 'static {
        let clock = self.shared.clock.clone();
        let patience = if self.random.percent(2) { Some(self.random.below(5000)) } else { None };
        let trace = self.trace.clone();
        async move {
            match patience {
                Some(patience) => clock.sleep(patience).await,
                None => std::future::pending().await,
            }
            trace.count("cancelled", "");
        }
    }

    fn run(&mut self, place: usize, task: impl Future<Output = ()> + Send + 'static) {
        let group = Group::Process(self.processes[place].number);
        let task = self.executor.spawn(group, task.boxed());
        self.tasks.push(task);
    }

    /// One of the processes that live, or a new one.
    fn process(&mut self) -> usize {
        let wanted = if self.processes.is_empty() { 0 } else { 3 };
        if (self.processes.len() as u64) <= self.random.below(wanted) {
            self.start_process();
        }
        usize::try_from(self.random.below(self.processes.len() as u64)).expect("a small number")
    }

    fn start_process(&mut self) {
        self.people += 1;
        let number = self.people;
        let life = Arc::new(Life::default());
        let store = SimStore::new(self.shared.clone(), Arc::clone(&life), self.random.fork());
        let keeper = Keeper::new(Arc::new(store.clone()), Node(format!("node{number}")));
        let live = if self.rivals.is_some() { 1 } else { 100 };
        let capacity = CapacityLimits { memory: ByteSize::mib(1024), live, queue: 100 };
        let driver = SimDriver { sandbox: Arc::clone(&self.sandbox), faults: Arc::clone(&self.shared.faults) };
        let host = Host {
            driver: Arc::new(driver),
            clock: Arc::new(self.shared.clock.clone()),
            catalogue: Arc::clone(&self.catalogue),
            policy: Arc::new(Policy::default()),
            approver: self.approver.clone(),
            namespaces: Arc::default(),
            capacity: Capacity::new(capacity),
            observer: None,
            contents: Contents::default(),
            reshape: None,
            validation: Validation::default(),
            keeper: Some(keeper),
        };
        let group = Group::Process(number);
        self.executor.spawn(group, store.serve().boxed());
        let (clock, living) = (self.shared.clock.clone(), host.clone());
        let heart = async move {
            loop {
                clock.sleep(BEAT).await;
                // One that is lost is made up for by the next.
                drop(beat(&living).await);
            }
        };
        let heart = self.executor.spawn(group, heart.boxed());
        if let Some(random) = &mut self.rivals {
            let rival = compete(host.capacity.clone(), random.fork(), self.shared.clock.clone(), self.trace.clone());
            self.executor.spawn(group, rival.boxed());
        }
        self.processes.push(Process { number, life, host, heart });
    }

    /// Ends processes that a fault has killed.
    fn bury(&mut self) {
        while let Some(place) = self.processes.iter().position(|process| process.life.is_dying()) {
            self.kill(place);
        }
    }

    fn kill(&mut self, place: usize) {
        let process = self.processes.remove(place);
        self.trace.count("process dies", process.number);
        process.life.end();
        self.executor.kill(Group::Process(process.number));
    }

    fn do_mischief(&mut self) {
        match self.random.below(100) {
            0..22 => self.resume(),
            22..30 => {
                self.resume();
                self.resume();
            }
            30..52 => self.decide_one(1),
            52..64 => self.decide_one(2),
            64..68 => self.decide_wrongly(),
            68..78 => {
                let place = self.process();
                self.kill(place);
            }
            78..84 => {
                let by = i64::try_from(self.random.below(7_200_000)).unwrap_or_default() - 3_600_000;
                let what = if by < 0 { "clock jumps back" } else { "clock jumps ahead" };
                self.trace.count(what, by);
                self.shared.clock.jump(by);
            }
            84..89 => {
                let place = self.process();
                let Process { heart, number, .. } = self.processes[place];
                self.trace.count("process falls silent", number);
                self.executor.drop_task(heart);
            }
            89..93 => self.give_up(),
            93..95 => self.reject(),
            _ => self.expire(),
        }
    }

    /// What waits for somebody outside, as the journal has it now.
    fn pending(&self) -> Vec<(CallSeq, u64)> {
        let Ok(inspected) = now(inspect(&self.shared.inner, &self.id)) else { return Vec::new() };
        inspected.standing.pending().map(|(call, _)| (call.seq, inspected.standing.revision)).collect()
    }

    /// Several people decide about the same call.
    fn decide_one(&mut self, people: u32) {
        let pending = self.pending();
        if pending.is_empty() {
            return;
        }
        let (seq, _) = *self.random.pick(&pending);
        if people > 1 {
            self.trace.count("decisions race", seq);
        }
        for _ in 0..people {
            self.decide(seq);
        }
    }

    fn decide(&mut self, seq: CallSeq) {
        let Ok(inspected) = now(inspect(&self.shared.inner, &self.id)) else { return };
        let standing = inspected.standing;
        let Some((_, waits)) = standing.pending().find(|(call, _)| call.seq == seq) else { return };
        let Some(verdict) = verdict(&mut self.random, &self.world, &self.id, seq, waits) else { return };
        let shown = self.random.percent(50).then_some(standing.revision);
        let person = self.person();
        self.speak(person.decide(seq, verdict, shown));
    }

    /// Somebody decides on what they have not seen, or what was not asked.
    fn decide_wrongly(&mut self) {
        let Some(&(seq, revision)) = self.pending().first() else { return };
        let person = self.person();
        self.trace.count("wrong decision", &person.name);
        let verdict = isobox_core::journal::Verdict::Approve;
        match self.random.below(2) {
            0 => self.speak(person.decide(seq, verdict, Some(revision + 5))),
            _ => self.speak(person.decide(CallSeq(seq.0 + 100), verdict, None)),
        }
    }

    fn reject(&mut self) {
        let person = self.person();
        self.trace.count("reject", &person.name);
        self.speak(person.reject());
    }

    fn person(&mut self) -> Person {
        self.people += 1;
        Person {
            name: format!("person{}", self.people),
            id: self.id.clone(),
            store: self.outside.clone(),
            truth: self.shared.inner.clone(),
            sayings: Arc::clone(&self.sayings),
            trace: self.trace.clone(),
        }
    }

    fn speak(&mut self, task: impl Future<Output = ()> + Send + 'static) {
        let task = self.executor.spawn(Group::Outside, task.boxed());
        self.talks.push(task);
    }

    /// Whoever waited for the outcome goes away; the process lives on.
    fn give_up(&mut self) {
        if let Some(&task) = self.tasks.first() {
            self.trace.count("caller goes away", task);
            self.executor.drop_task(task);
        }
    }

    /// One of the processes ends what has not changed for some time.
    fn expire(&mut self) {
        let age = *self.random.pick(&[0, 50, 1_000, 60_000]);
        let moment = Timestamp(self.shared.clock.now().0.saturating_sub(age));
        let place = self.process();
        let (host, trace) = (self.processes[place].host.clone(), self.trace.clone());
        self.run(place, async move {
            if beat(&host).await.is_err() {
                return;
            }
            match expire(&host, moment).await {
                Ok(ended) if ended.is_empty() => trace.count("expiry of nothing", ""),
                Ok(_) => trace.count("expiry", ""),
                Err(failure) => trace.line(format_args!("expiry: {}", failure.code)),
            }
        });
    }
}

/// Takes a place now and then, so that programs which wait for long have to give theirs up.
async fn compete(capacity: Capacity, mut random: Random, clock: SimClock, trace: Trace) {
    for _ in 0..12 {
        clock.sleep(random.below(400)).await;
        if let Ok(permit) = capacity.admit().await {
            trace.count("place taken by another", "");
            clock.sleep(random.below(150)).await;
            drop(permit);
        }
    }
}

async fn beat(host: &Host) -> Result<(), Failure> {
    match &host.keeper {
        Some(keeper) => keeper.keep_alive(ALIVE).await,
        None => Err(Failure::new(Code::Config, "it has a store")),
    }
}

fn tell(trace: &Trace, told: &Mutex<Vec<Result<Outcome, Failure>>>, outcome: Result<Outcome, Failure>) {
    let (what, code) = match &outcome {
        Ok(Outcome::Completed(_)) => ("told: completed", ""),
        Ok(Outcome::Paused(_)) => ("told: paused", ""),
        Ok(Outcome::Failed(failed)) => ("told: failed", failed.error.code.as_str()),
        Ok(_) => ("told: something else", ""),
        Err(failure) => ("told: not resumed", failure.code.as_str()),
    };
    trace.count(what, code);
    told.lock().expect("nobody panics while holding it").push(outcome);
}
