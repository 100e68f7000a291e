//! Decides about a call before it starts. Decisions only; no I/O and no clock.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::policy::{Permission, Policy, Ruling, Subject, ToolNames};
use crate::snippets::{RUN, described};
use crate::text::brief;
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
        self.count(tool.names(), input)?;
        for (other, input) in self.equivalents(tool, input)? {
            self.count(other.names(), &input)?;
        }
        Ok(route)
    }

    /// Decides the route of a deferred call again: the tools and the policy may have changed. The call was counted
    /// before.
    pub(crate) fn recheck(&self, path: &str, input: &Value) -> Result<Route, Failure> {
        if path == RUN {
            return self.judge_run(input);
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
        let Some((connector, calls)) = tool.equivalents(input) else { return Ok(Vec::new()) };
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

    /// Counts a call that was made before a resume.
    pub(crate) fn count_past(&mut self, path: &str, input: &Value) {
        let names = self.catalogue.names(path);
        let equivalents = self.catalogue.get(path).and_then(|tool| self.equivalents(tool, input).ok());
        let mut rates = self.policy.rates(names, input, self.roles);
        for (other, input) in equivalents.iter().flatten() {
            rates.extend(self.policy.rates(other.names(), input, self.roles));
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

    pub(super) fn count(&mut self, names: ToolNames<'_>, input: &Value) -> Result<(), Failure> {
        let path = names.path;
        let rates = self.policy.rates(names, input, self.roles);
        for rate in &rates {
            if self.counted.get(&rate.rule).is_some_and(|calls| *calls >= rate.calls) {
                let message = format!(
                    "the policy allows {} of `{path}` and the other tools of rule {} in one execution",
                    if rate.calls == 1 { "one call".to_owned() } else { format!("{} calls", rate.calls) },
                    rate.rule + 1
                );
                return Err(Failure::new(Code::CallLimit, message));
            }
        }
        for rate in rates {
            *self.counted.entry(rate.rule).or_default() += 1;
        }
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
        if let Some(server) = self.catalogue.down_connector(path)
            && self.policy.preview(Subject::unknown(path), self.roles).permission != Permission::Hide
        {
            let (path, server) = (brief(path, 80), brief(server, 80));
            let message = format!("tool `{path}` is not available: its server `{server}` has not started");
            return Failure::new(Code::UnknownTool, message)
                .hint("do without it, or try again later: the operator was told why it has not started");
        }
        if self.catalogue.is_missing_method(path) {
            let allowed =
                if path.ends_with(".send") { "may only read: GET and HEAD" } else { "may not use GET and HEAD" };
            let message = format!("the host does not allow this method: requests of programs {allowed}");
            return Failure::new(Code::Forbidden, message).hint("the operator allows methods with `fetch.methods`");
        }
        let advice = self.catalogue.suggestion(path, self.policy, self.roles);
        let failure = Failure::new(Code::UnknownTool, format!("unknown tool: `{}`{advice}", brief(path, 80)));
        if advice.is_empty() {
            failure.hint("search for it: `await codemode.search(\"what it should do\")`")
        } else {
            failure
        }
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
mod tests {
    use super::*;
    use crate::policy::{Action, Rule};

    fn catalogue() -> Catalogue {
        let mut builder = Catalogue::builder();
        for (path, description) in [
            ("mail.send", "Sends a mail to a person."),
            ("mail.list", "Lists the mails in a folder."),
            ("pay.charge", "Charges a card."),
            ("admin.ban", "Bans a user."),
        ] {
            let tool = Tool::new(path, |input| async move { Ok(input) }).expect("a path").description(description);
            builder.tool(tool).expect("it is free");
        }
        builder.build()
    }

    fn rule(tools: &str, action: Action) -> Rule {
        Rule::new(vec![tools.parse().expect("a pattern")], action)
    }

    fn failure(route: Result<Route, Failure>) -> Failure {
        route.err().expect("the call is refused")
    }

    #[test]
    fn a_call_that_the_policy_forbids_says_which_rule() {
        let (catalogue, policy) = (catalogue(), Policy::new(vec![rule("pay.*", Action::Deny(None))]));
        let failure = failure(Bridge::new(&catalogue, &policy, &[]).route("pay.charge", &json!({})));
        assert_eq!(failure.code, Code::Forbidden);
        assert_eq!(failure.message, "the policy forbids this call of `pay.charge`: rule 1 (`pay.*`) denies it");
    }

    /// A connector with a tool that does anything.
    struct General;

    impl crate::Connector for General {
        fn name(&self) -> &str {
            "shop"
        }

        fn offer(&self) -> futures_util::future::BoxFuture<'_, Result<crate::Offer, crate::connector::Error>> {
            Box::pin(std::future::ready(Ok(crate::Offer::default())))
        }

        fn call<'a>(
            &'a self,
            _: &'a str,
            call: crate::ToolCall,
        ) -> futures_util::future::BoxFuture<'a, Result<Value, crate::ToolError>> {
            Box::pin(async move { Ok(call.input) })
        }

        fn equivalents(&self, _: &str, input: &Value) -> Vec<(String, Value)> {
            let names = input["names"].as_str().unwrap_or_default().split_whitespace();
            names.map(|name| (name.to_owned(), input["input"].clone())).collect()
        }
    }

    #[test]
    fn a_general_tool_takes_the_policy_of_what_it_amounts_to() {
        let mut builder = Catalogue::builder();
        let connector: std::sync::Arc<dyn crate::Connector> = std::sync::Arc::new(General);
        let strict = json!({ "type": "object", "required": ["id"] });
        let tools = vec![
            crate::OfferedTool::new("any").is_general(true),
            crate::OfferedTool::new("read").hints(crate::ToolHints::default().read_only(true)),
            crate::OfferedTool::new("buy").input_schema(strict),
            crate::OfferedTool::new("drop"),
        ];
        let trusted = crate::ConnectorSettings::default().is_trusted(true);
        builder.connector(&connector, crate::Offer::default().tools(tools), &trusted);
        let catalogue = builder.build();
        let ask = Action::RequireApproval { except_read_only: true };
        let policy = Policy::new(vec![rule("shop.drop", Action::Deny(None)), rule("shop.*", ask)]);
        let bridge = Bridge::new(&catalogue, &policy, &[]);
        let general = |names: &str| bridge.recheck("shop.any", &json!({ "names": names, "input": { "id": 1 } }));
        assert!(matches!(general("read"), Ok(Route::Call)));
        assert!(matches!(general("buy"), Ok(Route::Ask(_))));
        assert_eq!(failure(general("drop")).code, Code::Forbidden);
        // The strictest decision counts, wherever it is.
        assert!(matches!(general("read read"), Ok(Route::Call)));
        for several in ["read buy", "buy read"] {
            assert!(matches!(general(several), Ok(Route::Ask(_))), "{several}");
        }
        for several in ["read drop", "drop buy", "read buy drop"] {
            assert_eq!(failure(general(several)).code, Code::Forbidden, "{several}");
        }
        // No rule can decide about a tool that is not there.
        assert_eq!(failure(general("read nothing")).code, Code::UnknownTool);
        let wrong = bridge.recheck("shop.any", &json!({ "names": "buy", "input": {} }));
        assert_eq!(failure(wrong).code, Code::InvalidInput);
        // The connector refuses what amounts to nothing.
        assert!(matches!(bridge.recheck("shop.any", &json!({})), Ok(Route::Ask(_))));
    }

    #[test]
    fn tools_of_another_role_are_unknown_and_nobody_is_pointed_at_them() {
        let admin = Rule { roles: vec!["admin".to_owned()], ..rule("admin.*", Action::OnlyRoles) };
        let (catalogue, policy) = (catalogue(), Policy::new(vec![admin]));
        let mut bridge = Bridge::new(&catalogue, &policy, &[]);
        assert_eq!(failure(bridge.route("admin.ban", &json!({}))).message, "unknown tool: `admin.ban`");
        let Ok(Route::Answered(found)) = bridge.route("codemode.search", &json!("ban a user")) else { panic!("found") };
        assert_eq!(found["results"].as_array().map(Vec::len), Some(0), "{found}");
        assert_eq!(failure(bridge.route("codemode.describe", &json!("admin"))).code, Code::NotFound);
        let roles = ["admin".to_owned()];
        assert!(matches!(Bridge::new(&catalogue, &policy, &roles).route("admin.ban", &json!({})), Ok(Route::Call)));
    }

    #[test]
    fn calls_above_a_rate_are_refused_and_all_rates_count() {
        let policy = Policy::new(vec![rule("mail.*", Action::Rate(2)), rule("mail.send", Action::Rate(1))]);
        let catalogue = catalogue();
        let mut bridge = Bridge::new(&catalogue, &policy, &[]);
        assert!(bridge.route("mail.send", &json!({})).is_ok());
        assert_eq!(failure(bridge.route("mail.send", &json!({}))).code, Code::CallLimit);
        assert!(bridge.route("mail.list", &json!({})).is_ok(), "a call that was refused was not counted");
        let failure = failure(bridge.route("mail.list", &json!({})));
        assert!(failure.message.contains("2 calls") && failure.message.contains("rule 1"), "{}", failure.message);
    }

    #[test]
    fn what_the_policy_redacts_is_not_quoted_where_it_does_not_fit() {
        let schema = json!({ "properties": { "password": { "type": "integer" }, "to": { "type": "string" } } });
        let tool = Tool::new("login", |input| async move { Ok(input) }).and_then(|tool| tool.input_schema(schema));
        let mut builder = Catalogue::builder();
        builder.tool(tool.expect("a tool")).expect("it is free");
        let (catalogue, policy) =
            (builder.build(), Policy::new(vec![rule("*", Action::Redact(vec!["/password".to_owned()]))]));
        let mut bridge = Bridge::new(&catalogue, &policy, &[]);
        let failure = failure(bridge.route("login", &json!({ "password": "hunter2", "to": 1 })));
        assert_eq!(failure.code, Code::InvalidInput);
        assert!(!failure.message.contains("hunter2") && failure.message.contains("/to"), "{}", failure.message);
    }

    #[test]
    fn a_tool_whose_results_are_not_stored_cannot_wait_for_approval() {
        let tool = Tool::new("token", |input| async move { Ok(input) }).expect("a path").ephemeral().with_approval();
        let mut builder = Catalogue::builder();
        builder.tool(tool).expect("it is free");
        let (catalogue, policy) = (builder.build(), Policy::default());
        let failure = failure(Bridge::new(&catalogue, &policy, &[]).route("token", &json!({})));
        assert_eq!(failure.code, Code::ApprovalRequired);
    }

    #[test]
    fn search_and_describe_take_a_text_and_options_in_any_usual_form() {
        let (catalogue, policy) = (catalogue(), Policy::default());
        let mut bridge = Bridge::new(&catalogue, &policy, &[]);
        for (path, input) in [
            ("codemode.search", json!("send mail")),
            ("codemode.search", json!(["send mail", { "limit": 1 }])),
            ("search", json!({ "query": "send mail", "limit": 1 })),
        ] {
            let Ok(Route::Answered(found)) = bridge.route(path, &input) else { panic!("{path} {input}") };
            assert_eq!(found["results"][0]["path"], "mail.send", "{input}");
            assert_eq!(found["results"][0]["requiresApproval"], false);
        }
        let Ok(Route::Answered(described)) = bridge.route("describe", &json!("tools.mail")) else {
            panic!("the tool exists")
        };
        assert_eq!((&described["path"], &described["kind"]), (&json!("mail"), &json!("namespace")));
        assert!(described["types"].as_str().is_some_and(|types| types.contains("send(")), "{described}");
        for input in [json!(1), json!(["a", "b"]), json!({ "limit": 3 }), json!({ "query": "a", "limit": -1 })] {
            assert_eq!(failure(bridge.route("codemode.search", &input)).code, Code::InvalidInput, "{input}");
        }
        assert_eq!(failure(bridge.route("codemode.run", &json!({}))).code, Code::UnknownTool);
    }
}
