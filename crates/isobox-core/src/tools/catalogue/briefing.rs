//! Describes the sandbox and its tools to a model: the description of the tool that runs programs.
//!
//! The same catalogue gives the same bytes, so that clients can cache the tokens.

use serde_json::{Map, Value, json};

use super::lookup::{all_declarations_within, first_paragraph};
use super::{Catalogue, Namespace};
use crate::Tool;
use crate::policy::{Permission, Policy, Preview};
use crate::report::presentation::CHARACTERS_PER_TOKEN;
use crate::text::{brief, excerpt};
use crate::tools::declarations::comment_line;

/// The options for the description.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BriefingOptions {
    /// The text around the tools. `{{types}}` is replaced by the declarations or the overview, `{{example}}` by a
    /// program.
    pub template: String,
    /// The maximum number of tokens of all declarations. Above it, an overview is shown instead.
    pub declarations: usize,
    /// The maximum number of tokens of the whole text with an overview.
    pub overview: usize,
    /// The declarations of the modules that programs may import, or nothing
    /// ([`Modules::described`](crate::program::Modules::described)).
    pub modules: String,
}

impl BriefingOptions {
    setters! {
        template: impl Into<String>,
        declarations: usize,
        overview: usize,
        modules: impl Into<String>,
    }
}

impl Default for BriefingOptions {
    fn default() -> Self {
        Self { template: TEMPLATE.to_owned(), declarations: 3000, overview: 1000, modules: String::new() }
    }
}

const TEMPLATE: &str = "\
Runs a program in JavaScript or TypeScript and returns its result. One program can make many tool calls: use loops, joins and \
`Promise.all` instead of one call at a time.

Rules:
- Write the body of an async function: `await` calls, `return` a JSON value.
- `tools.<path>(input)` takes one object and gives JSON. A failed call throws; read `error.code` and `error.message`, \
and `error.status` and `error.body` of a web service.
- A result of type `unknown` is a text, or its value if the text is JSON: check it with `typeof`. With images, audio, files or links it \
is `{ content: [{ type, data, mimeType, … }] }`, with bytes as base64: return such a block to see it.
- Await every call before returning. `console.log` is captured.
- There is no network, no file system, no packages, no `eval`.
- Return only what is needed: filter and aggregate in the program, large results are cut.

{{types}}

Example:
```ts
{{example}}
```
";

/// The statement of the template about the network, and the one for programs that have `fetch`.
const NO_NETWORK: &str = "There is no network, no file system";
const ONLY_FETCH: &str =
    "The network is only reached with `fetch`, as far as the host allows it. There is no file system";

/// The statement of the template about packages, and the one for a host that offers modules.
const NO_PACKAGES: &str = "no packages,";
const ONLY_MODULES: &str = "no packages but the modules below,";

impl Catalogue {
    /// Returns the description of the tool that runs programs, for a caller with these roles.
    pub fn briefing(&self, options: &BriefingOptions, policy: &Policy, roles: &[String]) -> String {
        let tools = self.visible(policy, roles);
        let template = match self.fetch_namespace() {
            Some(_) => options.template.replacen(NO_NETWORK, ONLY_FETCH, 1),
            None => options.template.clone(),
        };
        let (template, modules) = match options.modules.as_str() {
            "" => (template, String::new()),
            modules => (
                template.replacen(NO_PACKAGES, ONLY_MODULES, 1),
                format!("\n\nModules to import or require:\n```ts\n{modules}```"),
            ),
        };
        let down = self.down_in_words(policy, roles).map(|down| format!("\n\nNote: {down}.")).unwrap_or_default();
        let fill = |types: &str, example: &str| {
            template.replace("{{example}}", example).replacen("{{types}}", &format!("{types}{down}{modules}"), 1)
        };
        if let Some(declarations) = all_declarations_within(&tools, options.declarations) {
            let notes = self.notes(&tools);
            return fill(&format!("```ts\n{declarations}```{notes}"), &direct_example(&tools));
        }
        let frame = fill("", SEARCHING_EXAMPLE).len();
        let room = options.overview.saturating_mul(CHARACTERS_PER_TOKEN).saturating_sub(frame);
        fill(&self.overview(&tools, room), SEARCHING_EXAMPLE)
    }

