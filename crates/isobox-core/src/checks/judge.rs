//! Judges the tool calls of a program.

use std::task::Poll;

use serde_json::{Map, Value};

use super::concealed::concealed;
use super::fit::{misfit, size};
use super::lines::Lines;
use super::reads::missing_property;
use super::{Certainty, ENOUGH, Finding, FindingCode, end};
use crate::policy::Permission;
use crate::policy::bridge::Bridge;
use crate::program::{Handling, Literal, Place, Promised, Reach, Read, SeenCall, Survey};
use crate::run::host::Host;
use crate::text::brief;
use crate::tools::work;
use crate::{Code, Failure, OutputChecks, Tool};

/// The maximum number of steps for all calls of a program. Calls that come after that pass.
const STEPS: u64 = 2_000_000;
/// The number of steps after which other tasks have a turn.
const STEPS_PER_TURN: u64 = 50_000;
/// The steps for a call beside those for its argument, for a property that is read, and for each tool that an unknown name is
/// compared with.
const STEPS_PER_CALL: u64 = 100;
const STEPS_PER_NAME: u64 = 5;
/// The bytes of a text that take as long as a step: a general tool reads its argument.
const BYTES_PER_STEP: usize = 4;

/// Judges calls with the tools and the policy of a host, for a caller with these roles.
pub(crate) struct Judge<'a> {
    pub(crate) host: &'a Host,
    pub(crate) roles: &'a [String],
}

