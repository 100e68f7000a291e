//! Finds parts of inputs and results that rules name and that no tool has. A typing error in a rule would otherwise
//! silently let calls through, or show what should be hidden.

use serde_json::Value;

use super::Catalogue;
use crate::Tool;
use crate::policy::{NamedPart, Policy, Rule};
use crate::snippets::RUN;
use crate::text::shorten;
use crate::tools::schema::{nearest_key, reference_target};

/// The statement of a schema about a part of a value.
enum Finding<'s> {
    /// The part may be there.
    Possible,
    /// The part cannot be there. The keys that are possible in its place.
    Absent(Vec<&'s str>),
}

/// Keywords that may allow properties beside those of `properties`.
const OPENING: [&str; 8] =
    ["allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas", "unevaluatedProperties", "$dynamicRef"];
/// The types of values without parts.
const SCALARS: [&str; 5] = ["string", "number", "integer", "boolean", "null"];
/// The maximum number of references on the way to a part.
const MAX_REFERENCES: usize = 16;

impl Catalogue {
    /// Returns a warning about each part that a rule names and that no tool which it matches has. Schemas that allow other
    /// properties say nothing.
    pub(super) fn unknown_parts(&self, policy: &Policy) -> impl Iterator<Item = String> {
        policy.rules().iter().enumerate().flat_map(|(index, rule)| {
            let parts = rule.named_parts();
            let tools = if parts.is_empty() { Vec::new() } else { self.all_that_match(rule) };
            let mut warned: Vec<Vec<String>> = Vec::new();
            let mut warnings = Vec::new();
            for part in parts.iter().filter(|_| !tools.is_empty()) {
                let (NamedPart::InCondition(keys) | NamedPart::Redacted(keys)) = part;
                // What is below an unknown part is unknown, too.
                if warned.iter().any(|above| keys.starts_with(above)) {
                    continue;
                }
                if let Some(known) = absent_from(&tools, part) {
                    let meant = keys.last().and_then(|last| nearest_key(last, known.into_iter()));
                    warnings.push(format!("rule {} of the policy: {}", index + 1, worded(part, meant)));
                    warned.push(keys.clone());
                }
            }
            warnings
        })
    }

    /// Returns the tools that a rule matches, or none if it may also match what is not in the catalogue.
    fn all_that_match(&self, rule: &Rule) -> Vec<&Tool> {
        let is_wider = |tool: &Tool| {
            tool.has_own_revert() && rule.tools.iter().any(|pattern| pattern.matches(tool.revert_path().as_str()))
        };
        let may_be_absent = rule
            .tools
            .iter()
            .any(|pattern| pattern.matches(RUN) || self.absent.iter().any(|absent| absent.may_have(pattern)));
        if may_be_absent || self.iter().any(is_wider) {
            return Vec::new();
        }
        let matches = |tool: &&Tool| rule.tools.iter().any(|pattern| pattern.matches_any(tool.names()));
        self.iter().filter(matches).collect()
    }
}

/// Returns the keys that are known in the place of a part, if no tool has it.
fn absent_from<'t>(tools: &[&'t Tool], part: &NamedPart) -> Option<Vec<&'t str>> {
    let mut known = Vec::new();
    let (NamedPart::InCondition(keys) | NamedPart::Redacted(keys)) = part;
    for tool in tools {
        let schemas = match part {
            NamedPart::InCondition(_) => vec![tool.input_schema_text()],
            NamedPart::Redacted(_) => vec![tool.input_schema_text(), tool.output_schema_text()],
        };
        for schema in schemas {
            let schema = schema?;
            match look(schema, schema, keys, 0) {
                Finding::Possible => return None,
                Finding::Absent(names) => known.extend(names),
            }
        }
    }
    Some(known)
}

fn look<'s>(root: &'s Value, schema: &'s Value, keys: &[String], references: usize) -> Finding<'s> {
    let (Some((key, below)), Value::Object(keywords)) = (keys.split_first(), schema) else { return Finding::Possible };
    if let Some(Value::String(reference)) = keywords.get("$ref") {
        return match reference_target(root, reference) {
            Some(target) if references < MAX_REFERENCES && !keywords.contains_key("properties") => {
                look(root, target, keys, references + 1)
            }
            Some(_) | None => Finding::Possible,
        };
    }
    if OPENING.iter().any(|keyword| keywords.contains_key(*keyword)) {
        return Finding::Possible;
    }
    let properties = keywords.get("properties").and_then(Value::as_object);
    if let Some(part) = properties.and_then(|properties| properties.get(key)) {
        return look(root, part, below, references);
    }
    let is_scalar = keywords.get("type").and_then(Value::as_str).is_some_and(|kind| SCALARS.contains(&kind));
    let is_closed = keywords.get("additionalProperties") == Some(&Value::Bool(false)) && key.parse::<usize>().is_err();
    match is_scalar || is_closed {
        true => Finding::Absent(properties.into_iter().flat_map(|all| all.keys().map(String::as_str)).collect()),
        false => Finding::Possible,
    }
}

fn worded(part: &NamedPart, meant: Option<&str>) -> String {
    let (NamedPart::InCondition(keys) | NamedPart::Redacted(keys)) = part;
    let named = |keys: &[String]| {
        let text = match part {
            NamedPart::InCondition(_) => keys.join("."),
            NamedPart::Redacted(_) => pointer(keys),
        };
        shorten(&text, 80)
    };
    let end = match (meant, keys.split_last()) {
        (Some(meant), Some((_, above))) => {
            format!("; did you mean `{}`?", named(&[above, &[meant.to_owned()]].concat()))
        }
        (Some(_) | None, _) => String::new(),
    };
    let named = named(keys);
    match part {
        NamedPart::InCondition(_) => format!("its `when` is about `{named}`, which no tool that it matches takes{end}"),
        NamedPart::Redacted(_) => format!("it redacts `{named}`, which no tool that it matches takes or returns{end}"),
    }
}

fn pointer(keys: &[String]) -> String {
    keys.iter().map(|key| format!("/{}", key.replace('~', "~0").replace('/', "~1"))).collect()
}
