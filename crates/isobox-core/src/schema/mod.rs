//! JSON Schemas that values are checked against.
//!
//! Those of connectors come from strangers. A few lines can ask for more work than a machine will ever do (alternatives
//! within alternatives, patterns that try everything), so that they are reviewed before they are used, and what a check
//! would take is worked out before it is made. What would take too much is not checked: whoever wrote the schema knows what
//! it takes to be called.

mod effort;
mod mismatch;
mod review;

use std::sync::OnceLock;

use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;

use effort::{Effort, effort};
use mismatch::mismatches;

pub(crate) use review::objection;

use crate::defaults::fill_defaults;

/// A schema and, once it is needed, its validator.
pub(crate) struct Schema {
    text: Value,
    source: Source,
    /// Made when it is first needed: a catalogue may have thousands. None where nothing is checked.
    validator: OnceLock<Option<Validator>>,
}

/// Who answers for a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Host,
    Connector,
}

/// The largest pattern of a connector's schema, compiled, in bytes.
const MAX_PATTERN: usize = 256 << 10;

impl Schema {
    /// One of the host's own, compiled at once.
    pub(crate) fn of_host(text: Value) -> Result<Self, ValidationError<'static>> {
        let validator = jsonschema::validator_for(&text)?;
        Ok(Self { text, source: Source::Host, validator: OnceLock::from(Some(validator)) })
    }

    /// One that nobody vouches for: where it turns out not to be one, nothing is checked.
    pub(crate) fn offered(text: Value) -> Self {
        Self { text, source: Source::Connector, validator: OnceLock::new() }
    }

    /// One that is shown, and that nothing is checked against.
    pub(crate) fn shown(text: Value) -> Self {
        Self { text, source: Source::Connector, validator: OnceLock::from(None) }
    }

    pub(crate) fn text(&self) -> &Value {
        &self.text
    }

    /// What is wrong with a value, in words.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        let Some(validator) = self.validator() else { return Ok(()) };
        let effort = effort(&self.text, value);
        match (effort, self.source) {
            (Effort::TooMuch, Source::Connector) => return Ok(()),
            (Effort::Little | Effort::Much, _) | (Effort::TooMuch, Source::Host) => {}
        }
        if validator.is_valid(value) {
            return Ok(());
        }
        match effort {
            Effort::Little => Err(mismatches(&self.text, validator, value)),
            // Saying where takes far longer than finding out that it does not fit.
            Effort::Much | Effort::TooMuch => {
                Err("it does not fit the schema; it is too large to say where".to_owned())
            }
        }
    }

    /// The value with its defaults, unless they break what they are to complete: a schema may forbid in one place what it
    /// has a default for in another.
    pub(crate) fn filled(&self, value: &Value) -> Option<Value> {
        self.validator()?;
        let filled = fill_defaults(&self.text, value)?;
        (self.check(&filled).is_ok() || self.check(value).is_err()).then_some(filled)
    }

    fn validator(&self) -> Option<&Validator> {
        self.validator.get_or_init(|| self.compile().ok()).as_ref()
    }

    fn compile(&self) -> Result<Validator, ValidationError<'static>> {
        // These patterns take time in proportion to the text, whatever they are.
        let patterns = PatternOptions::regex().size_limit(MAX_PATTERN).dfa_size_limit(MAX_PATTERN);
        // A value that has to be a pattern would be compiled as one.
        let options = jsonschema::options().with_pattern_options(patterns).with_format("regex", |_: &str| true);
        options.build(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// `depth` definitions, each of which has the next twice.
    fn doubling(depth: usize, applicator: &str) -> Value {
        let mut definitions = serde_json::Map::new();
        for level in 0..depth {
            let next = json!({ "$ref": format!("#/$defs/a{}", level + 1) });
            definitions.insert(format!("a{level}"), json!({ applicator: [next.clone(), next] }));
        }
        definitions.insert(format!("a{depth}"), json!({ "type": "string" }));
        json!({ "$defs": definitions, "$ref": "#/$defs/a0" })
    }

    #[test]
    fn alternatives_within_alternatives_are_not_tried_for_ever() {
        for applicator in ["anyOf", "oneOf", "allOf"] {
            assert_eq!(Schema::offered(doubling(40, applicator)).check(&json!(1)), Ok(()));
            assert!(Schema::offered(doubling(5, applicator)).check(&json!(1)).is_err(), "{applicator}");
        }
        let message = Schema::offered(doubling(15, "anyOf")).check(&json!(1)).unwrap_err();
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
        assert_eq!(Schema::offered(schema.clone()).check(&value), Ok(()));
        assert!(Schema::offered(schema).check(&json!({ "a": { "z": 1 } })).is_err());
    }

    #[test]
    fn a_large_schema_and_a_large_value_are_told_apart_from_a_mismatch_in_little_time() {
        let choices: Vec<Value> = (0..30_000).map(|number| json!({ "v": number })).collect();
        let rows: Vec<Value> = (0..20).map(|number| json!({ "v": -number })).collect();
        let schema = json!({ "items": { "enum": choices } });
        let message = Schema::offered(schema).check(&json!(rows)).unwrap_err();
        assert_eq!(message, "it does not fit the schema; it is too large to say where");
    }

    #[test]
    fn a_large_input_of_a_plain_schema_is_checked() {
        let row =
            json!({ "properties": { "id": { "type": "integer" }, "name": { "type": "string" } }, "required": ["id"] });
        let schema = Schema::offered(json!({ "properties": { "rows": { "items": row } } }));
        let mut rows: Vec<Value> = (0..3_000).map(|number| json!({ "id": number, "name": "n" })).collect();
        assert_eq!(schema.check(&json!({ "rows": rows })), Ok(()));
        rows[2_999] = json!({ "id": "x" });
        let message = schema.check(&json!({ "rows": rows })).unwrap_err();
        assert_eq!(message, "at /rows/2999/id: \"x\" is not of type \"integer\"");
    }

    #[test]
    fn a_text_that_should_be_a_pattern_is_not_compiled() {
        let schema = json!({ "$schema": "http://json-schema.org/draft-07/schema#", "format": "regex" });
        assert_eq!(Schema::offered(schema).check(&json!("(")), Ok(()));
    }
}
