//! Shortens a signature to what a call needs. A shortened signature is for reading, and does not parse.

use super::comment::quote;
use super::identifier::is_identifier;
use super::shape::{Member, Object, Type};
use super::{Signature, declare_signature, print, reader, takes_nothing};

/// Stands for what is left out.
const LEFT_OUT: &str = "…";
/// The maximum length of the type of one property.
const MAX_VALUE: usize = 120;

/// Returns the declaration of a tool in one piece, in at most this many bytes. A longer one is shortened: first by its
/// result, then by comments, nested types and optional properties of its input. None if the required properties do not fit.
pub(crate) fn declare_signature_within(signature: &Signature<'_>, room: usize) -> Option<String> {
    let whole = declare_signature(signature);
    if whole.len() <= room {
        return Some(whole);
    }
    let without_result = declare_signature(&Signature { output: None, observed: None, ..*signature });
    // A type that the host wrote has no such end, or means it.
    let call = without_result.strip_suffix("Promise<unknown>").filter(|_| signature.types.is_none())?;
    let result = format!("Promise<{LEFT_OUT}>");
    if call.len() + result.len() <= room {
        return Some(format!("{call}{result}"));
    }
    let schema = signature.input?;
    let input = reader::read(schema, "input").kind;
    if takes_nothing(schema, &input) {
        return None;
    }
    let mark = if input.is_satisfied_by_nothing() { "?" } else { "" };
    let head = format!("tools.{}(input{mark}: ", signature.path);
    let left = room.checked_sub(head.len() + "): ".len() + result.len())?;
    Some(format!("{head}{}): {result}", sketch(&input, left)?))
}

/// Returns a type on one line. Of an object, the required properties come first, and optional ones that do not fit are left
/// out.
fn sketch(kind: &Type<'_>, room: usize) -> Option<String> {
    let Type::Object(object) = kind else {
        return is_flat(kind).then(|| printed(kind)).filter(|text| text.len() <= room);
    };
    let Object { members, is_open, omitted } = object;
    let (end, cut) = (" }", format!(" {LEFT_OUT} }}"));
    let mut is_whole = !is_open && *omitted == 0;
    let mut text = "{".to_owned();
    let required = members.iter().filter(|member| !member.is_optional);
    for member in required.chain(members.iter().filter(|member| member.is_optional)) {
        let part = property(member);
        if text.len() + part.len() + cut.len() <= room {
            text.push_str(&part);
        } else if member.is_optional {
            is_whole = false;
        } else {
            return None;
        }
    }
    text.push_str(if is_whole { end } else { &cut });
    Some(text)
}

fn property(member: &Member<'_>) -> String {
    let mut text = " ".to_owned();
    if is_identifier(member.name) {
        text.push_str(member.name);
    } else {
        quote(&mut text, member.name);
    }
    text.push_str(if member.is_optional { "?: " } else { ": " });
    let value = Some(&member.value).filter(|value| is_flat(value)).map(printed).filter(|text| text.len() <= MAX_VALUE);
    let is_list = matches!(member.value, Type::Array(_));
    text.push_str(value.as_deref().unwrap_or(if is_list { "…[]" } else { LEFT_OUT }));
    text.push(';');
    text
}

fn printed(kind: &Type<'_>) -> String {
    let mut text = String::new();
    print::print(&mut text, kind, 0, 0);
    text
}

/// Tells whether a type has no object in it, so that it is printed on one line.
fn is_flat(kind: &Type<'_>) -> bool {
    match kind {
        Type::Unknown | Type::Opaque { .. } | Type::Never | Type::Keyword(_) | Type::Literal(_) => true,
        Type::Noted(inner, _) | Type::Array(inner) => is_flat(inner),
        Type::Record { values, .. } => is_flat(values),
        Type::Tuple { elements, rest, .. } => elements.iter().all(is_flat) && rest.as_deref().is_none_or(is_flat),
        Type::Union(parts) | Type::Intersection(parts) => parts.iter().all(is_flat),
        Type::Object(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::ToolPath;

    fn shortened(input: &Value, output: &Value, room: usize) -> Option<String> {
        let path: ToolPath = "shop.order".parse().expect("a path");
        let (input, output) = (Some(input), Some(output));
        let signature =
            Signature { path: &path, description: "", input, output, observed: None, types: None, notes: &[] };
        let text = declare_signature_within(&signature, room);
        assert!(text.as_ref().is_none_or(|text| text.len() <= room), "{text:?}");
        text
    }

    #[test]
    fn a_long_signature_is_shortened_by_its_result_and_then_to_what_a_call_needs() {
        let words = "The words of the service about this. ".repeat(9);
        let address =
            json!({ "type": "object", "properties": { "street": { "type": "string", "description": words } } });
        let input = json!({ "type": "object", "required": ["id", "x-to"], "additionalProperties": false, "properties": {
            "note": { "type": "string", "description": words },
            "id": { "type": "integer" },
            "x-to": address,
            "lines": { "type": "array", "items": address },
            "size": { "enum": ["s", "m"] },
        } });
        let output = json!({ "type": "object", "properties": { "a": { "type": "string", "description": words } } });
        let whole = shortened(&input, &output, 9999).expect("it fits");
        let without_result = shortened(&input, &output, whole.len() - 1).expect("it fits");
        assert!(
            without_result.contains("The words of") && without_result.ends_with("): Promise<…>"),
            "{without_result}"
        );
        let short = shortened(&input, &output, 200).expect("it fits");
        let expected = "tools.shop.order(input: { id: number; \"x-to\": …; note?: string; lines?: …[]; size?: \"s\" | \"m\"; }): Promise<…>";
        assert_eq!(short, expected);
        let shorter = shortened(&input, &output, 90).expect("it fits");
        assert_eq!(shorter, "tools.shop.order(input: { id: number; \"x-to\": …; note?: string; … }): Promise<…>");
        assert_eq!(shortened(&input, &output, 60), None, "the required properties do not fit");
        assert_eq!(shortened(&input, &output, 0), None);
        let nothing = json!({ "type": "object", "properties": {}, "additionalProperties": false });
        assert_eq!(shortened(&nothing, &output, 40).as_deref(), Some("tools.shop.order(): Promise<…>"));
    }
}
