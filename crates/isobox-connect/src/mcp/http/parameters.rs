//! Arguments of tools that are sent as headers too, so that intermediaries can route calls (from 2026-07-28 on).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header::HeaderName;
use serde_json::Value;

/// The arguments of one tool that are sent as headers: where they are, and their header.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Parameters(Vec<(Vec<String>, HeaderName)>);

/// The maximum number of such arguments of one tool, and the maximum depth at which they are looked for.
const MAX_PARAMETERS: usize = 32;
const MAX_DEPTH: usize = 8;

impl Parameters {
    /// Finds the annotations (`x-mcp-header`) of an input schema.
    pub(super) fn find(schema: &Value) -> Self {
        let mut found = Self::default();
        found.collect(schema, &mut Vec::new());
        found
    }

    /// Tells whether no argument is sent as a header.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the headers for the arguments of a call.
    pub(super) fn of(&self, arguments: &Value) -> Vec<(HeaderName, String)> {
        let at = |path: &[String]| path.iter().try_fold(arguments, |value, key| value.get(key));
        let header = |(path, name): &(Vec<String>, HeaderName)| Some((name.clone(), text_of(at(path)?)?));
        self.0.iter().filter_map(header).collect()
    }

    fn collect(&mut self, schema: &Value, path: &mut Vec<String>) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
        if path.len() == MAX_DEPTH {
            return;
        }
        for (name, schema) in properties {
            path.push(name.clone());
            let header = schema.get("x-mcp-header").and_then(Value::as_str);
            let header = header.and_then(|header| format!("mcp-param-{header}").to_ascii_lowercase().parse().ok());
            if let Some(header) = header.filter(|_| self.0.len() < MAX_PARAMETERS) {
                self.0.push((path.clone(), header));
            }
            self.collect(schema, path);
            path.pop();
        }
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Encodes a text so that it can be the value of a header.
pub(super) fn encode(text: &str) -> String {
    let is_encoded = text.starts_with("=?base64?") && text.ends_with("?=");
    let is_printable = text.bytes().all(|byte| (0x20..=0x7e).contains(&byte)) && text.trim_matches(' ') == text;
    if is_printable && !is_encoded { text.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(text)) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn annotated_arguments_are_headers() {
        let schema = json!({ "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "filter": { "properties": { "tenant": { "x-mcp-header": "Tenant-Id" }, "bad": { "x-mcp-header": "a b" } } },
            "other": { "type": "string" },
        } });
        let parameters = Parameters::find(&schema);
        let headers = parameters.of(&json!({ "region": "Zürich", "filter": { "tenant": 7, "bad": 1 }, "other": "x" }));
        let shown: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), encode(value))).collect();
        let expected =
            [("mcp-param-region", "=?base64?WsO8cmljaA==?=".to_owned()), ("mcp-param-tenant-id", "7".to_owned())];
        assert_eq!(shown, expected);
        assert!(parameters.of(&json!({ "region": {} })).is_empty());
        assert!(Parameters::find(&json!({ "properties": [] })).is_empty());
        assert_eq!(encode("=?base64?x?="), "=?base64?PT9iYXNlNjQ/eD89?=");
    }

    #[test]
    fn endless_schemas_are_bounded() {
        let mut schema = json!({ "x-mcp-header": "deep" });
        for _ in 0..100 {
            schema = json!({ "properties": { "p": schema } });
        }
        assert!(Parameters::find(&schema).is_empty());
        let many: serde_json::Map<String, Value> =
            (0..1_000).map(|number| (format!("p{number}"), json!({ "x-mcp-header": format!("h{number}") }))).collect();
        assert_eq!(Parameters::find(&json!({ "properties": many })).0.len(), MAX_PARAMETERS);
    }
}
