//! Redacts the entries of a transcript, which leaves the house: the values that rules name, and the same values elsewhere.

use std::collections::{BTreeSet, HashMap};

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use crate::journal::{Ending, Entry, Question, Settlement, StepTaken, Verdict, Wanted, unwritable};
use crate::policy::{Policy, ToolNames};
use crate::snippets::RUN;
use crate::{CallSeq, Fact, Failure};

/// The replacement for redacted values and their copies.
const REDACTED: &str = "[redacted]";
/// The replacement for answers, which may be logins.
const HIDDEN: &str = "[hidden]";
/// The length of the shortest redacted text that is also replaced in other values. Shorter ones occur by chance.
const SHORTEST_TEXT: usize = 4;
/// The same for numbers, in digits.
const SHORTEST_NUMBER: usize = 6;
/// The maximum number of redacted texts that are searched for in other values. With more, all texts of values are replaced.
const MOST_SECRETS: usize = 200;

type Tools<'e> = HashMap<CallSeq, ToolNames<'e>>;

/// Returns the entries without the values that the policy redacts, and without answers to tools.
pub(super) fn redacted_entries(entries: &[Entry], policy: &Policy) -> Result<Vec<Entry>, Failure> {
    let tools: Tools<'_> = entries.iter().filter_map(step).flat_map(|step| &step.calls).filter_map(named).collect();
    let redactor = Redactor { policy, known: Known::of(entries, &tools, policy), tools };
    let mut redacted = entries.to_vec();
    for entry in &mut redacted {
        redactor.entry(entry)?;
    }
    Ok(redacted)
}

fn step(entry: &Entry) -> Option<&StepTaken> {
    match entry {
        Entry::Step(step) => Some(step),
        _ => None,
    }
}

fn named(asked: &crate::journal::Asked) -> Option<(CallSeq, ToolNames<'_>)> {
    Some((asked.seq, asked.names()?))
}

/// The redacted texts, to find them in other values.
enum Known {
    /// These texts, the longest first.
    Texts(Vec<String>),
    /// More texts than can be searched for.
    Everything,
}

impl Known {
    fn of(entries: &[Entry], tools: &Tools<'_>, policy: &Policy) -> Self {
        let mut texts = BTreeSet::new();
        let mut learn = |seq: CallSeq, value: &Value| {
            let Some(names) = tools.get(&seq) else { return };
            policy.secrets(*names, value).into_iter().for_each(|secret| collect(secret, &mut texts));
        };
        let parsed = |raw: &RawValue| serde_json::from_str::<Value>(raw.get()).unwrap_or_default();
        for entry in entries {
            match entry {
                Entry::Step(step) => {
                    for asked in &step.calls {
                        if let Wanted::Tool { input, .. } = &asked.what {
                            learn(asked.seq, &parsed(input));
                        }
                    }
                }
                Entry::Settled(settled) => {
                    if let Settlement::Result(value) = &settled.settlement {
                        learn(settled.seq, &parsed(value));
                    }
                }
                Entry::Started(started) => started.input.iter().for_each(|input| learn(started.seq, input)),
                Entry::Asked(asked) => asked.input.iter().for_each(|input| learn(asked.seq, input)),
                Entry::Decided(decided) => {
                    if let Verdict::Happened(value) = &decided.decision.verdict {
                        learn(decided.decision.seq, value);
                    }
                }
                _ => {}
            }
        }
        if texts.len() > MOST_SECRETS {
            return Self::Everything;
        }
        let mut texts: Vec<String> = texts.into_iter().collect();
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self::Texts(texts)
    }

    /// Replaces the redacted texts in a text.
    fn conceal(&self, text: &mut String) {
        match self {
            Self::Everything => REDACTED.clone_into(text),
            Self::Texts(secrets) => {
                // What has taken the place of one text is not searched for others: a program may choose them so that they would
                // multiply.
                let mut pieces = vec![Piece::Text(text.as_str())];
                let mut has_any = false;
                for secret in secrets {
                    let has_it =
                        |piece: &Piece<'_>| matches!(piece, Piece::Text(text) if text.contains(secret.as_str()));
                    if pieces.iter().any(has_it) {
                        pieces = pieces.into_iter().flat_map(|piece| piece.without(secret)).collect();
                        has_any = true;
                    }
                }
                if has_any {
                    *text = pieces.into_iter().map(Piece::shown).collect();
                }
            }
        }
    }

