//! Makes the documents that are sent: those of functions, and those of programs once they are checked. Decisions only; no
//! I/O.
//!
//! What is sent is written anew from what was checked, so that the service cannot read it in another way. Values are
//! variables, never a part of the text.

mod merging;

use apollo_compiler::ast::{self, Definition};
use apollo_compiler::executable::{
    ExecutableDocument, Operation, OperationMap, OperationType, Selection, SelectionSet,
};
use apollo_compiler::parser::Parser;
use apollo_compiler::request::coerce_variable_values;
use apollo_compiler::response::JsonMap;
use apollo_compiler::validation::{DiagnosticList, Valid};
use apollo_compiler::{Name, Node, Schema};
use isobox_core::brief;
use serde_json::{Map, Value};

use super::functions::{Function, Functions};
use super::general_tools::{SCHEMA, SELECT};
use super::roots::{MAX_CALLS, Touched, touched};
use super::schema::described;
use super::values::{Room, arguments};

/// A request to a service.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    pub(super) query: String,
    pub(super) variables: Map<String, Value>,
    pub(super) operation_name: Option<String>,
    pub(super) kind: OperationType,
}

/// A document of a program that was checked.
#[derive(Debug, PartialEq)]
pub(super) struct Checked {
    pub(super) request: Request,
    /// The calls of tools that it amounts to. There is always one.
    pub(super) calls: Vec<(String, Value)>,
}

/// The maximum number of tokens of a document, and its maximum nesting.
const MAX_TOKENS: usize = 10_000;
const MAX_NESTING: usize = 50;

/// Makes the request of a function. Returns why the input is refused.
pub(super) fn of_function(
    schema: &Valid<Schema>,
    function: &Function,
    mut input: Map<String, Value>,
) -> Result<Request, String> {
    let gone = || "the schema no longer has this function; run the program again".to_owned();
    let root = schema.root_operation(function.kind).ok_or_else(gone)?;
    let definition = schema.type_field(root, &function.field).map_err(|_| gone())?;
    let selection_set = match (input.shift_remove(SELECT), &function.selection) {
        (None | Some(Value::Null), None) => Vec::new(),
        (None | Some(Value::Null), Some(usual)) => selections(usual)?,
        (Some(Value::String(text)), Some(_)) => selections(&text)?,
        (Some(Value::String(_)), None) => return Err(format!("there is nothing to select: leave `{SELECT}` out")),
        (Some(_), _) => return Err(format!("`{SELECT}` has to be a text, such as `id name`")),
    };
    let (mut variables, mut given) = (Vec::new(), Vec::new());
    for name in input.keys() {
        let argument = definition.argument_by_name(name);
        let argument = argument.ok_or_else(|| format!("there is no argument `{}`", brief(name, 80)))?;
        let name = argument.name.clone();
        variables.push(Node::new(ast::VariableDefinition {
            name: name.clone(),
            ty: argument.ty.clone(),
            default_value: None,
            directives: ast::DirectiveList::new(),
        }));
        given.push(Node::new(ast::Argument { value: Node::new(ast::Value::Variable(name.clone())), name }));
    }
    let field = ast::Field {
        alias: None,
        name: definition.name.clone(),
        arguments: given,
        directives: ast::DirectiveList::new(),
        selection_set,
    };
    let operation = ast::OperationDefinition {
        operation_type: function.kind,
        name: None,
        variables,
        directives: ast::DirectiveList::new(),
        selection_set: vec![ast::Selection::Field(Node::new(field))],
    };
    let mut document = ast::Document::new();
    document.definitions.push(Definition::OperationDefinition(Node::new(operation)));
    if merging::is_too_much(schema, &document) {
        return Err(format!("`{SELECT}` selects the same fields in too many ways; select them once"));
    }
    let wrong = |errors: &DiagnosticList| format!("`{SELECT}` does not fit the schema: {}", described(errors));
    let document = document.to_executable_validate(schema).map_err(|refused| wrong(&refused.errors))?;
    let operation = document.operations.get(None).map_err(|_| gone())?;
    let Touched { functions, is_introspection, .. } = touched(schema, &document, operation);
    if functions.len() > 1 || is_introspection {
        return Err(format!("`{SELECT}` leads to other functions of the service; call them, or use `query`"));
    }
    refuse_misleading_aliases(schema, &operation.selection_set)?;
    Ok(Request { query: document.to_string(), variables: input, operation_name: None, kind: function.kind })
}

/// Parses a selection, with or without braces around it.
fn selections(text: &str) -> Result<Vec<ast::Selection>, String> {
    let wrong =
        |why: &str| format!("`{SELECT}` has to be a selection of GraphQL, such as `id name brand {{ name }}`: {why}");
    // The line break ends a comment.
    let braced = if text.trim_start().starts_with('{') { text.to_owned() } else { format!("{{{text}\n}}") };
    let document = parser().parse_ast(braced, SELECT).map_err(|refused| wrong(&described(&refused.errors)))?;
    match &document.definitions[..] {
        [Definition::OperationDefinition(only)]
            if only.name.is_none()
                && only.operation_type == OperationType::Query
                && only.variables.is_empty()
                && only.directives.is_empty() =>
        {
            Ok(only.selection_set.clone())
        }
        _ => Err(wrong("it is more than that")),
    }
}

