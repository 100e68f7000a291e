//! The fields of bodies: those that a document declares, and those that a service would read as others. Decisions only; no I/O.

use std::collections::BTreeSet;

use isobox_core::brief;
use serde_json::{Map, Value};

use super::collisions::{METHOD_REFUSED, decoded};
use super::document::Node;
use super::model::{BodySchema, Media};
use super::operation::BodyMedia;
use super::serialise::Pair;
use crate::service::{Folded, is_json};

/// The maximum depth of schemas that are parts of a schema, and their maximum number.
const MAX_DEPTH: usize = 8;
const MAX_SCHEMAS: usize = 200;
/// The maximum number of fields of a form, counting those that several of its schemas have several times.
const MAX_FIELDS: usize = 2_000;

/// Returns the fields that a document declares for a body. Of JSON, only those are kept that name a method: its other fields
/// cannot be mistaken. Returns none for a form with too many fields: those that are not known could be mistaken for others.
pub(super) fn declared_fields(media: &Media<'_>) -> Option<Vec<String>> {
    let mut found = Found::default();
    match &media.schema {
        Some(BodySchema::Fields(fields)) => fields.iter().for_each(|field| found.add(&field.name)),
        Some(BodySchema::Node(node)) => found.collect(node, 0),
        None => {}
    }
    let is_json = is_json(&media.media_type);
    if !is_json && found.fields > MAX_FIELDS {
        return None;
    }
    let is_kept = |name: &&&str| !is_json || Folded::of(name).is_method();
    Some(found.names.iter().filter(is_kept).map(|name| (*name).to_owned()).collect())
}

/// The fields that were found so far.
#[derive(Default)]
struct Found<'d> {
    names: BTreeSet<&'d str>,
    /// The number of fields, with those that were found before.
    fields: usize,
    schemas: usize,
}

impl<'d> Found<'d> {
    fn add(&mut self, name: &'d str) {
        self.fields += 1;
        if self.fields <= MAX_FIELDS {
            self.names.insert(name);
        }
    }

    fn collect(&mut self, node: &Node<'d>, depth: usize) {
        self.schemas += 1;
        if depth > MAX_DEPTH || self.schemas > MAX_SCHEMAS {
            return;
        }
        let Ok(node) = node.resolved() else { return };
        let properties = node.value.get("properties").and_then(Value::as_object);
        for name in properties.into_iter().flat_map(Map::keys).take(MAX_FIELDS + 1) {
            self.add(name);
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            let Some(parts) = node.get(key) else { continue };
            parts.items().take(MAX_SCHEMAS).for_each(|part| self.collect(&part, depth + 1));
        }
    }
}

/// The fields that a document declares for a form.
pub(super) struct FormFields<'m>(Vec<(&'m str, Folded)>);

impl<'m> FormFields<'m> {
    pub(super) fn of(media: &'m BodyMedia) -> Self {
        Self(media.fields.iter().map(|name| (name.as_str(), Folded::of(name))).collect())
    }

    /// Refuses what is sent of a field if the service would read it as another one: the policy has not seen it there.
    pub(super) fn check(&self, field: &str, sent: &[Pair]) -> Result<(), String> {
        sent.iter().try_for_each(|(name, _)| self.check_name(field, &decoded(name)))
    }

    /// Refuses a name under which a part of a field is sent.
    pub(super) fn check_name(&self, field: &str, name: &str) -> Result<(), String> {
        if name == field && self.0.iter().any(|(known, _)| *known == name) {
            return Ok(());
        }
        let folded = Folded::of(name);
        if folded.is_method() {
            return Err(METHOD_REFUSED.to_owned());
        }
        let is_other = |(known, known_folded): &&(&str, Folded)| *known != field && folded.is_within(known_folded);
        match self.0.iter().find(is_other) {
            None => Ok(()),
            Some((known, _)) => Err(format!(
                "the field `{}` of the body is sent as `{}`, which the service may read as the field `{}`; use that one",
                brief(field, 80),
                brief(name, 80),
                brief(known, 80)
            )),
        }
    }
}

/// Refuses JSON whose fields name a method, unless the document declares them. `declared` are such fields.
pub(super) fn check_json(declared: &[String], value: &Value) -> Result<(), String> {
    let names_method = |name: &&String| Folded::of(name).is_method() && !declared.contains(name);
    match value.as_object().and_then(|fields| fields.keys().find(names_method)) {
        Some(_) => Err(METHOD_REFUSED.to_owned()),
        None => Ok(()),
    }
}

