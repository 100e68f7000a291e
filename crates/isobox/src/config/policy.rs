//! `policy`: the rules, in order.

use isobox_core::policy::{Action, Condition, PathPattern, Policy, Rule};
use jsonc_parser::common::Ranged;
use serde_json::Value as Json;

use super::json_value::json;
use super::reader::{ConfigReader, Keys, Section, Text, listed};
use super::syntax::Value;

pub(super) const KEYS: Keys = Keys {
    known: &["tools", "roles", "when", "allow", "deny", "require", "except", "rate", "redact"],
    tolerated: &[],
    later: &[],
};

/// The keys that are actions.
const ACTIONS: [&str; 5] = ["allow", "deny", "require", "rate", "redact"];

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> Policy {
    let Value::Array(array) = value else {
        reader.mismatch("", "policy", value, "a list of rules");
        return Policy::default();
    };
    let numbered = array.elements.iter().enumerate();
    Policy::new(numbered.filter_map(|(index, value)| rule(reader, index + 1, value)).collect())
}

fn rule<'d>(reader: &mut ConfigReader<'_>, number: usize, value: &'d Value<'d>) -> Option<Rule> {
    let section = reader.section(format!("rule {number} of the policy"), value, &KEYS)?;
    let tools = patterns(reader, &section);
    let roles = roles(reader, &section);
    let condition = section.get("when").and_then(|value| condition(reader, &section.owner, value));
    let action = action(reader, &section)?;
    Some(Rule::new(tools, action).roles(roles).condition(condition))
}

