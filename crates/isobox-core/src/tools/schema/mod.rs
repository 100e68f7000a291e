//! JSON Schemas that values are checked against.
//!
//! Schemas of connectors are untrusted. A few lines can require unbounded work (nested alternatives, backtracking
//! patterns). They are therefore reviewed before use, and the effort of each check is estimated before it runs. An
//! input that would take too much is refused. Such an output is passed on with a warning, because its call has taken
//! effect.

mod effort;
mod mismatch;
mod review;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;

use effort::{Effort, effort, spend_on_report};
use mismatch::mismatches;

pub(crate) use effort::target as reference_target;
pub(crate) use mismatch::nearest as nearest_key;
pub(crate) use review::{objection, unfolding_objection};

use crate::tools::defaults::fill_defaults;
use crate::{Code, Failure, ToolPath};

/// A schema, with its validator once it is needed.
pub(crate) struct Schema {
    text: Value,
    source: Source,
    /// Compiled on first use, because a catalogue may have thousands. None if nothing is checked.
    validator: OnceLock<Option<Validator>>,
}

/// The origin of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Host,
    Connector,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Checked {
    Fits,
    /// The value does not fit, for this reason.
    Misfits(String),
    /// The check would take too long.
    Undecided,
}

/// The maximum size of a schema of a connector or a client, in bytes of JSON.
pub(crate) const MAX_SCHEMA: usize = 512 << 10;
/// The maximum size of a compiled pattern, in bytes.
const MAX_PATTERN: usize = 256 << 10;

impl Schema {
    /// Compiles the schema of a tool of the host.
    pub(crate) fn of_host(path: &ToolPath, which: &str, text: Value) -> Result<Self, Failure> {
        let validator = jsonschema::validator_for(&text).map_err(|error| {
            Failure::new(Code::Config, format!("the {which} schema of tool `{path}` is not a JSON Schema: {error}"))
        })?;
        Ok(Self { text, source: Source::Host, validator: OnceLock::from(Some(validator)) })
    }

    /// Compiles the condition of a rule. Its patterns run in time linear in the text, and its formats are checked.
    pub(crate) fn of_condition(text: Value) -> Result<Self, ValidationError<'static>> {
        let options = jsonschema::options().with_pattern_options(linear_patterns());
        let validator = options.should_validate_formats(true).should_ignore_unknown_formats(false).build(&text)?;
        Ok(Self { text, source: Source::Host, validator: OnceLock::from(Some(validator)) })
    }

    /// Creates an untrusted schema. If it is not a valid one, nothing is checked, and a warning is logged.
    pub(crate) fn offered(text: Value) -> Self {
        Self { text, source: Source::Connector, validator: OnceLock::new() }
    }

    /// Compiles a reviewed schema of a client.
    pub(crate) fn compiled(text: Value) -> Result<Self, ValidationError<'static>> {
        let schema = Self::offered(text);
        let validator = schema.compile()?;
        Ok(Self { validator: OnceLock::from(Some(validator)), ..schema })
    }

    /// Creates a schema that is only shown.
    pub(crate) fn shown(text: Value) -> Self {
        Self { text, source: Source::Connector, validator: OnceLock::from(None) }
    }

    pub(crate) fn text(&self) -> &Value {
        &self.text
    }

    /// Tells whether a value matches a condition. Returns none if that cannot be decided: it would take too long, or
    /// the validator fails.
    pub(crate) fn fits(&self, value: &Value) -> Option<bool> {
        let validator = self.validator()?;
        match effort(&self.text, value) {
            Effort::TooMuch => None,
            Effort::Little | Effort::Much => catch_unwind(AssertUnwindSafe(|| validator.is_valid(value))).ok(),
        }
    }

    /// Tells whether values are checked against the schema at all: one of a connector may be wrong.
    pub(crate) fn is_usable(&self) -> bool {
        self.validator().is_some()
    }

    /// Checks an input from a program.
    pub(crate) fn check_input(&self, value: &Value) -> Checked {
        self.check(value, effort(&self.text, value))
    }

    /// Checks an output of a tool. A schema of the host is checked at any cost, because the tool is also the host's.
    pub(crate) fn check_output(&self, value: &Value) -> Checked {
        match (effort(&self.text, value), self.source) {
            (Effort::TooMuch, Source::Host) => self.check(value, Effort::Much),
            (effort, _) => self.check(value, effort),
        }
    }

    fn check(&self, value: &Value, effort: Effort) -> Checked {
        let Some(validator) = self.validator() else { return Checked::Fits };
        match effort {
            Effort::TooMuch => Checked::Undecided,
            Effort::Little | Effort::Much if validator.is_valid(value) => Checked::Fits,
            Effort::Little => {
                spend_on_report(&self.text, value);
                Checked::Misfits(mismatches(&self.text, validator, value))
            }
            // Finding the place takes far longer than finding the mismatch.
            Effort::Much => Checked::Misfits("it does not fit the schema; it is too large to say where".to_owned()),
        }
    }

    /// Returns the value with its defaults, unless the result does not fit: a schema may forbid in one place what it
    /// has a default for in another.
    pub(crate) fn filled(&self, value: &Value) -> Option<Value> {
        self.validator()?;
        let filled = fill_defaults(&self.text, value)?;
        let is_fine = |value: &Value| self.check_input(value) == Checked::Fits;
        (is_fine(&filled) || !is_fine(value)).then_some(filled)
    }

    fn validator(&self) -> Option<&Validator> {
        let compile = || match self.compile() {
            Ok(validator) => Some(validator),
            Err(error) => {
                let error = crate::text::shorten(&error.to_string(), 300);
                tracing::warn!(%error, "a schema of a connector is not a JSON Schema: nothing is checked against it");
                None
            }
        };
        self.validator.get_or_init(compile).as_ref()
    }

    fn compile(&self) -> Result<Validator, ValidationError<'static>> {
        // Checking the format `regex` would compile the value.
        let options =
            jsonschema::options().with_pattern_options(linear_patterns()).with_format("regex", |_: &str| true);
        options.build(&self.text)
    }
}

