//! What a call may do: ordered rules, and a decision that can say why.
//!
//! The first rule that matches decides; where none does, a call is allowed, unless its connector says that the tool
//! destroys something, which needs approval. Rates and redactions of all matching rules add up. Nothing here has a clock or
//! does I/O: who counts calls and asks people is the execution.

mod glob;
mod rule;

use std::borrow::Cow;

use serde_json::Value;

pub use glob::PathPattern;
pub use rule::{Action, Condition, Rule};

use crate::ToolHints;

/// The rules of a runtime, in order.
#[derive(Debug, Clone, Default)]
pub struct Policy(Vec<Rule>);

/// Whose tool it is, and what is known about it.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// Its path.
    pub path: &'a str,
    /// What its connector says about it.
    pub hints: ToolHints,
    /// Whether the host believes what loosens.
    pub is_trusted: bool,
    /// Whether whoever defined the tool wants every call approved.
    pub wants_approval: bool,
}

/// What may be done, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// What may be done.
    pub verdict: Verdict,
    /// Which rule decided, counted from 0; none where it was something else.
    pub rule: Option<usize>,
    /// The reason in words, for whoever runs the host.
    pub why: Cow<'static, str>,
}

/// What may be done with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It may be made.
    Allow,
    /// It may be made if a person says so.
    RequireApproval,
    /// It must not be made.
    Deny,
    /// For this caller there is no such tool.
    Hide,
}

/// So many calls may be made of the tools that a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Which rule.
    pub rule: usize,
    /// How many calls an execution may make.
    pub calls: u32,
}

impl Policy {
    /// These rules, in this order.
    pub fn new(rules: Vec<Rule>) -> Self {
        Self(rules)
    }

    /// The rules.
    pub fn rules(&self) -> &[Rule] {
        &self.0
    }

    /// What may be done with a call.
    pub fn decide(&self, subject: Subject<'_>, input: &Value, roles: &[String]) -> Decision {
        self.first_verdict(subject, Some(input), roles)
    }

    /// What may be done with a tool before its input is known: what of it can be shown to a model. Rules that depend on the
    /// input do not count.
    pub fn preview(&self, subject: Subject<'_>, roles: &[String]) -> Decision {
        self.first_verdict(subject, None, roles)
    }

    /// How often it may be called: all of them count.
    pub fn rates(&self, path: &str, input: &Value, roles: &[String]) -> Vec<Rate> {
        let rate = |(rule, matching): (usize, &Rule)| match matching.action {
            Action::Rate(calls) => Some(Rate { rule, calls }),
            Action::Allow
            | Action::Deny(_)
            | Action::RequireApproval { .. }
            | Action::OnlyRoles
            | Action::Redact(_) => None,
        };
        self.matching(path, Some(input), roles).filter_map(rate).collect()
    }

    /// A copy of a value of this tool, input or result, that may be shown: what rules redact is gone.
    pub fn redacted(&self, path: &str, value: &Value) -> Value {
        let mut shown = value.clone();
        for rule in self.0.iter().filter(|rule| rule.is_about(path)) {
            if let Action::Redact(pointers) = &rule.action {
                for pointer in pointers {
                    if let Some(secret) = shown.pointer_mut(pointer) {
                        *secret = Value::String(REDACTED.to_owned());
                    }
                }
            }
        }
        shown
    }

    /// Whether a rule redacts anything: then the texts of programs, which may hold the same values, are not shown whole
    /// either. See [`Program::without_literals`](crate::program::Program::without_literals).
    pub fn redacts(&self) -> bool {
        self.0.iter().any(|rule| matches!(rule.action, Action::Redact(_)))
    }

    fn first_verdict(&self, subject: Subject<'_>, input: Option<&Value>, roles: &[String]) -> Decision {
        let deciding = self.matching(subject.path, input, roles).find_map(|(index, rule)| {
            let verdict = rule.verdict(subject, roles)?;
            Some(Decision { verdict, rule: Some(index), why: rule.reason(index, verdict).into() })
        });
        deciding.unwrap_or_else(|| without_rule(subject))
    }

    fn matching<'a>(
        &'a self,
        path: &'a str,
        input: Option<&'a Value>,
        roles: &'a [String],
    ) -> impl Iterator<Item = (usize, &'a Rule)> {
        self.0.iter().enumerate().filter(move |(_, rule)| rule.matches(path, input, roles))
    }
}

/// What stands where something was redacted.
const REDACTED: &str = "[redacted]";

