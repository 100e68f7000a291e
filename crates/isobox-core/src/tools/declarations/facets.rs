//! Merges a schema with everything that it refers to. Resolves `$ref` and `allOf`.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::documentation::Documentation;
use super::source::Source;

/// The JSON types that are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const STRING: Self = Self(1);
    pub(super) const NUMBER: Self = Self(2);
    pub(super) const BOOLEAN: Self = Self(4);
    pub(super) const OBJECT: Self = Self(8);
    pub(super) const ARRAY: Self = Self(16);
    pub(super) const NULL: Self = Self(32);
    pub(super) const ALL: Self = Self(63);
    const NONE: Self = Self(0);

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Parses the keyword `type`. Returns the name of an unknown type as the error.
    pub(super) fn parse(value: &Value) -> Result<Self, &str> {
        match value {
            Value::String(name) => Self::named(name),
            Value::Array(names) => names.iter().try_fold(Self::NONE, |kinds, name| match name {
                Value::String(name) => Ok(Self(kinds.0 | Self::named(name)?.0)),
                Value::Object(_) => Ok(Self::ALL),
                _ => Err("?"),
            }),
            _ => Err("?"),
        }
    }

    fn named(name: &str) -> Result<Self, &str> {
        Ok(match name {
            "string" => Self::STRING,
            "number" | "integer" => Self::NUMBER,
            "boolean" => Self::BOOLEAN,
            "object" => Self::OBJECT,
            "array" => Self::ARRAY,
            "null" => Self::NULL,
            "any" => Self::ALL,
            _ => return Err(name),
        })
    }
}

/// A property, with all the schemas that apply to it.
pub(super) struct Property<'schema> {
    pub(super) name: &'schema str,
    first: Source<'schema>,
    /// All of them, including the first, if there are several.
    several: Vec<Source<'schema>>,
}

impl<'schema> Property<'schema> {
    pub(super) fn sources(&self) -> &[Source<'schema>] {
        if self.several.is_empty() { std::slice::from_ref(&self.first) } else { &self.several }
    }

    fn add(&mut self, source: Source<'schema>) {
        if self.several.is_empty() {
            self.several.push(self.first);
        }
        self.several.push(source);
    }
}

/// The names of required properties, in the order of appearance.
#[derive(Default)]
pub(super) struct Required<'schema> {
    names: Vec<&'schema str>,
    /// All names, once there are too many for a linear search.
    set: HashSet<&'schema str>,
}

impl<'schema> Required<'schema> {
    const MANY: usize = 16;

    pub(super) fn contains(&self, name: &str) -> bool {
        if self.set.is_empty() { self.names.contains(&name) } else { self.set.contains(name) }
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'schema str> {
        self.names.iter().copied()
    }

    fn insert(&mut self, name: &'schema str) {
        if self.contains(name) {
            return;
        }
        self.names.push(name);
        if !self.set.is_empty() {
            self.set.insert(name);
        } else if self.names.len() > Self::MANY {
            self.set.extend(&self.names);
        }
    }
}

/// Alternatives, any of which may apply.
pub(super) struct Alternatives<'schema> {
    pub(super) branches: &'schema [Value],
    pub(super) origin: Source<'schema>,
}

/// The parts of a schema that its caller has to handle.
#[derive(Default)]
pub(super) struct Remainder<'schema> {
    pub(super) references: Vec<&'schema str>,
    pub(super) all_of: &'schema [Value],
    pub(super) is_nullable: bool,
    /// The name of an unknown type.
    pub(super) strange_type: Option<&'schema str>,
}

/// All statements about one value.
pub(super) struct Facets<'schema> {
    pub(super) kinds: Kinds,
    pub(super) is_nullable: bool,
    pub(super) is_never: bool,
    pub(super) literals: Option<&'schema [Value]>,
    pub(super) properties: Vec<Property<'schema>>,
    /// The index of each property, once there are several lists to merge.
    positions: HashMap<&'schema str, usize>,
    pub(super) required: Required<'schema>,
    pub(super) additional: Option<Source<'schema>>,
    pub(super) patterns: Vec<(&'schema str, Source<'schema>)>,
    pub(super) key_names: Option<&'schema Value>,
    pub(super) items: Option<Source<'schema>>,
    pub(super) elements: Option<(&'schema [Value], Source<'schema>)>,
    pub(super) additional_items: Option<Source<'schema>>,
    pub(super) least_items: Option<usize>,
    pub(super) alternatives: Vec<Alternatives<'schema>>,
    /// A reference that could not be followed: the reason, and its name.
    pub(super) opaque: Option<(&'static str, &'schema str)>,
    /// The name of the whole, if a reference gives one.
    pub(super) name: Option<&'schema str>,
    pub(super) documentation: Documentation<'schema>,
    seen: Vec<&'schema Map<String, Value>>,
}