/// Tells whether the linear-time engine supports a pattern.
pub(crate) fn can_match(pattern: &str) -> bool {
    let schema = serde_json::json!({ "pattern": pattern });
    jsonschema::options().with_pattern_options(linear_patterns()).build(&schema).is_ok()
}

/// Returns the options for patterns that take time linear in the text: no look-around and no back-references.
fn linear_patterns() -> PatternOptions<jsonschema::Regex> {
    PatternOptions::regex().size_limit(MAX_PATTERN).dfa_size_limit(MAX_PATTERN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns `depth` definitions, each of which contains the next one twice.
    fn doubling(depth: usize, applicator: &str) -> Value {
        let mut definitions = serde_json::Map::new();
        for level in 0..depth {
            let next = json!({ "$ref": format!("#/$defs/a{}", level + 1) });
            definitions.insert(format!("a{level}"), json!({ applicator: [next.clone(), next] }));
        }
        definitions.insert(format!("a{depth}"), json!({ "type": "string" }));
        json!({ "$defs": definitions, "$ref": "#/$defs/a0" })
    }

    fn misfit(schema: &Value, value: &Value) -> String {
        match Schema::offered(schema.clone()).check_input(value) {
            Checked::Misfits(message) => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn alternatives_within_alternatives_are_not_tried_for_ever() {
        for applicator in ["anyOf", "oneOf", "allOf"] {
            assert_eq!(Schema::offered(doubling(40, applicator)).check_input(&json!(1)), Checked::Undecided);
            assert!(!misfit(&doubling(5, applicator), &json!(1)).is_empty(), "{applicator}");
        }
        let message = misfit(&doubling(15, "anyOf"), &json!(1));
        assert_eq!(message, "it does not fit the schema; it is too large to say where");
    }

    #[test]
    fn a_schema_that_meets_itself_in_a_deep_value_is_not_tried_for_ever() {
        let branch = |key: &str| json!({ "properties": { "a": { "$ref": "#/$defs/t" } }, "required": [key] });
        let schema = json!({ "$defs": { "t": { "anyOf": [branch("x"), branch("y")] } }, "$ref": "#/$defs/t" });
        let mut value = json!({ "z": 1 });
        for _ in 0..80 {
            value = json!({ "a": value });
        }
        assert_eq!(Schema::offered(schema.clone()).check_input(&value), Checked::Undecided);
        assert_eq!(Schema::offered(schema.clone()).check_output(&value), Checked::Undecided);
        let of_host = Schema::of_host(&"a".parse().expect("a path"), "input", schema.clone()).expect("a schema");
        assert_eq!(of_host.check_input(&value), Checked::Undecided, "a program must not hold up its host");
        assert!(!misfit(&schema, &json!({ "a": { "z": 1 } })).is_empty());
    }

    #[test]
    fn a_large_schema_and_a_large_value_are_told_apart_from_a_mismatch_in_little_time() {
        let choices: Vec<Value> = (0..30_000).map(|number| json!({ "v": number })).collect();
        let rows: Vec<Value> = (0..20).map(|number| json!({ "v": -number })).collect();
        let schema = json!({ "items": { "enum": choices } });
        let message = misfit(&schema, &json!(rows));
        assert_eq!(message, "it does not fit the schema; it is too large to say where");
    }

    #[test]
    fn a_large_input_of_a_plain_schema_is_checked() {
        let row =
            json!({ "properties": { "id": { "type": "integer" }, "name": { "type": "string" } }, "required": ["id"] });
        let text = json!({ "properties": { "rows": { "items": row } } });
        let schema = Schema::offered(text.clone());
        let mut rows: Vec<Value> = (0..3_000).map(|number| json!({ "id": number, "name": "n" })).collect();
        assert_eq!(schema.check_input(&json!({ "rows": rows })), Checked::Fits);
        rows[2_999] = json!({ "id": "x" });
        let message = misfit(&text, &json!({ "rows": rows }));
        assert_eq!(message, "at /rows/2999/id: \"x\" is not of type \"integer\"");
    }

    #[test]
    fn a_text_that_should_be_a_pattern_is_not_compiled() {
        let schema = json!({ "$schema": "http://json-schema.org/draft-07/schema#", "format": "regex" });
        assert_eq!(Schema::offered(schema).check_input(&json!("(")), Checked::Fits);
    }
}
