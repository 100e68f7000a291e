//! Decides what a call may do, by ordered rules, with a reason.
//!
//! The first matching rule decides. Without one a call is allowed, unless its connector marks the tool as destructive,
//! which needs approval. Rates and redactions of all matching rules add up. If a rule cannot be decided for an input,
//! the stricter result applies. Nothing here has a clock or does I/O: the execution counts calls and asks people.

pub(crate) mod approval;
pub(crate) mod bridge;
mod condition;
pub(crate) mod credential;
mod dialect;
mod gaps;
mod glob;
mod named_parts;
mod names;
mod preview;
pub(crate) mod principal;
mod redaction;
mod rule;
mod snippets;

use std::borrow::Cow;

use serde_json::Value;

pub use condition::Condition;
pub use glob::PathPattern;
pub(crate) use named_parts::NamedPart;
pub use names::ToolNames;
pub use preview::Preview;
pub use rule::{Action, Rule};

use crate::{OwnDecisions, ToolHints};
use gaps::gaps;
use rule::Fit;

/// The rules of a runtime, in order, and whether owners may decide about their own executions.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    rules: Vec<Rule>,
    own_decisions: OwnDecisions,
}

/// The tool that a call is for, with what is known about it.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The names of the tool.
    pub names: ToolNames<'a>,
    /// The hints of its connector.
    pub hints: ToolHints,
    /// Whether hints that loosen the policy are accepted.
    pub is_trusted: bool,
    /// Whether the definition of the tool requires approval for every call.
    pub wants_approval: bool,
}

/// A decision of the policy, with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ruling {
    /// The permission.
    pub permission: Permission,
    /// The index of the rule that decided, from 0. None if no rule did.
    pub rule: Option<usize>,
    /// The reason in words, for the operator of the host.
    pub why: Cow<'static, str>,
}

/// The permission for a call. A stricter one is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Permission {
    /// The call may be made.
    Allow,
    /// The call may be made if a person approves it.
    RequireApproval,
    /// The call must not be made.
    Deny,
    /// The tool does not exist for this caller.
    Hide,
}

/// A limit on the number of calls of a rule's tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rate {
    /// The index of the rule.
    pub rule: usize,
    /// The maximum number of calls in one execution.
    pub calls: u32,
}

impl Policy {
    /// Creates a policy of these rules, in this order.
    pub fn new(rules: Vec<Rule>) -> Self {
        Self { rules, own_decisions: OwnDecisions::default() }
    }

    /// Sets whether the principal that runs an execution may also decide about it.
    #[must_use]
    pub fn with_own_decisions(self, own_decisions: OwnDecisions) -> Self {
        Self { own_decisions, ..self }
    }

    /// Returns whether the principal that runs an execution may also decide about it.
    pub fn own_decisions(&self) -> OwnDecisions {
        self.own_decisions
    }

    /// Returns the rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Decides about a call.
    pub fn decide(&self, subject: Subject<'_>, input: &Value, roles: &[String]) -> Ruling {
        // The strictest ruling of the rules that cannot be decided for this input, or that may mean another tool.
        let mut perhaps: Option<Ruling> = None;
        for (index, rule) in self.rules.iter().enumerate() {
            let fit = rule.fit(subject.names, input, roles);
            let permission = if fit == Fit::No { None } else { rule.permission_for(subject, roles) };
            let Some(permission) = permission else { continue };
            let why = rule.reason(index, permission, fit).into();
            let ruling = stricter(perhaps.take(), Ruling { permission, rule: Some(index), why });
            if fit == Fit::Yes && rule.is_surely_about(subject.names) {
                return ruling;
            }
            perhaps = Some(ruling);
        }
        stricter(perhaps, without_rule(subject))
    }

    /// Returns warnings about rules that allow more inputs than their author probably means.
    pub fn warnings(&self) -> Vec<String> {
        let rules = self.rules.iter().enumerate().filter(|(_, rule)| rule.action == Action::Allow);
        rules
            .flat_map(|(index, rule)| {
                let gaps = rule.condition.as_ref().map(|condition| gaps(condition.schema())).unwrap_or_default();
                gaps.into_iter().map(move |gap| format!("rule {}: {gap}", index + 1))
            })
            .collect()
    }

