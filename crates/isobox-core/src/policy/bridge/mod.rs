//! Decides about a call before it starts. Decisions only; no I/O and no clock.

mod hidden;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::iter;
use std::sync::Arc;

use serde_json::{Value, json};

pub(crate) use hidden::hidden_parts;

use crate::policy::{Permission, Policy, Ruling, Subject, ToolNames};
use crate::snippets::{RUN, described, judged};
use crate::text::brief;
use crate::tools::amounting::Amounting;
use crate::tools::experience::Learner;
use crate::{Catalogue, Code, Failure, Tool};

/// The tools, the policy, the roles of the caller, and the calls so far.
pub(crate) struct Bridge<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) policy: &'a Policy,
    pub(super) roles: &'a [String],
    learner: Option<&'a dyn Learner>,
    /// The catalogue with snippets, if there are some.
    pub(super) shown: Option<Arc<Catalogue>>,
    /// The number of calls by the rule that counts them.
    counted: BTreeMap<usize, u32>,
}

/// The way of a call.
pub(crate) enum Route {
    /// The catalogue answers the call.
    Answered(Value),
    /// The tool is called.
    Call,
    /// The tool is called if a person approves it, for this reason.
    Ask(String),
}

/// The earlier calls must be counted again.
pub(crate) struct NotCounted;

impl<'a> Bridge<'a> {
    pub(crate) fn new(catalogue: &'a Catalogue, policy: &'a Policy, roles: &'a [String]) -> Self {
        Self { catalogue, policy, roles, learner: None, shown: None, counted: BTreeMap::new() }
    }

    /// Describes tools with what the learner knows.
    pub(crate) fn informed_by(self, learner: Option<&'a dyn Learner>) -> Self {
        Self { learner, ..self }
    }

    /// Decides the route of a call, or returns why it is refused.
    pub(crate) fn route(&mut self, path: &str, input: &Value) -> Result<Route, Failure> {
        let Some(tool) = self.catalogue.get(path) else {
            return match path.strip_prefix("codemode.").unwrap_or(path) {
                "search" => self.search(input).map(Route::Answered),
                "describe" => self.describe(input).map(Route::Answered),
                "step" if path == "codemode.step" => step_result(input).map(Route::Answered),
                _ => Err(self.unknown(path)),
            };
        };
        let route = self.judge(tool, input)?;
        let equivalents = self.equivalents(tool, input)?;
        let amounting = equivalents.iter().map(|(other, input)| (other.names(), input));
        self.count(iter::once((tool.names(), input)).chain(amounting))?;
        Ok(route)
    }

    /// Decides the route of a deferred call again: the tools and the policy may have changed. The call was counted
    /// before.
    pub(crate) fn recheck(&self, path: &str, input: &Value) -> Result<Route, Failure> {
        if path == RUN {
            return self.judge_run(&judged(input));
        }
        let Some(tool) = self.catalogue.get(path) else { return Err(self.unknown(path)) };
        self.judge(tool, input)
    }

    /// Decides about a call, and about the calls that it amounts to. The strictest decision counts.
    fn judge(&self, tool: &Tool, input: &Value) -> Result<Route, Failure> {
        let equivalents = self.equivalents(tool, input)?;
        if equivalents.is_empty() {
            return self.judge_alone(tool, tool, input);
        }
        let mut strictest = Route::Call;
        for (other, amounting) in &equivalents {
            for route in [self.judge_alone(tool, other, input)?, self.judge_alone(other, other, amounting)?] {
                if matches!(strictest, Route::Call) {
                    strictest = route;
                }
            }
        }
        Ok(strictest)
    }

