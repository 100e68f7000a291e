//! Describes the arguments of functions as JSON Schema. Decisions only; no I/O.

use std::collections::{HashSet, VecDeque};

use apollo_compiler::ast::{DirectiveList, InputValueDefinition, Type, Value as Literal};
use apollo_compiler::schema::{ExtendedType, FieldDefinition};
use apollo_compiler::{Name, Schema};
use isobox_core::{brief, shorten};
use serde_json::{Map, Value, json};

/// Builds the schema of one input.
pub(super) struct InputTypes<'s> {
    schema: &'s Schema,
    /// The parts that there is room for.
    left: usize,
    known: HashSet<&'s Name>,
    /// The types that are referred to and not yet defined.
    wanted: VecDeque<&'s Name>,
}

/// The maximum length of the description of an argument, in characters.
const MAX_DESCRIPTION: usize = 500;
/// The maximum length of a default value that is told, in bytes.
const MAX_DEFAULT: usize = 2_000;

/// Returns the schema of the arguments of a field, and the number of parts that it has. `more` are further properties.
pub(super) fn of_arguments(
    schema: &Schema,
    field: &FieldDefinition,
    more: Map<String, Value>,
    room: usize,
) -> (Value, usize) {
    let mut types = InputTypes { schema, left: room, known: HashSet::new(), wanted: VecDeque::new() };
    let mut object = types.object(field.arguments.iter().map(|argument| &**argument));
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.extend(more);
    }
    let definitions = types.definitions();
    if !definitions.is_empty() {
        object["$defs"] = Value::Object(definitions);
    }
    (object, room - types.left.min(room))
}

impl<'s> InputTypes<'s> {
    fn object<'f>(&mut self, fields: impl Iterator<Item = &'f InputValueDefinition>) -> Value
    where
        's: 'f,
    {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for field in fields {
            let mut schema = self.of_type(&field.ty);
            let default = field.default_value.as_ref().filter(|value| is_short(value, &mut { MAX_DEFAULT }));
            let default = default.map(|value| format!("By default `{}`.", brief(&value.to_string(), 200)));
            let about = field.description.as_deref().map(|text| shorten(text.trim(), MAX_DESCRIPTION));
            let parts: Vec<&str> = about.as_deref().into_iter().chain(default.as_deref()).collect();
            describe(&mut schema, Some(&parts.join(" ")), &field.directives);
            if field.is_required() {
                required.push(field.name.as_str());
            }
            properties.insert(field.name.to_string(), schema);
        }
        let mut object = json!({ "type": "object", "properties": properties, "additionalProperties": false });
        if !required.is_empty() {
            object["required"] = json!(required);
        }
        object
    }

    fn of_type(&mut self, ty: &Type) -> Value {
        let schema = match ty {
            Type::List(inner) | Type::NonNullList(inner) => {
                json!({ "type": "array", "items": self.of_type(inner) })
            }
            Type::Named(name) | Type::NonNullNamed(name) => match (scalar(name), self.schema.types.get_key_value(name))
            {
                (Some(builtin), _) => json!({ "type": builtin }),
                (None, Some((name, ExtendedType::Enum(_) | ExtendedType::InputObject(_)))) => self.reference(name),
                (None, Some(_) | None) => json!({}),
            },
        };
        if ty.is_non_null() { schema } else { nullable(schema) }
    }

    /// Refers to a definition. If there is no room for it, its values may be anything; the service checks them.
    fn reference(&mut self, name: &'s Name) -> Value {
        if !self.known.contains(name) {
            let parts = 1 + match self.schema.types.get(name) {
                Some(ExtendedType::Enum(one)) => one.values.len(),
                Some(ExtendedType::InputObject(one)) => one.fields.len(),
                Some(_) | None => 0,
            };
            match self.left.checked_sub(parts) {
                Some(left) => self.left = left,
                None => return json!({ "description": format!("`{name}`: read it with `schema`.") }),
            }
            self.known.insert(name);
            self.wanted.push_back(name);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    fn definitions(&mut self) -> Map<String, Value> {
        let mut definitions = Map::new();
        while let Some(name) = self.wanted.pop_front() {
            let schema = self.schema;
            let (mut definition, description) = match schema.types.get(name) {
                Some(ExtendedType::Enum(one)) => {
                    let values: Vec<&str> = one.values.keys().map(Name::as_str).collect();
                    (json!({ "enum": values }), one.description.as_deref())
                }
                Some(ExtendedType::InputObject(one)) => {
                    let mut object = self.object(one.fields.values().map(|field| &***field));
                    if one.directives.has("oneOf") {
                        object["minProperties"] = json!(1);
                        object["maxProperties"] = json!(1);
                    }
                    (object, one.description.as_deref())
                }
                Some(_) | None => continue,
            };
            describe(&mut definition, description, &DirectiveList::new());
            definitions.insert(name.to_string(), definition);
        }
        definitions
    }
}

/// Tells whether a literal is short enough to be told. Reads no more of it than needed, and subtracts that from `room`.
fn is_short(literal: &Literal, room: &mut usize) -> bool {
    let length = match literal {
        Literal::String(text) => text.len(),
        Literal::Int(number) => number.as_str().len(),
        Literal::Float(number) => number.as_str().len(),
        Literal::Enum(name) | Literal::Variable(name) => name.len(),
        Literal::Null | Literal::Boolean(_) | Literal::List(_) | Literal::Object(_) => 1,
    };
    let Some(left) = room.checked_sub(1 + length) else { return false };
    *room = left;
    match literal {
        Literal::List(items) => items.iter().all(|item| is_short(item, room)),
        Literal::Object(fields) => fields.iter().all(|(_, field)| is_short(field, room)),
        Literal::Null
        | Literal::Boolean(_)
        | Literal::String(_)
        | Literal::Int(_)
        | Literal::Float(_)
        | Literal::Enum(_)
        | Literal::Variable(_) => true,
    }
}

/// Returns the type of a built-in scalar in JSON Schema.
pub(super) fn scalar(name: &str) -> Option<&'static str> {
    match name {
        "Int" => Some("integer"),
        "Float" => Some("number"),
        "Boolean" => Some("boolean"),
        "String" | "ID" => Some("string"),
        _ => None,
    }
}

