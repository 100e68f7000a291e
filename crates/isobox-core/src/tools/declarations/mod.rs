//! Renders tools as TypeScript declarations for a model.
//!
//! Descriptions and schemas of tools are untrusted. The output always parses, has a bounded size and is deterministic;
//! omitted parts are reported as warnings. Each phase has its file: `facets` (merges a schema with everything that it
//! refers to), `reader` (derives the type), `print`.

mod comment;
mod documentation;
mod facets;
mod identifier;
mod json_text;
mod literal;
mod namespace;
mod print;
mod reader;
mod reference;
mod report;
mod shape;
mod sketch;
mod source;

use serde_json::Value;

pub(crate) use comment::one_line as comment_line;
pub use identifier::{identifier_of, unique_identifiers};
pub(crate) use reference::{Document, Target};
pub(crate) use sketch::declare_signature_within;

use crate::ToolPath;
use namespace::{Form, Method, Namespace};
use reader::Read;
use shape::Type;

/// The maximum length of a tool's description, in characters.
const MAX_DESCRIPTION: usize = 1_000;
/// The maximum length of a note about a tool, and of the description of its result.
const MAX_NOTE: usize = 200;
/// The maximum length of a type that a host writes by hand, in bytes.
const MAX_WRITTEN: usize = 32_768;

/// TypeScript, with warnings about omitted parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The TypeScript. It always parses.
    pub text: String,
    /// Warnings for people. Each names the tool and the place in its schema.
    pub warnings: Vec<String>,
}

/// A tool as a program sees it.
#[derive(Debug, Clone, Copy)]
pub struct Signature<'a> {
    /// The path: `github.issues.list` for `tools.github.issues.list`.
    pub path: &'a ToolPath,
    /// The description. It may be any text.
    pub description: &'a str,
    /// The JSON Schema of its input.
    pub input: Option<&'a Value>,
    /// The JSON Schema of its result.
    pub output: Option<&'a Value>,
    /// The JSON Schema of results that were seen, for a tool without `output`. It is marked as observed.
    pub observed: Option<&'a Value>,
    /// The type of the function, written by the host. It replaces the type that is derived from the schemas, if it
    /// parses.
    pub types: Option<&'a str>,
    /// Further notes for the author of a program.
    pub notes: &'a [Note<'a>],
}

/// A note about a tool that is in none of its schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note<'a> {
    /// A person has to approve every call.
    NeedsApproval,
    /// The tool should no longer be used.
    Deprecated,
    /// Another note, on one line.
    Text(&'a str),
}

/// Returns the declaration of `tools` with all of these, nested by namespace and sorted by path: the same tools in any
/// order give the same bytes. Of two tools with the same path the first counts.
///
/// ```
/// use isobox_core::{Signature, ToolPath, declare_tools};
///
/// # fn main() -> Result<(), isobox_core::Failure> {
/// let (send, list): (ToolPath, ToolPath) = ("mail.send".parse()?, "mail.list".parse()?);
/// let signature = |path| Signature { path, description: "", input: None, output: None, observed: None, types: None, notes: &[] };
/// let declared = declare_tools([signature(&send), signature(&list)]);
/// assert_eq!(
///     declared.text,
///     "declare const tools: { mail: {\n  list(input?: unknown): Promise<unknown>;\n  send(input?: unknown): Promise<unknown>;\n} };\n"
/// );
/// # Ok(())
/// # }
/// ```
pub fn declare_tools<'a>(signatures: impl IntoIterator<Item = Signature<'a>>) -> Rendered {
    let mut namespace = Namespace::default();
    let mut warnings = Vec::new();
    for signature in signatures {
        let method = method_of(&signature, &mut warnings);
        if !namespace.insert(signature.path.as_str(), method) {
            warnings.push(format!("tool `{}`: there are two of this path, and the first is shown", signature.path));
        }
    }
    Rendered { text: namespace.declare(), warnings }
}

/// Returns the declaration of `tools` with only this tool.
///
/// ```
/// use isobox_core::{Note, Signature, ToolPath, declare_tool};
/// use serde_json::json;
///
/// # fn main() -> Result<(), isobox_core::Failure> {
/// let path: ToolPath = "mail.send".parse()?;
/// let input = json!({ "type": "object", "properties": { "to": { "type": "string" } }, "required": ["to"] });
/// let declared = declare_tool(&Signature {
///     path: &path,
///     description: "Sends a mail. */ It cannot end the comment.",
///     input: Some(&input),
///     output: None,
///     observed: None,
///     types: None,
///     notes: &[Note::NeedsApproval],
/// });
/// assert!(declared.text.contains("send(input: { to: string }): Promise<unknown>;"));
/// assert!(declared.text.contains("Needs approval by a person."));
/// # Ok(())
/// # }
/// ```
pub fn declare_tool(signature: &Signature<'_>) -> Rendered {
    declare_tools([*signature])
}

/// Returns the declaration of this tool in one piece, without its description: `tools.mail.send(input: { to: string }):
/// Promise<unknown>`.
pub(crate) fn declare_signature(signature: &Signature<'_>) -> String {
    let path = signature.path;
    match method_of(signature, &mut Vec::new()).form {
        Form::Generated(text) => format!("tools.{path}{text}"),
        Form::Written(text) => format!("tools.{path}: {text}"),
    }
}

/// Returns the type of the values that a JSON Schema of any draft, or of OpenAPI, describes: an expression that can
/// follow `type T =`.
///
/// References are followed inside the schema and never fetched. A circular one becomes `unknown`.
///
/// ```
/// use isobox_core::schema_to_typescript;
/// use serde_json::json;
///
/// let schema = json!({ "properties": { "id": { "type": "string" }, "state": { "enum": ["open", "closed"] } }, "required": ["id"] });
/// assert_eq!(schema_to_typescript(&schema).text, r#"{ id: string; state?: "open" | "closed" }"#);
/// ```
pub fn schema_to_typescript(schema: &Value) -> Rendered {
    let Read { kind, description, warnings, .. } = reader::read(schema, "schema");
    let mut text = String::new();
    print::print(&mut text, &kind, 0, description);
    Rendered { text, warnings }
}