impl<'schema> Facets<'schema> {
    pub(super) fn new() -> Self {
        Self {
            kinds: Kinds::ALL,
            is_nullable: false,
            is_never: false,
            literals: None,
            properties: Vec::new(),
            positions: HashMap::new(),
            required: Required::default(),
            additional: None,
            patterns: Vec::new(),
            key_names: None,
            items: None,
            elements: None,
            additional_items: None,
            least_items: None,
            alternatives: Vec::new(),
            opaque: None,
            name: None,
            documentation: Documentation::default(),
            seen: Vec::new(),
        }
    }

    /// Returns the number of schemas that have been added.
    pub(super) fn count(&self) -> usize {
        self.seen.len()
    }

    /// Adds the own statements of one schema. Returns the parts to follow, or none if it was added before.
    pub(super) fn add(
        &mut self,
        schema: &'schema Map<String, Value>,
        origin: Source<'schema>,
    ) -> Option<Remainder<'schema>> {
        if self.seen.iter().any(|seen| std::ptr::eq(*seen, schema)) {
            return None;
        }
        self.seen.push(schema);
        let mut remainder = Remainder::default();
        for (key, value) in schema {
            let source = || origin.part(value);
            match (key.as_str(), value) {
                ("type", value) => match Kinds::parse(value) {
                    Ok(kinds) => self.kinds = Kinds(self.kinds.0 & kinds.0),
                    Err(name) => remainder.strange_type = Some(name),
                },
                ("const", value) => self.restrict(std::slice::from_ref(value)),
                ("enum", Value::Array(values)) if !values.is_empty() => self.restrict(values),
                ("properties", Value::Object(properties)) => {
                    self.add_properties(properties, origin);
                }
                ("required", Value::Array(names)) => {
                    for name in names.iter().filter_map(Value::as_str) {
                        self.required.insert(name);
                    }
                }
                ("additionalProperties", _) => self.additional = Some(source()),
                ("unevaluatedProperties", _) if self.additional.is_none() => self.additional = Some(source()),
                ("patternProperties", Value::Object(patterns)) => {
                    self.patterns.extend(patterns.iter().map(|(name, value)| (name.as_str(), origin.part(value))));
                }
                ("propertyNames", value) => self.key_names = Some(value),
                ("items", Value::Array(elements)) | ("prefixItems", Value::Array(elements)) => {
                    self.elements = Some((elements, origin));
                }
                ("items", _) => self.items = Some(source()),
                ("additionalItems" | "unevaluatedItems", _) => self.additional_items = Some(source()),
                ("minItems", value) => {
                    self.least_items = value.as_u64().map(|least| usize::try_from(least).unwrap_or(usize::MAX));
                }
                ("anyOf" | "oneOf", Value::Array(branches)) if !branches.is_empty() => {
                    self.alternatives.push(Alternatives { branches, origin });
                }
                ("allOf", Value::Array(schemas)) => remainder.all_of = schemas,
                ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                    remainder.references.push(reference);
                }
                ("nullable" | "x-nullable", Value::Bool(true)) => remainder.is_nullable = true,
                _ => {}
            }
        }
        self.documentation.add(schema);
        Some(remainder)
    }

    /// Returns the required names without a description.
    pub(super) fn undescribed(&self) -> Vec<&'schema str> {
        let described = self.properties.iter().filter(|property| self.required.contains(property.name));
        if described.count() == self.required.len() {
            return Vec::new();
        }
        let known: HashSet<&str> = self.properties.iter().map(|property| property.name).collect();
        self.required.iter().filter(|name| !known.contains(name)).collect()
    }

    /// Tells whether an object is described further.
    pub(super) fn describes_object(&self) -> bool {
        !self.properties.is_empty() || !self.patterns.is_empty() || self.additional.is_some()
    }

    /// Tells whether an array is described further.
    pub(super) fn describes_array(&self) -> bool {
        self.items.is_some() || self.elements.is_some()
    }

    /// Keeps the shorter of two lists of values, which is closer to their intersection.
    fn restrict(&mut self, values: &'schema [Value]) {
        if self.literals.is_none_or(|literals| values.len() < literals.len()) {
            self.literals = Some(values);
        }
    }

    fn add_properties(&mut self, properties: &'schema Map<String, Value>, origin: Source<'schema>) {
        let is_first = self.properties.is_empty();
        if !is_first && self.positions.is_empty() {
            self.positions.extend(self.properties.iter().enumerate().map(|(index, it)| (it.name, index)));
        }
        for (name, value) in properties {
            let first = origin.part(value);
            match self.positions.get(name.as_str()) {
                Some(position) => self.properties[*position].add(first),
                None => {
                    if !is_first {
                        self.positions.insert(name, self.properties.len());
                    }
                    self.properties.push(Property { name, first, several: Vec::new() });
                }
            }
        }
    }
}
