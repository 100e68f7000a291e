//! Conditions of rules: JSON Schemas whose check always terminates with an answer.
//!
//! A condition that is skipped or not decided would let calls through. All of it must therefore be understood when it
//! is parsed: unknown keywords and formats are refused, and keywords that its dialect skips, references must point into
//! the schema, and patterns must run in time linear in the text.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::dialect::Dialect;
use crate::text::shorten;
use crate::tools::schema::{Schema, can_match, reference_target, unfolding_objection};
use crate::{Code, Failure};

/// A JSON Schema that an input must match for a rule to apply.
#[derive(Clone)]
pub struct Condition(Arc<Schema>);

impl Condition {
    /// Parses a schema.
    ///
    /// # Errors
    ///
    /// `CONFIG` if it is not a schema, or not one that can be decided for every input: it has unknown keywords or
    /// formats, keywords that its dialect does not check, patterns with look-around or back-references, or references
    /// that leave the schema. The detail `at` is a JSON pointer to the offending part.
    pub fn new(schema: Value) -> Result<Self, Failure> {
        let Some(dialect) = Dialect::of(&schema) else {
            return Err(refusal("names a dialect in its `$schema` that is not known").detail("at", "/$schema"));
        };
        let mut review = Review { root: &schema, dialect, place: Vec::new(), patterns: 0 };
        if let Err(objection) = review.schema(&schema) {
            let at = review.pointer();
            return Err(refusal(&objection).detail("at", at));
        }
        if let Some(objection) = unfolding_objection(&schema) {
            return Err(refusal(&objection));
        }
        Schema::of_condition(schema).map(|schema| Self(Arc::new(schema))).map_err(|error| {
            let at = error.instance_path().to_string();
            refusal(&format!("is not a JSON Schema: {error}")).detail("at", at)
        })
    }

    /// Returns the schema.
    pub(super) fn schema(&self) -> &Value {
        self.0.text()
    }

    /// Tells whether an input matches. Returns none if that cannot be decided.
    pub(super) fn fits(&self, input: &Value) -> Option<bool> {
        self.0.fits(input)
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Condition").field(self.0.text()).finish()
    }
}

fn refusal(objection: &str) -> Failure {
    Failure::new(Code::Config, format!("the condition of a rule {objection}"))
}

/// Keywords whose value is a schema.
const SCHEMA: [&str; 11] = [
    "not",
    "if",
    "then",
    "else",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "items",
];
/// Keywords whose value is a list of schemas.
const LISTS: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
/// Keywords whose value is a map of schemas.
const MAPS: [&str; 6] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
/// Keywords whose value contains no schema.
const PLAIN: [&str; 29] = [
    "$schema",
    "$comment",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "type",
    "enum",
    "const",
    "required",
    "dependentRequired",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "pattern",
];
/// Keywords with special rules.
const SPECIAL: [&str; 2] = ["$ref", "format"];
/// The maximum number of patterns. Each compiled pattern takes memory.
const MAX_PATTERNS: usize = 200;
/// The maximum depth.
const MAX_DEPTH: usize = 100;

struct Review<'s> {
    root: &'s Value,
    dialect: Dialect,
    /// The current place, or the place of the error.
    place: Vec<String>,
    patterns: usize,
}