    fn conceal_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.conceal(text),
            Value::Number(number) => {
                let is_secret = match self {
                    Self::Everything => true,
                    Self::Texts(secrets) => !secrets.is_empty() && secrets.contains(&number.to_string()),
                };
                if is_secret {
                    *value = REDACTED.into();
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.conceal_value(item)),
            Value::Object(members) => self.conceal_members(members),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn conceal_members(&self, members: &mut Map<String, Value>) {
        // A secret may be the name of a member as well.
        for (mut name, mut value) in std::mem::take(members) {
            self.conceal(&mut name);
            self.conceal_value(&mut value);
            members.insert(name, value);
        }
    }
}

/// A part of a text.
enum Piece<'t> {
    Text(&'t str),
    Redacted,
}

impl<'t> Piece<'t> {
    /// Returns the pieces around a redacted text, and its places.
    fn without(self, secret: &str) -> Vec<Self> {
        let Self::Text(text) = self else { return vec![self] };
        let mut pieces = Vec::new();
        for (index, part) in text.split(secret).enumerate() {
            if index > 0 {
                pieces.push(Self::Redacted);
            }
            if !part.is_empty() {
                pieces.push(Self::Text(part));
            }
        }
        pieces
    }

    fn shown(self) -> &'t str {
        match self {
            Self::Text(text) => text,
            Self::Redacted => REDACTED,
        }
    }
}