fn without_rule(subject: Subject<'_>) -> Decision {
    let (verdict, why) = if subject.wants_approval {
        (Verdict::RequireApproval, "the tool itself asks for approval")
    } else if subject.hints.destructive == Some(true) && subject.hints.read_only != Some(true) {
        (Verdict::RequireApproval, "no rule is about it, and its connector says that it may destroy something")
    } else {
        (Verdict::Allow, "no rule is about it")
    };
    Decision { verdict, rule: None, why: why.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rule(tools: &str, action: Action) -> Rule {
        Rule::new(vec![tools.parse().expect("a pattern")], action)
    }

    fn subject(path: &str) -> Subject<'_> {
        Subject { path, hints: ToolHints::default(), is_trusted: false, wants_approval: false }
    }

    fn verdict(policy: &Policy, path: &str, input: &Value, roles: &[&str]) -> Verdict {
        let roles: Vec<String> = roles.iter().map(|role| (*role).to_owned()).collect();
        policy.decide(subject(path), input, &roles).verdict
    }

    #[test]
    fn the_first_rule_that_matches_decides_and_says_so() {
        let policy = Policy::new(vec![
            rule("pay.refund", Action::Allow),
            rule("pay.*", Action::Deny(Some("payments are closed".to_owned()))),
            rule("*", Action::RequireApproval { except_read_only: false }),
        ]);
        assert_eq!(verdict(&policy, "pay.refund", &json!({}), &[]), Verdict::Allow);
        assert_eq!(verdict(&policy, "mail.send", &json!({}), &[]), Verdict::RequireApproval);
        let decision = policy.decide(subject("pay.charge"), &json!({}), &[]);
        assert_eq!((decision.verdict, decision.rule), (Verdict::Deny, Some(1)));
        assert_eq!(decision.why, "rule 2 (`pay.*`) denies it: payments are closed");
        assert_eq!(Policy::default().decide(subject("a"), &json!({}), &[]).why, "no rule is about it");
    }

    #[test]
    fn tools_of_a_role_do_not_exist_for_others_and_go_on_to_the_next_rule_for_those_who_have_it() {
        let admin = Rule { roles: vec!["admin".to_owned()], ..rule("github.admin.*", Action::OnlyRoles) };
        let policy = Policy::new(vec![admin, rule("github.*", Action::RequireApproval { except_read_only: false })]);
        assert_eq!(verdict(&policy, "github.admin.ban", &json!({}), &[]), Verdict::Hide);
        assert_eq!(verdict(&policy, "github.admin.ban", &json!({}), &["ops"]), Verdict::Hide);
        assert_eq!(verdict(&policy, "github.admin.ban", &json!({}), &["admin"]), Verdict::RequireApproval);
    }

    #[test]
    fn a_rule_with_roles_and_an_action_is_about_those_roles() {
        let interns = Rule { roles: vec!["intern".to_owned()], ..rule("mail.*", Action::Deny(None)) };
        let policy = Policy::new(vec![interns]);
        assert_eq!(verdict(&policy, "mail.send", &json!({}), &["intern"]), Verdict::Deny);
        assert_eq!(verdict(&policy, "mail.send", &json!({}), &["lead"]), Verdict::Allow);
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
        assert_eq!(verdict(&policy, "pay.charge", &json!({ "amount": 100 }), &[]), Verdict::Allow);
        assert_eq!(verdict(&policy, "pay.charge", &json!({ "amount": 101 }), &[]), Verdict::RequireApproval);
        assert_eq!(verdict(&policy, "pay.charge", &json!({}), &[]), Verdict::Allow);
        assert_eq!(policy.preview(subject("pay.charge"), &[]).verdict, Verdict::Allow, "its input is not known yet");
        assert!(Condition::new(json!({ "type": 7 })).is_err());
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
        let rates = policy.rates("mail.send", &json!({}), &[]);
        assert_eq!(rates, [Rate { rule: 1, calls: 5 }, Rate { rule: 2, calls: 2 }]);
        let shown = policy.redacted("mail.send", &json!({ "to": ["a@b", "c@d"], "password": { "x": 1 } }));
        assert_eq!(shown, json!({ "to": ["[redacted]", "c@d"], "password": "[redacted]" }));
    }

    #[test]
    fn hints_tighten_where_no_rule_decides_and_loosen_only_where_they_are_trusted() {
        let destructive = ToolHints { destructive: Some(true), ..ToolHints::default() };
        let read_only = ToolHints { read_only: Some(true), ..ToolHints::default() };
        let of = |policy: &Policy, hints, is_trusted| {
            let subject = Subject { path: "x.y", hints, is_trusted, wants_approval: false };
            policy.decide(subject, &json!({}), &[]).verdict
        };
        let nothing = Policy::default();
        assert_eq!(of(&nothing, destructive, false), Verdict::RequireApproval);
        assert_eq!(of(&nothing, ToolHints::default(), false), Verdict::Allow);
        assert_eq!(of(&Policy::new(vec![rule("x.*", Action::Allow)]), destructive, false), Verdict::Allow);
        let careful = Policy::new(vec![rule("x.*", Action::RequireApproval { except_read_only: true })]);
        assert_eq!(of(&careful, read_only, true), Verdict::Allow);
        assert_eq!(of(&careful, read_only, false), Verdict::RequireApproval);
        let strict = Policy::new(vec![rule("x.*", Action::RequireApproval { except_read_only: false })]);
        assert_eq!(of(&strict, read_only, true), Verdict::RequireApproval);
    }
}
