//! The activity of every call over time, read from the journal.

use std::collections::BTreeMap;

use isobox::journal::{CallSettled, Entry, Settlement, Wanted};
use isobox::{CallSeq, Timestamp};

/// The activity of a call during a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The program has made the call, and it has not started.
    Issued,
    /// The call is pending.
    Waiting,
    /// The call is running.
    Running,
    /// The call failed at this moment.
    Failed,
}

/// An activity with its start and its end. The end is `None` while the span is open.
pub(crate) type Span = (Shape, u64, Option<u64>);

/// The spans of all calls, and the pauses of the execution.
#[derive(Debug, Default)]
pub(crate) struct Bars {
    calls: BTreeMap<CallSeq, Vec<Span>>,
    pub(crate) begin: u64,
    pub(crate) end: u64,
    /// The time of the last journal entry.
    pub(crate) last: u64,
    /// The times when no process ran the execution, in order.
    pub(crate) pauses: Vec<(u64, u64)>,
}

impl Bars {
    /// Reads the spans from the journal.
    pub(crate) fn of(created: Timestamp, entries: &[Entry]) -> Self {
        let mut bars = Self { begin: created.0, end: created.0, ..Self::default() };
        let mut paused_at = None;
        for entry in entries {
            if !matches!(entry, Entry::Resumed(_) | Entry::Ended(_)) {
                // The execution continues without having been resumed: a decision came in at that moment, so there was
                // no pause.
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
                Entry::Noted(_) => {}
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
                    // Without a pause before it, the previous process had died.
                    let from = paused_at.take().unwrap_or(bars.end);
                    bars.rest(from, resumed.at);
                }
                Entry::Ended(ended) => match paused_at.take() {
                    // The execution was ended while it was paused.
                    Some(from) => bars.rest(from, ended.at),
                    None => {
                        bars.reach(ended.at);
                    }
                },
                Entry::Rollback(begun) => bars.rest(bars.end, begun.at),
            }
        }
        bars.last = bars.end;
        if let Some(from) = paused_at {
            // The pause is still open. Three milliseconds are enough to make it visible.
            bars.end = from + 3;
            bars.pauses.push((from, bars.end));
        }
        bars
    }

    /// Returns the spans of a call in order.
    pub(crate) fn of_call(&self, seq: CallSeq) -> impl Iterator<Item = Span> {
        self.calls.get(&seq).into_iter().flatten().copied()
    }

    /// Advances the end of the timeline. Clocks of different machines may differ, so time never goes back here.
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
