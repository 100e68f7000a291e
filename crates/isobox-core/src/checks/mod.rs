//! Checks a program before it runs: its tool calls against the catalogue and the policy, and the rules over its syntax.
//!
//! The front end has seen the calls ([`Survey`]). What it saw is judged here, by the same code that decides about calls at run
//! time as far as possible. Only what certainly runs is an error. A mistake in code that may never run is a warning.

mod concealed;
mod fit;
mod judge;
mod lines;
mod reads;

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use crate::driver::MAX_PREPARING;
use crate::program::{Checks, Place, Preparation, Prepared, Program, Rules, Survey, Surveyed, Violation, survey};
use crate::run::host::Host;
use crate::run::waiting::until;
use crate::text::{brief, excerpt};
use crate::{Code, Failure, Limits};

use judge::Judge;
use lines::Lines;

/// The kind of a finding. Kinds are stable: programs and tests may rely on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum FindingCode {
    /// The tool does not exist.
    UnknownTool,
    /// The policy does not allow the call.
    Forbidden,
    /// The call needs an approval, and there is no approver.
    ApprovalRequired,
    /// The argument does not fit the schema of the tool.
    InvalidInput,
    /// The promise of the call is never used.
    DetachedCall,
    /// The promise of the call is used as if it were the result.
    MissingAwait,
    /// The result has no such property.
    UnknownProperty,
    /// A rule of the host does not allow something in the program.
    Rule,
}

impl FindingCode {
    /// Returns the kind as text: `UNKNOWN_TOOL`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "UNKNOWN_TOOL",
            Self::Forbidden => "FORBIDDEN",
            Self::ApprovalRequired => "APPROVAL_REQUIRED",
            Self::InvalidInput => "INVALID_INPUT",
            Self::DetachedCall => "DETACHED_CALL",
            Self::MissingAwait => "MISSING_AWAIT",
            Self::UnknownProperty => "UNKNOWN_PROPERTY",
            Self::Rule => "RULE",
        }
    }
}

/// A mistake in a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Finding {
    /// The kind.
    pub code: FindingCode,
    /// The mistake, in one line.
    pub message: String,
    /// The line in the author's text, counted from 1.
    pub line: u32,
    /// The column in that line, in characters, counted from 1.
    pub column: u32,
    /// The file, if the program has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of source.
    pub source: String,
    /// Advice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The certainty that the mistake matters.
    #[serde(skip)]
    pub certainty: Certainty,
}

/// The certainty that a mistake matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// The program cannot succeed.
    Certain,
    /// The mistake is in code that may never run: a branch, a loop, a callback, or a function that may not be called.
    Possible,
}

/// The maximum number of findings that are reported.
const MAXIMUM: usize = 20;
/// The number of findings after which a check ends, because nothing else bounds the time that it takes.
const ENOUGH: usize = 500;
/// The maximum length of a line of source.
const MAXIMUM_SOURCE: usize = 200;

/// A program that was prepared and checked.
pub(crate) struct Checked {
    pub(crate) program: Prepared,
    pub(crate) findings: Vec<Finding>,
}

/// Prepares a program, and finds what is wrong with it for a caller with these roles. Nothing is run. After about 500
/// findings, or two million steps of checks against schemas, the check ends. Calls that were not checked pass. If there are
/// findings, the last one says how many calls were left out. If the time is over, or surveying takes too many resources, nothing says
/// so.
///
/// # Errors
///
/// `SYNTAX` if the text is not a program. `BUSY` if the driver has no capacity.
pub async fn check(host: &Host, program: &Program, roles: &[String]) -> Result<Vec<Finding>, Failure> {
    let globals = host.globals();
    let timeout = Limits::default().timeout;
    Ok(check_program(host, program, (Checks::Errors, &globals), roles, timeout).await?.findings)
}

/// Checks a program that is about to be saved as a snippet. What a caller may do is not checked: callers differ.
///
/// # Errors
///
/// `CHECK` if the program has a certain mistake, or violates a rule. As [`check`].
pub async fn check_snippet(host: &Host, program: &Program, checks: Checks, roles: &[String]) -> Result<(), Failure> {
    let globals = host.globals();
    let Checked { findings, .. } =
        check_program(host, program, (checks, &globals), roles, Limits::default().timeout).await?;
    let (mut errors, _) = separate(findings, checks);
    errors.retain(|finding| match finding.code {
        FindingCode::Forbidden | FindingCode::ApprovalRequired => false,
        FindingCode::UnknownTool
        | FindingCode::InvalidInput
        | FindingCode::DetachedCall
        | FindingCode::MissingAwait
        | FindingCode::UnknownProperty
        | FindingCode::Rule => true,
    });
    failure(errors).map_or(Ok(()), Err)
}

/// Separates the findings that stop a program from those that are warnings.
pub(crate) fn separate(findings: Vec<Finding>, checks: Checks) -> (Vec<Finding>, Vec<Finding>) {
    let is_error = |finding: &Finding| match (finding.certainty, finding.code) {
        (_, FindingCode::Rule) => true,
        (Certainty::Certain, _) => checks == Checks::Errors,
        (Certainty::Possible, _) => false,
    };
    findings.into_iter().partition(is_error)
}