/// Returns a schema that also allows null.
pub(super) fn nullable(mut schema: Value) -> Value {
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
        return schema;
    }
    if schema.get("$ref").is_some() {
        return json!({ "anyOf": [schema, { "type": "null" }] });
    }
    match schema.get_mut("type") {
        Some(Value::Array(types)) => types.push(json!("null")),
        Some(one) => *one = json!([one.take(), "null"]),
        // It allows everything.
        None => {}
    }
    schema
}

/// Returns the description of something with its deprecation before it.
pub(super) fn description(text: Option<&str>, directives: &DirectiveList, limit: usize) -> String {
    let mut parts = Vec::new();
    if let Some(deprecated) = directives.get("deprecated") {
        let reason = deprecated.specified_argument_by_name("reason").and_then(|reason| reason.as_str());
        parts.push(match reason.map(str::trim).filter(|reason| !reason.is_empty()) {
            Some(reason) => format!("Deprecated: {}", shorten(reason, limit)),
            None => "Deprecated.".to_owned(),
        });
    }
    // A type is described again for each function that takes it.
    parts.extend(text.map(str::trim).filter(|text| !text.is_empty()).map(|text| shorten(text, limit)));
    shorten(&parts.join("\n\n"), limit)
}

fn describe(schema: &mut Value, text: Option<&str>, directives: &DirectiveList) {
    let text = description(text, directives, MAX_DESCRIPTION);
    let Value::Object(schema) = schema else { return };
    if !text.is_empty() {
        schema.insert("description".to_owned(), Value::String(text));
    }
    if directives.has("deprecated") {
        schema.insert("deprecated".to_owned(), Value::Bool(true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SDL: &str = r#"
        scalar Any
        enum Color { RED GREEN }
        "A tree of conditions."
        input Where { and: [Where!] name: String! = "x" limit: Int! color: Color }
        type Query {
            a(id: ID!, n: Int, f: Float! = 1, list: [String!]!, any: Any!, "Which ones." where: Where, color: Color!, old: Int @deprecated(reason: "no")): Int
        }"#;

    fn described(room: usize) -> (Value, usize) {
        let schema = Schema::parse_and_validate(SDL, "schema").unwrap();
        let field = &schema.get_object("Query").unwrap().fields["a"];
        of_arguments(&schema, field, Map::new(), room)
    }

    #[test]
    fn arguments_are_typed_and_recursive_types_refer_to_themselves() {
        let (schema, parts) = described(100);
        let or_null = |name: &str| json!([{ "$ref": format!("#/$defs/{name}") }, { "type": "null" }]);
        assert_eq!(
            schema,
            json!({
                "type": "object", "additionalProperties": false, "required": ["id", "list", "any", "color"],
                "properties": {
                    "id": { "type": "string" }, "n": { "type": ["integer", "null"] }, "f": { "type": "number", "description": "By default `1`." },
                    "list": { "type": "array", "items": { "type": "string" } }, "any": {},
                    "where": { "anyOf": or_null("Where"), "description": "Which ones." }, "color": { "$ref": "#/$defs/Color" },
                    "old": { "type": ["integer", "null"], "description": "Deprecated: no", "deprecated": true },
                },
                "$defs": {
                    "Where": {
                        "type": "object", "additionalProperties": false, "required": ["limit"], "description": "A tree of conditions.",
                        "properties": {
                            "and": { "type": ["array", "null"], "items": { "$ref": "#/$defs/Where" } },
                            "name": { "type": "string", "description": "By default `\"x\"`." }, "limit": { "type": "integer" },
                            "color": { "anyOf": or_null("Color") },
                        },
                    },
                    "Color": { "enum": ["RED", "GREEN"] },
                },
            })
        );
        assert_eq!(parts, 8);
    }

    #[test]
    fn types_that_there_is_no_room_for_may_be_anything() {
        let (schema, parts) = described(5);
        assert_eq!(schema["properties"]["color"], json!({ "description": "`Color`: read it with `schema`." }));
        assert!(schema["$defs"].get("Where").is_some() && schema["$defs"].get("Color").is_none());
        assert_eq!(parts, 5);
    }
}
