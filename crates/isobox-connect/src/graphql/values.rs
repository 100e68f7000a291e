//! Turns the arguments of a document into JSON, as a function of the service takes them. Decisions only; no I/O.
//!
//! Rules of the policy may have conditions on inputs. What the service would read as the same value is therefore the same
//! here: a single value is a list of it where a list is expected, and numbers that are identifiers are texts.

use apollo_compiler::Schema;
use apollo_compiler::ast::{Type, Value as Literal};
use apollo_compiler::executable::Field;
use serde_json::{Map, Value};

/// The times that the values of all variables may be used together, and what there is room for beyond that.
const USES: usize = 4;
const LEAST_ROOM: usize = 100_000;
/// The number of bytes of a text that count as one more value.
const BYTES_PER_VALUE: usize = 64;

/// The room for the values of variables. A document of little text can name a large variable thousands of times.
pub(super) struct Room(usize);

impl Room {
    pub(super) fn for_uses_of(variables: &Map<String, Value>) -> Self {
        Self(variables.values().map(weight).sum::<usize>().saturating_mul(USES).saturating_add(LEAST_ROOM))
    }

    fn take(&mut self, value: &Value) -> Result<(), String> {
        let left = self.0.checked_sub(weight(value));
        self.0 =
            left.ok_or("`query` uses large variables too often; pass each value once, or use several documents")?;
        Ok(())
    }
}

fn weight(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
        Value::String(text) => 1 + text.len() / BYTES_PER_VALUE,
        Value::Array(items) => 1 + items.iter().map(weight).sum::<usize>(),
        Value::Object(fields) => {
            1 + fields.iter().map(|(key, value)| 1 + key.len() / BYTES_PER_VALUE + weight(value)).sum::<usize>()
        }
    }
}

/// Returns the arguments of a field as one object. Arguments whose variables have no value are left out. Returns why there is no
/// room for them.
pub(super) fn arguments(
    schema: &Schema,
    field: &Field,
    variables: &Map<String, Value>,
    room: &mut Room,
) -> Result<Map<String, Value>, String> {
    let mut arguments = Map::new();
    for argument in &field.arguments {
        let Some(definition) = field.definition.argument_by_name(&argument.name) else { continue };
        if let Some(value) = value(&argument.value, variables, room)? {
            arguments.insert(argument.name.to_string(), coerced(schema, value, &definition.ty));
        }
    }
    Ok(arguments)
}

/// Returns a literal as JSON. None is a variable without a value.
fn value(literal: &Literal, variables: &Map<String, Value>, room: &mut Room) -> Result<Option<Value>, String> {
    Ok(Some(match literal {
        Literal::Variable(name) => {
            let Some(value) = variables.get(name.as_str()) else { return Ok(None) };
            room.take(value)?;
            value.clone()
        }
        Literal::Null => Value::Null,
        Literal::List(items) => {
            let mut values = Vec::new();
            for item in items {
                values.push(value(item, variables, room)?.unwrap_or_default());
            }
            Value::Array(values)
        }
        Literal::Object(fields) => {
            let mut values = Map::new();
            for (name, field) in fields {
                if let Some(value) = value(field, variables, room)? {
                    values.insert(name.to_string(), value);
                }
            }
            Value::Object(values)
        }
        Literal::Enum(name) => Value::String(name.to_string()),
        Literal::String(text) => Value::String(text.clone()),
        Literal::Boolean(truth) => Value::Bool(*truth),
        Literal::Int(number) => return Ok(serde_json::from_str(number.as_str()).ok()),
        Literal::Float(number) => return Ok(serde_json::from_str(number.as_str()).ok()),
    }))
}

