//! Makes the tools of a service from its schema. Decisions only; no I/O.

use apollo_compiler::Schema;
use apollo_compiler::executable::OperationType;
use apollo_compiler::schema::{ExtendedType, FieldDefinition};
use isobox_core::{Offer, OfferedTool, ToolHints, brief};
use serde_json::{Map, json};

use super::functions::{Function, Functions, fields, names, own_names};
use super::general_tools::{QUERY, SCHEMA, SELECT, query_tool, schema_tool};
use super::input::{description, of_arguments};
use super::selection::{Chooser, Chosen};
use crate::service::Room;

/// The maximum length of a description, in characters.
const MAX_DESCRIPTION: usize = 4_000;
/// The maximum number of functions.
const MAX_FUNCTIONS: usize = 20_000;
/// The maximum length of the overview of a schema, in bytes.
const MAX_OVERVIEW: usize = 100_000;

/// Makes the tools of a service, and the functions behind them.
pub(super) fn offer(schema: &Schema) -> (Offer, Functions) {
    let mut names = names(schema, &[QUERY, SCHEMA]);
    let mut room = Room::for_schemas(names.len().saturating_mul(2));
    let chooser = Chooser::new(schema);
    let (mut tools, mut functions) = (Vec::new(), Functions::default());
    for (kind, field) in fields(schema).take(MAX_FUNCTIONS) {
        let Some(name) = names.remove(&(kind, field.name.to_string())) else { continue };
        let Chosen { selection, output, parts } = chooser.choose(field);
        let share = room.next();
        let output = (parts <= share).then_some(output);
        room.spend(parts.min(share));
        let mut more = Map::new();
        if selection.is_some() {
            let ty = field.ty.inner_named_type();
            let text = format!(
                "A GraphQL selection on `{ty}` instead of the usual fields, such as `id name`. The result has these fields."
            );
            more.insert(SELECT.to_owned(), json!({ "type": "string", "description": text }));
        }
        let (input, parts) = of_arguments(schema, field, more, room.next());
        room.spend(parts);
        let about = description(field.description.as_deref(), &field.directives, MAX_DESCRIPTION);
        let separator = if about.is_empty() { "" } else { "\n\n" };
        tools.push(
            OfferedTool::new(&name)
                .own_names(own_names(&name, field.name.as_str()))
                .path(name.clone())
                .description(format!("{about}{separator}{}", brief(&signature(kind, field), 500)))
                .input_schema(input)
                .output_schema(output)
                .is_output_unchecked(true)
                .hints(hints(kind)),
        );
        functions.add(name, Function { kind, field: field.name.to_string(), selection });
    }
    tools.extend([query_tool(), schema_tool()]);
    let mut offer = Offer::default().tools(tools);
    if !names.is_empty() {
        offer = offer.warnings(vec![format!("{} functions after the first {MAX_FUNCTIONS} are left out", names.len())]);
    }
    (offer, functions)
}

/// Returns what the kind of an operation says about effects.
fn hints(kind: OperationType) -> ToolHints {
    ToolHints::default().read_only(kind.is_query()).idempotent(kind.is_query()).open_world(true)
}

/// Returns the SDL of a type, or an overview of all functions.
pub(super) fn shown(schema: &Schema, ty: Option<&str>) -> Result<String, String> {
    if let Some(name) = ty {
        return match schema.types.get(name) {
            Some(ExtendedType::Scalar(one)) => Ok(one.to_string()),
            Some(ExtendedType::Object(one)) => Ok(one.to_string()),
            Some(ExtendedType::Interface(one)) => Ok(one.to_string()),
            Some(ExtendedType::Union(one)) => Ok(one.to_string()),
            Some(ExtendedType::Enum(one)) => Ok(one.to_string()),
            Some(ExtendedType::InputObject(one)) => Ok(one.to_string()),
            None => Err(format!("the schema has no type `{}`", brief(name, 80))),
        };
    }
    let mut overview = String::new();
    let all: Vec<String> = fields(schema).map(|(kind, field)| signature(kind, field)).collect();
    for (index, line) in all.iter().enumerate() {
        if overview.len() + line.len() > MAX_OVERVIEW {
            overview.push_str(&format!("# and {} more: search for them\n", all.len() - index));
            break;
        }
        overview.push_str(line);
        overview.push('\n');
    }
    Ok(overview)
}

