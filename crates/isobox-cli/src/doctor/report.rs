//! The findings of the checks, printed as soon as they are known.

use std::time::Duration;

use anyhow::Result;
use isobox::text::{marked, without_escapes};
use isobox::{Failure, Value, json};

use crate::Exit;
use crate::executions::moment::in_duration;
use crate::outcome::Form;
use crate::rows::Columns;
use crate::style::{Colours, Look, print_drawn, print_json};

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Fine,
    Warning,
    Failed,
}

/// A check that was made.
#[derive(Debug)]
pub(super) struct Check {
    /// The kind of thing that was checked: `configuration`, `server` …
    kind: &'static str,
    /// The name of the checked thing, if there are several of its kind.
    name: Option<String>,
    verdict: Verdict,
    message: String,
    hint: Option<String>,
    took: Option<Duration>,
    tools: Option<usize>,
}

impl Check {
    pub(super) fn new(kind: &'static str, verdict: Verdict, message: impl Into<String>) -> Self {
        Self { kind, name: None, verdict, message: message.into(), hint: None, took: None, tools: None }
    }

    pub(super) fn fine(kind: &'static str, message: impl Into<String>) -> Self {
        Self::new(kind, Verdict::Fine, message)
    }

    pub(super) fn warning(kind: &'static str, message: impl Into<String>) -> Self {
        Self::new(kind, Verdict::Warning, message)
    }

    pub(super) fn failed(kind: &'static str, message: impl Into<String>) -> Self {
        Self::new(kind, Verdict::Failed, message)
    }

    pub(super) fn failure(kind: &'static str, failure: Failure) -> Self {
        Self { hint: failure.hint, ..Self::failed(kind, failure.message) }
    }

    pub(super) fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(super) fn took(mut self, took: impl Into<Option<Duration>>) -> Self {
        self.took = took.into();
        self
    }

    pub(super) fn tools(mut self, tools: usize) -> Self {
        self.tools = Some(tools);
        self
    }

    fn json(&self) -> Value {
        let Self { kind, name, verdict, message, hint, took, tools } = self;
        let mut check = json!({ "kind": kind, "status": verdict.word(), "message": message });
        let took = took.map(|took| json!(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)));
        let optional = [
            ("name", name.as_ref().map(|name| json!(name))),
            ("hint", hint.as_ref().map(|hint| json!(hint))),
            ("durationMs", took),
            ("tools", tools.map(|tools| json!(tools))),
        ];
        for (key, value) in optional {
            if let Some(value) = value {
                check[key] = value;
            }
        }
        check
    }

    fn line(&self, colours: Colours) -> String {
        let mark = match (colours, self.verdict) {
            (Colours::On, Verdict::Fine) => colours.paint(Look::Mark, "✓"),
            (Colours::On, Verdict::Warning) => colours.paint(Look::Warning, "!"),
            (Colours::On, Verdict::Failed) => colours.paint(Look::Error, "✗"),
            (Colours::Off, Verdict::Fine) => "ok     ".to_owned(),
            (Colours::Off, Verdict::Warning) => "warning".to_owned(),
            (Colours::Off, Verdict::Failed) => "failed ".to_owned(),
        };
        let name = self.name.as_ref().map(|name| format!(" {}", without_escapes(name))).unwrap_or_default();
        let took = self.took.map(|took| format!(" ({})", in_duration(took))).unwrap_or_default();
        let took = colours.paint(Look::Faint, &took);
        let hint = self.hint.as_ref().map(|hint| format!("\n  hint: {}", marked(hint))).unwrap_or_default();
        format!("{mark} {}{name}: {}{took}{hint}", self.kind, marked(&self.message))
    }
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Warning => "warning",
            Self::Failed => "failed",
        }
    }
}

/// All checks.
pub(super) struct Report {
    form: Form,
    checks: Vec<Check>,
}

impl Report {
    pub(super) fn new(form: Form) -> Self {
        Self { form, checks: Vec::new() }
    }

    pub(super) fn add(&mut self, check: Check) -> Result<()> {
        if self.form == Form::Text {
            print_drawn(&Columns::of_standard_output().broken(&check.line(Colours::of_standard_output())))?;
        }
        self.checks.push(check);
        Ok(())
    }

    /// Prints the sum of all checks.
    pub(super) fn finish(self) -> Result<Exit> {
        let count = |verdict: Verdict| self.checks.iter().filter(|check| check.verdict == verdict).count();
        let (failed, warnings) = (count(Verdict::Failed), count(Verdict::Warning));
        if self.form == Form::Json {
            let worst = [(failed, Verdict::Failed), (warnings, Verdict::Warning)];
            let worst = worst.into_iter().find(|(count, _)| *count > 0).map_or(Verdict::Fine, |(_, verdict)| verdict);
            let checks: Vec<Value> = self.checks.iter().map(Check::json).collect();
            print_json(&json!({ "status": worst.word(), "checks": checks }).to_string())?;
        } else {
            let plural =
                |count: usize, word: &str| if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") };
            print_drawn(&match (failed, warnings) {
                (0, 0) => "everything works".to_owned(),
                (0, _) => format!("everything works, with {}", plural(warnings, "warning")),
                (_, 0) => plural(failed, "problem"),
                (_, _) => format!("{} and {}", plural(failed, "problem"), plural(warnings, "warning")),
            })?;
        }
        Ok(if failed > 0 { Exit::Failed } else { Exit::Completed })
    }
}