/// Returns the form that a value of a type has in the input of a function.
fn coerced(schema: &Schema, value: Value, ty: &Type) -> Value {
    match (value, ty) {
        (Value::Null, _) => Value::Null,
        (Value::Array(items), Type::List(inner) | Type::NonNullList(inner)) => {
            items.into_iter().map(|item| coerced(schema, item, inner)).collect()
        }
        (one, Type::List(inner) | Type::NonNullList(inner)) => Value::Array(vec![coerced(schema, one, inner)]),
        (Value::Number(number), Type::Named(name) | Type::NonNullNamed(name)) if name == "ID" => {
            Value::String(number.to_string())
        }
        (Value::Object(fields), Type::Named(name) | Type::NonNullNamed(name)) => {
            let definition = schema.get_input_object(name);
            let typed = |(key, field): (String, Value)| match definition.and_then(|object| object.fields.get(&*key)) {
                Some(definition) => (key, coerced(schema, field, &definition.ty)),
                // The fields of a custom scalar have no types.
                None => (key, field),
            };
            Value::Object(fields.into_iter().map(typed).collect())
        }
        (other, Type::Named(_) | Type::NonNullNamed(_)) => other,
    }
}

#[cfg(test)]
mod tests {
    use apollo_compiler::ExecutableDocument;
    use serde_json::json;

    use super::*;

    #[test]
    fn literals_and_variables_become_the_input_of_a_function() {
        let sdl = "scalar Any enum Color { RED } input In { n: Float tags: [String!] in: In id: ID }
            type Query { a(i: Int, ids: [ID!], c: Color, in: In, any: Any, grid: [[Int]]): Int }";
        let schema = Schema::parse_and_validate(sdl, "schema").unwrap();
        let variables = json!({ "v": [1], "n": null, "ids": [1, "b"], "in": { "id": 7, "tags": "t" } });
        for (text, expected) in [
            ("a(i: 1, ids: 7, c: RED)", json!({ "i": 1, "ids": ["7"], "c": "RED" })),
            ("a(ids: [\"x\", 8], i: null)", json!({ "ids": ["x", "8"], "i": null })),
            (
                "a(in: { n: 1.5, tags: \"t\", in: { n: 2, id: 3 } })",
                json!({ "in": { "n": 1.5, "tags": ["t"], "in": { "n": 2, "id": "3" } } }),
            ),
            ("a(ids: $ids, in: $in)", json!({ "ids": ["1", "b"], "in": { "id": "7", "tags": ["t"] } })),
            ("a(any: { x: [1, { y: true }] })", json!({ "any": { "x": [1, { "y": true }] } })),
            (
                "a(any: $v, i: $n, in: { n: $missing, tags: [] })",
                json!({ "any": [1], "i": null, "in": { "tags": [] } }),
            ),
            ("a(grid: [1, [2]])", json!({ "grid": [[1], [2]] })),
            ("a(i: $missing)", json!({})),
        ] {
            let text = format!("query($v: Any, $n: Int, $ids: [ID!], $in: In, $missing: Float) {{ {text} }}");
            let document = ExecutableDocument::parse(&schema, text.as_str(), "x").unwrap();
            let field = document.operations.get(None).unwrap().root_fields(&document).next().unwrap();
            let variables = variables.as_object().unwrap();
            let found = arguments(&schema, field, variables, &mut Room::for_uses_of(variables));
            assert_eq!(found.map(Value::Object), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_large_variable_is_not_copied_for_each_of_its_uses() {
        let schema = Schema::parse_and_validate("type Query { a(ids: [ID!]): Int }", "schema").unwrap();
        let variables = json!({ "v": "x".repeat(10_000_000) });
        let variables = variables.as_object().unwrap();
        for (uses, is_refused) in [(1, false), (4, false), (5_000, true)] {
            let text = format!("query($v: ID!) {{ a(ids: [{}]) }}", "$v ".repeat(uses));
            let document = ExecutableDocument::parse(&schema, text.as_str(), "x").unwrap();
            let field = document.operations.get(None).unwrap().root_fields(&document).next().unwrap();
            let found = arguments(&schema, field, variables, &mut Room::for_uses_of(variables));
            assert_eq!(found.is_err(), is_refused, "{uses}");
        }
    }
}