impl<'s> Review<'s> {
    fn schema(&mut self, schema: &'s Value) -> Result<(), String> {
        if self.place.len() > MAX_DEPTH {
            return Err(format!("is more than {MAX_DEPTH} levels deep"));
        }
        match schema {
            Value::Bool(_) => Ok(()),
            Value::Object(keywords) => {
                let keyword = |(key, part): (&'s String, &'s Value)| {
                    self.within(key, |review| match review.dialect.objection(key, keywords) {
                        Some(objection) => Err(objection),
                        None => review.keyword(key, part),
                    })
                };
                keywords.iter().try_for_each(keyword)
            }
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                Err("is not a JSON Schema at this place: a schema is an object or a boolean".to_owned())
            }
        }
    }

    fn keyword(&mut self, key: &str, part: &'s Value) -> Result<(), String> {
        match part {
            Value::Array(parts) if LISTS.contains(&key) => self.each(parts.iter().enumerate()),
            Value::Object(parts) if MAPS.contains(&key) => self.map(key, parts),
            _ if SCHEMA.contains(&key) => self.schema(part),
            Value::String(pattern) if key == "pattern" => self.pattern(pattern),
            Value::String(reference) if key == "$ref" => self.reference(reference),
            Value::String(format) if key == "format" => known_format(format),
            _ if key == "$schema" && self.place.len() > 1 => Err("names a dialect for a part of it".to_owned()),
            // The value has the wrong type, which the meta-schema reports.
            _ if is_known(key) => Ok(()),
            _ => Err(unknown_keyword(key)),
        }
    }

    fn map(&mut self, key: &str, parts: &'s Map<String, Value>) -> Result<(), String> {
        for (name, part) in parts {
            self.within(name, |review| {
                if key == "patternProperties" {
                    review.pattern(name)?;
                }
                match part {
                    // Names of properties that must also be present.
                    Value::Array(_) if key == "dependencies" => Ok(()),
                    _ => review.schema(part),
                }
            })?;
        }
        Ok(())
    }

    fn each(&mut self, mut parts: impl Iterator<Item = (usize, &'s Value)>) -> Result<(), String> {
        parts.try_for_each(|(index, part)| self.within(&index.to_string(), |review| review.schema(part)))
    }

    fn within(&mut self, key: &str, read: impl FnOnce(&mut Self) -> Result<(), String>) -> Result<(), String> {
        self.place.push(key.to_owned());
        read(self)?;
        self.place.pop();
        Ok(())
    }

    fn reference(&self, reference: &str) -> Result<(), String> {
        let is_inside = reference == "#" || reference.starts_with("#/");
        if is_inside && reference_target(self.root, reference).is_some() {
            return Ok(());
        }
        Err(format!("refers to `{}`, which is not a place in it", shorten(reference, 80)))
    }

    fn pattern(&mut self, pattern: &str) -> Result<(), String> {
        self.patterns += 1;
        if self.patterns > MAX_PATTERNS {
            return Err(format!("has more than {MAX_PATTERNS} patterns"));
        }
        if can_match(pattern) {
            return Ok(());
        }
        let looks = ["(?=", "(?!", "(?<=", "(?<!", "\\k<"].iter().any(|mark| pattern.contains(mark));
        let refers = ('1'..='9').any(|digit| pattern.contains(&format!("\\{digit}")));
        let reason = if looks || refers {
            "which looks around or back: such a pattern may fail on a long text; rewrite it without"
        } else {
            "which is not a regular expression, or is too large"
        };
        Err(format!("has the pattern `{}`, {reason}", shorten(pattern, 80)))
    }

    /// Returns the current place as a JSON pointer.
    fn pointer(&self) -> String {
        self.place.iter().map(|key| format!("/{}", key.replace('~', "~0").replace('/', "~1"))).collect()
    }
}

fn known_format(format: &str) -> Result<(), String> {
    /// The formats that are checked, in time linear in the text.
    const FORMATS: [&str; 17] = [
        "date",
        "date-time",
        "duration",
        "email",
        "hostname",
        "idn-email",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "iri",
        "iri-reference",
        "json-pointer",
        "relative-json-pointer",
        "time",
        "uri",
        "uri-reference",
        "uuid",
    ];
    if FORMATS.contains(&format) {
        return Ok(());
    }
    let format = shorten(format, 80);
    Err(format!("has the format `{format}`, which is not checked{}", suggestion(&format, FORMATS.into_iter())))
}

fn keywords() -> impl Iterator<Item = &'static str> {
    SCHEMA.into_iter().chain(LISTS).chain(MAPS).chain(PLAIN).chain(SPECIAL)
}

fn is_known(key: &str) -> bool {
    keywords().any(|known| known == key)
}

fn unknown_keyword(key: &str) -> String {
    let key = shorten(key, 80);
    format!("has the keyword `{key}`, which is not checked{}", suggestion(&key, keywords()))
}

