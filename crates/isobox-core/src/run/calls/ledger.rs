//! Tracks the calls of one execution: queued, running, settled. Decisions only; no I/O and no clock.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::driver::{Answer, Call, CalledFrom, Reply, Request};
use crate::journal::{self, JournalState, Settlement};
use crate::report::kept_details::KeptDetails;
use crate::run::explain::FailedCall;
use crate::{CallRecord, CallSeq, CallState, Failure, Timestamp};

/// Every call that an execution has made. Times are those of the execution's clock.
#[derive(Debug)]
pub(crate) struct Ledger {
    in_flight_limit: u32,
    /// The number of started calls whose answers are not delivered yet.
    in_flight: u32,
    /// The calls in the order of their numbers. Timers have none.
    entries: Vec<Entry>,
    waiting: VecDeque<ToolRequest>,
    timers: BTreeSet<(Duration, CallSeq)>,
    /// The time at which each timer is due. A program may set ten thousand timers, and clear one in every step.
    due: HashMap<CallSeq, Duration>,
    failures: HashMap<CallSeq, Failure>,
}

/// A tool call whose turn has come.
#[derive(Debug)]
pub(crate) struct ToolRequest {
    pub(crate) seq: CallSeq,
    pub(crate) path: String,
    pub(crate) input: Value,
}

#[derive(Debug)]
struct Entry {
    seq: CallSeq,
    path: Arc<str>,
    place: Option<CalledFrom>,
    progress: Phase,
}

#[derive(Debug, Clone, Copy)]
enum Phase {
    Issued,
    /// The turn of the call has come, and it is waiting for approval.
    Asked,
    /// The call was waiting for approval when the program returned.
    Left,
    Started(Duration),
    /// The snippet of the call is running.
    Running(Duration),
    /// The tool was started, and asked for an answer after the program had returned.
    Abandoned,
    Settled {
        state: CallState,
        took: Duration,
        is_delivered: bool,
    },
}

impl Ledger {
    pub(crate) fn new(in_flight_limit: u32) -> Self {
        Self {
            in_flight_limit,
            in_flight: 0,
            entries: Vec::new(),
            waiting: VecDeque::new(),
            timers: BTreeSet::new(),
            due: HashMap::new(),
            failures: HashMap::new(),
        }
    }

    /// Restores the calls of an execution from its journal. The wall-clock time is `today`.
    pub(crate) fn resumed(in_flight_limit: u32, state: &JournalState, now: Duration, today: Timestamp) -> Self {
        let mut ledger = Self::new(in_flight_limit);
        let calls = state.current_calls();
        ledger.entries.reserve(calls.len());
        for call in calls {
            let seq = call.seq;
            let settled = |failure: Option<&Failure>, took: u64, is_delivered| Phase::Settled {
                state: failure.map_or(CallState::Applied, CallState::of_failure),
                took: Duration::from_millis(took),
                is_delivered,
            };
            let progress = match &call.progress {
                journal::CallProgress::Issued => {
                    if let Some((path, input)) = state.request(call.seq) {
                        ledger.waiting.push_back(ToolRequest { seq, path: path.to_owned(), input });
                    }
                    Phase::Issued
                }
                journal::CallProgress::Pending(_) | journal::CallProgress::Decided(_) => Phase::Asked,
                journal::CallProgress::Started => Phase::Started(now),
                journal::CallProgress::Settled { settlement: Settlement::Ephemeral, .. } => Phase::Started(now),
                journal::CallProgress::Settled { settlement: Settlement::Result(_), took } => {
                    settled(None, *took, false)
                }
                journal::CallProgress::Settled { settlement: Settlement::Failed(failure), took } => {
                    ledger.failures.insert(seq, (**failure).clone());
                    settled(Some(failure), *took, false)
                }
                journal::CallProgress::Settled { settlement: Settlement::Snippet(_), .. } => Phase::Started(now),
                journal::CallProgress::Delivered { .. } if state.running.contains_key(&seq) => Phase::Running(now),
                journal::CallProgress::Delivered { failure, took } => {
                    ledger.failures.extend(failure.as_deref().map(|failure| (seq, failure.clone())));
                    settled(failure.as_deref(), *took, true)
                }
            };
            ledger.in_flight += u32::from(!matches!(
                progress,
                Phase::Issued | Phase::Running(_) | Phase::Settled { is_delivered: true, .. }
            ));
            ledger.entries.push(Entry { seq, path: call.path.clone(), place: None, progress });
        }
        // Timers that were due meanwhile fire now, one after the other in their order.
        let mut timers: Vec<_> = state.timers.iter().map(|(seq, due)| (due.0, *seq)).collect();
        timers.sort_unstable();
        let mut earliest = now;
        for (due, seq) in timers {
            let moment = now.saturating_add(Duration::from_millis(due.saturating_sub(today.0))).max(earliest);
            earliest = moment.saturating_add(Duration::from_nanos(1));
            ledger.set_timer(moment, seq);
        }
        ledger
    }