fn signature(kind: OperationType, field: &FieldDefinition) -> String {
    let arguments: Vec<String> = field.arguments.iter().map(|one| format!("{}: {}", one.name, one.ty)).collect();
    let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
    format!("{kind} {}{arguments}: {}", field.name, field.ty)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const SDL: &str = r#"
        type Query { "Lists products." products(first: Int): [Product!]! count: Int! @deprecated(reason: "use `products`") }
        type Mutation { add(name: String!): Product count: Int }
        type Product { id: ID! name: String }"#;

    fn offered() -> (Schema, Vec<OfferedTool>, Functions) {
        let schema = Schema::parse_and_validate(SDL, "schema").unwrap();
        let (offer, functions) = offer(&schema);
        (schema.into_inner(), offer.tools, functions)
    }

    #[test]
    fn every_query_and_mutation_is_a_tool() {
        let (_, tools, functions) = offered();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["products", "count", "add", "count_mutation", "query", "schema"]);
        let read_only: Vec<Option<bool>> = tools.iter().map(|tool| tool.hints.read_only).collect();
        assert_eq!(read_only, [Some(true), Some(true), Some(false), Some(false), None, Some(true)]);
        assert_eq!(tools[0].description, "Lists products.\n\nquery products(first: Int): [Product!]!");
        assert_eq!(tools[1].description, "Deprecated: use `products`\n\nquery count: Int!");
        let properties = |tool: &OfferedTool| tool.input_schema.as_ref().unwrap()["properties"].clone();
        assert_eq!(properties(&tools[0])["$select"]["type"], "string");
        assert_eq!(properties(&tools[1]), Value::Object(Map::new()));
        assert_eq!(tools[1].output_schema, Some(json!({ "type": "integer" })));
        assert_eq!(functions.by_tool["add"].selection.as_deref(), Some("id name"));
        assert_eq!(functions.tool(OperationType::Mutation, "count"), Some("count_mutation"));
        assert_eq!(tools[3].own_names, ["count"]);
        assert!(tools[..3].iter().all(|tool| tool.own_names.is_empty()));
    }

    #[test]
    fn the_schema_is_shown_in_parts() {
        let (schema, ..) = offered();
        assert_eq!(shown(&schema, Some("Product")).unwrap().trim(), "type Product {\n  id: ID!\n  name: String\n}");
        assert!(shown(&schema, None).unwrap().contains("mutation add(name: String!): Product\n"));
        assert_eq!(shown(&schema, Some("X")), Err("the schema has no type `X`".to_owned()));
    }

    #[test]
    fn the_schemas_of_many_tools_are_bounded_together() {
        let wide: String = (0..50).map(|n| format!("f{n}: Int ")).collect();
        let queries: String = (0..3_000).map(|n| format!("q{n}(in: I{}): Wide ", n % 100)).collect();
        let inputs: String = (0..100).map(|n| format!("input I{n} {{ {wide} next: I{} }} ", (n + 1) % 100)).collect();
        let schema =
            Schema::parse_and_validate(format!("type Query {{ {queries} }} type Wide {{ {wide} }} {inputs}"), "x")
                .unwrap();
        let tools = offer(&schema).0.tools;
        assert_eq!(tools.len(), 3_002);
        let size: usize =
            tools.iter().map(|tool| json!([tool.input_schema, tool.output_schema]).to_string().len()).sum();
        assert!(size < 6_000_000, "{size}");
        let queries: String = (0..MAX_FUNCTIONS + 7).map(|n| format!("q{n}:Int ")).collect();
        let schema = Schema::parse_and_validate(format!("type Query {{ {queries} }}"), "x").unwrap();
        let (offer, functions) = offer(&schema);
        assert_eq!((offer.tools.len(), functions.by_tool.len()), (MAX_FUNCTIONS + 2, MAX_FUNCTIONS));
        assert_eq!(offer.warnings, ["7 functions after the first 20000 are left out"]);
    }
}