fn suggestion(given: &str, known: impl Iterator<Item = &'static str>) -> String {
    const LIKE: f64 = 0.8;
    let scored = known.map(|known| (strsim::jaro_winkler(given, known), known));
    let nearest = scored.filter(|(score, _)| *score >= LIKE).max_by(|one, other| one.0.total_cmp(&other.0));
    nearest.map(|(_, known)| format!("; did you mean `{known}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    const DRAFT_7: &str = "http://json-schema.org/draft-07/schema#";

    fn refused(schema: Value) -> (String, Value) {
        let failure = Condition::new(schema).expect_err("it is refused");
        assert_eq!(failure.code, Code::Config);
        let at = failure.details.get("at").cloned().unwrap_or_default();
        (failure.message, at)
    }

    #[test]
    fn patterns_that_may_give_up_are_refused_with_their_place() {
        for pattern in ["^(?=(a+)+$)", "(?<!b)a", "(a)\\1", "(?<x>a)\\k<x>"] {
            let (message, at) = refused(json!({ "properties": { "a/b": { "pattern": pattern } } }));
            assert!(message.contains("looks around or back") && message.contains(pattern), "{message}");
            assert_eq!(at, "/properties/a~1b/pattern");
        }
        let (message, at) = refused(json!({ "anyOf": [true, { "patternProperties": { "(?!x)": true } }] }));
        assert!(message.contains("looks around"), "{message}");
        assert_eq!(at, "/anyOf/1/patternProperties/(?!x)");
        let (message, _) = refused(json!({ "pattern": "(" }));
        assert!(message.contains("not a regular expression"), "{message}");
    }

    #[test]
    fn what_would_be_skipped_is_refused_and_the_nearest_is_named() {
        for (schema, expected) in [
            (
                json!({ "properties": { "amount": { "maximun": 10 } } }),
                "`maximun`, which is not checked; did you mean `maximum`?",
            ),
            (json!({ "propertis": {} }), "did you mean `properties`?"),
            (json!({ "format": "emial" }), "the format `emial`, which is not checked; did you mean `email`?"),
            (json!({ "format": "regex" }), "the format `regex`, which is not checked"),
            (json!({ "$ref": "https://example.com/x.json" }), "refers to `https://example.com/x.json`"),
            (json!({ "$ref": "#/$defs/none" }), "refers to `#/$defs/none`"),
            (json!({ "$defs": { "a": { "$id": "x" } } }), "the keyword `$id`"),
            (json!({ "items": 7 }), "is not a JSON Schema at this place"),
            (json!({ "type": 7 }), "is not a JSON Schema"),
            (json!({ "$schema": DRAFT_7, "prefixItems": [true] }), "`prefixItems`, which the dialect"),
            (
                json!({ "$schema": DRAFT_7, "not": { "dependentRequired": {} } }),
                "`dependentRequired`, which the dialect",
            ),
            (json!({ "$schema": "http://json-schema.org/draft-04/schema#", "const": 1 }), "`const`, which the dialect"),
            (
                json!({ "$schema": DRAFT_7, "$ref": "#/definitions/a", "required": ["a"], "definitions": { "a": {} } }),
                "`required` beside a `$ref`",
            ),
            (json!({ "$schema": "https://example.com/schema" }), "names a dialect in its `$schema` that is not known"),
            (json!({ "items": { "$schema": DRAFT_7 } }), "names a dialect for a part of it"),
            (json!({ "prefixItems": [true], "additionalItems": false }), "`additionalItems` without a list of `items`"),
            (json!({ "then": { "required": ["a"] } }), "`then` without an `if`"),
            (json!({ "maxContains": 1 }), "`maxContains` without a `contains`"),
            (json!({ "minimum": "7" }), "is not a JSON Schema"),
        ] {
            let (message, _) = refused(schema);
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn texts_that_only_look_like_keywords_and_patterns_are_none() {
        for schema in [
            json!({ "const": { "pattern": "(?=a)", "maximun": 1 } }),
            json!({ "properties": { "maximun": true, "pattern": { "type": "string" } } }),
            json!({ "pattern": "^a\\\\1[(?=]$" }),
            json!({ "$defs": { "a": { "format": "email" } }, "items": [{ "$ref": "#/$defs/a" }] , "$schema": "http://json-schema.org/draft-07/schema#" }),
        ] {
            Condition::new(schema.clone()).unwrap_or_else(|failure| panic!("{schema}: {failure}"));
        }
    }

    #[test]
    fn a_reference_is_checked_together_with_what_is_beside_it() {
        let condition = |dialect: &str| {
            let names = json!({ "title": "a name", "type": "string" });
            json!({ "$schema": dialect, "$ref": "#/definitions/a", "title": "b", "definitions": { "a": names } })
        };
        for dialect in [DRAFT_7, "https://json-schema.org/draft/2020-12/schema"] {
            let condition = Condition::new(condition(dialect)).expect("a condition");
            assert_eq!([condition.fits(&json!("a")), condition.fits(&json!(1))], [Some(true), Some(false)]);
        }
        let both = json!({ "$ref": "#/$defs/a", "maxLength": 1, "$defs": { "a": { "type": "string" } } });
        let condition = Condition::new(both).expect("a condition");
        assert_eq!([condition.fits(&json!("a")), condition.fits(&json!("aa"))], [Some(true), Some(false)]);
    }

    #[test]
    fn formats_are_checked_in_every_dialect() {
        let condition = Condition::new(json!({ "format": "email" })).expect("a condition");
        assert_eq!(condition.fits(&json!("a@example.com")), Some(true));
        assert_eq!(condition.fits(&json!("no address")), Some(false));
    }

    #[test]
    fn a_long_text_is_decided_and_what_takes_too_long_is_not_known() {
        let condition = Condition::new(json!({ "pattern": "^(a+)+b" })).expect("a condition");
        assert_eq!(condition.fits(&json!("a".repeat(1 << 20))), Some(false));
        assert_eq!(condition.fits(&json!("a".repeat(1 << 20) + "b")), Some(true));
        let costly = Condition::new(json!({ "pattern": "^a{1,500}b" })).expect("a condition");
        assert_eq!(costly.fits(&json!("a".repeat(1 << 20))), None);
    }

    proptest! {
        #[test]
        fn a_secret_word_is_found_however_long_the_text_around_it_is(before in 0_usize..600_000, after in 0_usize..600_000) {
            let condition = Condition::new(json!({ "pattern": "drop +table" })).expect("a condition");
            let text = format!("{}drop  table{}", "d".repeat(before), "r".repeat(after));
            prop_assert_eq!(condition.fits(&json!(text)), Some(true));
        }

        #[test]
        fn any_pattern_is_refused_or_decided_for_any_text(pattern in "[ab(|)*+?=!\\\\1-9\\[\\]{},^$]{0,12}", text in "[ab]{0,200}") {
            if let Ok(condition) = Condition::new(json!({ "pattern": pattern })) {
                prop_assert!(condition.fits(&json!(text)).is_some());
            }
        }
    }
}