    /// Adds the calls of a step.
    pub(crate) fn issue(&mut self, calls: Vec<Call>, now: Duration) {
        for Call { seq, request, place } in calls {
            match request {
                Request::Tool { path, input } => {
                    let entry = Entry { seq, path: path.as_str().into(), place, progress: Phase::Issued };
                    // Calls of snippets are numbered under the call that started the snippet.
                    let position = self.entries.partition_point(|other| other.seq < seq);
                    self.entries.insert(position, entry);
                    self.waiting.push_back(ToolRequest { seq, path, input });
                }
                Request::Timer(delay) => {
                    self.set_timer(now.saturating_add(delay), seq);
                }
            }
        }
    }

    fn set_timer(&mut self, due: Duration, seq: CallSeq) {
        self.timers.insert((due, seq));
        self.due.insert(seq, due);
    }

    /// Removes timers that the program has cleared.
    pub(crate) fn clear(&mut self, timers: &[CallSeq]) {
        for seq in timers {
            if let Some(due) = self.due.remove(seq) {
                self.timers.remove(&(due, *seq));
            }
        }
    }

    /// Tells whether the limit of calls in flight lets another call start.
    pub(crate) fn has_room(&self) -> bool {
        self.in_flight < self.in_flight_limit
    }

    /// Returns the next call that may start, in the order in which the calls were made.
    pub(crate) fn start_next(&mut self, now: Duration) -> Option<ToolRequest> {
        if !self.has_room() {
            return None;
        }
        let request = self.waiting.pop_front()?;
        self.in_flight += 1;
        self.entry(request.seq).progress = Phase::Started(now);
        Some(request)
    }

    /// Records that a call whose turn has come is waiting for approval.
    pub(crate) fn ask(&mut self, seq: CallSeq) {
        self.entry(seq).progress = Phase::Asked;
    }

    /// Records that a call starts now.
    pub(crate) fn begin(&mut self, seq: CallSeq, now: Duration) {
        self.entry(seq).progress = Phase::Started(now);
    }

    /// Records the outcome of a started call. Returns its duration.
    pub(crate) fn settle(&mut self, answer: &Answer, now: Duration) -> Duration {
        let state = match &answer.reply {
            Reply::Result(_) => CallState::Applied,
            Reply::Failed(failure) => {
                self.failures.insert(answer.seq, failure.clone());
                CallState::of_failure(failure)
            }
            Reply::Fired => return Duration::ZERO,
        };
        let entry = self.entry(answer.seq);
        let took = match entry.progress {
            Phase::Started(since) => now.saturating_sub(since),
            Phase::Issued
            | Phase::Asked
            | Phase::Left
            | Phase::Running(_)
            | Phase::Abandoned
            | Phase::Settled { .. } => Duration::ZERO,
        };
        entry.progress = Phase::Settled { state, took, is_delivered: false };
        took
    }

