//! Returns parts of a document to programs, with everything large left as a reference.

use serde_json::{Map, Value, json};

use super::document::{Documents, escaped};

/// The maximum size of a part, in bytes of JSON.
const MAX_PART: usize = 64 << 10;
/// The maximum size of an outline whose first level alone is larger than a part. Each reference in it repeats the pointer.
const MAX_OUTLINE: usize = 8 << 20;

/// Returns the part of the document that a pointer or reference names. Returns why there is none.
pub(super) fn part(documents: &Documents, reference: &str) -> Result<Value, String> {
    let reference = if reference.starts_with('/') { format!("#{reference}") } else { reference.to_owned() };
    let node = documents.find(0, &reference)?;
    let file = reference.split('#').next().unwrap_or_default();
    let mut cutter = Cutter { file, room: MAX_PART };
    let start = node.pointer.to_string();
    // Levels are added until there is no more room, so that the outline is always there.
    for levels in 1..=64 {
        cutter.room = MAX_PART;
        let cut = cutter.cut(node.value, &start, levels);
        match cut {
            Some(cut) if cut == *node.value => return Ok(cut),
            Some(_) => {}
            None => {
                cutter.room = MAX_OUTLINE;
                return cutter.cut(node.value, &start, (levels - 1).max(1)).ok_or_else(|| "it is too large".to_owned());
            }
        }
    }
    Ok(node.value.clone())
}

struct Cutter<'r> {
    /// The file in the references to what is left out.
    file: &'r str,
    room: usize,
}

impl Cutter<'_> {
    /// Returns a value up to this many levels. Returns none if there is no room.
    fn cut(&mut self, value: &Value, pointer: &str, levels: usize) -> Option<Value> {
        /// The size of a value below which a reference to it is not shorter.
        const SMALL: usize = 2;
        match value {
            Value::Object(entries) if levels == 0 && entries.len() > SMALL => self.reference(pointer),
            Value::Array(items) if levels == 0 && items.len() > SMALL => self.reference(pointer),
            Value::Object(entries) => {
                let mut kept = Map::new();
                for (key, entry) in entries {
                    self.take(key.len() + 4)?;
                    kept.insert(
                        key.clone(),
                        self.cut(entry, &format!("{pointer}/{}", escaped(key)), levels.saturating_sub(1))?,
                    );
                }
                Some(Value::Object(kept))
            }
            Value::Array(items) => {
                let item = |(index, item): (usize, &Value)| {
                    self.cut(item, &format!("{pointer}/{index}"), levels.saturating_sub(1))
                };
                Some(Value::Array(items.iter().enumerate().map(item).collect::<Option<_>>()?))
            }
            Value::String(text) => {
                self.take(text.len() + 2)?;
                Some(Value::String(text.clone()))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {
                self.take(8)?;
                Some(value.clone())
            }
        }
    }

    fn reference(&mut self, pointer: &str) -> Option<Value> {
        self.take(pointer.len() + 16)?;
        Some(json!({ "$ref": format!("{}#{pointer}", self.file) }))
    }

    fn take(&mut self, bytes: usize) -> Option<()> {
        self.room = self.room.checked_sub(bytes)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::documents_of;
    use super::*;

    #[test]
    fn a_small_part_is_whole_and_its_references_stay() {
        let documents = documents_of(json!({ "a": { "b/c": { "$ref": "#/d" } }, "d": [1, 2, 3] }));
        assert_eq!(part(&documents, "#/a"), Ok(json!({ "b/c": { "$ref": "#/d" } })));
        assert_eq!(part(&documents, "/a/b~1c"), Ok(json!({ "$ref": "#/d" })));
        assert_eq!(part(&documents, "#/d"), Ok(json!([1, 2, 3])));
        assert_eq!(part(&documents, ""), Ok(documents.root().value.clone()));
        assert!(part(&documents, "#/nowhere").is_err());
        assert!(part(&documents, "../secret.yaml").is_err());
    }

    #[test]
    fn a_large_part_is_an_outline_that_leads_further() {
        let schema = |number: usize| (format!("S{number}"), json!({ "a": "x".repeat(500), "b": 1, "c": { "d": 1 } }));
        let schemas: Map<String, Value> = (0..1_000).map(schema).collect();
        let documents = documents_of(json!({ "openapi": "3.0.0", "components": { "schemas": schemas } }));
        let outline = part(&documents, "").unwrap();
        assert!(outline.to_string().len() < 2 * MAX_PART);
        let reference = outline["components"]["schemas"]["S7"]["$ref"]
            .as_str()
            .or(outline["components"]["schemas"]["$ref"].as_str())
            .unwrap();
        assert!(part(&documents, reference).unwrap().to_string().len() > 400);
    }

    #[test]
    fn an_outline_that_repeats_a_long_pointer_is_bounded() {
        let key = "k".repeat(9_000);
        let documents = documents_of(json!({ key.clone(): vec![[0, 0, 0]; 10_000] }));
        assert_eq!(part(&documents, &format!("#/{key}")), Err("it is too large".to_owned()));
    }
}