    /// Returns the tools and the inputs of the calls that a call amounts to. Returns a failure if one of the tools is
    /// not in the catalogue, because no rule can decide about it.
    fn equivalents(&self, tool: &Tool, input: &Value) -> Result<Vec<(&'a Tool, Value)>, Failure> {
        let Amounting { connector, calls } = tool.equivalents(input)?;
        let known = |(name, input): (String, Value)| match self.catalogue.offered_as(connector, &name) {
            Some(other) => Ok((other, input)),
            None => Err(self.unknown(&format!("{}.{name}", brief(connector, 80)))),
        };
        calls.into_iter().map(known).collect()
    }

    /// Decides whether a call is allowed or needs approval. `effective` is the tool whose hints count.
    fn judge_alone(&self, tool: &Tool, effective: &Tool, input: &Value) -> Result<Route, Failure> {
        let path = tool.path().as_str();
        let Subject { hints, is_trusted, .. } = effective.subject();
        let subject = Subject { hints, is_trusted, ..tool.subject_of(input) };
        let Ruling { permission, why, .. } = self.policy.decide(subject, input, self.roles);
        if permission == Permission::Hide {
            return Err(self.unknown(path));
        }
        if let Value::Array(_) = input
            && matches!(path, "search" | "describe")
        {
            return Err(Failure::new(Code::InvalidInput, format!("tools.{path} takes one argument, an object")));
        }
        self.without_secrets(tool.names(), input, |input| tool.check_input(input))
            .map_err(|failure| with_signature(failure, tool))?;
        match permission {
            Permission::Allow => Ok(Route::Call),
            Permission::RequireApproval if tool.is_ephemeral() => {
                let message = format!(
                    "the call of `{path}` needs approval, which a tool whose results are not stored cannot wait for: {why}"
                );
                Err(Failure::new(Code::ApprovalRequired, message))
            }
            Permission::RequireApproval => Ok(Route::Ask(why.into_owned())),
            Permission::Deny | Permission::Hide => Err(forbidden(path, &why)),
        }
    }

    /// Returns the expression for a tool or a namespace that a program uses by its bare name.
    pub(crate) fn tools_named(&self, name: &str) -> Option<String> {
        self.catalogue.expression_for(name, self.policy, self.roles)
    }

    /// Returns the number of calls by a hash of the calls that a rule counts, because rules may be moved before the
    /// execution is resumed.
    pub(crate) fn counted(&self) -> BTreeMap<String, u32> {
        let count = |rule| self.counted.get(&rule).copied().unwrap_or_default();
        self.policy.rated().map(|(rule, matter)| (matter, count(rule))).collect()
    }

    /// Restores earlier counts. Returns an error if a rule counts other calls than before.
    pub(crate) fn set_counted(&mut self, counted: &BTreeMap<String, u32>) -> Result<(), NotCounted> {
        let known = self.policy.rated().map(|(rule, matter)| Some((rule, *counted.get(&matter)?)));
        self.counted = known.collect::<Option<_>>().ok_or(NotCounted)?;
        Ok(())
    }

    /// Counts a call that was made before a resume. Of the calls that it amounts to, it counts those of tools that are
    /// still there.
    pub(crate) fn count_past(&mut self, path: &str, input: &Value) {
        let seen = if path == RUN { judged(input) } else { Cow::Borrowed(input) };
        let input = &*seen;
        let names = self.catalogue.names(path);
        let amounting = self.catalogue.get(path).and_then(|tool| tool.equivalents(input).ok()).unwrap_or_default();
        let mut rates = self.policy.rates(names, input, self.roles);
        for (name, input) in &amounting.calls {
            if let Some(other) = self.catalogue.offered_as(amounting.connector, name) {
                rates.extend(self.policy.rates(other.names(), input, self.roles));
            }
        }
        for rate in rates {
            *self.counted.entry(rate.rule).or_default() += 1;
        }
    }

