//! JSON values as TypeScript: as literal types, and as text for a comment.

use serde_json::Value;

use super::documentation::Documentation;
use super::shape::{Member, Object, Type};

/// The maximum length of a literal text type, in bytes.
const MAX_TEXT: usize = 200;
/// The maximum depth of a constant, and its approximate maximum of bytes.
const MAX_DEPTH: usize = 4;
const MAX_CONSTANT: usize = 500;

/// Returns the literal type of a value.
pub(super) fn type_of(value: &Value) -> Type<'_> {
    type_within(value, MAX_DEPTH, &mut { MAX_CONSTANT })
        .unwrap_or_else(|| Type::Opaque { reason: "a large constant".into(), names: Vec::new() })
}

/// Returns the approximate length of that type.
pub(super) fn cost_of(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        Value::String(text) => text.len().min(MAX_TEXT) + 5,
        Value::Array(_) | Value::Object(_) => MAX_CONSTANT,
    }
}

/// Returns the general type of a value.
pub(super) fn widened(value: &Value) -> Type<'_> {
    match value {
        Value::Null => Type::NULL,
        Value::Bool(_) => Type::Keyword("boolean"),
        Value::Number(_) => Type::Keyword("number"),
        Value::String(_) => Type::Keyword("string"),
        Value::Array(_) => Type::Array(Box::new(Type::Unknown)),
        Value::Object(_) => Type::record_of(Type::Unknown),
    }
}

/// Returns none if the value is too deep or longer than `left`.
fn type_within<'value>(value: &'value Value, depth: usize, left: &mut usize) -> Option<Type<'value>> {
    Some(match value {
        Value::Null => Type::NULL,
        Value::String(text) if text.len() > MAX_TEXT => {
            Type::Noted(Box::new(Type::Keyword("string")), format!("a text of {} bytes", text.len()).into())
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            *left = left.checked_sub(cost_of(value))?;
            Type::Literal(value)
        }
        Value::Array(items) => {
            let depth = depth.checked_sub(1)?;
            let mut elements = Vec::new();
            for item in items {
                *left = left.checked_sub(4)?;
                elements.push(type_within(item, depth, left)?);
            }
            Type::Tuple { required: elements.len(), elements, rest: None }
        }
        Value::Object(entries) => {
            let depth = depth.checked_sub(1)?;
            let mut members = Vec::new();
            for (name, value) in entries {
                *left = left.checked_sub(name.len() + 4)?;
                let value = type_within(value, depth, left)?;
                members.push(Member { name, is_optional: false, documentation: Documentation::default(), value });
            }
            Type::Object(Object { members, is_open: false, omitted: 0 })
        }
    })
}
