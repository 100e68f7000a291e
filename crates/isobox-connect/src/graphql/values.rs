//! Turns the arguments of a document into JSON, as a function of the service takes them. Decisions only; no I/O.

use apollo_compiler::ast::{Type, Value as Literal};
use apollo_compiler::executable::Field;
use apollo_compiler::{Name, Node, Schema};
use serde_json::{Map, Value};

/// Returns the arguments of a field as one object. Arguments whose variables have no value are left out.
pub(super) fn arguments(schema: &Schema, field: &Field, variables: &Map<String, Value>) -> Map<String, Value> {
    let mut arguments = Map::new();
    for argument in &field.arguments {
        let Some(definition) = field.definition.argument_by_name(&argument.name) else { continue };
        if let Some(value) = value(schema, &argument.value, &definition.ty, variables) {
            arguments.insert(argument.name.to_string(), value);
        }
    }
    arguments
}

/// Returns a literal as JSON. A single value where a list is expected is a list of it. None is a variable without a value.
fn value(schema: &Schema, literal: &Literal, ty: &Type, variables: &Map<String, Value>) -> Option<Value> {
    match (literal, ty) {
        (Literal::Variable(name), _) => variables.get(name.as_str()).cloned(),
        (Literal::Null, _) => Some(Value::Null),
        (Literal::List(items), _) => {
            let inner = ty.item_type();
            let item = |item: &_| value(schema, item, inner, variables).unwrap_or_default();
            Some(Value::Array(items.iter().map(|one| item(one)).collect()))
        }
        (one, Type::List(inner) | Type::NonNullList(inner)) => {
            Some(Value::Array(vec![value(schema, one, inner, variables)?]))
        }
        (Literal::Object(fields), Type::Named(name) | Type::NonNullNamed(name)) => {
            let definitions = schema.get_input_object(name).map(|object| &object.fields);
            let anything = Type::Named(name.clone());
            let field = |(key, field): &(Name, Node<Literal>)| {
                // The fields of a custom scalar have no types.
                let ty = definitions.and_then(|all| all.get(key)).map_or(&anything, |definition| &definition.ty);
                Some((key.to_string(), value(schema, field, ty, variables)?))
            };
            Some(Value::Object(fields.iter().filter_map(field).collect()))
        }
        (Literal::Enum(name), _) => Some(Value::String(name.to_string())),
        (Literal::String(text), _) => Some(Value::String(text.clone())),
        (Literal::Boolean(truth), _) => Some(Value::Bool(*truth)),
        (Literal::Int(number), _) => serde_json::from_str(number.as_str()).ok(),
        (Literal::Float(number), _) => serde_json::from_str(number.as_str()).ok(),
    }
}

#[cfg(test)]
mod tests {
    use apollo_compiler::ExecutableDocument;
    use serde_json::json;

    use super::*;

    #[test]
    fn literals_and_variables_become_the_input_of_a_function() {
        let sdl = "scalar Any enum Color { RED } input In { n: Float tags: [String!] in: In }
            type Query { a(i: Int, ids: [ID!], c: Color, in: In, any: Any, grid: [[Int]]): Int }";
        let schema = Schema::parse_and_validate(sdl, "schema").unwrap();
        let variables = json!({ "v": [1], "n": null });
        for (text, expected) in [
            ("a(i: 1, ids: 7, c: RED)", json!({ "i": 1, "ids": [7], "c": "RED" })),
            ("a(ids: [\"x\", \"y\"], i: null)", json!({ "ids": ["x", "y"], "i": null })),
            (
                "a(in: { n: 1.5, tags: \"t\", in: { n: 2 } })",
                json!({ "in": { "n": 1.5, "tags": ["t"], "in": { "n": 2 } } }),
            ),
            ("a(any: { x: [1, { y: true }] })", json!({ "any": { "x": [1, { "y": true }] } })),
            (
                "a(any: $v, i: $n, in: { n: $missing, tags: [] })",
                json!({ "any": [1], "i": null, "in": { "tags": [] } }),
            ),
            ("a(grid: [1, [2]])", json!({ "grid": [[1], [2]] })),
            ("a(i: $missing)", json!({})),
        ] {
            let text = format!("query($v: Any, $n: Int, $missing: Float) {{ {text} }}");
            let document = ExecutableDocument::parse(&schema, text.as_str(), "x").unwrap();
            let field = document.operations.get(None).unwrap().root_fields(&document).next().unwrap();
            assert_eq!(Value::Object(arguments(&schema, field, variables.as_object().unwrap())), expected, "{text}");
        }
    }
}
