//! Properties of any schema with defaults, and of any value in the place of a schema.

use isobox_core::{MAX_DEPTH, fill_defaults};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A schema for which valid values can be generated.
#[derive(Debug, Clone)]
enum Shape {
    Integer,
    Text,
    /// The entry of `$defs` with this number.
    Reference(usize),
    List(Box<Shape>),
    Object(Vec<Property>),
    /// An object in two parts, both of which apply.
    Both(Vec<Property>, Vec<Property>),
}

#[derive(Debug, Clone)]
struct Property {
    name: String,
    shape: Shape,
    is_required: bool,
    /// The choices for its default, if it has one.
    default: Option<Vec<u8>>,
}

/// The choices from which a value is generated. Zero once they are used up.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn next(&mut self, count: u8) -> u8 {
        self.0.next().map_or(0, |choice| choice % count)
    }
}

impl Shape {
    fn schema(&self, shapes: &[Shape]) -> Value {
        match self {
            Self::Integer => json!({ "type": "integer" }),
            Self::Text => json!({ "type": "string" }),
            Self::Reference(number) => json!({ "$ref": format!("#/$defs/{number}") }),
            Self::List(shape) => json!({ "type": "array", "items": shape.schema(shapes) }),
            Self::Object(properties) => object(properties, shapes),
            Self::Both(one, other) => json!({ "allOf": [object(one, shapes), object(other, shapes)] }),
        }
    }

    /// Generates a value that fits.
    fn value(&self, shapes: &[Shape], choices: &mut Choices<'_>) -> Value {
        match self {
            Self::Integer => json!(choices.next(9)),
            Self::Text => json!("x".repeat(usize::from(choices.next(4)))),
            Self::Reference(number) => shapes[*number].value(shapes, choices),
            Self::List(shape) => (0..choices.next(4)).map(|_| shape.value(shapes, choices)).collect(),
            Self::Object(properties) => Value::Object(entries(properties, shapes, choices)),
            Self::Both(one, other) => {
                let mut all = entries(one, shapes, choices);
                all.extend(entries(other, shapes, choices));
                Value::Object(all)
            }
        }
    }
}

fn object(properties: &[Property], shapes: &[Shape]) -> Value {
    let schema = |property: &Property| {
        let mut schema = property.shape.schema(shapes);
        if let Some(choices) = &property.default {
            schema["default"] = property.shape.value(shapes, &mut Choices(choices.iter()));
        }
        (property.name.clone(), schema)
    };
    let required: Vec<&str> =
        properties.iter().filter(|property| property.is_required).map(|property| property.name.as_str()).collect();
    json!({ "type": "object", "properties": properties.iter().map(schema).collect::<Map<_, _>>(), "required": required })
}

fn entries(properties: &[Property], shapes: &[Shape], choices: &mut Choices<'_>) -> Map<String, Value> {
    let is_there = |property: &&Property, choices: &mut Choices<'_>| property.is_required || choices.next(2) == 1;
    let mut entries = Map::new();
    for property in properties {
        if is_there(&property, choices) {
            entries.insert(property.name.clone(), property.shape.value(shapes, choices));
        }
    }
    entries
}

/// Generates shapes that refer only to earlier `$defs`, so that each one has a value.
fn shapes(known: usize) -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        Just(Shape::Integer),
        Just(Shape::Text),
        (0..known.max(1)).prop_map(move |number| if known == 0 { Shape::Integer } else { Shape::Reference(number) }),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let choices = prop::option::of(prop::collection::vec(any::<u8>(), 0..12));
        let property = move |prefix: &'static str, shape| {
            (0..6_u8, shape, any::<bool>(), choices.clone()).prop_map(move |(name, shape, is_required, default)| Property {
                name: format!("{prefix}{name}"),
                shape,
                is_required,
                default,
            })
        };
        let properties = move |prefix, shape| {
            prop::collection::vec(property(prefix, shape), 0..5).prop_map(|mut properties| {
                properties.sort_by(|one: &Property, other| one.name.cmp(&other.name));
                properties.dedup_by(|one, other| one.name == other.name);
                properties
            })
        };
        prop_oneof![
            3 => properties("a", inner.clone()).prop_map(Shape::Object),
            1 => (properties("a", inner.clone()), properties("b", inner.clone())).prop_map(|(one, other)| Shape::Both(one, other)),
            1 => inner.prop_map(|shape| Shape::List(Box::new(shape))),
        ]
    })
}

/// Generates a schema, and a value that fits it.
fn fitting() -> impl Strategy<Value = (Value, Value)> {
    (shapes(0), shapes(1), shapes(2), prop::collection::vec(any::<u8>(), 0..60)).prop_map(
        |(first, second, whole, choices)| {
            let shapes = [first, second];
            let mut schema = whole.schema(&shapes);
            schema["$defs"] = json!({ "0": shapes[0].schema(&shapes), "1": shapes[1].schema(&shapes) });
            (schema, whole.value(&shapes, &mut Choices(choices.iter())))
        },
    )
}

/// Generates any value with keywords of schemas.
fn anything() -> impl Strategy<Value = Value> {
    const WORDS: &[&str] = &[
        "properties",
        "default",
        "items",
        "prefixItems",
        "additionalItems",
        "additionalProperties",
        "patternProperties",
        "allOf",
        "anyOf",
        "$ref",
        "$defs",
        "a",
        "b",
    ];
    const TEXTS: &[&str] = &["#", "#/$defs/a", "#/properties/a", "#/allOf/0", "#/items", "a", "https://example.com/"];
    let leaf = prop_oneof![
        prop::sample::select(TEXTS).prop_map(Value::from),
        any::<i8>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(7, 80, 6, |inner| {
        let key = prop::sample::select(WORDS).prop_map(str::to_owned);
        prop_oneof![
            4 => prop::collection::vec((key, inner.clone()), 0..6).prop_map(|entries| Value::Object(entries.into_iter().collect())),
            1 => prop::collection::vec(inner, 0..4).prop_map(Value::Array),
        ]
    })
}

/// Tells whether everything in one value is also in the other, at the same place.
fn holds(filled: &Value, given: &Value) -> bool {
    match (filled, given) {
        (Value::Object(filled), Value::Object(given)) => {
            given.iter().all(|(key, given)| filled.get(key).is_some_and(|filled| holds(filled, given)))
        }
        (Value::Array(filled), Value::Array(given)) => {
            filled.len() == given.len() && filled.iter().zip(given).all(|(filled, given)| holds(filled, given))
        }
        (filled, given) => filled == given,
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(entries) => 1 + entries.values().map(depth).max().unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_value_that_fits_still_fits_and_has_every_default((schema, value) in fitting()) {
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        prop_assert!(validator.is_valid(&value), "the test made {value}, which does not fit {schema}");
        if let Some(filled) = fill_defaults(&schema, &value) {
            prop_assert!(validator.is_valid(&filled), "{filled} does not fit {schema}");
            prop_assert!(holds(&filled, &value), "{filled} has lost something of {value}");
            prop_assert!(filled != value);
            prop_assert_eq!(fill_defaults(&schema, &filled), None);
        }
    }

    #[test]
    fn whatever_is_given_as_a_schema_adds_to_a_value_and_adds_once(schema in anything(), value in anything()) {
        if let Some(filled) = fill_defaults(&schema, &value) {
            prop_assert!(holds(&filled, &value), "{filled} has lost something of {value}");
            prop_assert!(depth(&filled) <= MAX_DEPTH);
            prop_assert_eq!(fill_defaults(&schema, &filled), None);
        }
    }
}
