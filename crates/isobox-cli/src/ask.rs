//! Asks the person at the terminal about pending calls.
//!
//! A program can print anything before it pauses and may try to get its own question answered. Four measures prevent
//! that: rows of the program are marked (`progress.rs`, `rows.rs`), input typed before a question is dropped
//! (`terminal.rs`), an approval needs a word that is generated for the question after the program has stopped, and the
//! word is asked for after the whole call was shown (`pages.rs`).

use std::collections::BTreeSet;
use std::time::Duration;

use isobox::journal::Verdict;
use isobox::text::brief;
use isobox::{
    CallSeq, CancellationToken, Code, Decisions, Failure, Isobox, Outcome, Paused, PendingCall, PendingKind, Principal,
    Timestamp, Value,
};
use isobox::{Resume, Resumed};

use crate::deciding::{decider, user};
use crate::executions::moment::now;
use crate::outcome::tell_sleep;
use crate::pages::Pages;
use crate::pending::{Extent, draw_call, time_left, undoes};
use crate::source::Source;
use crate::style::warn;
use crate::style::{Colours, complain, print_error};
use crate::terminal::{Terminal, new_word};

/// Asks about pending calls, and remembers the calls that the person left undecided.
pub(crate) struct Asker {
    right: Right,
    interrupt: Interrupt,
    left: BTreeSet<CallSeq>,
    terminal: Terminal,
    /// The word of the current questions.
    word: String,
    /// Whether the person left in the middle of a question.
    has_given_up: bool,
    /// Whether the last decisions of the person are recorded.
    has_decided: bool,
}

/// The right by which the person decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Right {
    /// The person holds the credential that the store is bound to.
    Credential,
    /// The execution exists only in this process, which belongs to the person.
    OwnProcess,
}

/// The effect of an interrupt on an execution that is resumed after a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interrupt {
    /// The person started the program, so the interrupt ends the execution.
    EndsIt,
    /// The person only watches the execution. It can be resumed later.
    LeavesIt,
}

/// The answer of the person about one call.
enum Reply {
    Verdict(Verdict),
    /// Approves this call and all others that need approval.
    ApproveAll,
    Leave,
    /// The terminal was closed or the question was cancelled.
    GaveUp,
}

/// The part of a text that was shown.
enum Shown<T> {
    All,
    /// The person has answered before all of it was shown.
    Until(T),
}

impl Asker {
    pub(crate) fn new(right: Right, interrupt: Interrupt) -> Self {
        let (left, terminal, word) = (BTreeSet::new(), Terminal::default(), String::new());
        Self { right, interrupt, left, terminal, word, has_given_up: false, has_decided: false }
    }

    /// Asks whenever the execution pauses, and resumes it, until it ends or the person leaves it paused.
    pub(crate) async fn ask_until_over(
        &mut self,
        isobox: &Isobox,
        mut ended: Resumed,
        source: &Source,
        token: &CancellationToken,
    ) -> Result<Resumed, Failure> {
        loop {
            let paused = match &ended {
                Resumed::Here(outcome) => match &**outcome {
                    // One that is held since a backup was restored has to be released first.
                    Outcome::Paused(paused) if !paused.restored => paused,
                    _ => return Ok(ended),
                },
                Resumed::Elsewhere => return Ok(ended),
            };
            let id = paused.execution_id.clone();
            // Fails before the first question if the credential cannot be read.
            let by = self.decider()?;
            let verdicts = tokio::select! {
                verdicts = self.verdicts(paused, source, token) => verdicts?,
                () = until(paused.until) => {
                    print_error("\nThe timer of the program was first.");
                    Some(Vec::new())
                }
            };
            let Some(verdicts) = verdicts else { return Ok(ended) };
            if !verdicts.is_empty() {
                let decisions = Decisions::new(by, verdicts).shown_at(paused.revision);
                self.has_decided = false;
                match isobox.decide(&id, decisions).await {
                    // Another decision came first. The calls that are still pending are shown again.
                    Err(failure) if failure.code == Code::Conflict => warn(&failure.message),
                    decided => {
                        decided?;
                        self.has_decided = true;
                    }
                }
            }
            let resume = match self.interrupt {
                Interrupt::EndsIt => Resume::default().cancelled_by(token.clone()),
                Interrupt::LeavesIt => Resume::default().only_if_decided().abandoned_by(token.clone()),
            };
            ended = isobox.resume(&id, resume.clone()).await?;
            ended = isobox.sleep_through(ended, resume, Duration::MAX, token, tell_sleep).await?;
        }
    }

