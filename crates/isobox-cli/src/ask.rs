//! Asking the person at the terminal about calls that wait.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};

use isobox::journal::Verdict;
use isobox::{
    CallSeq, CancellationToken, CarriedOn, Code, Decisions, Failure, Isobox, Outcome, Paused, PendingCall, PendingKind,
    Value, without_escapes,
};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::pending::{draw_call, time_left};
use crate::setting::warn;
use crate::source::Source;
use crate::style::{Colours, Look, print_error};

/// Asks, and remembers what the person does not want to decide now.
pub(crate) struct Asker {
    by: String,
    interrupt: Interrupt,
    left: BTreeSet<String>,
    lines: Option<UnboundedReceiver<String>>,
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
enum Said {
    Verdict(Verdict),
    /// Approve this one, and all others that wait for approval.
    ApproveAll,
    Leave,
    /// There is nobody any more.
    GaveUp,
}

impl Asker {
    pub(crate) fn new(by: String, interrupt: Interrupt) -> Self {
        Self { by, interrupt, left: BTreeSet::new(), lines: None }
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
            let Some(verdicts) = self.verdicts(paused, source, token).await else { return Ok(ended) };
            let decisions = Decisions::new(&self.by, verdicts).shown_at(paused.revision);
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

    /// What the person decides about what is pending; nothing where all of it is left.
    async fn verdicts(
        &mut self,
        paused: &Paused,
        source: &Source,
        token: &CancellationToken,
    ) -> Option<Vec<(CallSeq, Verdict)>> {
        let open: Vec<&PendingCall> = paused.pending.iter().filter(|call| !self.left.contains(&call.seq)).collect();
        let colours = Colours::of_standard_error();
        let mut verdicts = Vec::new();
        let mut are_approved = false;
        // All of them first: who approves all has seen all.
        for call in &open {
            print_error(&format!("\n{}", draw_call(call, source, colours)));
        }
        for call in &open {
            let seq: CallSeq = call.seq.parse().ok()?;
            if are_approved && call.kind == PendingKind::Approval {
                verdicts.push((seq, Verdict::Approve));
                continue;
            }
            match self.ask(call, token).await {
                Said::Verdict(verdict) => verdicts.push((seq, verdict)),
                Said::ApproveAll => {
                    are_approved = true;
                    verdicts.push((seq, Verdict::Approve));
                }
                Said::Leave => {
                    self.left.insert(call.seq.clone());
                }
                Said::GaveUp => {
                    if !verdicts.is_empty() {
                        print_error("Nothing was decided: what you answered until now is forgotten.");
                    }
                    return None;
                }
            }
        }
        (!verdicts.is_empty()).then_some(verdicts)
    }

    async fn ask(&mut self, call: &PendingCall, token: &CancellationToken) -> Said {
        let said = match call.kind {
            PendingKind::Approval => self.ask_approval(call, token).await,
            PendingKind::Interrupt => self.ask_answer(call, token).await,
            PendingKind::InDoubt => self.ask_whether_it_happened(call, token).await,
            _ => Some(Said::Leave),
        };
        said.unwrap_or(Said::GaveUp)
    }

    async fn ask_approval(&mut self, call: &PendingCall, token: &CancellationToken) -> Option<Said> {
        let question = format!("Approve call {} of {}? [y]es, [n]o, [a]ll, [l]eave it paused:", call.seq, call.path);
        loop {
            match self.line(&question, token).await?.to_lowercase().as_str() {
                "y" | "yes" => return Some(Said::Verdict(Verdict::Approve)),
                "n" | "no" => return Some(Said::Verdict(Verdict::Deny(self.reason(token).await?))),
                "a" | "all" => return Some(Said::ApproveAll),
                "l" | "leave" => return Some(Said::Leave),
                _ => {}
            }
        }
    }

    async fn ask_answer(&mut self, call: &PendingCall, token: &CancellationToken) -> Option<Said> {
        let question = format!("Answer call {} of {} with JSON, or [n]o, [l]eave it paused:", call.seq, call.path);
        loop {
            let line = self.line(&question, token).await?;
            match line.to_lowercase().as_str() {
                "n" | "no" => return Some(Said::Verdict(Verdict::Deny(self.reason(token).await?))),
                "l" | "leave" => return Some(Said::Leave),
                _ => match read_json(&line) {
                    Some(value) => return Some(Said::Verdict(Verdict::Answer(value))),
                    None => continue,
                },
            }
        }
    }

    async fn ask_whether_it_happened(&mut self, call: &PendingCall, token: &CancellationToken) -> Option<Said> {
        let question = format!(
            "Did call {} of {} happen? [y]es, [n]o: make it now, [f]ail it, [l]eave it paused:",
            call.seq, call.path
        );
        loop {
            match self.line(&question, token).await?.to_lowercase().as_str() {
                "y" | "yes" => loop {
                    let line = self.line("What was its result, as JSON?", token).await?;
                    if let Some(value) = read_json(&line) {
                        return Some(Said::Verdict(Verdict::Happened(value)));
                    }
                },
                "n" | "no" => match time_left(call) {
                    // Who looks too early sees that nothing has happened, and it happens then.
                    Some(left) => {
                        let left = left.as_millis().div_ceil(1000);
                        print_error(&format!("It may still happen: that it did not can be said in {left} s."));
                    }
                    None => return Some(Said::Verdict(Verdict::DidNotHappen)),
                },
                "f" | "fail" => return Some(Said::Verdict(Verdict::Fail(self.reason(token).await?))),
                "l" | "leave" => return Some(Said::Leave),
                _ => {}
            }
        }
    }

    async fn reason(&mut self, token: &CancellationToken) -> Option<Option<String>> {
        let reason = self.line("Why? (nothing is an answer too):", token).await?;
        Some((!reason.is_empty()).then_some(reason))
    }

    /// What the person types; none where there is nobody any more.
    async fn line(&mut self, question: &str, token: &CancellationToken) -> Option<String> {
        let question = format!("{} ", Colours::of_standard_error().paint(Look::Strong, &without_escapes(question)));
        drop(io::stderr().write_all(question.as_bytes()));
        let lines = self.lines.get_or_insert_with(read_lines);
        let line = tokio::select! {
            line = lines.recv() => line,
            () = token.cancelled() => None,
        };
        if line.is_none() {
            print_error("");
        }
        line.map(|line| line.trim().to_owned())
    }
}

/// What is typed, line by line. The thread that reads waits for a person, and ends with the process.
fn read_lines() -> UnboundedReceiver<String> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
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
