//! When every call did what, by the journal.

use std::collections::BTreeMap;

use isobox::journal::{CallSettled, Entry, Settlement, Wanted};
use isobox::{CallSeq, Timestamp};

/// What a call does for a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The program has made it, and it has not started.
    Issued,
    /// It waits for somebody outside.
    Waiting,
    /// It is under way.
    Running,
    /// A moment: it failed.
    Failed,
}

/// A shape, from when, and until when; open where that has not come.
pub(crate) type Span = (Shape, u64, Option<u64>);

/// All calls over all of the time.
#[derive(Debug, Default)]
pub(crate) struct Bars {
    calls: BTreeMap<CallSeq, Vec<Span>>,
    pub(crate) begin: u64,
    pub(crate) end: u64,
    /// When something happened last.
    pub(crate) last: u64,
    /// When nobody ran the execution, in order.
    pub(crate) pauses: Vec<(u64, u64)>,
}

impl Bars {
    /// By what the journal says.
    pub(crate) fn of(created: Timestamp, entries: &[Entry]) -> Self {
        let mut bars = Self { begin: created.0, end: created.0, ..Self::default() };
        let mut paused_at = None;
        for entry in entries {
            if !matches!(entry, Entry::Resumed(_) | Entry::Ended(_)) {
                // It goes on where it was: somebody decided in that very moment, and there was no pause.
                paused_at = None;
            }
            match entry {
                Entry::Step(step) => {
                    let now = bars.reach(step.clock);
                    for seq in &step.answers {
                        bars.close(*seq, now);
                    }
                    for asked in &step.calls {
                        if matches!(asked.what, Wanted::Tool { .. }) {
                            bars.begin(asked.seq, Shape::Issued, now);
                        }
                    }
                }
                Entry::Started(started) => {
                    let now = bars.reach(started.at);
                    bars.begin(started.seq, Shape::Running, now);
                }
                Entry::Settled(settled) => bars.settle(settled),
                Entry::Asked(asked) => {
                    let now = bars.reach(asked.at);
                    bars.begin(asked.seq, Shape::Waiting, now);
                }
                Entry::Decided(decided) => {
                    let now = bars.reach(decided.at);
                    bars.close(decided.decision.seq, now);
                }
                Entry::Paused(paused) => paused_at = Some(bars.reach(paused.at)),
                Entry::Resumed(resumed) => {
                    // Without a pause before it, its process had died.
                    let from = paused_at.take().unwrap_or(bars.end);
                    bars.rest(from, resumed.at);
                }
                Entry::Ended(ended) => match paused_at.take() {
                    // Somebody ended it while it was at rest.
                    Some(from) => bars.rest(from, ended.at),
                    None => {
                        bars.reach(ended.at);
                    }
                },
            }
        }
        bars.last = bars.end;
        if let Some(from) = paused_at {
            // It is not known how long it will be: what counts is that it can be seen.
            bars.end = from + 3;
            bars.pauses.push((from, bars.end));
        }
        bars
    }

    /// What a call did, one after the other.
    pub(crate) fn of_call(&self, seq: CallSeq) -> impl Iterator<Item = Span> {
        self.calls.get(&seq).into_iter().flatten().copied()
    }

    /// Clocks of several machines may differ: time does not go back here.
    fn reach(&mut self, moment: Timestamp) -> u64 {
        self.end = self.end.max(moment.0);
        moment.0.max(self.begin)
    }

    fn rest(&mut self, from: u64, to: Timestamp) {
        let to = self.reach(to);
        if to > from {
            self.pauses.push((from, to));
        }
    }

    fn begin(&mut self, seq: CallSeq, shape: Shape, now: u64) {
        self.close(seq, now);
        self.calls.entry(seq).or_default().push((shape, now, None));
    }

    fn close(&mut self, seq: CallSeq, now: u64) {
        if let Some((_, from, to @ None)) = self.calls.get_mut(&seq).and_then(|spans| spans.last_mut()) {
            *to = Some(now.max(*from));
        }
    }

    fn settle(&mut self, settled: &CallSettled) {
        let open = self.calls.get(&settled.seq).and_then(|spans| spans.last()).copied();
        let now = match open {
            Some((Shape::Running, from, None)) => self.reach(Timestamp(from.saturating_add(settled.took))),
            _ => self.end,
        };
        self.close(settled.seq, now);
        if matches!(settled.settlement, Settlement::Failed(_)) {
            let at = now.saturating_sub(1);
            self.calls.entry(settled.seq).or_default().push((Shape::Failed, at, Some(now)));
        }
    }
}