    /// Asks once about an execution without recording decisions. Returns `None` if the person leaves all calls
    /// undecided.
    pub(crate) async fn ask_about(
        &mut self,
        paused: &Paused,
        source: &Source,
        token: &CancellationToken,
    ) -> Result<Option<Vec<(CallSeq, Verdict)>>, Failure> {
        self.left.clear();
        self.verdicts(paused, source, token).await
    }

    /// Shows a call, and asks whether a verdict that was given with the command is about it.
    pub(crate) async fn confirms(
        &mut self,
        call: &PendingCall,
        source: &Source,
        token: &CancellationToken,
    ) -> Result<bool, Failure> {
        self.word = new_word()?;
        let leaves = |line: &str| is_leave(line).then_some(());
        let Some(Shown::All) = self.show(&drawn(call, source), "l to leave it paused", leaves, token).await else {
            return Ok(false);
        };
        let word = &self.word;
        let question = format!("Resolve {} in this way? Type {word} to resolve it, l to leave it paused:", named(call));
        loop {
            let Some(line) = self.line(&question, token).await else { return Ok(false) };
            if self.behind_word(&line) == Some("") {
                return Ok(true);
            }
            if is_leave(&line) {
                return Ok(false);
            }
        }
    }

    /// Tells whether the last decisions of the person are recorded.
    pub(crate) fn has_decided(&self) -> bool {
        self.has_decided
    }

    /// Tells whether the person left in the middle of a question.
    pub(crate) fn has_given_up(&self) -> bool {
        self.has_given_up
    }

    fn decider(&self) -> Result<Principal, Failure> {
        match self.right {
            Right::Credential => decider(),
            Right::OwnProcess => Ok(Principal::named(user())),
        }
    }

    /// Asks about all pending calls and returns the verdicts. Returns `None` if all calls are left undecided.
    async fn verdicts(
        &mut self,
        paused: &Paused,
        source: &Source,
        token: &CancellationToken,
    ) -> Result<Option<Vec<(CallSeq, Verdict)>>, Failure> {
        self.word = new_word()?;
        let open: Vec<&PendingCall> = paused.pending.iter().filter(|call| !self.left.contains(&call.seq)).collect();
        if open.len() > 1 {
            print_error(&format!("\n{} calls are waiting for a decision.", open.len()));
        }
        let mut verdicts = Vec::new();
        let mut are_approved = false;
        for (index, call) in open.iter().enumerate() {
            let seq = call.seq;
            if are_approved && call.kind == PendingKind::Approval {
                verdicts.push((seq, Verdict::Approve));
                continue;
            }
            let others: Vec<&PendingCall> =
                open[index + 1..].iter().filter(|call| call.kind == PendingKind::Approval).copied().collect();
            match self.ask(call, &others, source, token).await {
                Reply::Verdict(verdict) => verdicts.push((seq, verdict)),
                Reply::ApproveAll => {
                    are_approved = true;
                    verdicts.push((seq, Verdict::Approve));
                }
                Reply::Leave => {
                    self.left.insert(call.seq);
                }
                Reply::GaveUp => {
                    self.has_given_up = true;
                    if !verdicts.is_empty() {
                        print_error("Nothing was decided: your answers so far are discarded.");
                    }
                    return Ok(None);
                }
            }
        }
        Ok((!verdicts.is_empty()).then_some(verdicts))
    }

    /// Shows a call and asks about it. The others need approval too.
    async fn ask(
        &mut self,
        call: &PendingCall,
        others: &[&PendingCall],
        source: &Source,
        token: &CancellationToken,
    ) -> Reply {
        let (refuses, early): (&str, fn(&str) -> Option<Reply>) = match call.kind {
            PendingKind::InDoubt => ("f or f REASON to fail it, l to leave it paused", failure_or_leave),
            _ => ("n or n REASON to deny, l to leave it paused", denial_or_leave),
        };
        match self.show(&drawn(call, source), refuses, early, token).await {
            Some(Shown::All) => {}
            Some(Shown::Until(reply)) => return reply,
            None => return Reply::GaveUp,
        }
        let said = match call.kind {
            PendingKind::Approval => self.ask_approval(call, others, source, token).await,
            PendingKind::Interrupt => self.ask_answer(call, token).await,
            PendingKind::InDoubt => self.ask_whether_it_happened(call, token).await,
            _ => Some(Reply::Leave),
        };
        said.unwrap_or(Reply::GaveUp)
    }

