//! Any JSON as a schema becomes a type that parses, of bounded size.

use isobox_core::{Signature, ToolPath, declare_tool, schema_to_typescript};
use serde_json::Value;

/// The maximum size of the type of one schema.
const MAX_TEXT: usize = 64 << 10;

pub(crate) fn fuzz(data: &[u8], parses: impl Fn(&str) -> bool) {
    let Ok(schema) = serde_json::from_slice::<Value>(data) else { return };
    let rendered = schema_to_typescript(&schema);
    assert!(rendered.text.len() <= MAX_TEXT, "{} bytes", rendered.text.len());
    let declared = format!("type T = {};", rendered.text);
    assert!(parses(&declared), "{declared}");
    let path: ToolPath = "list.pages".parse().expect("a path");
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let (input, output) = (Some(&schema), Some(&schema));
    let signature = Signature { path: &path, description, input, output, observed: None, types: None, notes: &[] };
    let declared = declare_tool(&signature).text;
    assert!(parses(&declared), "{declared}");
}