/// Refuses bytes of a media type that a program has chosen, if a service would find fields in them that name a method.
pub(super) fn check_bytes(media_type: &str, bytes: &[u8]) -> Result<(), String> {
    // Some services read a media type only up to one of these signs.
    let media_type = media_type.trim_start().split([';', ',', ' ', '\t']).next().unwrap_or_default();
    match media_type.to_ascii_lowercase().as_str() {
        "multipart/form-data" => Err("a body of the type `multipart/form-data` cannot be sent as bytes".to_owned()),
        "application/x-www-form-urlencoded" => {
            let text = String::from_utf8_lossy(bytes);
            let mut names = text.split(['&', ';']).map(|pair| pair.split('=').next().unwrap_or_default());
            match names.any(|name| Folded::of(&decoded(name)).is_method()) {
                true => Err(METHOD_REFUSED.to_owned()),
                false => Ok(()),
            }
        }
        other if is_json(other) => match serde_json::from_slice(bytes) {
            Ok(value) => check_json(&[], &value),
            Err(_) => Err(format!("the body is not the JSON that its type `{}` says", brief(other, 80))),
        },
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::document::documents_of;
    use super::*;

    #[test]
    fn the_fields_of_every_part_of_a_schema_are_declared_and_those_of_json_only_if_they_name_a_method() {
        let documents = documents_of(json!({
            "allOf": [{ "$ref": "#/pet" }, { "properties": { "_method": { "const": "PUT" } } }, { "$ref": "#" }],
            "pet": { "properties": { "name": {}, "x": { "properties": { "inner": {} } } }, "oneOf": [{ "properties": { "age": {} } }] },
        }));
        let declared = |media_type: &str| {
            declared_fields(&Media {
                media_type: media_type.to_owned(),
                schema: Some(BodySchema::Node(documents.root())),
                encoding: Default::default(),
            })
        };
        assert_eq!(declared("application/x-www-form-urlencoded").unwrap(), ["_method", "age", "name", "x"]);
        assert_eq!(declared("application/json").unwrap(), ["_method"]);
    }

    #[test]
    fn a_form_with_too_many_fields_is_refused_and_json_with_as_many_is_not() {
        let many: Map<String, Value> = (0..100_000).map(|number| (format!("f{number}"), json!({}))).collect();
        let documents = documents_of(json!({ "properties": many, "allOf": vec![json!({ "$ref": "#" }); 10_000] }));
        for (media_type, expected) in [("multipart/form-data", None), ("application/json", Some(Vec::new()))] {
            let media_type = media_type.to_owned();
            let schema = Some(BodySchema::Node(documents.root()));
            assert_eq!(declared_fields(&Media { media_type, schema, encoding: Default::default() }), expected);
        }
    }

    #[test]
    fn a_field_is_not_sent_as_another_one() {
        let media = |fields: &[&str]| BodyMedia {
            media_type: "application/x-www-form-urlencoded".to_owned(),
            encoding: Default::default(),
            fields: fields.iter().map(|name| (*name).to_owned()).collect(),
        };
        let (media, with_method) = (media(&["amount", "meta", "meta[own]"]), media(&["_method"]));
        let fields = FormFields::of(&media);
        for (field, name, is_allowed) in [
            ("amount", "amount", true),
            ("other", "other", true),
            ("meta", "meta[a]", true),
            ("meta[own]", "meta[own]", true),
            ("Amount", "Amount", false),
            ("amount[]", "amount[]", false),
            ("extra", "amount", false),
            ("extra", "AMOUNT", false),
            ("meta", "meta[own]", false),
            ("_method", "_method", false),
            ("extra", "_method", false),
            ("X-HTTP-Method-Override", "X-HTTP-Method-Override", false),
        ] {
            assert_eq!(fields.check_name(field, name).is_ok(), is_allowed, "{field} {name}");
        }
        let with_method = FormFields::of(&with_method);
        assert!(with_method.check_name("_method", "_method").is_ok());
        assert!(with_method.check_name("extra", "_method").is_err());
    }

    #[test]
    fn a_method_is_found_in_json_and_in_bytes_of_a_chosen_type() {
        assert!(check_json(&[], &json!({ "name": "Bo", "payment_method": "card", "in": { "_method": 1 } })).is_ok());
        assert!(check_json(&["_method".to_owned()], &json!({ "_method": "PUT" })).is_ok());
        assert!(check_json(&["_method".to_owned()], &json!({ "_Method": "PUT" })).is_err());
        let form = "application/x-www-form-urlencoded";
        for (media_type, bytes, is_allowed) in [
            (form, "a=_method&b=2", true),
            (form, "a=1&%5Fmethod=DELETE", false),
            ("Application/X-WWW-Form-URLencoded ; charset=utf-8", "_method=DELETE", false),
            ("application/x-www-form-urlencoded,a", "_method=DELETE", false),
            ("application/json", r#"{"a":["_method"]}"#, true),
            ("application/json", r#"{"\u005fmethod":"DELETE"}"#, false),
            ("application/vnd.a+json; charset=utf-16", "{", false),
            ("multipart/form-data; boundary=x", "", false),
            ("text/plain", "_method=DELETE", true),
        ] {
            assert_eq!(check_bytes(media_type, bytes.as_bytes()).is_ok(), is_allowed, "{media_type} {bytes}");
        }
    }
}