fn collect(secret: &Value, texts: &mut BTreeSet<String>) {
    match secret {
        _ if texts.len() > MOST_SECRETS => {}
        Value::String(text) if text.len() >= SHORTEST_TEXT => {
            texts.insert(text.clone());
        }
        Value::Number(number) => {
            let text = number.to_string();
            if text.len() >= SHORTEST_NUMBER {
                texts.insert(text);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(members) => members.values().for_each(|item| collect(item, texts)),
        Value::String(_) | Value::Null | Value::Bool(_) => {}
    }
}

struct Redactor<'e> {
    policy: &'e Policy,
    known: Known,
    tools: Tools<'e>,
}

impl Redactor<'_> {
    fn entry(&self, entry: &mut Entry) -> Result<(), Failure> {
        match entry {
            Entry::Step(step) => {
                for asked in &mut step.calls {
                    if let Wanted::Tool { input, .. } = &mut asked.what {
                        self.raw(asked.seq, input)?;
                    }
                }
                step.logs.iter_mut().for_each(|log| self.known.conceal(&mut log.message));
                self.facts(&mut step.facts);
                step.ended
                    .iter_mut()
                    .filter_map(|ended| ended.failure.as_mut())
                    .for_each(|failure| self.failure(failure));
            }
            Entry::Started(started) => self.optional(started.seq, &mut started.input),
            Entry::Settled(settled) => match &mut settled.settlement {
                Settlement::Result(value) => self.raw(settled.seq, value)?,
                Settlement::Failed(failure) => self.failure(failure),
                Settlement::Snippet(started) => {
                    // A redacted transcript cannot be replayed, so that it does not need the code. Like the program, it may
                    // contain redacted values as literals.
                    if self.policy.redacts() {
                        started.code = None;
                    }
                    self.snippet_input(settled.seq, &mut started.input)?;
                    started.warning.iter_mut().for_each(|warning| self.known.conceal(warning));
                }
                Settlement::Ephemeral => {}
            },
            Entry::Asked(asked) => {
                self.optional(asked.seq, &mut asked.input);
                self.snippet_code(asked.seq, asked.input.as_mut());
                asked.why.iter_mut().for_each(|why| self.known.conceal(why));
                match &mut asked.question {
                    Question::Approval { why, .. } => self.known.conceal(why),
                    Question::Interrupt { payload } => self.known.conceal_value(payload),
                    Question::InDoubt => {}
                }
            }
            Entry::Decided(decided) => {
                let decision = &mut decided.decision;
                decision.reason.iter_mut().for_each(|reason| self.known.conceal(reason));
                match &mut decision.verdict {
                    Verdict::Happened(value) => self.value(decision.seq, value),
                    Verdict::Answer(value) => *value = HIDDEN.into(),
                    Verdict::Deny(reason) | Verdict::Fail(reason) => {
                        reason.iter_mut().for_each(|reason| self.known.conceal(reason));
                    }
                    Verdict::Approve | Verdict::DidNotHappen => {}
                }
            }
            // A note may name the work elsewhere in a way that gives access to it.
            Entry::Noted(noted) => noted.note = HIDDEN.into(),
            // The templates of inputs have no values of calls, but may have the same literals.
            Entry::Rollback(plan) => {
                plan.to.iter_mut().for_each(|step| self.known.conceal(step));
                let templates = plan.reverts.iter_mut().filter_map(|revert| revert.input.as_mut());
                templates.for_each(|template| self.known.conceal_value(template));
                plan.left.iter_mut().for_each(|left| self.known.conceal(&mut left.reason));
            }
            Entry::Paused(_) | Entry::Resumed(_) => {}
            Entry::Ended(ended) => {
                match &mut ended.how {
                    Ending::Completed(value) => self.known.conceal_value(value),
                    Ending::Failed(failure) | Ending::Rejected(failure) => self.failure(failure),
                    Ending::RolledBack(stopped) => stopped.iter_mut().for_each(|failure| self.failure(failure)),
                }
                ended.logs.iter_mut().for_each(|log| self.known.conceal(&mut log.message));
                self.facts(&mut ended.facts);
                ended.hints.iter_mut().for_each(|hint| self.known.conceal(hint));
            }
        }
        Ok(())
    }

    fn value(&self, seq: CallSeq, value: &mut Value) {
        if let Some(names) = self.tools.get(&seq) {
            *value = self.policy.redacted(*names, value);
        }
        self.known.conceal_value(value);
    }

    fn optional(&self, seq: CallSeq, value: &mut Option<Value>) {
        value.iter_mut().for_each(|value| self.value(seq, value));
    }

    /// Redacts the input of a snippet as the second argument of the call that runs it.
    fn snippet_input(&self, seq: CallSeq, raw: &mut Box<RawValue>) -> Result<(), Failure> {
        if self.hides_nothing() {
            return Ok(());
        }
        let mut arguments = json!([null, serde_json::from_str::<Value>(raw.get()).unwrap_or_default()]);
        self.value(seq, &mut arguments);
        *raw = to_raw_value(&arguments[1]).map_err(unwritable)?;
        Ok(())
    }

    /// Hides the code of a snippet that was shown to a person. Like the program, it may contain redacted values as literals.
    fn snippet_code(&self, seq: CallSeq, shown: Option<&mut Value>) {
        let is_run = self.tools.get(&seq).is_some_and(|names| names.path == RUN);
        if let Some(code) = shown.filter(|_| is_run && self.policy.redacts()).and_then(|shown| shown.get_mut("code")) {
            *code = HIDDEN.into();
        }
    }

    fn hides_nothing(&self) -> bool {
        matches!(&self.known, Known::Texts(secrets) if secrets.is_empty()) && !self.policy.redacts()
    }

    fn raw(&self, seq: CallSeq, raw: &mut Box<RawValue>) -> Result<(), Failure> {
        if self.hides_nothing() {
            return Ok(());
        }
        let mut value = serde_json::from_str(raw.get()).unwrap_or_default();
        self.value(seq, &mut value);
        *raw = to_raw_value(&value).map_err(unwritable)?;
        Ok(())
    }

    fn facts(&self, facts: &mut [Fact]) {
        for Fact { name, value } in facts {
            self.known.conceal(name);
            self.known.conceal_value(value);
        }
    }

    fn failure(&self, failure: &mut Failure) {
        self.known.conceal(&mut failure.name);
        self.known.conceal(&mut failure.message);
        failure.hint.iter_mut().for_each(|hint| self.known.conceal(hint));
        self.known.conceal_members(&mut failure.details);
    }
}