    /// Shows a text page by page. `early` reads answers that end this before the last page: none of them lets anything
    /// happen. Returns `None` if the terminal was closed.
    async fn show<T>(
        &mut self,
        text: &str,
        otherwise: &str,
        early: impl Fn(&str) -> Option<T>,
        token: &CancellationToken,
    ) -> Option<Shown<T>> {
        let mut pages = Pages::open(&format!("\n{text}"));
        while !pages.are_seen() {
            let line = self.line(&pages.question(otherwise), token).await?;
            if !pages.turn(&line)
                && let Some(answer) = early(&line)
            {
                return Some(Shown::Until(answer));
            }
        }
        Some(Shown::All)
    }

    async fn ask_approval(
        &mut self,
        call: &PendingCall,
        others: &[&PendingCall],
        source: &Source,
        token: &CancellationToken,
    ) -> Option<Reply> {
        let word = self.word.clone();
        let all = if others.is_empty() { String::new() } else { format!(" {word} all to approve all,") };
        let question = format!(
            "Approve {}? Type {word} to approve,{all} n or n REASON to deny, l to leave it paused:",
            named(call)
        );
        loop {
            let line = self.line(&question, token).await?;
            match (line.to_lowercase().as_str(), self.behind_word(&line).map(str::to_lowercase).as_deref()) {
                (_, Some("" | "y" | "yes")) => return Some(Reply::Verdict(Verdict::Approve)),
                (_, Some("a" | "all")) if others.is_empty() => return Some(Reply::Verdict(Verdict::Approve)),
                (_, Some("a" | "all")) if self.confirm_all(others, source, token).await? => {
                    return Some(Reply::ApproveAll);
                }
                _ => {
                    if let Some(reply) = denial_or_leave(&line) {
                        return Some(reply);
                    }
                }
            }
        }
    }

    /// Shows the other calls before all are approved: the person has not seen them yet.
    async fn confirm_all(
        &mut self,
        others: &[&PendingCall],
        source: &Source,
        token: &CancellationToken,
    ) -> Option<bool> {
        let all: Vec<String> = others.iter().map(|call| drawn(call, source)).collect();
        let refuses = |line: &str| matches!(line.to_lowercase().as_str(), "n" | "no").then_some(());
        if let Shown::Until(()) = self.show(&all.join("\n\n"), "n to decide about each call", refuses, token).await? {
            return Some(false);
        }
        let count = others.len();
        let what = if count == 1 { "this call".to_owned() } else { format!("these {count} calls") };
        let question = format!("Approve {what} too? Type {} to approve all, n to decide about each call:", self.word);
        loop {
            let line = self.line(&question, token).await?;
            match (line.to_lowercase().as_str(), self.behind_word(&line).map(str::to_lowercase).as_deref()) {
                (_, Some("" | "y" | "yes" | "a" | "all")) => return Some(true),
                ("n" | "no", _) | (_, Some("n" | "no")) => return Some(false),
                _ => {}
            }
        }
    }

    async fn ask_answer(&mut self, call: &PendingCall, token: &CancellationToken) -> Option<Reply> {
        let word = self.word.clone();
        let question = format!(
            "Answer {}: type {word} followed by JSON, n or n REASON to deny, l to leave it paused:",
            named(call)
        );
        loop {
            let line = self.line(&question, token).await?;
            match (line.to_lowercase().as_str(), self.behind_word(&line)) {
                (_, Some(json)) => {
                    if let Some(value) = read_json(json) {
                        return Some(Reply::Verdict(Verdict::Answer(value)));
                    }
                }
                _ => {
                    if let Some(reply) = denial_or_leave(&line) {
                        return Some(reply);
                    }
                }
            }
        }
    }