pub(crate) async fn check_program(
    host: &Host,
    program: &Program,
    (checks, globals): (Checks, &[String]),
    roles: &[String],
    timeout: Duration,
) -> Result<Checked, Failure> {
    let preparation = Preparation { rules: Cow::Borrowed(&host.rules), ..Preparation::new(program) };
    let namespaces = (checks != Checks::Off).then_some(Cow::Borrowed(globals));
    let surveyed = match survey_within(host, Preparation { namespaces, ..preparation.clone() }, timeout).await {
        // Looking for calls takes resources. A program that can be prepared without it runs unchecked.
        Err(failure) if checks != Checks::Off && is_excessive(&failure) => {
            survey_within(host, preparation, timeout).await?
        }
        other => other?,
    };
    let mut lines = Lines::of(program);
    let mut findings = violations(&surveyed.survey, &host.rules, &mut lines);
    let limit = host.clock.elapsed().saturating_add(timeout);
    let judge = Judge { host, roles };
    // Calls that are not judged in time pass, as those after the last step do.
    let _ = until(&*host.clock, limit, judge.judge(&surveyed.survey, &mut lines, &mut findings)).await;
    Ok(Checked { program: surveyed.program, findings })
}

/// Prepares a program that is not checked against the tools: with the modules of the host, and within its rules.
///
/// # Errors
///
/// `CHECK` if the program violates a rule. `SYNTAX` if the text is not a program. `BUSY` if the driver has no capacity.
pub(crate) async fn prepare_by_rules(host: &Host, program: &Program, timeout: Duration) -> Result<Prepared, Failure> {
    let preparation = Preparation { rules: Cow::Borrowed(&host.rules), ..Preparation::new(program) };
    let surveyed = survey_within(host, preparation, timeout).await?;
    match failure(violations(&surveyed.survey, &host.rules, &mut Lines::of(program))) {
        Some(failure) => Err(failure),
        None => Ok(surveyed.program),
    }
}

/// Checks whether a program was not prepared because that takes too many resources.
fn is_excessive(failure: &Failure) -> bool {
    failure.code == Code::Syntax && failure.details.contains_key("limit")
}

/// Prepares and surveys a program. Other programs may be prepared before it: that is waited for no longer than `timeout`.
async fn survey_within(host: &Host, preparation: Preparation<'_>, timeout: Duration) -> Result<Surveyed, Failure> {
    let limit = host.clock.elapsed().saturating_add(timeout).saturating_add(MAX_PREPARING);
    let surveyed = until(&*host.clock, limit, survey(&*host.driver, preparation, &host.modules)).await;
    surveyed.unwrap_or_else(|| {
        let message =
            format!("the program was not prepared within {timeout:?}, because others were prepared before it");
        Err(Failure::new(Code::Busy, message).hint("try again later"))
    })
}

/// Returns the findings about violations of the rules of a host.
fn violations(survey: &Survey, rules: &Rules, lines: &mut Lines<'_>) -> Vec<Finding> {
    let finding = |violation: &Violation| {
        let rule = rules.list().get(violation.rule);
        let found = brief(&violation.found, 120);
        let message = match rule.and_then(|rule| rule.message.as_deref()) {
            Some(message) => format!("{found} is not allowed here: {message}"),
            None => format!("{found} is not allowed here"),
        };
        let hint = format!("this is rule {} of the host over the syntax of programs", violation.rule + 1);
        Finding::at(lines, &violation.place, FindingCode::Rule, message).hint(hint)
    };
    let mut findings: Vec<Finding> = survey.violations.iter().take(ENOUGH).map(finding).collect();
    end(&mut findings, survey.violations.len().saturating_sub(ENOUGH), "further violations");
    findings
}

/// Adds to the last finding how many others were left out.
fn end(findings: &mut [Finding], left_out: usize, what: &str) {
    if let Some(last) = findings.last_mut().filter(|_| left_out > 0) {
        last.message.push_str(&format!("; the check ends here ({what}: {left_out})"));
    }
}

impl Finding {
    fn at(lines: &mut Lines<'_>, place: &Place, code: FindingCode, message: String) -> Self {
        let Place { file, line, column } = place;
        let source = lines.line(file, *line);
        let start = (*column as usize).saturating_sub(MAXIMUM_SOURCE / 2);
        let shown = source.chars().skip(if source.len() > MAXIMUM_SOURCE { start } else { 0 });
        // One more, so that the excerpt shows that it is one.
        let source: String = shown.take(MAXIMUM_SOURCE + 1).collect();
        Self {
            code,
            message,
            line: *line,
            column: *column,
            file: Some(file.clone()).filter(|_| lines.are_of_several_files()),
            source: excerpt(&source, MAXIMUM_SOURCE),
            hint: None,
            certainty: Certainty::Certain,
        }
    }

    #[must_use]
    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Returns the finding in one line, with its place.
    pub fn in_words(&self) -> String {
        let file = self.file.as_ref().map(|file| format!("{}, ", brief(file, 80))).unwrap_or_default();
        let hint = self.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
        format!("{file}line {}, column {}: {}{hint}", self.line, self.column, self.message)
    }
}

impl fmt::Display for FindingCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Returns the failure of a program with mistakes: the first one, and all of them in its details.
pub(crate) fn failure(mut findings: Vec<Finding>) -> Option<Failure> {
    findings.sort_by(|one, other| (&one.file, one.line, one.column).cmp(&(&other.file, other.line, other.column)));
    let count = findings.len();
    findings.truncate(MAXIMUM);
    let first = findings.first()?.clone();
    let message = match count {
        1 => first.message.clone(),
        _ => format!("{} (and {} more)", first.message, count - 1),
    };
    let mut failure = Failure::new(Code::Check, message).at(first.line, first.column).detail("source", first.source);
    if let Some(file) = first.file {
        failure = failure.detail("file", file);
    }
    failure.hint = first.hint;
    let listed: Vec<Value> = findings.iter().filter_map(|finding| serde_json::to_value(finding).ok()).collect();
    Some(failure.detail("findings", listed))
}

/// Returns the warnings of the outcome for mistakes that do not stop the program.
pub(crate) fn warnings(findings: &[Finding]) -> Vec<String> {
    findings.iter().take(MAXIMUM).map(Finding::in_words).collect()
}
