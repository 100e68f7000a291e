//! The processes of a world: they start, freeze and die.

use std::sync::Arc;

use futures_util::FutureExt;
use isobox_core::policy::Policy;
use isobox_core::store::Node;
use isobox_core::{ByteSize, Capacity, CapacityLimits, Catalogue, Clock, Contents, Host, Keeper, Timing, Validation};

use super::Scene;
use crate::clock::{Forgetful, Hurried};
use crate::driver::SimDriver;
use crate::executor::Group;
use crate::process::{BEAT, Process, beat, compete};
use crate::store::{Lies, Life, SimStore};
use crate::timeline::Watch;

impl Scene {
    /// Returns a live process, or starts a new one.
    pub(super) fn process(&mut self) -> usize {
        let wanted = if self.processes.is_empty() { 0 } else { 3 };
        if (self.processes.len() as u64) <= self.random.below(wanted) {
            self.start_process();
        }
        let place = usize::try_from(self.random.below(self.processes.len() as u64)).expect("a small number");
        // A slow process does nothing, so the next one is used.
        let is_free = |place: &usize| !self.executor.is_slow(Group::Process(self.processes[*place].number));
        let count = self.processes.len();
        if let Some(free) = (place..count).chain(0..place).find(is_free) {
            return free;
        }
        self.start_process();
        count
    }

    /// Freezes a process for a while without its knowledge.
    pub(super) fn freeze(&mut self) {
        if self.processes.is_empty() {
            return;
        }
        let place = usize::try_from(self.slow.below(self.processes.len() as u64)).expect("a small number");
        let (number, time) = (self.processes[place].number, 500 + self.slow.below(200_000));
        self.trace.count("process freezes", format_args!("{number} for {time} ms"));
        self.executor.freeze(Group::Process(number), time);
    }

    pub(super) fn start_process(&mut self) {
        self.people += 1;
        let number = self.people;
        let life = Arc::new(Life::default());
        let store = SimStore::new(self.shared.clone(), number, Arc::clone(&life), self.random.fork());
        let clock: Arc<dyn Clock> = match self.shared.lies {
            Lies::NoTimePasses => Arc::new(Forgetful(self.shared.clock.clone())),
            _ => Arc::new(self.shared.clock.clone()),
        };
        let active: Arc<dyn Clock> = match self.shared.lies {
            Lies::Hurries => Arc::new(Hurried(self.shared.clock.clone())),
            _ => Arc::new(self.shared.clock.clone()),
        };
        let node = Node(format!("node{number}").into());
        let timing = Timing::default().doubt(self.doubt);
        let keeper = Keeper::new(Arc::new(store.clone()), node, clock, timing);
        let live = if self.rivals.is_some() { 1 } else { 100 };
        let capacity = CapacityLimits { memory: ByteSize::mib(1024), live, queue: 100 };
        let driver = SimDriver { sandbox: Arc::clone(&self.sandbox), faults: Arc::clone(&self.shared.faults) };
        let host = Host {
            driver: Arc::new(driver),
            clock: active,
            catalogue: self.catalogue(number),
            policy: Arc::new(Policy::default()),
            approver: self.approver.clone(),
            namespaces: isobox_core::Namespaces::InTools,
            capacity: Capacity::new(capacity),
            observer: Some(Arc::new(Watch { process: number, timeline: self.shared.timeline.clone() })),
            contents: Contents::default(),
            reshape: None,
            validation: Validation::default(),
            keeper: Some(keeper),
            learner: None,
            checks: isobox_core::Checks::default(),
            rules: Arc::default(),
            modules: Arc::default(),
            sessions: self.notebook.is_some().then(|| self.sessions_in(Arc::new(store.clone()))),
        };
        let group = Group::Process(number);
        self.executor.spawn(group, store.serve().boxed());
        let (clock, living) = (self.shared.clock.clone(), host.clone());
        let heart = async move {
            loop {
                clock.sleep(BEAT).await;
                // A lost heartbeat is made up for by the next one.
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

    /// Returns the tools of a new process: the newest version, or a newer one.
    fn catalogue(&mut self, process: u32) -> Arc<Catalogue> {
        let may_change = self.tools_change && !self.versions.is_unused();
        if may_change && self.memory.as_mut().is_some_and(|memory| memory.percent(40)) {
            let version = self.versions.count();
            self.trace.count("tools change", version);
            self.versions.add(self.world.catalogue(version, self.shared.lies));
        }
        self.versions.newest_for(process)
    }

    /// Ends processes that a fault has killed.
    pub(super) fn bury(&mut self) {
        while let Some(place) = self.processes.iter().position(|process| process.life.is_dying()) {
            self.kill(place);
        }
    }

    pub(super) fn kill(&mut self, place: usize) {
        let process = self.processes.remove(place);
        self.trace.count("process dies", process.number);
        process.life.end();
        self.executor.kill(Group::Process(process.number));
    }
}