    /// Records that these answers are delivered now.
    pub(crate) fn deliver(&mut self, answers: &[Answer]) {
        for answer in answers {
            if matches!(answer.reply, Reply::Fired) {
                continue;
            }
            if let Phase::Settled { is_delivered, .. } = &mut self.entry(answer.seq).progress {
                *is_delivered = true;
                self.in_flight -= 1;
            }
        }
    }

    /// Returns the next timer that is due. Timers fire one at a time: all effects of one, such as jobs and cleared
    /// timers, come before the next.
    pub(crate) fn fire(&mut self, now: Duration) -> Option<Answer> {
        let &(due, seq) = self.timers.first().filter(|(due, _)| *due <= now)?;
        self.timers.remove(&(due, seq));
        self.due.remove(&seq);
        Some(Answer { seq, reply: Reply::Fired })
    }

    /// Returns the timer that is due next, with its time.
    pub(crate) fn first_timer(&self) -> Option<(Duration, CallSeq)> {
        self.timers.first().copied()
    }

    /// Returns the time at which the next timer is due.
    pub(crate) fn next_timer(&self) -> Option<Duration> {
        self.timers.first().map(|(due, _)| *due)
    }

    /// Tells whether no call and no timer could wake the program.
    pub(crate) fn is_idle(&self) -> bool {
        self.in_flight == 0 && self.waiting.is_empty() && self.timers.is_empty()
    }