/// Refuses aliases that are the names of other fields: the declared type of a result would be wrong.
fn refuse_misleading_aliases(schema: &Schema, set: &SelectionSet) -> Result<(), String> {
    let mut sets = vec![set];
    while let Some(set) = sets.pop() {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => {
                    let other = field.alias.as_ref().filter(|alias| **alias != field.name);
                    if let Some(alias) = other.filter(|alias| schema.type_field(&set.ty, alias).is_ok()) {
                        let name = &field.name;
                        return Err(format!("`{alias}: {name}` has the name of another field; choose another alias"));
                    }
                    sets.push(&field.selection_set);
                }
                Selection::InlineFragment(fragment) => sets.push(&fragment.selection_set),
                // A selection has no definitions of fragments, so that none can be spread.
                Selection::FragmentSpread(_) => {}
            }
        }
    }
    Ok(())
}

/// Checks a document of a program against the schema. Returns why it is refused.
pub(super) fn checked(
    schema: &Valid<Schema>,
    functions: &Functions,
    input: &Map<String, Value>,
) -> Result<Checked, String> {
    let text = input.get("query").and_then(Value::as_str).ok_or("`query` has to be a text")?;
    let wrong = |errors: &DiagnosticList| format!("`query` does not fit the schema: {}", described(errors));
    let document = parser().parse_ast(text, "query").map_err(|refused| wrong(&refused.errors))?;
    if merging::is_too_much(schema, &document) {
        return Err("`query` selects the same fields in too many ways; use several documents".to_owned());
    }
    let document = document.to_executable_validate(schema).map_err(|refused| wrong(&refused.errors))?;
    let name = match input.get("operationName") {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) => Some(name.as_str()),
        Some(_) => return Err("`operationName` has to be a text".to_owned()),
    };
    let chosen = document.operations.get(name);
    let operation = chosen.map_err(|_| match name {
        Some(name) => format!("`query` has no operation `{}`", brief(name, 80)),
        None => "`query` has several operations: name one with `operationName`".to_owned(),
    })?;
    if operation.is_subscription() {
        return Err("subscriptions are not supported".to_owned());
    }
    let variables = variables(schema, operation, input.get("variables"))?;
    let touched = touched(schema, &document, operation);
    let calls = calls(schema, functions, &touched, &variables)?;
    let mut sent = ExecutableDocument::new();
    sent.operations = OperationMap::from_one(operation.clone());
    let is_used = |(name, _): &(&Name, _)| touched.fragments.contains(*name);
    sent.fragments = document.fragments.iter().filter(is_used).map(|(name, one)| (name.clone(), one.clone())).collect();
    let request = Request {
        query: sent.to_string(),
        variables,
        operation_name: operation.name.as_ref().map(ToString::to_string),
        kind: operation.operation_type,
    };
    Ok(Checked { request, calls })
}

/// Returns the values of the variables of an operation. Others are dropped.
fn variables(
    schema: &Valid<Schema>,
    operation: &Operation,
    given: Option<&Value>,
) -> Result<Map<String, Value>, String> {
    let given = match given {
        None | Some(Value::Null) => JsonMap::new(),
        Some(given) => serde_json::from_value(given.clone()).map_err(|_| "`variables` has to be an object")?,
    };
    let coerced = coerce_variable_values(schema, operation, &given)
        .map_err(|error| format!("`variables` do not fit: {}", brief(&error.message().to_string(), 300)))?;
    match serde_json::to_value(coerced.into_inner()) {
        Ok(Value::Object(variables)) => Ok(variables),
        Ok(_) | Err(_) => Err("`variables` cannot be sent".to_owned()),
    }
}

/// Returns the calls of tools that a document amounts to.
fn calls(
    schema: &Schema,
    functions: &Functions,
    touched: &Touched<'_>,
    variables: &Map<String, Value>,
) -> Result<Vec<(String, Value)>, String> {
    if touched.functions.len() > MAX_CALLS {
        return Err(format!("`query` calls more than {MAX_CALLS} functions; use several documents"));
    }
    let (mut calls, mut room) = (Vec::new(), Room::for_uses_of(variables));
    for (kind, field) in &touched.functions {
        let tool = functions.tool(*kind, &field.name);
        let tool =
            tool.ok_or_else(|| format!("`query` leads to the {kind} `{}`, which is not supported", field.name))?;
        calls.push((tool.to_owned(), Value::Object(arguments(schema, field, variables, &mut room)?)));
    }
    if touched.is_introspection || calls.is_empty() {
        calls.push((SCHEMA.to_owned(), Value::Object(Map::new())));
    }
    Ok(calls)
}

fn parser() -> Parser {
    Parser::new().token_limit(MAX_TOKENS).recursion_limit(MAX_NESTING)
}

#[cfg(test)]
mod tests;
