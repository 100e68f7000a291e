//! Resolves a `$ref` inside its schema. Nothing is ever fetched.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::Value;

/// The maximum length of a reference.
const MAX_LENGTH: usize = 2_000;
/// The maximum number of parts that are searched for names.
const MAX_NODES: usize = 100_000;

/// A whole schema in which references are resolved.
pub(crate) struct Document<'schema> {
    root: &'schema Value,
    names: OnceCell<HashMap<String, &'schema Value>>,
    resolved: RefCell<HashMap<&'schema str, Target<'schema>>>,
}

/// The target of a reference.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target<'schema> {
    Found(&'schema Value),
    /// The target should be in the schema, and is not.
    Missing,
    /// The target is outside the schema.
    Remote,
}

impl<'schema> Document<'schema> {
    pub(crate) fn new(root: &'schema Value) -> Self {
        Self { root, names: OnceCell::new(), resolved: RefCell::default() }
    }

    pub(super) fn root(&self) -> &'schema Value {
        self.root
    }

    /// Resolves a JSON pointer, an anchor, or the `$id` of a part with or without either.
    pub(crate) fn resolve(&self, reference: &'schema str) -> Target<'schema> {
        *self.resolved.borrow_mut().entry(reference).or_insert_with(|| self.look_up(reference))
    }

    fn look_up(&self, reference: &str) -> Target<'schema> {
        if reference.len() > MAX_LENGTH {
            return Target::Missing;
        }
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = match address {
            "" => self.root,
            _ => match self.names().get(address) {
                Some(resource) => resource,
                None => return Target::Remote,
            },
        };
        let Ok(fragment) = percent_decode_str(fragment).decode_utf8() else { return Target::Missing };
        let found = if fragment.is_empty() {
            Some(resource)
        } else if fragment.starts_with('/') {
            resource.pointer(&fragment)
        } else {
            self.names().get(&format!("#{fragment}")).copied()
        };
        found.map_or(Target::Missing, Target::Found)
    }

    /// Returns the named parts: `$id` as it is written, anchors after a `#`.
    fn names(&self) -> &HashMap<String, &'schema Value> {
        self.names.get_or_init(|| {
            let mut names = HashMap::new();
            let mut left = vec![self.root];
            for _ in 0..MAX_NODES {
                let Some(value) = left.pop() else { break };
                match value {
                    Value::Object(entries) => {
                        for (key, entry) in entries {
                            match (key.as_str(), entry) {
                                ("$id" | "id", Value::String(id)) if id.len() <= MAX_LENGTH => {
                                    let id = if id.starts_with('#') { id } else { id.trim_end_matches('#') };
                                    names.entry(id.to_owned()).or_insert(value);
                                }
                                ("$anchor" | "$dynamicAnchor", Value::String(name)) if name.len() <= MAX_LENGTH => {
                                    names.entry(format!("#{name}")).or_insert(value);
                                }
                                _ => {}
                            }
                        }
                        left.extend(entries.values());
                    }
                    Value::Array(items) => left.extend(items),
                    Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
                }
            }
            names
        })
    }
}

/// Returns the display name of a reference: its last part.
pub(super) fn name_of(reference: &str) -> &str {
    let name = reference.rsplit(['/', '#']).find(|part| !part.is_empty()).unwrap_or("the whole");
    name.strip_suffix(".json").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_are_found_in_every_notation() {
        let schema = json!({
            "$id": "https://example.com/root.json",
            "definitions": {"A": 1, "a/b": 2, "c~d": 3, "e f": 4, "ü%": 5},
            "components": {"schemas": {"B": 6}},
            "list": [7],
            "$defs": {
                "anchored": {"$anchor": "here", "is": 8},
                "old": {"id": "#there", "is": 9},
                "resource": {"$id": "other.json", "$defs": {"C": 10}},
            },
        });
        let document = Document::new(&schema);
        for (reference, expected) in [
            ("#/definitions/A", json!(1)),
            ("#/definitions/a~1b", json!(2)),
            ("#/definitions/a%2Fb", json!(null)),
            ("#/definitions/c~0d", json!(3)),
            ("#/definitions/e%20f", json!(4)),
            ("#/definitions/%C3%BC%25", json!(5)),
            ("#/components/schemas/B", json!(6)),
            ("#/list/0", json!(7)),
            ("#here", json!({"$anchor": "here", "is": 8})),
            ("#there", json!({"id": "#there", "is": 9})),
            ("other.json#/$defs/C", json!(10)),
            ("https://example.com/root.json#/definitions/A", json!(1)),
            ("#/definitions/%ff", json!(null)),
            ("#nowhere", json!(null)),
        ] {
            let found = match document.resolve(reference) {
                Target::Found(value) => value.clone(),
                Target::Missing => json!(null),
                Target::Remote => json!("remote"),
            };
            assert_eq!(found, expected, "{reference}");
        }
        assert!(matches!(document.resolve("#"), Target::Found(root) if std::ptr::eq(root, &schema)));
        assert!(matches!(document.resolve("https://example.com/x.json"), Target::Remote));
        assert!(matches!(document.resolve("x.json#/a"), Target::Remote));
        assert!(matches!(document.look_up(&"#".repeat(1_000_000)), Target::Missing));
    }

    #[test]
    fn references_are_called_by_their_last_part() {
        assert_eq!(name_of("#/definitions/Node"), "Node");
        assert_eq!(name_of("#"), "the whole");
        assert_eq!(name_of("#node"), "node");
        assert_eq!(name_of("https://example.com/tree.json"), "tree");
    }
}