    /// Returns all rate limits of a call, including those of rules that cannot be decided for its input.
    pub fn rates(&self, names: ToolNames<'_>, input: &Value, roles: &[String]) -> Vec<Rate> {
        let rate = |(rule, matching): (usize, &Rule)| match matching.action {
            Action::Rate(calls) => Some(Rate { rule, calls }),
            Action::Allow
            | Action::Deny(_)
            | Action::RequireApproval { .. }
            | Action::OnlyRoles
            | Action::Redact(_) => None,
        };
        let is_about = |(_, rule): &(usize, &Rule)| rule.fit(names, input, roles) != Fit::No;
        self.rules.iter().enumerate().filter(is_about).filter_map(rate).collect()
    }

    /// Returns the indices of the rules that limit rates, and a hash of the calls that each one counts.
    pub(crate) fn rated(&self) -> impl Iterator<Item = (usize, String)> {
        let rated = self.rules.iter().enumerate().filter(|(_, rule)| matches!(rule.action, Action::Rate(_)));
        rated.map(|(index, rule)| (index, rule.matter()))
    }
}

/// Returns the stricter of two rulings, or the second if they are equally strict.
fn stricter(one: Option<Ruling>, other: Ruling) -> Ruling {
    match one {
        Some(one) if one.permission > other.permission => one,
        Some(_) | None => other,
    }
}

impl<'a> Subject<'a> {
    /// Returns a tool of which nothing but its path is known.
    pub(crate) fn unknown(path: &'a str) -> Self {
        Self { names: path.into(), hints: ToolHints::default(), is_trusted: false, wants_approval: false }
    }

    /// Tells whether a trusted connector marks the tool as read-only.
    pub(crate) fn is_read_only(&self) -> bool {
        self.is_trusted && self.hints.read_only == Some(true)
    }
}

