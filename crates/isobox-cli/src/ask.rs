//! Asking the person at the terminal about calls that wait.
//!
//! A program can print what it likes before it pauses, and may try to have its questions answered for ours. So its lines are
//! marked (`progress.rs`), what was typed before a question is dropped (`terminal.rs`), and whatever lets something happen
//! takes a word that is made up for the question after the program has stopped.

use std::collections::BTreeSet;

use isobox::journal::Verdict;
use isobox::text::brief;
use isobox::{
    CallSeq, CancellationToken, CarriedOn, Code, Decisions, Failure, Isobox, Outcome, Paused, PendingCall, PendingKind,
    Principal, Value,
};

use crate::deciding::{decider, user};
use crate::pending::{draw_call, time_left};
use crate::source::Source;
use crate::style::warn;
use crate::style::{Colours, complain, print_error};
use crate::terminal::{Terminal, new_word};

/// Asks, and remembers what the person does not want to decide now.
pub(crate) struct Asker {
    right: Right,
    interrupt: Interrupt,
    left: BTreeSet<CallSeq>,
    terminal: Terminal,
    /// The word of the questions that are asked now.
    word: String,
    /// Whether the person has left in the middle of a question.
    has_given_up: bool,
}

/// The right by which the person decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Right {
    /// They hold the credential that the store is bound to.
    Credential,
    /// The execution is kept nowhere but in this process, which is theirs.
    OwnProcess,
}

/// What an interrupt does to an execution that goes on with what was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interrupt {
    /// The person has started the program, and ends it.
    EndsIt,
    /// The person only watches it, and it can be resumed.
    LeavesIt,
}

/// What the person said about one call.
enum Reply {
    Verdict(Verdict),
    /// Approve this one, and all others that wait for approval.
    ApproveAll,
    Leave,
    /// There is nobody any more.
    GaveUp,
}

impl Asker {
    pub(crate) fn new(right: Right, interrupt: Interrupt) -> Self {
        let (left, terminal, word) = (BTreeSet::new(), Terminal::default(), String::new());
        Self { right, interrupt, left, terminal, word, has_given_up: false }
    }

    /// Asks whenever the execution pauses, and goes on with it, until it ends or the person leaves it paused.
    pub(crate) async fn ask_until_over(
        &mut self,
        isobox: &Isobox,
        mut ended: CarriedOn,
        source: &Source,
        token: &CancellationToken,
    ) -> Result<CarriedOn, Failure> {
        loop {
            let paused = match &ended {
                CarriedOn::Here(outcome) => match &**outcome {
                    Outcome::Paused(paused) => paused,
                    _ => return Ok(ended),
                },
                CarriedOn::Elsewhere => return Ok(ended),
            };
            let id = paused.execution_id.clone();
            // Fails before the first question if the credential cannot be read.
            let by = self.decider()?;
            let Some(verdicts) = self.verdicts(paused, source, token).await? else { return Ok(ended) };
            let decisions = Decisions::new(by, verdicts).shown_at(paused.revision);
            match isobox.decide(&id, decisions).await {
                // Somebody has decided elsewhere: what waits now is shown anew.
                Err(failure) if failure.code == Code::Conflict => warn(&failure.message),
                decided => decided?,
            }
            ended = match self.interrupt {
                Interrupt::EndsIt => isobox.carry_on_until(&id, token).await?,
                Interrupt::LeavesIt => isobox.collect(&id, token).await?,
            };
        }
    }

    /// Asks once about an execution, and decides nothing; none where the person leaves all of it.
    pub(crate) async fn ask_about(
        &mut self,
        paused: &Paused,
        source: &Source,
        token: &CancellationToken,
    ) -> Result<Option<Vec<(CallSeq, Verdict)>>, Failure> {
        self.left.clear();
        self.verdicts(paused, source, token).await
    }

    /// Whether the person has left in the middle of a question.
    pub(crate) fn has_given_up(&self) -> bool {
        self.has_given_up
    }

    fn decider(&self) -> Result<Principal, Failure> {
        match self.right {
            Right::Credential => decider(),
            Right::OwnProcess => Ok(Principal::named(user())),
        }
    }