    async fn ask_whether_it_happened(&mut self, call: &PendingCall, token: &CancellationToken) -> Option<Reply> {
        let word = self.word.clone();
        let question = format!(
            "Did {} happen? Type {word} yes, {word} no to make the call now, f or f REASON to fail it, l to leave it paused:",
            named(call)
        );
        loop {
            let line = self.line(&question, token).await?;
            match (line.to_lowercase().as_str(), self.behind_word(&line).map(str::to_lowercase).as_deref()) {
                (_, Some("y" | "yes")) => loop {
                    let line = self.line("What was its result, as JSON?", token).await?;
                    if let Some(value) = read_json(&line) {
                        return Some(Reply::Verdict(Verdict::Happened(value)));
                    }
                },
                (_, Some("n" | "no")) => match time_left(call) {
                    // Right after a crash the call may still take effect, although nothing of it is visible yet.
                    Some(left) => {
                        let left = left.as_millis().div_ceil(1000);
                        print_error(&format!(
                            "The call may still happen: saying that it did not is possible in {left} s."
                        ));
                    }
                    None => return Some(Reply::Verdict(Verdict::DidNotHappen)),
                },
                _ => {
                    if let Some(reply) = failure_or_leave(&line) {
                        return Some(reply);
                    }
                }
            }
        }
    }

    /// Returns the text after the word of the question, or `None` if the line does not start with the word.
    fn behind_word<'l>(&self, line: &'l str) -> Option<&'l str> {
        let rest = line.get(self.word.len()..)?;
        let has_word = line[..self.word.len()].eq_ignore_ascii_case(&self.word);
        (has_word && (rest.is_empty() || rest.starts_with(char::is_whitespace))).then(|| rest.trim())
    }

    /// Asks a question and returns the line typed. Returns `None` if the terminal was closed or the token was
    /// cancelled.
    async fn line(&mut self, question: &str, token: &CancellationToken) -> Option<String> {
        let line = tokio::select! {
            line = self.terminal.ask(question) => line,
            () = token.cancelled() => Ok(None),
        };
        let line = line.unwrap_or_else(|error| {
            complain(&format!("cannot read from the terminal: {error}"));
            None
        });
        if line.is_none() {
            print_error("");
        }
        line.map(|line| line.trim().to_owned())
    }
}

/// Waits until a time has come, or for ever without one.
async fn until(moment: Option<Timestamp>) {
    let Some(moment) = moment else { return std::future::pending().await };
    while now() < moment {
        // The clock may be set meanwhile.
        let left = Duration::from_millis(moment.0.saturating_sub(now().0));
        tokio::time::sleep(left.min(Duration::from_secs(1))).await;
    }
}

/// Draws a whole call, to be shown just above the question about it.
fn drawn(call: &PendingCall, source: &Source) -> String {
    draw_call(call, source, Extent::Whole, Colours::of_standard_error()).text
}

/// Reads an answer that denies a call or leaves it paused.
fn denial_or_leave(line: &str) -> Option<Reply> {
    if is_leave(line) {
        return Some(Reply::Leave);
    }
    refusal(line, ["n", "no"]).map(|reason| Reply::Verdict(Verdict::Deny(reason)))
}

/// Reads an answer that fails a call in doubt or leaves it paused.
fn failure_or_leave(line: &str) -> Option<Reply> {
    if is_leave(line) {
        return Some(Reply::Leave);
    }
    refusal(line, ["f", "fail"]).map(|reason| Reply::Verdict(Verdict::Fail(reason)))
}

fn is_leave(line: &str) -> bool {
    matches!(line.to_lowercase().as_str(), "l" | "leave")
}

/// Returns the reason behind one of these words, if the line starts with one. The reason is in the same line, so that the
/// next answer is never taken for it.
fn refusal(line: &str, words: [&str; 2]) -> Option<Option<String>> {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let is_refusal = words.iter().any(|word| first.eq_ignore_ascii_case(word));
    let reason = rest.trim();
    is_refusal.then(|| (!reason.is_empty()).then(|| reason.to_owned()))
}

/// Names a call in a question.
fn named(call: &PendingCall) -> String {
    let undoes = undoes(call).map(|undoes| format!(", which {undoes}")).unwrap_or_default();
    format!("call {} ({}){undoes}", call.seq, brief(&call.path, 80))
}

fn read_json(line: &str) -> Option<Value> {
    match serde_json::from_str(line) {
        Ok(value) => Some(value),
        Err(error) => {
            print_error(&format!("This is not JSON: {error}"));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_in_the_line_of_the_refusal() {
        let reason = |line| refusal(line, ["n", "no"]);
        assert_eq!(reason("n"), Some(None));
        assert_eq!(reason("No  not Today "), Some(Some("not Today".to_owned())));
        assert_eq!([reason("never"), reason("yes"), reason("")], [None, None, None]);
    }
}