    /// Runs a check whose failure quotes nothing that the policy redacts.
    pub(crate) fn without_secrets<T>(
        &self,
        names: ToolNames<'_>,
        value: &Value,
        check: impl Fn(&Value) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let failure = match check(value) {
            Ok(checked) => return Ok(checked),
            Err(failure) => failure,
        };
        let path = names.path;
        let shown = self.policy.redacted(names, value);
        if shown == *value {
            return Err(failure);
        }
        let message = format!("a part of a value of `{path}` that the policy redacts does not fit its schema");
        Err(check(&shown).err().unwrap_or_else(|| Failure::new(failure.code, message)))
    }

    /// Counts a call and those that it amounts to. Counts none of them if one is above a rate.
    pub(super) fn count<'c>(&mut self, calls: impl Iterator<Item = (ToolNames<'c>, &'c Value)>) -> Result<(), Failure> {
        let mut counted = self.counted.clone();
        for (names, input) in calls {
            for rate in self.policy.rates(names, input, self.roles) {
                let made = counted.entry(rate.rule).or_default();
                if *made >= rate.calls {
                    let message = format!(
                        "the policy allows {} of `{}` and the other tools of rule {} in one execution",
                        if rate.calls == 1 { "one call".to_owned() } else { format!("{} calls", rate.calls) },
                        names.path,
                        rate.rule + 1
                    );
                    return Err(Failure::new(Code::CallLimit, message));
                }
                *made += 1;
            }
        }
        self.counted = counted;
        Ok(())
    }

    /// Returns the failure of a call of a tool that does not exist. Returns none if that is not certain: its server may only
    /// be down.
    pub(crate) fn surely_unknown(&self, path: &str) -> Option<Failure> {
        let is_own = matches!(path, "search" | "describe") || path.starts_with("codemode.");
        let is_perhaps = self.catalogue.down_connector(path).is_some() || self.catalogue.is_missing_method(path);
        (!is_own && !is_perhaps).then(|| self.unknown(path))
    }

    /// Returns the failure of a call that the policy allows for no input.
    pub(crate) fn surely_forbidden(&self, tool: &Tool) -> Failure {
        let Ruling { why, .. } = self.policy.decide(tool.subject(), &Value::Null, self.roles);
        forbidden(tool.path().as_str(), &why)
    }

    /// Returns the failure of a call whose input cannot fit.
    pub(crate) fn misfit(&self, tool: &Tool, why: &str) -> Failure {
        let message = format!("invalid input for tool `{}`: {why}", tool.path());
        with_signature(Failure::new(Code::InvalidInput, message), tool)
    }

    fn unknown(&self, path: &str) -> Failure {
        if path.is_empty() {
            return Failure::new(
                Code::UnknownTool,
                "`tools` is not a tool itself: call one, as in `tools.name({ … })`",
            );
        }
        if let Some(name) = path.strip_prefix("codemode.") {
            let name = brief(name, 80);
            return Failure::new(
                Code::UnknownTool,
                format!("codemode has no `{name}`: it has `search`, `describe`, `step`, `run` and `fact`"),
            );
        }
        if let Some(down) = self.catalogue.down_at(path, Code::UnknownTool, self.policy, self.roles) {
            return down;
        }
        if self.catalogue.is_missing_method(path) {
            let allowed =
                if path.ends_with(".send") { "may only read: GET and HEAD" } else { "may not use GET and HEAD" };
            let message = format!("the host does not allow this method: requests of programs {allowed}");
            return Failure::new(Code::Forbidden, message).hint("the operator allows methods with `fetch.methods`");
        }
        if let Some(failure) = self.no_method(path) {
            return failure;
        }
        let advice = self.catalogue.suggestion(path, self.policy, self.roles);
        let failure = Failure::new(Code::UnknownTool, format!("unknown tool: `{}`{advice}", brief(path, 80)));
        if advice.is_empty() {
            failure.hint("search for it: `await codemode.search(\"what it should do\")`")
        } else {
            failure
        }
    }

    /// Returns the failure of a use of a method that functions have, such as `bind`, on a tool that the program may see.
    fn no_method(&self, path: &str) -> Option<Failure> {
        let (tool, method) = path.rsplit_once('.')?;
        if !matches!(method, "call" | "apply" | "bind") {
            return None;
        }
        let subject = self.catalogue.get(tool)?.subject();
        if self.policy.preview(subject, self.roles).permission == Permission::Hide {
            return None;
        }
        let message = format!(
            "unknown tool: `{}`; tools have no methods: write `(input) => tools.{tool}(input)`",
            brief(path, 80)
        );
        Some(Failure::new(Code::UnknownTool, message))
    }

    /// Handles `search(query, { limit })` and `search({ query, limit })`.
    fn search(&self, input: &Value) -> Result<Value, Failure> {
        let usage = || wrong_use("search takes a text and options: codemode.search(\"send mail\", { limit: 5 })");
        let (query, options) = text_and_options(input, "query").ok_or_else(usage)?;
        let limit = match options.and_then(|options| options.get("limit")) {
            None | Some(Value::Null) => Catalogue::DEFAULT_RESULTS,
            Some(limit) => limit.as_u64().and_then(|limit| usize::try_from(limit).ok()).ok_or_else(usage)?,
        };
        let catalogue = self.shown.as_deref().unwrap_or(self.catalogue);
        Ok(json!(catalogue.search_now(query, limit, self.policy, self.roles, self.learner)))
    }

    /// Handles `describe(path)` and `describe({ path })`.
    fn describe(&self, input: &Value) -> Result<Value, Failure> {
        /// The maximum size of a description, in tokens.
        const BUDGET: usize = 4000;
        let (path, _) = text_and_options(input, "path").ok_or_else(|| {
            wrong_use("describe takes the path of a tool or a namespace: codemode.describe(\"mail\")")
        })?;
        match self.catalogue.describe_now(path, BUDGET, self.policy, self.roles, self.learner) {
            Ok(described) => Ok(json!(described)),
            Err(failure) => match self.shown.as_deref().and_then(|shown| described(path, shown)) {
                Some(snippet) => Ok(json!(snippet)),
                None => Err(failure),
            },
        }
    }
}