    /// Returns the hints and instructions of the namespaces of these tools, a line for each, with a fair share of the room.
    fn notes(&self, tools: &[(&Tool, Preview<'_>)]) -> String {
        /// The maximum number of tokens of all notes.
        const NOTES: usize = 500;
        let known = by_namespace(tools).into_iter().filter_map(|(name, _)| Some((name, self.namespaces.get(name)?)));
        let notes: Vec<(&str, String)> =
            known.map(|(name, namespace)| (name, words_of(namespace))).filter(|(_, words)| !words.is_empty()).collect();
        let mut text = String::new();
        let mut left = NOTES * CHARACTERS_PER_TOKEN;
        for (index, (name, words)) in notes.iter().enumerate() {
            let share = left / (notes.len() - index);
            let line = format!("\n- {name}: {}", comment_line(&excerpt(words, share), share + 1));
            left = left.saturating_sub(line.chars().count());
            text.push_str(&line);
        }
        if text.is_empty() { text } else { format!("\n\nNotes on the namespaces:{text}") }
    }

    /// Returns the number of tools, how to find them, and a line for each namespace, with a fair share of the room.
    fn overview(&self, tools: &[(&Tool, Preview<'_>)], room: usize) -> String {
        let namespaces = by_namespace(tools);
        let mut text = format!(
            "There are {} tools. Find them in the program: `await codemode.search(\"what it should do\")` gives `{{ results: [{{ path, \
             description, signature, requiresApproval, conditions? }}] }}`, and `await codemode.describe(path)` gives `{{ types }}` of a tool or a \
             namespace.\n\nNamespaces:",
            tools.len()
        );
        let mut left = room.saturating_sub(text.len());
        for (index, (name, members)) in namespaces.iter().enumerate() {
            let more = format!("\n… and {} more namespaces", namespaces.len() - index);
            let share = left / (namespaces.len() - index);
            let known = self.namespaces.get(*name);
            let line = format!("\n{}", namespace_line(name, members, known, share.saturating_sub(1)));
            let is_last = index + 1 == namespaces.len();
            if line.len() + if is_last { 0 } else { more.len() } > left {
                text.push_str(if more.len() <= left { &more } else { "" });
                break;
            }
            left -= line.len();
            text.push_str(&line);
        }
        text
    }
}

/// Returns the hint and the instructions of a namespace in one line, without headings.
fn words_of(namespace: &Namespace) -> String {
    let lines = namespace.hint.lines().chain(namespace.instructions.lines()).map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    lines.join(" ")
}

fn by_namespace<'a>(tools: &[(&'a Tool, Preview<'_>)]) -> Vec<(&'a str, Vec<&'a Tool>)> {
    let mut namespaces: Vec<(&str, Vec<&Tool>)> = Vec::new();
    for (tool, _) in tools {
        let name = tool.path().as_str().split('.').next().unwrap_or_default();
        match namespaces.last_mut() {
            Some((last, members)) if *last == name => members.push(tool),
            _ => namespaces.push((name, vec![tool])),
        }
    }
    namespaces
}

/// Formats `- github (120): issues and pull requests. create_issue, list_issues, …` in at most `room` bytes. The name
/// is always shown.
fn namespace_line(name: &str, tools: &[&Tool], known: Option<&Namespace>, room: usize) -> String {
    let mut line = format!("- {name} ({})", tools.len());
    let known = known.cloned().unwrap_or_default();
    let words = if known.hint.is_empty() { first_paragraph(&known.instructions) } else { known.hint.as_str() };
    let words = comment_line(&excerpt(words, 120), 121);
    let words = words.trim_end_matches(['.', ':', ' ']);
    let has_words = !words.is_empty() && line.len() + words.len() + 2 <= room;
    if has_words {
        line.push_str(": ");
        line.push_str(words);
    }
    for (index, tool) in tools.iter().enumerate() {
        let own = tool.path().as_str().strip_prefix(name).map_or("", |rest| rest.trim_start_matches('.'));
        if own.is_empty() {
            continue;
        }
        let separator = match index {
            0 if has_words => ". ",
            0 => ": ",
            _ => ", ",
        };
        let has_more = index + 1 < tools.len();
        if line.len() + separator.len() + own.len() + if has_more { 5 } else { 0 } > room {
            if index > 0 {
                line.push_str(", …");
            }
            break;
        }
        line.push_str(separator);
        line.push_str(own);
    }
    line
}

const SEARCHING_EXAMPLE: &str = "\
const { results } = await codemode.search(\"list open issues\");
return results.map((tool) => tool.signature); // then write the program that calls them";

/// Returns a program that calls a real tool.
fn direct_example(tools: &[(&Tool, Preview<'_>)]) -> String {
    let is_allowed = |preview: &Preview<'_>| preview.otherwise == Permission::Allow;
    let allowed = tools.iter().find(|(_, preview)| is_allowed(preview)).or(tools.first());
    let Some((tool, _)) = allowed else { return "return 1 + 1;".to_owned() };
    let input = tool.input_schema_text().map_or(json!({}), |schema| example_of(schema, 3));
    let input = match &input {
        Value::Object(entries) if entries.is_empty() => String::new(),
        input => brief(&literal(input), 200),
    };
    format!("const result = await tools.{}({input});\nreturn result;", tool.path())
}

/// Returns a value that fits a schema: the required parts, and examples of the schema.
fn example_of(schema: &Value, depth: usize) -> Value {
    const MAX_PROPERTIES: usize = 5;
    let given = ["const", "example", "default"].iter().find_map(|key| schema.get(*key));
    if let Some(given) = given.or_else(|| schema.get("examples")?.get(0)).or_else(|| schema.get("enum")?.get(0)) {
        return given.clone();
    }
    let kind = schema.get("type").and_then(|kind| kind.as_str().or_else(|| kind.get(0)?.as_str()));
    match kind {
        Some("string") => json!("…"),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("array") if depth > 0 => {
            schema.get("items").map_or(json!([]), |items| json!([example_of(items, depth - 1)]))
        }
        Some("array") => json!([]),
        Some("null") => Value::Null,
        _ if depth == 0 => json!({}),
        _ => {
            let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            let names = required.filter_map(Value::as_str).take(MAX_PROPERTIES);
            let property = |name: &str| {
                let schema = schema.get("properties").and_then(|properties| properties.get(name));
                (name.to_owned(), schema.map_or(json!("…"), |schema| example_of(schema, depth - 1)))
            };
            Value::Object(names.map(property).collect::<Map<_, _>>())
        }
    }
}

/// Formats a value as in a program: keys without quotes if possible.
fn literal(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| {
                let is_plain = !key.is_empty()
                    && !key.starts_with(|first: char| first.is_ascii_digit())
                    && key.chars().all(|one| one.is_ascii_alphanumeric() || one == '_' || one == '$');
                let key = if is_plain { key.clone() } else { Value::String(key.clone()).to_string() };
                format!("{key}: {}", literal(value))
            };
            format!("{{ {} }}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(path: &str) -> Tool {
        Tool::new(path, |input| async move { Ok(input) })
            .and_then(|tool| {
                tool.description("Does something.").input_schema(json!({
                    "type": "object",
                    "properties": { "city": { "type": "string" }, "days": { "type": "integer", "default": 3 } },
                    "required": ["city", "days"],
                }))
            })
            .expect("a tool")
    }

    fn catalogue(paths: impl IntoIterator<Item = String>) -> Catalogue {
        let mut builder = Catalogue::builder();
        paths.into_iter().try_for_each(|path| builder.tool(tool(&path))).expect("they are free");
        builder.build()
    }

    fn briefing(catalogue: &Catalogue, options: &BriefingOptions) -> String {
        catalogue.briefing(options, &Policy::default(), &[])
    }

    #[test]
    fn few_tools_are_declared_and_the_example_calls_one_of_them() {
        let text = briefing(&catalogue(["weather.today".to_owned()]), &BriefingOptions::default());
        assert!(text.contains("declare const tools: {"), "{text}");
        assert!(text.contains("await tools.weather.today({ city: \"…\", days: 3 });"), "{text}");
        assert!(!text.contains("codemode.search") && !text.contains("{{"), "{text}");
    }

    #[test]
    fn many_tools_are_an_overview_within_its_budget_that_is_fair_to_each_namespace() {
        let crowd = (0..2000).map(|number| format!("aaa.tool_number_{number}"));
        let others = ["bbb.first", "bbb.second", "zzz.only"].map(str::to_owned);
        let text = briefing(&catalogue(crowd.chain(others)), &BriefingOptions::default());
        assert!(text.len() <= 1000 * CHARACTERS_PER_TOKEN, "{} bytes", text.len());
        for part in [
            "There are 2003 tools",
            "- aaa (2000): tool_number_0, ",
            ", …",
            "- bbb (2): first, second",
            "- zzz (1): only",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn namespaces_that_do_not_fit_are_counted() {
        let text =
            briefing(&catalogue((0..3000).map(|number| format!("space{number:04}.tool"))), &BriefingOptions::default());
        assert!(text.len() <= 1000 * CHARACTERS_PER_TOKEN, "{} bytes", text.len());
        assert!(text.contains("more namespaces"), "{text}");
    }

    #[test]
    fn twenty_thousand_tools_stay_within_the_budget_and_are_found() {
        const MANY: usize = 20_000;
        let long = "name_of_some_length_".repeat(5);
        for (shape, path) in [
            ("one namespace", &(|number| format!("all.tool{number}")) as &dyn Fn(usize) -> String),
            ("fifty namespaces", &|number| format!("space{:02}.tool{number}", number % 50)),
            ("a namespace for each", &|number| format!("space{number}.tool")),
            ("long names", &|number| format!("{long}{:03}.{long}{number}", number % 300)),
        ] {
            let catalogue = catalogue((1..MANY).map(path).chain(["mail.send_letter".to_owned()]));
            let text = briefing(&catalogue, &BriefingOptions::default());
            assert!(text.len() <= 1000 * CHARACTERS_PER_TOKEN, "{shape}: {} bytes", text.len());
            assert!(text.contains(&format!("There are {MANY} tools")), "{shape}: {text}");
            let found = catalogue.search("send a letter", 1, &Policy::default(), &[]);
            assert_eq!(found.results[0].path, "mail.send_letter", "{shape}");
        }
    }

    #[test]
    fn programs_that_have_fetch_are_told_so() {
        assert!(TEMPLATE.contains(NO_NETWORK));
        let mut builder = Catalogue::builder();
        builder.tool(tool("web.get").behind_fetch()).expect("it is free");
        let text = briefing(&builder.build(), &BriefingOptions::default());
        assert!(text.contains(ONLY_FETCH) && !text.contains(NO_NETWORK), "{text}");
    }

    #[test]
    fn a_template_of_the_host_is_filled() {
        let options =
            BriefingOptions { template: "Mine.\n{{types}}\n--\n{{example}}".to_owned(), ..BriefingOptions::default() };
        let text = briefing(&catalogue(["a.b".to_owned()]), &options);
        assert!(text.starts_with("Mine.\n```ts\ndeclare") && text.contains("\n--\nconst result"), "{text}");
    }

    #[test]
    fn the_same_tools_give_the_same_bytes_in_whatever_order_they_came() {
        let forward = catalogue((0..50).map(|number| format!("n{}.t{number}", number % 7)));
        let backward = catalogue((0..50).rev().map(|number| format!("n{}.t{number}", number % 7)));
        let options = BriefingOptions::default();
        assert_eq!(briefing(&forward, &options), briefing(&backward, &options));
    }
}