impl Judge<'_> {
    /// Adds what is wrong with the calls of a program, until there are enough findings or the steps are spent.
    pub(crate) async fn judge(&self, survey: &Survey, lines: &mut Lines<'_>, findings: &mut Vec<Finding>) {
        let (mut left, mut since_turn) = (STEPS, 0);
        for (index, call) in survey.calls.iter().enumerate() {
            let found = findings.len();
            if found >= ENOUGH {
                return end(findings, survey.calls.len() - index, "calls that were not checked");
            }
            let ((), budget) = work::within(left, || self.judge_call(call, lines, findings));
            if budget.is_exceeded {
                findings.truncate(found);
                return end(findings, survey.calls.len() - index, "calls that were not checked");
            }
            if certainty(call.reach) == Certainty::Possible {
                findings[found..].iter_mut().for_each(|finding| finding.certainty = Certainty::Possible);
            }
            since_turn += left - budget.left;
            left = budget.left;
            if since_turn >= STEPS_PER_TURN {
                since_turn = 0;
                give_turn().await;
            }
        }
    }

    fn judge_call(&self, call: &SeenCall, lines: &mut Lines<'_>, findings: &mut Vec<Finding>) {
        let bridge = &Bridge::new(&self.host.catalogue, &self.host.policy, self.roles);
        self.spend_on(call);
        let mut at = |place: &Place, code, message| Finding::at(lines, place, code, message);
        let tool = self.host.catalogue.get(&call.path);
        let refusal = match (call.handling, tool) {
            (Handling::Handled, _) => None,
            (Handling::Unhandled, Some(tool)) => self.refusal(bridge, tool, call),
            (Handling::Unhandled, None) => bridge.surely_unknown(&call.path),
        };
        if let Some(failure) = refusal
            && let Some(code) = code_of(failure.code)
        {
            let finding = at(&call.place, code, failure.message);
            findings.push(Finding { hint: failure.hint, ..finding });
            return;
        }
        let path = brief(&call.path, 80);
        match &call.promise {
            Promised::Used => {}
            Promised::Dropped => {
                let message = format!("the call of `{path}` is never awaited");
                let hint = "await it, or collect several in `await Promise.all([…])`";
                findings.push(at(&call.place, FindingCode::DetachedCall, message).hint(hint));
            }
            Promised::Unawaited(place) => {
                let message = format!("the promise of the call of `{path}` is used as if it were its result");
                let hint = format!("await it first: `await tools.{path}(…)`");
                findings.push(at(place, FindingCode::MissingAwait, message).hint(hint));
            }
        }
        if let Some(tool) = tool {
            for read in &call.reads {
                let Some((place, message, hint)) = self.wrong_read(tool, read) else { continue };
                let certainty = certainty(read.reach);
                findings.push(Finding { hint, certainty, ..at(place, FindingCode::UnknownProperty, message) });
            }
        }
    }

    /// Counts what a call takes beside checks against schemas.
    fn spend_on(&self, call: &SeenCall) {
        let names = match self.host.catalogue.get(&call.path) {
            Some(_) => 0,
            None => self.host.catalogue.iter().count() as u64,
        };
        let argument = call.arguments.iter().flatten().map(weight).sum::<usize>() as u64;
        let parts = 1 + call.reads.len() as u64;
        work::take(parts * STEPS_PER_CALL + names * STEPS_PER_NAME + argument);
    }

    /// Returns why a call of a tool cannot succeed.
    fn refusal(&self, bridge: &Bridge<'_>, tool: &Tool, call: &SeenCall) -> Option<Failure> {
        let arguments = call.arguments.as_deref();
        let path = tool.path().as_str();
        let nothing = Literal::Value(Value::Object(Map::new()));
        let literal = match arguments {
            None => &Literal::Unknown,
            Some([]) => &nothing,
            Some([only]) => only,
            Some(several) => {
                let message = format!("tools.{path} takes one argument, an object; it was given {}", several.len());
                return Some(Failure::new(Code::InvalidInput, message));
            }
        };
        if let Literal::Value(value) = literal {
            // The whole input is known, so the decision is the one that would be made at run time.
            let input = self.host.with_defaults(path, value.clone());
            return bridge.recheck(path, &input).err();
        }
        match self.host.policy.preview(tool.subject(), self.roles).permission {
            Permission::Allow | Permission::RequireApproval => {}
            Permission::Deny => return Some(bridge.surely_forbidden(tool)),
            Permission::Hide => return bridge.surely_unknown(path),
        }
        let (schema, fills_defaults) = (tool.usable_input_schema()?, self.host.fills_defaults(path));
        let why = misfit(schema, literal, fills_defaults)?;
        let Some(shown) = concealed(&self.host.policy, tool.names(), literal) else {
            return Some(bridge.misfit(tool, &why));
        };
        let why = misfit(schema, &shown, fills_defaults);
        Some(bridge.misfit(tool, why.as_deref().unwrap_or("a part that the policy redacts does not fit its schema")))
    }

    /// Returns the place of a property that a result cannot have, with what is wrong and advice.
    fn wrong_read<'r>(&self, tool: &Tool, read: &'r Read) -> Option<(&'r Place, String, Option<String>)> {
        if self.host.validation.outputs != OutputChecks::Enforce {
            return None;
        }
        let missing = missing_property(tool.usable_output_schema()?, &read.names)?;
        let place = read.places.get(missing.index)?;
        let (path, name) = (brief(tool.path().as_str(), 80), brief(&missing.name, 80));
        let message = format!("the result of `{path}` has no property `{name}`{}", missing.advice());
        Some((place, message, missing.hint()))
    }
}

/// Returns the steps for reading an argument.
fn weight(literal: &Literal) -> usize {
    match literal {
        Literal::Value(value) => size(value) + text(value) / BYTES_PER_STEP,
        Literal::Object(entries, _) => 1 + entries.iter().map(|(_, part)| weight(part)).sum::<usize>(),
        Literal::Array(items, _) => 1 + items.iter().map(weight).sum::<usize>(),
        Literal::Unknown | Literal::Text => 1,
    }
}

/// Returns the length of all texts of a value.
fn text(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(text).sum(),
        Value::Object(entries) => entries.values().map(text).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// Lets other tasks of the executor run.
async fn give_turn() {
    let mut was_given = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut was_given, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

fn certainty(reach: Reach) -> Certainty {
    match reach {
        Reach::Certain => Certainty::Certain,
        Reach::Branch => Certainty::Possible,
    }
}

fn code_of(code: Code) -> Option<FindingCode> {
    match code {
        Code::UnknownTool => Some(FindingCode::UnknownTool),
        Code::Forbidden => Some(FindingCode::Forbidden),
        Code::ApprovalRequired => Some(FindingCode::ApprovalRequired),
        Code::InvalidInput => Some(FindingCode::InvalidInput),
        _ => None,
    }
}
