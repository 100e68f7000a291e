//! Collects the list of tools or prompts of a server from its pages.

use std::collections::HashSet;
use std::io;

use isobox_core::{ByteSize, OfferedTool, ToolHints};
use serde_json::{Map, Value};

use super::complaint::clean;
use super::functions::{offered_prompt, offered_task, offered_tool, own_name};
use super::reply::declare_blocks;

/// The tools or prompts collected so far.
#[derive(Debug)]
pub(super) struct Listing {
    kind: Kind,
    bounds: Bounds,
    tools: Vec<OfferedTool>,
    names: HashSet<String>,
    cursors: HashSet<String>,
    pages: usize,
    bytes: usize,
    warnings: Warnings,
}

/// The kind of a list: the key of its entries, the word for one, and the conversion of one.
#[derive(Debug, Clone, Copy)]
struct Kind {
    many: &'static str,
    one: &'static str,
    convert: fn(Value) -> Result<OfferedTool, String>,
}

const TOOLS: Kind = Kind { many: "tools", one: "tool", convert: offered };
const PROMPTS: Kind = Kind { many: "prompts", one: "prompt", convert: offered_prompt };

/// The warnings about entries that are left out.
#[derive(Debug, Default)]
struct Warnings {
    shown: Vec<String>,
    more: usize,
}

/// The maximum number of warnings. Further ones are counted.
const MAX_WARNINGS: usize = 20;

/// The limits of a list.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    pages: usize,
    tools: usize,
    bytes: ByteSize,
}

/// The maximum length of a tool name and of a page cursor, in bytes. Both are sent back to the server.
const MAX_NAME: usize = 1_000;
const MAX_CURSOR: usize = 10_000;
const BOUNDS: Bounds = Bounds { pages: 1_000, tools: 20_000, bytes: ByteSize::mib(64) };
const PROMPT_BOUNDS: Bounds = Bounds { pages: 200, tools: 2_000, bytes: ByteSize::mib(8) };

impl Listing {
    pub(super) fn new() -> Self {
        Self::within(TOOLS, BOUNDS)
    }

    /// Creates a listing of prompts.
    pub(super) fn of_prompts() -> Self {
        Self::within(PROMPTS, PROMPT_BOUNDS)
    }

    fn within(kind: Kind, bounds: Bounds) -> Self {
        Self {
            kind,
            bounds,
            tools: Vec::new(),
            names: HashSet::new(),
            cursors: HashSet::new(),
            pages: 0,
            bytes: 0,
            warnings: Warnings::default(),
        }
    }

    /// Adds a page and returns the cursor of the next page, if it is needed. Returns an error if the value is not a
    /// page.
    ///
    /// Leaves out entries that cannot be called, with a warning: those without a name, with a name that is too long, or
    /// with the name of another one. If the list is too long, leaves out the rest.
    pub(super) fn add(&mut self, mut page: Value) -> Result<Option<String>, String> {
        let Bounds { pages, tools: most, bytes } = self.bounds;
        let Kind { many, one, convert } = self.kind;
        self.bytes = self.bytes.saturating_add(size(&page));
        if !bytes.holds(self.bytes) {
            return Ok(self.cut(&format!("it lists more than {bytes} of {many}")));
        }
        let Some(Value::Array(entries)) = page.get_mut(many).map(Value::take) else {
            return Err(format!("answered `{many}/list` with something that is not a list of {many}"));
        };
        for entry in entries {
            match convert(entry) {
                Ok(tool) if self.names.contains(own_name(&tool.name)) => {
                    let name = clean(own_name(&tool.name));
                    self.warnings
                        .add(format!("a second {one} with the name `{name}` is left out: it could not be called"));
                }
                Ok(_) if self.tools.len() == most => return Ok(self.cut(&format!("it lists more than {most} {many}"))),
                Ok(tool) => {
                    self.names.insert(own_name(&tool.name).to_owned());
                    self.tools.push(tool);
                }
                Err(reason) => self.warnings.add(reason),
            }
        }
        let Some(cursor) = page.get("nextCursor").and_then(Value::as_str) else { return Ok(None) };
        self.pages += 1;
        if self.pages >= pages {
            return Ok(self.cut(&format!("it lists its {many} on more than {pages} pages")));
        }
        if cursor.len() > MAX_CURSOR {
            return Ok(self.cut("the cursor of its next page is too long"));
        }
        if !self.cursors.insert(cursor.to_owned()) {
            return Ok(self.cut(&format!("it lists the same page of {many} again and again")));
        }
        Ok(Some(cursor.to_owned()))
    }