fn without_rule(subject: Subject<'_>) -> Ruling {
    let (permission, why) = if subject.wants_approval {
        (Permission::RequireApproval, "the tool itself asks for approval")
    } else if subject.hints.destructive == Some(true) && !subject.is_read_only() {
        (Permission::RequireApproval, "no rule matches, and its connector says that it may destroy something")
    } else {
        (Permission::Allow, "no rule matches")
    };
    Ruling { permission, rule: None, why: why.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn rule(tools: &str, action: Action) -> Rule {
        Rule::new(vec![tools.parse().expect("a pattern")], action)
    }

    fn subject(path: &str) -> Subject<'_> {
        Subject { names: path.into(), hints: ToolHints::default(), is_trusted: false, wants_approval: false }
    }

    fn permission(policy: &Policy, path: &str, input: &Value, roles: &[&str]) -> Permission {
        let roles: Vec<String> = roles.iter().map(|role| (*role).to_owned()).collect();
        policy.decide(subject(path), input, &roles).permission
    }

    #[test]
    fn the_first_rule_that_matches_decides_and_says_so() {
        let policy = Policy::new(vec![
            rule("pay.refund", Action::Allow),
            rule("pay.*", Action::Deny(Some("payments are closed".to_owned()))),
            rule("*", Action::RequireApproval { except_read_only: false }),
        ]);
        assert_eq!(permission(&policy, "pay.refund", &json!({}), &[]), Permission::Allow);
        assert_eq!(permission(&policy, "mail.send", &json!({}), &[]), Permission::RequireApproval);
        let ruling = policy.decide(subject("pay.charge"), &json!({}), &[]);
        assert_eq!((ruling.permission, ruling.rule), (Permission::Deny, Some(1)));
        assert_eq!(ruling.why, "rule 2 (`pay.*`) denies it: payments are closed");
        assert_eq!(Policy::default().decide(subject("a"), &json!({}), &[]).why, "no rule matches");
    }

    #[test]
    fn tools_of_a_role_do_not_exist_for_others_and_go_on_to_the_next_rule_for_those_who_have_it() {
        let admin = Rule { roles: vec!["admin".to_owned()], ..rule("github.admin.*", Action::OnlyRoles) };
        let policy = Policy::new(vec![admin, rule("github.*", Action::RequireApproval { except_read_only: false })]);
        assert_eq!(permission(&policy, "github.admin.ban", &json!({}), &[]), Permission::Hide);
        assert_eq!(permission(&policy, "github.admin.ban", &json!({}), &["ops"]), Permission::Hide);
        assert_eq!(permission(&policy, "github.admin.ban", &json!({}), &["admin"]), Permission::RequireApproval);
    }

    #[test]
    fn a_rule_with_roles_and_an_action_is_about_those_roles() {
        let interns = Rule { roles: vec!["intern".to_owned()], ..rule("mail.*", Action::Deny(None)) };
        let policy = Policy::new(vec![interns]);
        assert_eq!(permission(&policy, "mail.send", &json!({}), &["intern"]), Permission::Deny);
        assert_eq!(permission(&policy, "mail.send", &json!({}), &["lead"]), Permission::Allow);
    }

    #[test]
    fn a_condition_is_a_schema_that_the_input_has_to_fit() {
        let large =
            Condition::new(json!({ "properties": { "amount": { "exclusiveMinimum": 100 } }, "required": ["amount"] }));
        let large = Rule {
            condition: Some(large.expect("a schema")),
            ..rule("pay.*", Action::RequireApproval { except_read_only: false })
        };
        let policy = Policy::new(vec![large]);
        assert_eq!(permission(&policy, "pay.charge", &json!({ "amount": 100 }), &[]), Permission::Allow);
        assert_eq!(permission(&policy, "pay.charge", &json!({ "amount": 101 }), &[]), Permission::RequireApproval);
        assert_eq!(permission(&policy, "pay.charge", &json!({}), &[]), Permission::Allow);
        let preview = policy.preview(subject("pay.charge"), &[]);
        assert_eq!((preview.permission, preview.otherwise), (Permission::Allow, Permission::Allow));
        let needs = r#"Needs approval by a person if the input fits {"properties":{"amount":{"exclusiveMinimum":100}},"required":["amount"]}."#;
        assert_eq!(preview.in_words(), [needs, "Allowed otherwise."]);
        assert!(Condition::new(json!({ "type": 7 })).is_err());
    }

    #[test]
    fn what_may_be_allowed_is_shown_and_what_never_is_not() {
        let small = json!({ "properties": { "amount": { "type": "number", "maximum": 10 } }, "required": ["amount"] });
        let small = || Some(Condition::new(small.clone()).expect("a schema"));
        let approved =
            Rule { condition: small(), ..rule("pay.*", Action::RequireApproval { except_read_only: false }) };
        let policy = Policy::new(vec![approved, rule("pay.*", Action::Deny(None))]);
        let preview = policy.preview(subject("pay.charge"), &[]);
        assert!(preview.is_visible(), "a call of it may be made");
        assert_eq!((preview.permission, preview.otherwise), (Permission::RequireApproval, Permission::Deny));
        assert_eq!(preview.in_words().last().map(String::as_str), Some("Denied otherwise."));
        let denied = Rule { condition: small(), ..rule("pay.*", Action::Deny(None)) };
        let policy = Policy::new(vec![denied, rule("pay.charge", Action::Deny(None)), rule("*", Action::Allow)]);
        assert!(!policy.preview(subject("pay.charge"), &[]).is_visible());
        assert!(policy.preview(subject("pay.charge"), &[]).in_words().is_empty());
        assert!(policy.preview(subject("pay.refund"), &[]).is_visible());
    }

    #[test]
    fn a_condition_that_keeps_inputs_from_a_later_rule_is_shown() {
        let when = |name: &str, schema: Value, action: Action| {
            let condition = Condition::new(json!({ "properties": { name: schema }, "required": [name] }));
            Rule { condition: Some(condition.expect("a schema")), ..rule("pay.*", action) }
        };
        let usd = when("currency", json!({ "const": "USD" }), Action::Deny(None));
        let small = when("amount", json!({ "type": "number", "maximum": 10 }), Action::Allow);
        let test = when("test", json!({ "const": true }), Action::Deny(None));
        let policy = Policy::new(vec![usd, small, test, rule("pay.*", Action::Deny(None))]);
        let input = json!({ "amount": 5, "currency": "USD" });
        assert_eq!(permission(&policy, "pay.charge", &input, &[]), Permission::Deny);
        let shown = [
            r#"Denied if the input fits {"properties":{"currency":{"const":"USD"}},"required":["currency"]}."#,
            r#"Otherwise allowed if the input fits {"properties":{"amount":{"type":"number","maximum":10}},"required":["amount"]}."#,
            "Denied otherwise.",
        ];
        let preview = policy.preview(subject("pay.charge"), &[]);
        assert_eq!(preview.in_words(), shown);
        assert_eq!((preview.permission, preview.otherwise), (Permission::Allow, Permission::Deny));
    }

    #[test]
    fn a_condition_that_an_input_without_its_properties_fits_is_a_warning() {
        let warnings = |schema: Value, action: Action| {
            let condition = Some(Condition::new(schema).expect("a schema"));
            Policy::new(vec![Rule { condition, ..rule("pay.*", action) }]).warnings()
        };
        let open = json!({ "properties": { "amount": { "maximum": 10 } } });
        let absent = "rule 1: its `when` also fits an input without `amount`: name it under \"required\"";
        let other =
            "rule 1: its `when` also fits an `amount` of another type, such as a text: add \"type\": \"number\"";
        assert_eq!(warnings(open.clone(), Action::Allow), [absent, other]);
        assert!(warnings(open, Action::Deny(None)).is_empty(), "it only denies more");
        let exact = json!({ "properties": { "amount": { "type": "number", "maximum": 10 } }, "required": ["amount"] });
        assert!(warnings(exact, Action::Allow).is_empty());
        assert!(warnings(json!({ "maxProperties": 0 }), Action::Allow).is_empty(), "it is about having none");
    }

    #[test]
    fn rates_and_redactions_add_up_whatever_decides() {
        let policy = Policy::new(vec![
            rule("mail.*", Action::Allow),
            rule("mail.*", Action::Rate(5)),
            rule("mail.send", Action::Rate(2)),
            rule("*", Action::Redact(vec!["/password".to_owned()])),
            rule("mail.*", Action::Redact(vec!["/to/0".to_owned(), "/nothing".to_owned()])),
        ]);
        let rates = policy.rates("mail.send".into(), &json!({}), &[]);
        assert_eq!(rates, [Rate { rule: 1, calls: 5 }, Rate { rule: 2, calls: 2 }]);
        let shown = policy.redacted("mail.send", &json!({ "to": ["a@b", "c@d"], "password": { "x": 1 } }));
        assert_eq!(shown, json!({ "to": ["[redacted]", "c@d"], "password": "[redacted]" }));
        let revert = json!({ "input": { "password": 1, "b": 2 }, "result": { "password": 3 } });
        let shown = policy.redacted("mail.send.revert", &revert);
        assert_eq!(
            shown,
            json!({ "input": { "password": "[redacted]", "b": 2 }, "result": { "password": "[redacted]" } })
        );
        let payload = json!({ "message": "?", "password": "p", "continuation": { "answers": { "a": "secret" } } });
        let shown = policy.redacted_payload("mail.send", &payload);
        assert_eq!(shown, json!({ "message": "?", "password": "[redacted]", "continuation": "[hidden]" }));
    }

    #[test]
    fn hints_tighten_where_no_rule_decides_and_loosen_only_where_they_are_trusted() {
        let destructive = ToolHints { destructive: Some(true), ..ToolHints::default() };
        let read_only = ToolHints { read_only: Some(true), ..ToolHints::default() };
        let of = |policy: &Policy, hints, is_trusted| {
            let subject = Subject { names: "x.y".into(), hints, is_trusted, wants_approval: false };
            policy.decide(subject, &json!({}), &[]).permission
        };
        let nothing = Policy::default();
        assert_eq!(of(&nothing, destructive, false), Permission::RequireApproval);
        assert_eq!(of(&nothing, ToolHints::default(), false), Permission::Allow);
        let both = ToolHints { read_only: Some(true), ..destructive };
        assert_eq!(
            of(&nothing, both, false),
            Permission::RequireApproval,
            "the hints of an untrusted server can only tighten"
        );
        assert_eq!(of(&nothing, both, true), Permission::Allow);
        assert_eq!(of(&Policy::new(vec![rule("x.*", Action::Allow)]), destructive, false), Permission::Allow);
        let careful = Policy::new(vec![rule("x.*", Action::RequireApproval { except_read_only: true })]);
        assert_eq!(of(&careful, read_only, true), Permission::Allow);
        assert_eq!(of(&careful, read_only, false), Permission::RequireApproval);
        let strict = Policy::new(vec![rule("x.*", Action::RequireApproval { except_read_only: false })]);
        assert_eq!(of(&strict, read_only, true), Permission::RequireApproval);
    }

    /// Returns a condition that takes too long to check on [`long`].
    fn costly() -> Condition {
        Condition::new(json!({ "properties": { "text": { "pattern": "^a{1,500}b" } } })).expect("a condition")
    }

    fn long() -> Value {
        json!({ "text": "a".repeat(1 << 20) })
    }

    fn perhaps(tools: &str, action: Action) -> Rule {
        Rule { condition: Some(costly()), ..rule(tools, action) }
    }

    #[test]
    fn a_condition_that_cannot_be_decided_decides_against_the_call() {
        let ask = Action::RequireApproval { except_read_only: false };
        let of = |rules: Vec<Rule>| policy_permission(&Policy::new(rules));
        assert_eq!(of(vec![perhaps("*", Action::Allow), rule("*", Action::Deny(None))]), Permission::Deny);
        assert_eq!(of(vec![perhaps("*", Action::Deny(None)), rule("*", Action::Allow)]), Permission::Deny);
        assert_eq!(of(vec![perhaps("*", ask.clone())]), Permission::RequireApproval);
        assert_eq!(of(vec![perhaps("*", ask), rule("*", Action::Deny(None))]), Permission::Deny);
        let policy = Policy::new(vec![perhaps("mail.*", Action::Deny(None)), perhaps("mail.*", Action::Rate(1))]);
        let ruling = policy.decide(subject("mail.send"), &long(), &[]);
        let why = "rule 1 (`mail.*`) denies it (whether this input fits its `when` cannot be decided)";
        assert_eq!((ruling.rule, &*ruling.why), (Some(0), why));
        assert_eq!(policy.rates("mail.send".into(), &long(), &[]), [Rate { rule: 1, calls: 1 }]);
    }

    fn policy_permission(policy: &Policy) -> Permission {
        policy.decide(subject("mail.send"), &long(), &[]).permission
    }

    #[test]
    fn a_rule_that_keeps_tools_for_roles_and_names_none_keeps_them_from_all() {
        let policy = Policy::new(vec![rule("mail.*", Action::OnlyRoles)]);
        assert_eq!(permission(&policy, "mail.send", &json!({}), &["admin"]), Permission::Hide);
    }

    #[test]
    fn rules_go_by_every_name_of_a_tool_and_those_that_allow_by_its_own_alone() {
        let (others, shared) = (["files.delete".to_owned()], ["files.remove".to_owned()]);
        let names = ToolNames { path: "files.delete_", others: &others, shared: &shared, hidden: &[] };
        let subject = Subject { names, ..subject("") };
        let of = |tools: &str, action: Action| {
            let policy =
                Policy::new(vec![rule(tools, action), rule("*", Action::RequireApproval { except_read_only: false })]);
            policy.decide(subject, &json!({}), &[]).permission
        };
        for name in ["files.delete_", "files.delete", "files.remove"] {
            assert_eq!(of(name, Action::Deny(None)), Permission::Deny, "{name}");
        }
        assert_eq!(of("files.delete", Action::Allow), Permission::Allow);
        assert_eq!(of("files.remove", Action::Allow), Permission::RequireApproval, "another tool has that name");
        let asked = rule("files.remove", Action::RequireApproval { except_read_only: false });
        let later = |action: Action| {
            let policy = Policy::new(vec![asked.clone(), rule("*", action)]);
            let decided = policy.decide(subject, &json!({}), &[]).permission;
            assert_eq!(policy.preview(subject, &[]).permission, decided, "what is shown is what is decided");
            decided
        };
        assert_eq!(later(Action::OnlyRoles), Permission::Hide);
        assert_eq!(later(Action::Deny(None)), Permission::Deny, "the question is about the other tool");
        assert_eq!(later(Action::Allow), Permission::RequireApproval);
        let redacting = Policy::new(vec![rule("files.remove", Action::Redact(vec!["/a".to_owned()]))]);
        assert_eq!(redacting.redacted(names, &json!({ "a": 1 })), json!({ "a": "[redacted]" }));
        let rated = Policy::new(vec![rule("files.remove", Action::Rate(1))]);
        assert_eq!(rated.rates(names, &json!({}), &[]).len(), 1);
    }

    fn some_action() -> impl Strategy<Value = Action> {
        prop_oneof![
            Just(Action::Allow),
            Just(Action::Deny(None)),
            any::<bool>().prop_map(|except_read_only| Action::RequireApproval { except_read_only }),
            Just(Action::OnlyRoles),
            Just(Action::Rate(1)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_cannot_be_decided_is_never_looser_than_any_way_to_decide_it(
            rules in proptest::collection::vec((some_action(), any::<bool>()), 0..5),
            (is_trusted, read_only) in (any::<bool>(), any::<bool>()),
        ) {
            let hints = ToolHints { read_only: Some(read_only), destructive: Some(true), ..ToolHints::default() };
            let subject = Subject { hints, is_trusted, ..subject("mail.send") };
            let decide = |rules: Vec<Rule>| Policy::new(rules).decide(subject, &long(), &[]).permission;
            let made = |(action, is_open): &(Action, bool)| {
                if *is_open { perhaps("*", action.clone()) } else { rule("*", action.clone()) }
            };
            let undecided = decide(rules.iter().map(made).collect());
            for choice in 0..1_u32 << rules.len() {
                let chosen = rules.iter().enumerate().filter(|(at, (_, is_open))| !is_open || choice >> at & 1 == 1);
                let decided = decide(chosen.map(|(_, (action, _))| rule("*", action.clone())).collect());
                prop_assert!(undecided >= decided, "{undecided:?} is looser than {decided:?}");
            }
        }
    }
}
