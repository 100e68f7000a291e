//! The functions of a service, and their names. Names depend on what a schema has, not on its order.

use std::collections::{BTreeMap, HashMap, HashSet};

use apollo_compiler::Schema;
use apollo_compiler::executable::OperationType;
use apollo_compiler::schema::{Component, FieldDefinition};
use isobox_core::identifier_of;

/// The query or the mutation behind a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) kind: OperationType,
    /// The name of its field.
    pub(super) field: String,
    /// The fields that it returns by default, as a selection. None if its type has no fields.
    pub(super) selection: Option<String>,
}

/// The functions of a service.
#[derive(Debug, Default)]
pub(super) struct Functions {
    /// The functions by the names of their tools.
    pub(super) by_tool: BTreeMap<String, Function>,
    tools: HashMap<(OperationType, String), String>,
}

impl Functions {
    pub(super) fn add(&mut self, tool: String, function: Function) {
        self.tools.insert((function.kind, function.field.clone()), tool.clone());
        self.by_tool.insert(tool, function);
    }

    /// Returns the name of the tool of a field.
    pub(super) fn tool(&self, kind: OperationType, field: &str) -> Option<&str> {
        self.tools.get(&(kind, field.to_owned())).map(String::as_str)
    }
}

/// Returns the fields that are functions: queries, then mutations.
pub(super) fn fields(schema: &Schema) -> impl Iterator<Item = (OperationType, &Component<FieldDefinition>)> {
    [OperationType::Query, OperationType::Mutation].into_iter().flat_map(|kind| {
        let root = schema.root_operation(kind).and_then(|root| schema.get_object(root));
        root.into_iter().flat_map(|root| root.fields.values()).map(move |field| (kind, field))
    })
}

/// Names the tool of every field. The names are unique, and none is one of the reserved ones.
///
/// A tool has the name of its field. If that is taken, queries go before mutations, and the other tool has its kind after
/// its name: `add_mutation`.
pub(super) fn names(schema: &Schema, reserved: &[&str]) -> HashMap<(OperationType, String), String> {
    let mut wanted: Vec<(bool, usize, &str, OperationType)> = fields(schema)
        .map(|(kind, field)| {
            let name = field.name.as_str();
            (identifier_of(name) != name, usize::from(kind.is_mutation()), name, kind)
        })
        .collect();
    wanted.sort_by_key(|(is_altered, kind, name, _)| (*is_altered, *kind, *name));
    let mut taken: HashSet<String> = reserved.iter().map(|name| (*name).to_owned()).collect();
    // No tool takes a name that is the very name of another field.
    let exact: HashSet<&str> = wanted.iter().map(|(_, _, name, _)| *name).collect();
    let mut names = HashMap::new();
    // Very many long names may begin alike.
    let mut next: HashMap<String, usize> = HashMap::new();
    for (_, _, field, kind) in wanted {
        let natural = identifier_of(field);
        let suffixed = format!("{natural}_{}", kind.name());
        let is_free = |name: &String| !taken.contains(name) && (name == field || !exact.contains(name.as_str()));
        let free = [natural, suffixed.clone()].into_iter().find(is_free).unwrap_or_else(|| {
            let number = next.entry(suffixed.clone()).or_insert(2);
            loop {
                let name = format!("{suffixed}_{number}");
                *number += 1;
                if is_free(&name) {
                    break name;
                }
            }
        });
        taken.insert(free.clone());
        names.insert((kind, field.to_owned()), free);
    }
    names
}

/// Returns the other names of the tool of a field, by which rules and settings find it too: the name of the field, and its
/// identifier without the suffix that makes it unique.
pub(super) fn own_names(tool: &str, field: &str) -> Vec<String> {
    let mut own = vec![field.to_owned(), identifier_of(field)];
    own.dedup();
    own.retain(|name| name != tool);
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_keeps_the_name_of_its_field() {
        assert_eq!(own_names("count_mutation", "count"), ["count"]);
        assert_eq!(own_names("delete_", "delete"), ["delete"]);
        assert_eq!(own_names("delete__mutation", "delete"), ["delete", "delete_"]);
        assert!(own_names("list", "list").is_empty());
    }

    #[test]
    fn every_field_has_a_name_of_its_own() {
        let sdl = "type Query { list: Int add: Int query: Int add_mutation: Int delete: Int delete_: Int schema_query: Int schema: Int }
            type Mutation { add: Int remove: Int query: Int }";
        let schema = Schema::parse_and_validate(sdl, "schema").unwrap();
        let names = names(&schema, &["query", "schema"]);
        let name = |kind, field: &str| names[&(kind, field.to_owned())].as_str();
        for (kind, field, expected) in [
            (OperationType::Query, "list", "list"),
            (OperationType::Query, "add", "add"),
            (OperationType::Mutation, "add", "add_mutation_2"),
            (OperationType::Query, "add_mutation", "add_mutation"),
            (OperationType::Mutation, "remove", "remove"),
            (OperationType::Query, "query", "query_query"),
            (OperationType::Mutation, "query", "query_mutation"),
            (OperationType::Query, "delete", "delete__query"),
            (OperationType::Query, "delete_", "delete_"),
            (OperationType::Query, "schema", "schema_query_2"),
        ] {
            assert_eq!(name(kind, field), expected, "{kind} {field}");
        }
        assert_eq!(names.len(), 11);
        assert_eq!(names.values().collect::<HashSet<_>>().len(), 11);
    }

    #[test]
    fn many_long_names_that_begin_alike_are_numbered_in_one_pass() {
        let start = "n".repeat(100);
        let fields: String = (0..30_000).map(|number| format!("{start}{number}: Int ")).collect();
        let schema = Schema::parse(format!("type Query {{ {fields} }}"), "schema").unwrap();
        let names = names(&schema, &[]);
        assert_eq!(names.values().collect::<HashSet<_>>().len(), 30_000);
    }
}