    /// What the person decides about what is pending; nothing where all of it is left.
    async fn verdicts(
        &mut self,
        paused: &Paused,
        source: &Source,
        token: &CancellationToken,
    ) -> Result<Option<Vec<(CallSeq, Verdict)>>, Failure> {
        self.word = new_word()?;
        let open: Vec<&PendingCall> = paused.pending.iter().filter(|call| !self.left.contains(&call.seq)).collect();
        let colours = Colours::of_standard_error();
        let mut verdicts = Vec::new();
        let mut are_approved = false;
        // All of them first: who approves all has seen all.
        for call in &open {
            print_error(&format!("\n{}", draw_call(call, source, colours)));
        }
        for call in &open {
            let seq = call.seq;
            if are_approved && call.kind == PendingKind::Approval {
                verdicts.push((seq, Verdict::Approve));
                continue;
            }
            match self.ask(call, token).await {
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
                        print_error("Nothing was decided: what you answered until now is forgotten.");
                    }
                    return Ok(None);
                }
            }
        }
        Ok((!verdicts.is_empty()).then_some(verdicts))
    }

    async fn ask(&mut self, call: &PendingCall, token: &CancellationToken) -> Reply {
        let said = match call.kind {
            PendingKind::Approval => self.ask_approval(call, token).await,
            PendingKind::Interrupt => self.ask_answer(call, token).await,
            PendingKind::InDoubt => self.ask_whether_it_happened(call, token).await,
            _ => Some(Reply::Leave),
        };
        said.unwrap_or(Reply::GaveUp)
    }

    async fn ask_approval(&mut self, call: &PendingCall, token: &CancellationToken) -> Option<Reply> {
        let word = self.word.clone();
        let question = format!(
            "Approve {}? Type {word} for yes, {word} all for all of them, n for no, l to leave it paused:",
            named(call)
        );
        loop {
            let line = self.line(&question, token).await?.to_lowercase();
            match (line.as_str(), self.behind_word(&line)) {
                (_, Some("" | "y" | "yes")) => return Some(Reply::Verdict(Verdict::Approve)),
                (_, Some("a" | "all")) => return Some(Reply::ApproveAll),
                ("n" | "no", _) => return Some(Reply::Verdict(Verdict::Deny(self.reason(token).await?))),
                ("l" | "leave", _) => return Some(Reply::Leave),
                _ => {}
            }
        }
    }

    async fn ask_answer(&mut self, call: &PendingCall, token: &CancellationToken) -> Option<Reply> {
        let word = self.word.clone();
        let question =
            format!("Answer {}: type {word} and JSON behind it, n for no, l to leave it paused:", named(call));
        loop {
            let line = self.line(&question, token).await?;
            match (line.to_lowercase().as_str(), self.behind_word(&line)) {
                (_, Some(json)) => {
                    if let Some(value) = read_json(json) {
                        return Some(Reply::Verdict(Verdict::Answer(value)));
                    }
                }
                ("n" | "no", _) => return Some(Reply::Verdict(Verdict::Deny(self.reason(token).await?))),
                ("l" | "leave", _) => return Some(Reply::Leave),
                _ => {}
            }
        }
    }

    async fn ask_whether_it_happened(&mut self, call: &PendingCall, token: &CancellationToken) -> Option<Reply> {
        let word = self.word.clone();
        let question = format!(
            "Did {} happen? Type {word} yes, {word} no to make it now, f to fail it, l to leave it paused:",
            named(call)
        );
        loop {
            let line = self.line(&question, token).await?.to_lowercase();
            match (line.as_str(), self.behind_word(&line)) {
                (_, Some("y" | "yes")) => loop {
                    let line = self.line("What was its result, as JSON?", token).await?;
                    if let Some(value) = read_json(&line) {
                        return Some(Reply::Verdict(Verdict::Happened(value)));
                    }
                },
                (_, Some("n" | "no")) => match time_left(call) {
                    // Who looks too early sees that nothing has happened, and it happens then.
                    Some(left) => {
                        let left = left.as_millis().div_ceil(1000);
                        print_error(&format!("It may still happen: that it did not can be said in {left} s."));
                    }
                    None => return Some(Reply::Verdict(Verdict::DidNotHappen)),
                },
                ("f" | "fail", _) => return Some(Reply::Verdict(Verdict::Fail(self.reason(token).await?))),
                ("l" | "leave", _) => return Some(Reply::Leave),
                _ => {}
            }
        }
    }

    /// What was typed behind the word of the question; none where the line does not begin with it.
    fn behind_word<'l>(&self, line: &'l str) -> Option<&'l str> {
        let rest = line.get(self.word.len()..)?;
        let has_word = line[..self.word.len()].eq_ignore_ascii_case(&self.word);
        (has_word && (rest.is_empty() || rest.starts_with(char::is_whitespace))).then(|| rest.trim())
    }

    async fn reason(&mut self, token: &CancellationToken) -> Option<Option<String>> {
        let reason = self.line("Why? (nothing is an answer too):", token).await?;
        Some((!reason.is_empty()).then_some(reason))
    }

    /// What the person types; none where there is nobody any more.
    async fn line(&mut self, question: &str, token: &CancellationToken) -> Option<String> {
        let line = tokio::select! {
            line = self.terminal.ask(question) => line,
            () = token.cancelled() => Ok(None),
        };
        let line = line.unwrap_or_else(|error| {
            complain(&format!("the terminal cannot be asked: {error}"));
            None
        });
        if line.is_none() {
            print_error("");
        }
        line.map(|line| line.trim().to_owned())
    }
}

/// A call, in a question.
fn named(call: &PendingCall) -> String {
    format!("call {} of {}", call.seq, brief(&call.path, 80))
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
