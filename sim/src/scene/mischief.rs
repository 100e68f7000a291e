//! Disturbances: concurrent attempts, deaths, jumps of the clock, and people who end executions.

use isobox_core::{Clock, Principal, Timestamp, expire};

use super::Scene;
use crate::process::{Process, beat};
use crate::timeline::Moment;

impl Scene {
    pub(super) fn do_mischief(&mut self) {
        let begun: Vec<usize> = (0..self.subjects.len()).filter(|which| self.subjects[*which].has_begun).collect();
        let which = self.memory.as_mut().map_or(0, |memory| *memory.pick(&begun));
        let which = self.somewhere_else(&begun).unwrap_or(which);
        if self.rolls_back_untimely() {
            return self.roll_back(which);
        }
        match self.random.below(100) {
            0..22 => self.resume(which),
            22..30 => {
                self.resume(which);
                self.resume(which);
            }
            30..52 => self.decide_one(which, 1),
            52..64 => self.decide_one(which, 2),
            64..68 => self.decide_wrongly(which),
            68..78 => {
                let place = self.process();
                self.kill(place);
            }
            78..84 => {
                let by = i64::try_from(self.random.below(7_200_000)).unwrap_or_default() - 3_600_000;
                let what = if by < 0 { "clock jumps back" } else { "clock jumps ahead" };
                self.trace.count(what, by);
                self.shared.clock.jump(by);
                self.has_jumped = true;
            }
            84..89 => {
                let place = self.process();
                let Process { heart, number, .. } = self.processes[place];
                self.trace.count("process falls silent", number);
                self.executor.drop_task(heart);
            }
            89..93 => self.give_up(which),
            93 => self.reject(which),
            94 => self.cancel(which),
            _ => self.expire(which),
        }
    }

    /// Drops the caller that waits for the outcome. The process lives on.
    fn give_up(&mut self, which: usize) {
        if let Some(&task) = self.subjects[which].tasks.first() {
            self.trace.count("caller goes away", task);
            self.executor.drop_task(task);
        }
    }

    /// Expires stale executions in one of the processes.
    fn expire(&mut self, which: usize) {
        let age = *self.random.pick(&[0, 50, 1_000, 60_000]);
        let moment = Timestamp(self.shared.clock.now().0.saturating_sub(age));
        self.shared.timeline.note(Moment::Expiry(moment));
        let place = self.process();
        let (host, trace) = (self.processes[place].host.clone(), self.trace.clone());
        self.run(which, place, async move {
            if beat(&host).await.is_err() {
                return;
            }
            match expire(&host, &Principal::host(), moment).await {
                Ok(ended) if ended.is_empty() => trace.count("expiry of nothing", ""),
                Ok(_) => trace.count("expiry", ""),
                Err(failure) => trace.line(format_args!("expiry: {}", failure.code)),
            }
        });
    }
}
