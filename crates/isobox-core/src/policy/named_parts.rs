//! The parts of inputs and results that a rule names.

use std::collections::BTreeSet;

use serde_json::Value;

use super::rule::{Action, Rule};

/// A part of an input or a result that a rule names: the keys that lead to it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NamedPart {
    /// A property of inputs in the condition of the rule.
    InCondition(Vec<String>),
    /// A part of inputs or results that is redacted.
    Redacted(Vec<String>),
}

impl Rule {
    /// Returns the parts that the rule names. Of a condition, only properties are returned that lead from the input to their
    /// place through properties.
    pub(crate) fn named_parts(&self) -> Vec<NamedPart> {
        let mut named = BTreeSet::new();
        if let Some(condition) = &self.condition {
            collect(condition.schema(), &[], &mut named);
        }
        let mut parts: Vec<NamedPart> = named.into_iter().map(NamedPart::InCondition).collect();
        if let Action::Redact(pointers) = &self.action {
            parts.extend(pointers.iter().map(|pointer| NamedPart::Redacted(keys(pointer))));
        }
        parts
    }
}

fn collect(schema: &Value, above: &[String], named: &mut BTreeSet<Vec<String>>) {
    let path = |name: &str| [above, &[name.to_owned()]].concat();
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        // `false` is about a property that must not be there.
        for (name, part) in properties.iter().filter(|(_, part)| **part != Value::Bool(false)) {
            let path = path(name);
            collect(part, &path, named);
            named.insert(path);
        }
    }
    let required = schema.get("required").and_then(Value::as_array);
    named.extend(required.into_iter().flatten().filter_map(Value::as_str).map(path));
    for key in ["allOf", "anyOf", "oneOf"] {
        let parts = schema.get(key).and_then(Value::as_array);
        parts.into_iter().flatten().for_each(|part| collect(part, above, named));
    }
    for key in ["not", "if", "then", "else"] {
        schema.get(key).into_iter().for_each(|part| collect(part, above, named));
    }
}

/// Returns the keys of a JSON pointer.
fn keys(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|key| key.replace("~1", "/").replace("~0", "~")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Condition;
    use super::*;

    #[test]
    fn properties_are_found_wherever_a_condition_names_them() {
        let condition = json!({
            "properties": { "a": { "properties": { "b": true } }, "no": false },
            "required": ["c"],
            "anyOf": [{ "required": ["d"] }, { "not": { "properties": { "e": { "const": 1 } } } }],
        });
        let rule = Rule::new(Vec::new(), Action::Redact(vec!["/x~1y/0".to_owned()]));
        let rule = rule.condition(Condition::new(condition).expect("it is a condition"));
        let path = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
        let named = [&["a"][..], &["a", "b"], &["c"], &["d"], &["e"]].map(|keys| NamedPart::InCondition(path(keys)));
        let expected: Vec<_> = named.into_iter().chain([NamedPart::Redacted(path(&["x/y", "0"]))]).collect();
        assert_eq!(rule.named_parts(), expected);
    }
}