fn method_of(signature: &Signature<'_>, warnings: &mut Vec<String>) -> Method {
    let mut comment = comment::lines(signature.description, MAX_DESCRIPTION);
    for note in signature.notes {
        match note {
            Note::NeedsApproval => comment.push("Needs approval by a person.".to_owned()),
            Note::Deprecated => comment.push("@deprecated".to_owned()),
            Note::Text(text) => comment.push(comment::one_line(text, MAX_NOTE)),
        }
    }
    comment.retain(|line| !line.is_empty());
    if let Some(types) = signature.types {
        let types = types.trim();
        if is_contained(types) {
            return Method { comment, form: Form::Written(types.to_owned()) };
        }
        warnings.push(format!("tool `{}`: the type written for it is not one type, and is not used", signature.path));
    }
    let mut text = "(".to_owned();
    let mut read = |schema, place| {
        let read = reader::read(schema, place);
        warnings.extend(read.warnings.iter().map(|warning| format!("tool `{}`: {warning}", signature.path)));
        read
    };
    match signature.input.map(|schema| (schema, read(schema, "input"))) {
        None => text.push_str("input?: unknown"),
        Some((schema, read)) if takes_nothing(schema, &read.kind) => {}
        Some((_, read)) => {
            text.push_str(if read.kind.is_satisfied_by_nothing() { "input?: " } else { "input: " });
            print::print(&mut text, &read.kind, 1, read.description);
        }
    }
    if let Some(page) = page_of(signature) {
        let Read { kind, description, warnings: more, .. } = reader::read(&page, "output");
        warnings.extend(more.iter().map(|warning| format!("tool `{}`: {warning}", signature.path)));
        let mut head = "<Page = ".to_owned();
        print::print(&mut head, &kind, 1, description);
        comment.push("Can be iterated over: `for await (const page of …)`.".to_owned());
        let text = format!(
            "{head}>{text}): Promise<{{ pages: Page[]; next: Record<string, unknown> | null }}> & AsyncIterable<Page>"
        );
        return Method { comment, form: Form::Generated(text) };
    }
    text.push_str("): Promise<");
    let observed = signature.observed.filter(|_| signature.output.is_none());
    match signature.output.or(observed).map(|schema| read(schema, "output")) {
        None => text.push_str("unknown"),
        Some(read) => {
            text.push_str(if observed.is_some() { "/* observed */ " } else { "" });
            let description = comment::one_line(read.documentation.description, MAX_NOTE);
            if !description.is_empty() {
                comment.push(format!("@returns {description}"));
            }
            print::print(&mut text, &read.kind, 1, read.description);
        }
    }
    text.push('>');
    Method { comment, form: Form::Generated(text) }
}

/// Returns the schema of a page, if a program can iterate over what the tool returns: the last part of its path is
/// `pages`, and its result is `{ pages: […], next }`, where `next` is the input for the following pages or null.
fn page_of(signature: &Signature<'_>) -> Option<Value> {
    let output = signature.output.filter(|_| signature.path.as_str().ends_with(".pages"))?;
    let required = output.get("required")?.as_array()?;
    let pages = output.pointer("/properties/pages")?;
    let is_paged =
        pages.get("type")? == "array" && ["pages", "next"].iter().all(|key| required.iter().any(|one| one == key));
    let mut page = pages.get("items").filter(|_| is_paged)?.clone();
    if let (Some(page), Some(definitions)) = (page.as_object_mut(), output.get("$defs")) {
        page.insert("$defs".to_owned(), definitions.clone());
    }
    Some(page)
}

/// Tells whether an input is an object without properties, rather than one with any.
fn takes_nothing(schema: &Value, kind: &Type<'_>) -> bool {
    let Type::Record { values, .. } = kind else { return false };
    let has_none = schema.get("properties").and_then(Value::as_object).is_some_and(|properties| properties.is_empty());
    match **values {
        Type::Never => true,
        Type::Unknown => has_none && schema.get("additionalProperties").is_none(),
        _ => false,
    }
}

/// Tells whether a type that the host wrote cannot reach beyond its place: its brackets and quotes are balanced, and
/// nothing in it ends a declaration or starts a comment. The host has to ensure that it is a type.
fn is_contained(text: &str) -> bool {
    if text.is_empty() || text.len() > MAX_WRITTEN || text.starts_with("=>") {
        return false;
    }
    let mut open = Vec::new();
    let mut characters = text.chars().peekable();
    let mut before = ' ';
    while let Some(character) = characters.next() {
        match character {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            '<' => open.push('>'),
            '>' if before == '=' => {}
            ')' | ']' | '}' | '>' if open.pop() != Some(character) => return false,
            ')' | ']' | '}' | '>' => {}
            '"' | '\'' => loop {
                match characters.next() {
                    Some('\\') => drop(characters.next()),
                    Some(next) if next == character => break,
                    Some('\n' | '\r') | None => return false,
                    Some(_) => {}
                }
            },
            // Templates may contain anything, and are not needed in a signature.
            '`' | '@' | '#' | '\\' => return false,
            '/' if matches!(characters.peek(), Some('/' | '*')) => return false,
            ';' | ',' if open.is_empty() => return false,
            other if other.is_control() && !matches!(other, '\n' | '\r' | '\t') => return false,
            _ => {}
        }
        before = character;
    }
    open.is_empty()
}
