//! The description of a schema, and constraints that TypeScript cannot express, as JSDoc tags.

use serde_json::{Map, Value};

use super::comment::write_line;
use super::json_text::write_json_line;

/// The maximum length of a tag's value and of a title, in characters.
const MAX_VALUE: usize = 100;
/// The maximum length of an example. Longer ones cost more than they explain.
const MAX_EXAMPLE: usize = 40;
/// Integers beyond this are ranges of number types, not constraints.
const SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// The documentation of one schema.
#[derive(Debug, Clone, Default)]
pub(super) struct Documentation<'schema> {
    title: &'schema str,
    pub(super) description: &'schema str,
    /// The tags. Those of the outermost schema take precedence.
    tags: Vec<(&'static str, Tag<'schema>)>,
}

#[derive(Debug, Clone)]
enum Tag<'schema> {
    Flag,
    Text(&'schema str),
    Json(&'schema Value),
    /// The tags of the items of an array.
    Nested(Vec<(&'static str, Tag<'schema>)>),
}

impl<'schema> Documentation<'schema> {
    /// Adds the documentation of one of the schemas that apply to the same value.
    pub(super) fn add(&mut self, schema: &'schema Map<String, Value>) {
        for (key, value) in schema {
            match (key.as_str(), value) {
                ("description", Value::String(text)) => self.describe(text),
                ("title", Value::String(text)) if self.title.is_empty() => self.title = text,
                ("deprecated" | "x-deprecated", Value::Bool(true)) => self.tag("deprecated", Tag::Flag),
                ("readOnly", Value::Bool(true)) => self.tag("readonly", Tag::Flag),
                ("writeOnly", Value::Bool(true)) => self.tag("writeonly", Tag::Flag),
                ("uniqueItems", Value::Bool(true)) => self.tag("uniqueItems", Tag::Flag),
                ("type", Value::String(name)) if name == "integer" => self.tag("integer", Tag::Flag),
                ("format", Value::String(name)) => self.format(name),
                ("pattern", Value::String(text)) => self.tag("pattern", Tag::Text(text)),
                ("contentEncoding", Value::String(text)) => self.tag("contentEncoding", Tag::Text(text)),
                ("contentMediaType", Value::String(text)) => self.tag("contentMediaType", Tag::Text(text)),
                ("minimum", _) if is_true(schema, "exclusiveMinimum") => self.bound("exclusiveMinimum", value),
                ("maximum", _) if is_true(schema, "exclusiveMaximum") => self.bound("exclusiveMaximum", value),
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
                ("default", value) => self.tag("default", Tag::Json(value)),
                ("example", value) => self.example(value),
                ("examples", Value::Array(values)) => values.iter().take(1).for_each(|it| self.example(it)),
                ("discriminator", Value::Object(discriminator)) => {
                    if let Some(Value::String(name)) = discriminator.get("propertyName") {
                        self.tag("discriminator", Tag::Text(name));
                    }
                }
                _ => {}
            }
        }
    }

    /// Adopts the documentation of the items of an array, which has no other place.
    pub(super) fn adopt_items(&mut self, items: Self) {
        self.describe(items.description);
        if !items.tags.is_empty() {
            self.tag("items", Tag::Nested(items.tags));
        }
    }

    /// Adopts the documentation of the only alternative.
    pub(super) fn adopt(&mut self, other: Self) {
        self.describe(other.description);
        if self.title.is_empty() {
            self.title = other.title;
        }
        for (name, tag) in other.tags {
            self.tag(name, tag);
        }
    }

    /// Tells whether there is no documentation for a property of this name.
    pub(super) fn is_silent(&self, property: &str) -> bool {
        self.tags.is_empty() && self.words(property).is_empty()
    }

    /// Appends the comment of a property, with its description cut to `limit` characters.
    pub(super) fn write(&self, out: &mut String, property: &str, limit: usize) {
        let words = self.words(property);
        write_line(out, words, limit);
        if !words.is_empty() && !self.tags.is_empty() {
            out.push(' ');
        }
        write_tags(out, &self.tags);
    }

    /// Returns the approximate length of the comment.
    pub(super) fn cost(&self, limit: usize) -> usize {
        self.description.len().max(self.title.len()).min(limit) + cost_of(&self.tags)
    }

    /// Returns the shortest documentation.
    pub(super) fn brief(&self) -> &'schema str {
        if self.title.is_empty() { self.description } else { self.title }
    }

    fn words(&self, property: &str) -> &'schema str {
        if self.description.is_empty() && !says_the_same(self.title, property) { self.title } else { self.description }
    }

    fn describe(&mut self, text: &'schema str) {
        if self.description.is_empty() {
            self.description = text.trim();
        }
    }

    fn tag(&mut self, name: &'static str, tag: Tag<'schema>) {
        if !self.tags.iter().any(|(said, _)| *said == name) {
            self.tags.push((name, tag));
        }
    }

    fn format(&mut self, name: &'schema str) {
        // JavaScript has no number widths.
        if !matches!(name, "float" | "double" | "") && !is_integer_width(name) {
            self.tag("format", Tag::Text(name));
        }
    }

    fn bound(&mut self, name: &'static str, value: &'schema Value) {
        if value.as_f64().is_some_and(|number| number.abs() < SAFE_INTEGER) {
            self.tag(name, Tag::Json(value));
        }
    }

    fn least(&mut self, name: &'static str, value: &'schema Value) {
        if value.as_f64() != Some(0.0) {
            self.bound(name, value);
        }
    }

    fn example(&mut self, value: &'schema Value) {
        let is_short = match value {
            Value::String(text) => text.len() <= MAX_EXAMPLE,
            Value::Bool(_) | Value::Number(_) => true,
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        };
        if is_short {
            self.tag("example", Tag::Json(value));
        }
    }
}

fn write_tags(out: &mut String, tags: &[(&'static str, Tag<'_>)]) {
    for (index, (name, tag)) in tags.iter().enumerate() {
        out.push_str(if index == 0 { "@" } else { " @" });
        out.push_str(name);
        match tag {
            Tag::Flag => {}
            Tag::Text(text) => {
                out.push(' ');
                write_line(out, text, MAX_VALUE);
            }
            Tag::Json(value) => {
                out.push(' ');
                write_json_line(out, value, MAX_VALUE);
            }
            Tag::Nested(tags) => {
                out.push(' ');
                write_tags(out, tags);
            }
        }
    }
}

fn cost_of(tags: &[(&'static str, Tag<'_>)]) -> usize {
    let cost = |(name, tag): &(&'static str, Tag<'_>)| {
        let value = match tag {
            Tag::Flag => 0,
            Tag::Text(text) => text.len().min(MAX_VALUE),
            Tag::Json(Value::String(text)) => text.len().min(MAX_VALUE),
            Tag::Json(Value::Array(_) | Value::Object(_)) => MAX_VALUE,
            Tag::Json(_) => 4,
            Tag::Nested(tags) => cost_of(tags),
        };
        name.len() + 3 + value
    };
    tags.iter().map(cost).sum()
}

fn is_true(schema: &Map<String, Value>, key: &str) -> bool {
    matches!(schema.get(key), Some(Value::Bool(true)))
}

/// Tells whether a format is an integer type: `int32`, `uint8`, `uint`.
fn is_integer_width(format: &str) -> bool {
    let width = format.strip_prefix('u').unwrap_or(format).strip_prefix("int");
    width.is_some_and(|bits| bits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Tells whether a title only repeats the name of its property, as generated ones do.
fn says_the_same(title: &str, property: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = char> {
        text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase)
    }
    title.len() <= MAX_VALUE && letters(title).eq(letters(property))
}