fn patterns(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Vec<PathPattern> {
    let Some(value) = section.get("tools") else {
        let message = "there is no `tools`; name the tools of the rule, `\"*\"` for all";
        reader.problem(section.start, &section.owner, message);
        return Vec::new();
    };
    if let Value::Array(array) = value
        && array.elements.is_empty()
    {
        reader.problem(array.start(), &section.owner, "`tools` is empty, so the rule matches no tool");
    }
    patterns_of(reader, section, "tools", value)
}

/// Reads one pattern for tools, or a list of them.
pub(super) fn patterns_of(
    reader: &mut ConfigReader<'_>,
    section: &Section<'_>,
    key: &str,
    value: &Value<'_>,
) -> Vec<PathPattern> {
    const EXPECTED: &str = "a pattern like \"github.*\", or a list of them";
    let texts: Vec<Text> = match value {
        Value::Array(array) => {
            let element = |element| reader.text_of(&section.owner, key, element, EXPECTED);
            array.elements.iter().filter_map(element).collect()
        }
        value => reader.text_of(&section.owner, key, value, EXPECTED).into_iter().collect(),
    };
    let mut patterns = Vec::new();
    for text in texts {
        if text.has_variables() {
            let message = format!("`{key}` cannot come from the environment: messages quote it");
            reader.problem(text.start, &section.owner, message);
            continue;
        }
        match text.value.parse::<PathPattern>() {
            Ok(pattern) => patterns.push(pattern),
            Err(failure) => reader.problem(text.start, &section.owner, failure.message),
        }
    }
    patterns
}

fn roles(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Vec<String> {
    let roles = reader.texts(section, "roles");
    if let Some(Value::Array(array)) = section.get("roles")
        && array.elements.is_empty()
    {
        reader.problem(array.start(), &section.owner, "`roles` is empty; name a role, or leave it out for all callers");
    }
    roles.unwrap_or_default().into_iter().map(|text| text.value).collect()
}

fn condition(reader: &mut ConfigReader<'_>, owner: &str, value: &Value<'_>) -> Option<Condition> {
    let mut has_variables = false;
    let schema = json(reader, (owner, "when"), value, 0, &mut has_variables)?;
    match Condition::new(schema) {
        Ok(condition) => Some(condition),
        Err(_) if has_variables => {
            reader.problem(value.start(), owner, "with what the environment says, `when` is not a JSON Schema");
            None
        }
        Err(failure) => {
            let message = isobox_core::brief(&failure.message, 300);
            let message = message.replacen("the condition of a rule", "`when`", 1);
            let pointer = failure.details.get("at").and_then(Json::as_str).unwrap_or_default();
            reader.problem(place_of(value, pointer), owner, message);
            None
        }
    }
}

/// Returns the offset of the part that a JSON pointer leads to, as far as it leads.
fn place_of(value: &Value<'_>, pointer: &str) -> usize {
    let Some((key, rest)) = pointer.strip_prefix('/').map(|rest| rest.split_at(rest.find('/').unwrap_or(rest.len())))
    else {
        return value.start();
    };
    let key = key.replace("~1", "/").replace("~0", "~");
    match value {
        Value::Object(object) => {
            let property = object.properties.iter().find(|property| property.name.as_str() == key);
            match property {
                // The key itself may be the problem: an unknown keyword, a pattern for properties.
                Some(property) if rest.is_empty() => property.name.start(),
                Some(property) => place_of(&property.value, rest),
                None => value.start(),
            }
        }
        Value::Array(array) => {
            let element = key.parse::<usize>().ok().and_then(|index| array.elements.get(index));
            element.map_or(value.start(), |element| place_of(element, rest))
        }
        Value::StringLit(_) | Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => value.start(),
    }
}

/// Reads the action of the rule.
fn action(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Option<Action> {
    let given: Vec<&str> = ACTIONS.into_iter().filter(|key| section.get(key).is_some()).collect();
    if let (Some(value), false) = (section.get("except"), given.contains(&"require")) {
        let message = "`except` needs `\"require\": \"approval\"` in the same rule";
        reader.problem(value.start(), &section.owner, message);
    }
    match given.as_slice() {
        [] if section.get("roles").is_some() && section.get("when").is_none() => Some(Action::OnlyRoles),
        [] => {
            let message = format!(
                "the rule has no action; add {}, or `roles` alone to reserve the tools for these roles",
                listed(&ACTIONS, "or")
            );
            reader.problem(section.start, &section.owner, message);
            None
        }
        ["allow"] => allow(reader, section),
        ["deny"] => deny(reader, section),
        ["require"] => require(reader, section),
        ["rate"] => rate(reader, section),
        ["redact"] => redact(reader, section),
        several => {
            let message = format!("{} cannot be in one rule; make a rule of each", listed(several, "and"));
            reader.problem(section.start, &section.owner, message);
            None
        }
    }
}

fn allow(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Option<Action> {
    match section.get("allow")? {
        Value::BooleanLit(literal) if literal.value => Some(Action::Allow),
        other => {
            reader.mismatch(&section.owner, "allow", other, "`true`");
            None
        }
    }
}

fn deny(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Option<Action> {
    match section.get("deny")? {
        Value::BooleanLit(literal) if literal.value => Some(Action::Deny(None)),
        literal @ Value::StringLit(_) => {
            let reason = reader.text_of(&section.owner, "deny", literal, "a text")?;
            Some(Action::Deny(Some(reason.value)))
        }
        other => {
            reader.mismatch(&section.owner, "deny", other, "`true` or the reason as a text");
            None
        }
    }
}

fn require(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Option<Action> {
    let require = reader.text(section, "require");
    let except = reader.text(section, "except");
    let is_approval = is_only(reader, section, "require", require.as_ref(), "approval");
    let is_read_only = is_only(reader, section, "except", except.as_ref(), "read-only");
    is_approval.then_some(Action::RequireApproval { except_read_only: is_read_only })
}

/// Checks that a text has its only possible value.
fn is_only(reader: &mut ConfigReader<'_>, section: &Section<'_>, key: &str, text: Option<&Text>, only: &str) -> bool {
    match text {
        Some(text) if text.value == only => true,
        Some(text) => {
            reader.problem(text.start, &section.owner, format!("`{key}` can only be \"{only}\""));
            false
        }
        None => false,
    }
}

fn rate(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Option<Action> {
    let calls = reader.count(section, "rate")?;
    if calls == 0 {
        let message = "a `rate` of 0 lets no call through; write `\"deny\": true`";
        reader.problem(section.get("rate")?.start(), &section.owner, message);
    }
    Some(Action::Rate(calls))
}

fn redact(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Option<Action> {
    for key in ["roles", "when"] {
        if let Some(value) = section.get(key) {
            let message = format!("`redact` holds for all callers and all inputs; leave out `{key}`");
            reader.problem(value.start(), &section.owner, message);
        }
    }
    let texts = reader.texts(section, "redact")?;
    if texts.is_empty() {
        let message = "`redact` names nothing; give it pointers like \"/password\"";
        reader.problem(section.get("redact")?.start(), &section.owner, message);
    }
    for text in &texts {
        if !is_pointer(&text.value) {
            let message = "`redact` takes JSON pointers like \"/password\" or \"/users/0/name\"";
            reader.problem(text.start, &section.owner, message);
        }
    }
    Some(Action::Redact(texts.into_iter().map(|text| text.value).collect()))
}

fn is_pointer(text: &str) -> bool {
    let is_escape = |after: &str| after.starts_with(['0', '1']);
    (text.is_empty() || text.starts_with('/')) && text.split('~').skip(1).all(is_escape)
}