    /// Returns the failure of a call.
    pub(crate) fn failed(&self, seq: CallSeq) -> Option<FailedCall<'_>> {
        Some(FailedCall { path: self.path_of(seq), failure: self.failures.get(&seq)? })
    }

    /// Returns the number of calls that were made.
    pub(crate) fn made(&self) -> usize {
        self.entries.len()
    }

    /// Returns the number of calls that were made before another one, as far as their numbers tell.
    pub(crate) fn made_before(&self, seq: CallSeq) -> usize {
        self.entries.iter().filter(|entry| entry.seq != seq && !matches!(entry.progress, Phase::Issued)).count()
    }

    /// Queues a call again that was decided about.
    pub(crate) fn queue_again(&mut self, request: ToolRequest) {
        self.park(request.seq);
        self.unpark(request);
    }

    /// Takes a call back that has to wait until another snippet ends. [`Ledger::unpark`] queues it again.
    pub(crate) fn park(&mut self, seq: CallSeq) {
        self.entry(seq).progress = Phase::Issued;
        self.in_flight -= 1;
    }

    /// Queues a parked call.
    pub(crate) fn unpark(&mut self, request: ToolRequest) {
        self.waiting.push_front(request);
    }

    /// Records that the snippet of a call starts now. The call is no longer in flight: the calls of the snippet are.
    pub(crate) fn start_snippet(&mut self, seq: CallSeq, now: Duration) {
        self.entry(seq).progress = Phase::Running(now);
        self.in_flight -= 1;
    }

    /// Records the end of a snippet, which its program has got. Returns its duration.
    pub(crate) fn end_snippet(&mut self, seq: CallSeq, failure: Option<&Failure>, now: Duration) -> Duration {
        self.failures.extend(failure.map(|failure| (seq, failure.clone())));
        let entry = self.entry(seq);
        let Phase::Running(since) = entry.progress else { return Duration::ZERO };
        let (state, took) = (failure.map_or(CallState::Applied, CallState::of_failure), now.saturating_sub(since));
        entry.progress = Phase::Settled { state, took, is_delivered: true };
        took
    }

    /// Returns the tool of a call.
    pub(crate) fn path_of(&self, seq: CallSeq) -> Option<&str> {
        Some(&self.entries[self.position(seq)?].path)
    }

    /// Returns the calls of which no answer was delivered, in the order of their numbers.
    pub(crate) fn pending(&self) -> impl Iterator<Item = CallSeq> {
        let is_pending = |entry: &&Entry| !matches!(entry.progress, Phase::Settled { is_delivered: true, .. });
        self.entries.iter().filter(is_pending).map(|entry| entry.seq)
    }

    /// Returns the calls that have not settled, in the order of their numbers.
    pub(crate) fn unsettled(&self) -> impl Iterator<Item = CallSeq> {
        let is_open = |entry: &&Entry| !matches!(entry.progress, Phase::Settled { .. });
        self.entries.iter().filter(is_open).map(|entry| entry.seq)
    }

    /// Returns the calls that are running or waiting for their turn, in the order of their numbers. Calls that are waiting
    /// for approval are not among them.
    pub(crate) fn running(&self) -> impl Iterator<Item = CallSeq> {
        let is_running = |entry: &&Entry| matches!(entry.progress, Phase::Issued | Phase::Started(_));
        self.entries.iter().filter(is_running).map(|entry| entry.seq)
    }

    /// Returns the place of a call in the program, if that is known.
    pub(crate) fn place_of(&self, seq: CallSeq) -> Option<CalledFrom> {
        self.entries[self.position(seq)?].place
    }

    /// Gives the places of calls that are waiting for approval to others: the program has returned, and they are not
    /// made.
    pub(crate) fn leave_asked(&mut self) {
        for entry in &mut self.entries {
            if let Phase::Asked = entry.progress {
                entry.progress = Phase::Left;
                self.in_flight -= 1;
            }
        }
    }

    /// Gives the place of a started call to others: its tool asks for an answer, and the program has returned.
    pub(crate) fn abandon(&mut self, seq: CallSeq) {
        self.entry(seq).progress = Phase::Abandoned;
        self.in_flight -= 1;
    }

    /// Counts calls as settled whose values are not stored: the program has returned, and they are not made again.
    pub(crate) fn forgo_values(&mut self, state: &JournalState) {
        for call in &state.calls {
            if let journal::CallProgress::Settled { settlement: Settlement::Ephemeral, took } = &call.progress {
                let took = Duration::from_millis(*took);
                let settled = Phase::Settled { state: CallState::Applied, took, is_delivered: false };
                self.entry(call.seq).progress = settled;
            }
        }
    }

    /// Forgets the timers: the program has returned.
    pub(crate) fn forget_timers(&mut self) {
        self.timers.clear();
        self.due.clear();
    }

    /// Returns the final record of every call.
    pub(crate) fn into_records(mut self, mut details: KeptDetails<'_>) -> Vec<CallRecord> {
        let record = |entry: Entry| {
            let (state, took) = match entry.progress {
                Phase::Issued | Phase::Asked | Phase::Left => (CallState::Issued, None),
                Phase::Started(_) | Phase::Running(_) | Phase::Abandoned => (CallState::CancelledUnknown, None),
                Phase::Settled { state, took, .. } => (state, Some(took)),
            };
            let mut record = CallRecord {
                seq: entry.seq,
                path: entry.path.to_string(),
                state,
                duration_ms: took.map(|took| u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
                input: None,
                output: None,
                error: self.failures.remove(&entry.seq).map(Failure::without_contents),
                reverts: None,
            };
            details.complete(entry.seq, &mut record);
            record
        };
        self.entries.into_iter().map(record).collect()
    }

    fn entry(&mut self, seq: CallSeq) -> &mut Entry {
        let position = self.position(seq).expect("only calls that were issued are answered");
        &mut self.entries[position]
    }

    fn position(&self, seq: CallSeq) -> Option<usize> {
        self.entries.binary_search_by_key(&seq, |entry| entry.seq).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;
    use crate::{CallDetails, Limits};
    use serde_json::json;

    const NOW: Duration = Duration::ZERO;

    fn tool(seq: u32) -> Call {
        Call {
            seq: CallSeq::new(seq),
            request: Request::Tool { path: format!("tool{seq}"), input: json!({}) },
            place: None,
        }
    }

    fn answer(seq: u32) -> Answer {
        Answer { seq: CallSeq::new(seq), reply: Reply::result(&json!(1)) }
    }

    #[test]
    fn a_call_above_the_limit_starts_when_an_answer_is_delivered_and_not_before() {
        let mut ledger = Ledger::new(1);
        ledger.issue(vec![tool(0), tool(1)], NOW);
        assert_eq!(ledger.start_next(NOW).map(|request| request.seq.number()), Some(0));
        assert!(ledger.start_next(NOW).is_none());
        ledger.settle(&answer(0), NOW);
        assert!(ledger.start_next(NOW).is_none());
        ledger.deliver(&[answer(0)]);
        assert_eq!(ledger.start_next(NOW).map(|request| request.seq.number()), Some(1));
    }

    #[test]
    fn the_time_of_a_question_does_not_count_for_the_call() {
        let mut ledger = Ledger::new(1);
        ledger.issue(vec![tool(0)], NOW);
        ledger.start_next(NOW);
        ledger.ask(CallSeq::new(0));
        ledger.begin(CallSeq::new(0), Duration::from_secs(60));
        assert_eq!(ledger.settle(&answer(0), Duration::from_secs(61)), Duration::from_secs(1));
    }

    #[test]
    fn timers_fire_by_due_time_then_by_number() {
        let mut ledger = Ledger::new(1);
        let timer =
            |seq, ms| Call { seq: CallSeq::new(seq), request: Request::Timer(Duration::from_millis(ms)), place: None };
        ledger.issue(vec![timer(0, 20), timer(1, 10), timer(2, 10), timer(3, 30)], NOW);
        ledger.clear(&[CallSeq::new(2)]);
        let mut fire = || ledger.fire(Duration::from_millis(20)).map(|answer| answer.seq.number());
        assert_eq!([fire(), fire(), fire()], [Some(1), Some(0), None]);
        assert_eq!(ledger.next_timer(), Some(Duration::from_millis(30)));
    }

    #[test]
    fn timers_that_are_late_after_a_resume_fire_in_their_order() {
        let due = [(0, 30), (1, 10), (2, 20), (3, 500)].map(|(seq, due)| (CallSeq::new(seq), Timestamp(due)));
        let mut state = JournalState::default();
        state.timers.extend(due);
        let now = Duration::from_secs(1);
        let mut ledger = Ledger::resumed(1, &state, now, Timestamp(400));
        let later = now + Duration::from_millis(1);
        let fired: Vec<u32> = std::iter::from_fn(|| ledger.fire(later)).map(|answer| answer.seq.number()).collect();
        assert_eq!(fired, [1, 2, 0]);
        assert_eq!(ledger.next_timer(), Some(now + Duration::from_millis(100)));
    }

    #[test]
    fn a_call_whose_value_is_not_stored_has_settled_if_the_program_had_returned() {
        let settled = journal::CallProgress::Settled { settlement: Settlement::Ephemeral, took: 7 };
        let call = journal::JournalCall { seq: CallSeq::new(0), path: "token".into(), open: None, progress: settled };
        let state = JournalState { calls: vec![call], ..JournalState::default() };
        let mut ledger = Ledger::resumed(1, &state, NOW, Timestamp(0));
        assert_eq!(ledger.unsettled().count(), 1);
        ledger.forgo_values(&state);
        assert_eq!(ledger.unsettled().count(), 0);
    }

    #[test]
    fn what_started_and_did_not_settle_is_unknown_and_what_did_not_start_was_only_issued() {
        let mut ledger = Ledger::new(2);
        ledger.issue(vec![tool(0), tool(1), tool(2)], NOW);
        ledger.start_next(NOW);
        ledger.start_next(NOW);
        ledger.ask(CallSeq::new(1));
        let policy = Policy::default();
        let details = KeptDetails::new(CallDetails::default(), &policy, &Limits::default());
        let states: Vec<CallState> = ledger.into_records(details).iter().map(|record| record.state).collect();
        assert_eq!(states, [CallState::CancelledUnknown, CallState::Issued, CallState::Issued]);
    }
}