/// Adds the signature of the tool to a failure that has no hint of its own.
fn with_signature(failure: Failure, tool: &Tool) -> Failure {
    /// The maximum length of a signature in a hint.
    const LONGEST: usize = 400;
    match failure.hint {
        Some(_) => failure,
        None => failure.hint(format!("call it as {}", brief(&Catalogue::signature_of(tool), LONGEST))),
    }
}

pub(super) fn forbidden(path: &str, why: &str) -> Failure {
    Failure::new(Code::Forbidden, format!("the policy forbids this call of `{path}`: {why}"))
        .hint("do without it, or tell the user that it is not allowed")
}

/// Returns the result of a step to the program, as it is recorded with the call.
fn step_result(input: &Value) -> Result<Value, Failure> {
    match input {
        Value::String(_) => Ok(Value::Null),
        Value::Array(items) => match items.as_slice() {
            [Value::String(_), result] => Ok(result.clone()),
            _ => Err(wrong_use("a step has a name and a result")),
        },
        _ => Err(wrong_use("a step has a name and a result")),
    }
}

fn wrong_use(message: &str) -> Failure {
    Failure::new(Code::InvalidInput, message)
}

/// Reads a text that is alone, followed by options, or a field of the options.
fn text_and_options<'v>(input: &'v Value, name: &str) -> Option<(&'v str, Option<&'v Value>)> {
    match input {
        Value::String(text) => Some((text, None)),
        Value::Array(items) => match items.as_slice() {
            [Value::String(text)] => Some((text, None)),
            [Value::String(text), options @ (Value::Object(_) | Value::Null)] => Some((text, Some(options))),
            _ => None,
        },
        Value::Object(entries) => Some((entries.get(name)?.as_str()?, Some(input))),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

#[cfg(test)]
mod tests;