    /// Stops the listing for the given reason.
    pub(super) fn cut(&mut self, reason: &str) -> Option<String> {
        let count = self.tools.len();
        self.warnings.shown.insert(0, format!("{reason}; the first {count} are used"));
        None
    }

    /// Tells whether no page has arrived yet.
    pub(super) fn is_empty(&self) -> bool {
        self.pages == 0
    }

    /// Returns the tools or prompts and the warnings.
    pub(super) fn into_parts(self) -> (Vec<OfferedTool>, Vec<String>) {
        let Warnings { mut shown, more } = self.warnings;
        if more > 0 {
            shown.push(format!("{more} more {} are left out", self.kind.many));
        }
        (self.tools, shown)
    }
}

impl Warnings {
    fn add(&mut self, warning: String) {
        if self.shown.len() < MAX_WARNINGS {
            self.shown.push(warning);
        } else {
            self.more += 1;
        }
    }
}

/// Converts a tool, or returns why it is left out.
fn offered(tool: Value) -> Result<OfferedTool, String> {
    let Value::Object(mut tool) = tool else { return Err("an entry that is not a tool is left out".to_owned()) };
    let Some(name) = text(&tool, "name").filter(|name| !name.is_empty()) else {
        return Err("a tool without a name is left out: it could not be called".to_owned());
    };
    if name.len() > MAX_NAME {
        return Err(format!("a tool whose name has {} bytes is left out: `{}`", name.len(), clean(&name)));
    }
    let support = tool.get("execution").and_then(|execution| execution.get("taskSupport")).and_then(Value::as_str);
    let is_task = support == Some("required");
    let no_annotations = Map::new();
    let annotations = tool.get("annotations").and_then(Value::as_object).unwrap_or(&no_annotations);
    let said = |hint: &str| annotations.get(hint).and_then(Value::as_bool);
    let hints = ToolHints::default()
        .read_only(said("readOnlyHint"))
        .destructive(said("destructiveHint"))
        .idempotent(said("idempotentHint"))
        .open_world(said("openWorldHint"));
    let titles = [text(&tool, "title"), text(annotations, "title")];
    let title = titles.iter().flatten().find(|text| !text.trim().is_empty()).cloned().unwrap_or_default();
    let description = text(&tool, "description").filter(|text| !text.trim().is_empty());
    let description = description.unwrap_or_else(|| title.clone());
    let mut schema = |key| tool.remove(key).filter(|schema| !schema.is_null());
    let offered = if is_task { offered_task(&name) } else { offered_tool(&name) };
    Ok(offered
        .title(title)
        .description(description)
        .input_schema(schema("inputSchema"))
        .output_schema(schema("outputSchema").map(declare_blocks))
        .hints(hints))
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
              "annotations": { "readOnlyHint": true, "destructiveHint": false, "idempotentHint": "yes",
              "openWorldHint": true } },
            { "name": "odd name", "title": "Odd", "inputSchema": true, "outputSchema": null, "annotations": 7 },
            { "name": "titled", "description": " ", "annotations": { "title": "Titled" } },
        ] });
        assert_eq!(listing.add(page), Ok(None));
        let hints = ToolHints::default().read_only(true).destructive(false).open_world(true);
        let expected = [
            OfferedTool::new("a.b")
                .title(String::new())
                .description("A")
                .input_schema(json!({ "type": "object" }))
                .output_schema(json!({ "type": "array" }))
                .hints(hints),
            OfferedTool::new("odd name").title("Odd").description("Odd").input_schema(json!(true)),
            OfferedTool::new("titled").title("Titled").description("Titled"),
        ];
        assert_eq!(listing.into_parts(), (expected.to_vec(), Vec::new()));
    }

    #[test]
    fn a_tool_that_could_not_be_called_is_left_out_with_a_warning() {
        let mut listing = Listing::new();
        let page = json!({ "tools": [
            { "name": "a", "description": "first" }, { "name": "a", "description": "second" }, { "name": "" },
            { "name": "n".repeat(100_000) }, {}, null,
            { "name": "a", "execution": { "taskSupport": "required" } },
        ] });
        assert_eq!(listing.add(page), Ok(None));
        let (tools, warnings) = listing.into_parts();
        assert_eq!(tools.len(), 1);
        assert_eq!(tools[0].description, "first");
        let expected = [
            "a second tool with the name `a` is left out: it could not be called",
            "a tool without a name is left out: it could not be called",
            &format!("a tool whose name has 100000 bytes is left out: `{}…`", "n".repeat(200)),
            "a tool without a name is left out: it could not be called",
            "an entry that is not a tool is left out",
            "a second tool with the name `a` is left out: it could not be called",
        ];
        assert_eq!(warnings, expected);
    }

    #[test]
    fn of_many_warnings_the_first_are_worded_and_the_others_counted() {
        let mut listing = Listing::new();
        assert_eq!(listing.add(json!({ "tools": vec![Value::Null; 10_000] })), Ok(None));
        let (_, warnings) = listing.into_parts();
        assert_eq!(warnings.len(), MAX_WARNINGS + 1);
        assert_eq!(warnings[MAX_WARNINGS], "9980 more tools are left out");
    }

    #[test]
    fn a_list_without_end_is_cut_with_a_warning() {
        fn cut(pages: impl IntoIterator<Item = Value>) -> (usize, Vec<String>) {
            let mut listing = Listing::within(TOOLS, SMALL);
            let mut pages = pages.into_iter();
            while listing.add(pages.next().expect("it is cut before")) != Ok(None) {}
            let (tools, warnings) = listing.into_parts();
            (tools.len(), warnings)
        }
        let page =
            |number: usize| json!({ "tools": [{ "name": number.to_string() }], "nextCursor": number.to_string() });
        let expected = "it lists its tools on more than 3 pages; the first 3 are used";
        assert_eq!(cut((0..).map(page)), (3, vec![expected.to_owned()]));

        let expected = "it lists the same page of tools again and again; the first 1 are used";
        let (count, warnings) = cut((0..).map(|_| page(1)));
        assert_eq!((count, warnings[0].as_str()), (1, expected));

        let tools: Vec<Value> = (0..5).map(|number| json!({ "name": number.to_string() })).collect();
        let expected = "it lists more than 4 tools; the first 4 are used";
        assert_eq!(cut([json!({ "tools": tools, "nextCursor": "1" })]), (4, vec![expected.to_owned()]));

        let large = json!({ "tools": [{ "name": "b", "description": "x".repeat(1_000) }] });
        let expected = "it lists more than 1000 bytes of tools; the first 1 are used";
        assert_eq!(cut([page(1), large]), (1, vec![expected.to_owned()]));

        let endless = json!({ "tools": [], "nextCursor": "x".repeat(100_000) });
        let mut listing = Listing::new();
        assert_eq!(listing.add(endless), Ok(None));
        assert_eq!(listing.into_parts().1, ["the cursor of its next page is too long; the first 0 are used"]);
    }

    #[test]
    fn prompts_are_listed_as_tools_are() {
        let mut listing = Listing::of_prompts();
        let page = json!({ "prompts": [{ "name": "a" }, { "name": "a" }, { "name": "b" }, null] });
        assert_eq!(listing.add(page), Ok(None));
        let (prompts, warnings) = listing.into_parts();
        let paths: Vec<_> = prompts.iter().map(|prompt| prompt.path.as_deref()).collect();
        assert_eq!(paths, [Some("prompts.a"), Some("prompts.b")]);
        let expected = [
            "a second prompt with the name `a` is left out: it could not be called",
            "an entry that is not a prompt is left out",
        ];
        assert_eq!(warnings, expected);
        let many: Vec<Value> = (0..3_000).map(|number| json!({ "name": number.to_string() })).collect();
        let mut listing = Listing::of_prompts();
        assert_eq!(listing.add(json!({ "prompts": many, "nextCursor": "1" })), Ok(None));
        assert_eq!(listing.into_parts().1, ["it lists more than 2000 prompts; the first 2000 are used"]);
        let refused = Listing::of_prompts().add(json!({ "tools": [] })).unwrap_err();
        assert_eq!(refused, "answered `prompts/list` with something that is not a list of prompts");
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for page in [json!({}), json!(null), json!({ "tools": {} }), json!([])] {
            assert!(Listing::new().add(page).unwrap_err().contains("not a list of tools"));
        }
    }
}
