//! What a schema says beside the type: its description, and the rules that TypeScript has no words for, as JSDoc tags.

use serde_json::{Map, Value};

use super::comment::one_line;
use super::literal::json_line;

/// The longest description of a property, in characters.
const MAX_DESCRIPTION: usize = 300;
/// The longest value of a tag.
const MAX_VALUE: usize = 100;
/// The longest example; longer ones cost more than they explain.
const MAX_EXAMPLE: usize = 40;
/// Whole numbers beyond these are the ends of what numbers can hold, not rules.
const SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// The documentation of one schema, ready for a comment.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Documentation {
    pub(super) title: String,
    pub(super) description: String,
    /// Names and values; of several schemas the outermost has the say.
    tags: Vec<(&'static str, String)>,
}

impl Documentation {
    /// Adds what one of the schemas says that all apply to the same value.
    pub(super) fn add(&mut self, schema: &Map<String, Value>) {
        for (key, value) in schema {
            match (key.as_str(), value) {
                ("description", Value::String(text)) if self.description.is_empty() => {
                    self.description = one_line(text, MAX_DESCRIPTION);
                }
                ("title", Value::String(text)) if self.title.is_empty() => self.title = one_line(text, MAX_VALUE),
                ("deprecated" | "x-deprecated", Value::Bool(true)) => self.tag("deprecated", String::new()),
                ("readOnly", Value::Bool(true)) => self.tag("readonly", String::new()),
                ("writeOnly", Value::Bool(true)) => self.tag("writeonly", String::new()),
                ("uniqueItems", Value::Bool(true)) => self.tag("uniqueItems", String::new()),
                ("type", Value::String(name)) if name == "integer" => self.tag("integer", String::new()),
                ("format", Value::String(name)) => self.format(name),
                ("pattern", Value::String(text)) => self.tag("pattern", one_line(text, MAX_VALUE)),
                ("contentEncoding", Value::String(text)) => self.tag("contentEncoding", one_line(text, MAX_VALUE)),
                ("contentMediaType", Value::String(text)) => self.tag("contentMediaType", one_line(text, MAX_VALUE)),
                ("minimum", Value::Number(_)) if is_true(schema, "exclusiveMinimum") => {
                    self.bound("exclusiveMinimum", value);
                }
                ("maximum", Value::Number(_)) if is_true(schema, "exclusiveMaximum") => {
                    self.bound("exclusiveMaximum", value);
                }
                ("minimum", _) => self.bound("minimum", value),
                ("maximum", _) => self.bound("maximum", value),
                ("exclusiveMinimum", _) => self.bound("exclusiveMinimum", value),
                ("exclusiveMaximum", _) => self.bound("exclusiveMaximum", value),
                ("multipleOf", _) => self.bound("multipleOf", value),
                ("minLength", _) => self.least("minLength", value),
                ("maxLength", _) => self.bound("maxLength", value),
                ("minItems", _) => self.least("minItems", value),
                ("maxItems", _) => self.bound("maxItems", value),
                ("minProperties", _) => self.least("minProperties", value),
                ("maxProperties", _) => self.bound("maxProperties", value),
                ("default", value) => self.tag("default", json_line(value, MAX_VALUE)),
                ("example", value) => self.example(value),
                ("examples", Value::Array(values)) => values.iter().take(1).for_each(|it| self.example(it)),
                ("discriminator", Value::Object(discriminator)) => {
                    if let Some(Value::String(name)) = discriminator.get("propertyName") {
                        self.tag("discriminator", one_line(name, MAX_VALUE));
                    }
                }
                _ => {}
            }
        }
    }

    /// Takes over what the items of an array say, for an array has no other place for it.
    pub(super) fn adopt_items(&mut self, items: Self) {
        if self.description.is_empty() {
            self.description = items.description;
        }
        if !items.tags.is_empty() {
            self.tag("items", written(&items.tags));
        }
    }

    /// Takes over what the only alternative says.
    pub(super) fn adopt(&mut self, other: Self) {
        if self.description.is_empty() {
            self.description = other.description;
        }
        if self.title.is_empty() {
            self.title = other.title;
        }
        for (name, value) in other.tags {
            self.tag(name, value);
        }
    }

    /// The text of the comment of a property; empty where there is nothing to say.
    pub(super) fn comment_of(self, property: &str) -> String {
        let mut words = self.description;
        if words.is_empty() && !says_the_same(&self.title, property) {
            words = self.title;
        }
        if !words.is_empty() && !self.tags.is_empty() {
            words.push(' ');
        }
        words + &written(&self.tags)
    }

    /// In as few words as it can be said.
    pub(super) fn brief(&self) -> &str {
        if self.title.is_empty() { &self.description } else { &self.title }
    }

    fn tag(&mut self, name: &'static str, value: String) {
        if !self.tags.iter().any(|(said, _)| *said == name) {
            self.tags.push((name, value));
        }
    }

    fn format(&mut self, name: &str) {
        // The width of numbers is nothing that JavaScript could heed.
        if !matches!(name, "int32" | "int64" | "float" | "double" | "") {
            self.tag("format", one_line(name, MAX_VALUE));
        }
    }

    fn bound(&mut self, name: &'static str, value: &Value) {
        if let Value::Number(number) = value
            && number.as_f64().is_some_and(|number| number.abs() < SAFE_INTEGER)
        {
            self.tag(name, number.to_string());
        }
    }

    fn least(&mut self, name: &'static str, value: &Value) {
        if value.as_f64() != Some(0.0) {
            self.bound(name, value);
        }
    }

    fn example(&mut self, value: &Value) {
        let is_short = match value {
            Value::String(text) => text.len() <= MAX_EXAMPLE,
            Value::Bool(_) | Value::Number(_) => true,
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        };
        if is_short {
            self.tag("example", json_line(value, MAX_EXAMPLE * 2));
        }
    }
}

fn written(tags: &[(&'static str, String)]) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        for part in [if text.is_empty() { "@" } else { " @" }, name, if value.is_empty() { "" } else { " " }, value] {
            text.push_str(part);
        }
    }
    text
}

fn is_true(schema: &Map<String, Value>, key: &str) -> bool {
    schema.get(key) == Some(&Value::Bool(true))
}

/// Whether a title only repeats the name of its property, as generated ones do.
fn says_the_same(title: &str, property: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    letters(title) == letters(property)
}
