//! A server's list of tools, put together from its pages.

use std::collections::HashSet;
use std::io;

use isobox_core::{ByteSize, OfferedTool, ToolHints};
use serde_json::{Map, Value};

/// What is collected so far.
#[derive(Debug)]
pub(super) struct Listing {
    bounds: Bounds,
    tools: Vec<OfferedTool>,
    names: HashSet<String>,
    cursors: HashSet<String>,
    pages: usize,
    bytes: usize,
}

/// How much a server may list.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    pages: usize,
    tools: usize,
    bytes: ByteSize,
}

const BOUNDS: Bounds = Bounds { pages: 1_000, tools: 20_000, bytes: ByteSize::mib(64) };

impl Listing {
    pub(super) fn new() -> Self {
        Self::within(BOUNDS)
    }

    fn within(bounds: Bounds) -> Self {
        Self { bounds, tools: Vec::new(), names: HashSet::new(), cursors: HashSet::new(), pages: 0, bytes: 0 }
    }

    /// Adds a page. Gives the cursor of the next one, or what is wrong with the list.
    ///
    /// A second tool of a name cannot be called, so that it is left out, as is one without a name.
    pub(super) fn add(&mut self, mut page: Value) -> Result<Option<String>, String> {
        let Bounds { pages, tools: most, bytes } = self.bounds;
        self.bytes = self.bytes.saturating_add(size(&page));
        if !bytes.holds(self.bytes) {
            return Err(format!("lists more than {bytes} of tools"));
        }
        let Some(Value::Array(tools)) = page.get_mut("tools").map(Value::take) else {
            return Err("answered a request for its tools with something that is no list of tools".to_owned());
        };
        for tool in tools {
            let Some(tool) = offered(tool) else { continue };
            if self.names.insert(tool.name.clone()) {
                self.tools.push(tool);
            }
        }
        if self.tools.len() > most {
            return Err(format!("lists more than {most} tools"));
        }
        let Some(cursor) = page.get("nextCursor").and_then(Value::as_str) else { return Ok(None) };
        self.pages += 1;
        if self.pages >= pages {
            return Err(format!("lists its tools on more than {pages} pages"));
        }
        if !self.cursors.insert(cursor.to_owned()) {
            return Err("lists the same page of tools again and again".to_owned());
        }
        Ok(Some(cursor.to_owned()))
    }

    pub(super) fn into_tools(self) -> Vec<OfferedTool> {
        self.tools
    }
}

fn offered(tool: Value) -> Option<OfferedTool> {
    let Value::Object(mut tool) = tool else { return None };
    let name = text(&tool, "name").filter(|name| !name.is_empty())?;
    // It can only be called as a task, which is not spoken here.
    let support = tool.get("execution").and_then(|execution| execution.get("taskSupport")).and_then(Value::as_str);
    if support == Some("required") {
        return None;
    }
    let no_annotations = Map::new();
    let annotations = tool.get("annotations").and_then(Value::as_object).unwrap_or(&no_annotations);
    let said = |hint: &str| annotations.get(hint).and_then(Value::as_bool);
    let hints = ToolHints {
        read_only: said("readOnlyHint"),
        destructive: said("destructiveHint"),
        idempotent: said("idempotentHint"),
    };
    let description = [text(&tool, "description"), text(&tool, "title"), text(annotations, "title")];
    let description = description.into_iter().flatten().find(|text| !text.trim().is_empty()).unwrap_or_default();
    let mut schema = |key| tool.remove(key).filter(|schema| !schema.is_null());
    Some(OfferedTool {
        name,
        description,
        input_schema: schema("inputSchema"),
        output_schema: schema("outputSchema"),
        hints,
    })
}

fn text(object: &Map<String, Value>, key: &str) -> Option<String> {
    Some(object.get(key)?.as_str()?.to_owned())
}

fn size(value: &Value) -> usize {
    struct Counter(usize);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    match serde_json::to_writer(&mut counter, value) {
        Ok(()) => counter.0,
        Err(_) => usize::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const SMALL: Bounds = Bounds { pages: 3, tools: 4, bytes: ByteSize::bytes(1_000) };

    #[test]
    fn everything_a_server_says_about_a_tool_is_kept_and_nothing_is_made_up() {
        let mut listing = Listing::new();
        let page = json!({ "tools": [
            { "name": "a.b", "description": "A", "inputSchema": { "type": "object" }, "outputSchema": { "type": "array" },
              "annotations": { "readOnlyHint": true, "destructiveHint": false, "idempotentHint": "yes" } },
            { "name": "odd name", "title": "Odd", "inputSchema": true, "outputSchema": null, "annotations": 7 },
            { "name": "titled", "description": " ", "annotations": { "title": "Titled" } },
        ] });
        assert_eq!(listing.add(page), Ok(None));
        let hints = ToolHints { read_only: Some(true), destructive: Some(false), idempotent: None };
        let expected = [
            OfferedTool {
                name: "a.b".into(),
                description: "A".into(),
                input_schema: Some(json!({ "type": "object" })),
                output_schema: Some(json!({ "type": "array" })),
                hints,
            },
            OfferedTool {
                name: "odd name".into(),
                description: "Odd".into(),
                input_schema: Some(json!(true)),
                ..OfferedTool::default()
            },
            OfferedTool { name: "titled".into(), description: "Titled".into(), ..OfferedTool::default() },
        ];
        assert_eq!(listing.into_tools(), expected);
    }

    #[test]
    fn a_tool_without_a_name_of_its_own_is_left_out() {
        let mut listing = Listing::new();
        let page = json!({ "tools": [
            { "name": "a", "description": "first" }, { "name": "a", "description": "second" }, { "name": "" },
            { "name": 7 }, {}, null, "b",
        ] });
        assert_eq!(listing.add(page), Ok(None));
        let tools = listing.into_tools();
        assert_eq!(tools.len(), 1);
        assert_eq!(tools[0].description, "first");
    }

    #[test]
    fn a_list_without_end_is_refused() {
        let page = |cursor: &str| json!({ "tools": [], "nextCursor": cursor });
        let mut listing = Listing::within(SMALL);
        assert_eq!(listing.add(page("1")), Ok(Some("1".into())));
        assert_eq!(listing.add(page("2")), Ok(Some("2".into())));
        assert!(listing.add(page("3")).unwrap_err().contains("more than 3 pages"));

        let mut listing = Listing::within(SMALL);
        assert_eq!(listing.add(page("1")), Ok(Some("1".into())));
        assert!(listing.add(page("1")).unwrap_err().contains("again and again"));

        let mut listing = Listing::within(SMALL);
        let tools: Vec<Value> = (0..5).map(|number| json!({ "name": number.to_string() })).collect();
        assert!(listing.add(json!({ "tools": tools })).unwrap_err().contains("more than 4 tools"));

        let mut listing = Listing::within(SMALL);
        let tool = json!({ "name": "a", "description": "x".repeat(1_000) });
        assert!(listing.add(json!({ "tools": [tool] })).unwrap_err().contains("lists more than"));
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for page in [json!({}), json!(null), json!({ "tools": {} }), json!([])] {
            assert!(Listing::new().add(page).unwrap_err().contains("no list of tools"));
        }
    }
}
