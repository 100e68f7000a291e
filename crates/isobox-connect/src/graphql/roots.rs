//! Knows which fields of a schema are functions: those of its root types, also where another field leads to them.

use std::collections::{HashMap, HashSet};

use apollo_compiler::executable::{ExecutableDocument, Field, Operation, OperationType, Selection, SelectionSet};
use apollo_compiler::{Name, Node, Schema};

/// The fields of a document that are functions.
#[derive(Debug)]
pub(super) struct Touched<'d> {
    /// The functions, each as often as it is called, but no more than [`MAX_CALLS`] and one.
    pub(super) functions: Vec<Called<'d>>,
    /// Whether the document reads the schema itself.
    pub(super) is_introspection: bool,
    /// The named fragments that are used.
    pub(super) fragments: HashSet<&'d Name>,
}

/// A function that a document calls.
type Called<'d> = (OperationType, &'d Node<Field>);

/// The maximum number of functions that a document may call.
pub(super) const MAX_CALLS: usize = 50;

/// Returns everything that an operation touches. Conditions of `@skip` and `@include` do not matter: what may be executed
/// is touched.
///
/// Payloads often lead back to the root (`createProduct { query { users } }`), so all fields are looked at. The functions
/// of a fragment count wherever it is spread.
pub(super) fn touched<'d>(schema: &Schema, document: &'d ExecutableDocument, operation: &'d Operation) -> Touched<'d> {
    let mut walk = Walk { schema, document, is_introspection: false, fragments: HashMap::new() };
    let functions = walk.functions(&operation.selection_set);
    let Walk { is_introspection, fragments, .. } = walk;
    Touched { functions, is_introspection, fragments: fragments.into_keys().collect() }
}

struct Walk<'s, 'd> {
    schema: &'s Schema,
    document: &'d ExecutableDocument,
    is_introspection: bool,
    /// The functions of each fragment that was walked. Fragments that spread each other multiply, so each is walked once.
    fragments: HashMap<&'d Name, Vec<Called<'d>>>,
}

impl<'d> Walk<'_, 'd> {
    fn functions(&mut self, set: &'d SelectionSet) -> Vec<Called<'d>> {
        let mut found = Vec::new();
        let mut sets = vec![set];
        while let Some(set) = sets.pop() {
            let mut inner = Vec::new();
            for selection in &set.selections {
                match selection {
                    Selection::Field(field) => {
                        match field.name.as_str() {
                            "__schema" | "__type" => self.is_introspection = true,
                            name => found.extend(functions(self.schema, &set.ty, name).map(|kind| (kind, field))),
                        }
                        inner.push(&field.selection_set);
                    }
                    Selection::InlineFragment(fragment) => inner.push(&fragment.selection_set),
                    Selection::FragmentSpread(spread) => found.extend(self.of_fragment(&spread.fragment_name)),
                }
            }
            // In the order of the document.
            sets.extend(inner.into_iter().rev());
        }
        found.truncate(MAX_CALLS + 1);
        found
    }

    fn of_fragment(&mut self, name: &'d Name) -> Vec<Called<'d>> {
        if let Some(known) = self.fragments.get(name) {
            return known.clone();
        }
        let Some(fragment) = self.document.fragments.get(name) else { return Vec::new() };
        // Validation refuses circles. One would end here.
        self.fragments.insert(name, Vec::new());
        let found = self.functions(&fragment.selection_set);
        self.fragments.insert(name, found.clone());
        found
    }
}

/// Returns the kinds of functions that a field of a type is. An interface that a root type implements has its functions
/// too.
pub(super) fn functions(schema: &Schema, parent: &str, field: &str) -> impl Iterator<Item = OperationType> {
    let is_function = |root: &Name| {
        root == parent
            || schema.get_object(root).is_some_and(|object| {
                object.implements_interfaces.contains(parent) && object.fields.contains_key(field)
            })
    };
    let kinds = [OperationType::Query, OperationType::Mutation, OperationType::Subscription];
    let kinds: Vec<OperationType> = kinds
        .into_iter()
        .filter(|_| !field.starts_with("__"))
        .filter(|kind| schema.root_operation(*kind).is_some_and(is_function))
        .collect();
    kinds.into_iter()
}

/// Tells whether a type is a root type.
pub(super) fn is_root(schema: &Schema, name: &str) -> bool {
    schema.schema_definition.iter_root_operations().any(|(_, root)| root.as_str() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_wherever_a_document_reaches_them() {
        let sdl = "interface Named { label: String } interface Plain { id: ID }
            type Query implements Named & Plain { id: ID label: String a(x: Int): Item b: String named: Named plain: Plain }
            type Mutation { set(x: Int): Payload } type Subscription { a: Item }
            type Item implements Plain { id: ID self: Item } type Payload { query: Query item: Item }";
        let schema = Schema::parse_and_validate(sdl, "schema").unwrap();
        for (text, expected) in [
            ("{ b }", "query b"),
            ("{ x: b y: b }", "query b, query b"),
            ("{ b @skip(if: true) ... @include(if: false) { a { id } } }", "query b, query a"),
            ("mutation { set { item { id } } }", "mutation set"),
            ("mutation { set { query { b } } }", "mutation set, query b"),
            (
                "mutation { set { ...f } } fragment f on Payload { query { ...g } } fragment g on Query { b }",
                "mutation set, query b",
            ),
            (
                "mutation { a: set { ...f } b: set { ...f } } fragment f on Payload { query { b } }",
                "mutation set, mutation set, query b, query b",
            ),
            (
                "{ ...f ...g } fragment f on Query { a { id } ...g } fragment g on Query { b }",
                "query a, query b, query b",
            ),
            ("{ named { label } }", "query named, query label"),
            ("{ named { ... on Query { b } } }", "query named, query b"),
            ("{ plain { ... on Item { id } } }", "query plain"),
            ("subscription { a { id } }", "subscription a"),
            ("{ __typename }", ""),
            ("{ __schema { types { name } } b }", "query b, schema"),
            ("{ __type(name: \"Item\") { name } }", "schema"),
        ] {
            let document = ExecutableDocument::parse_and_validate(&schema, text, "x").unwrap();
            let operation = document.operations.get(None).unwrap();
            let touched = touched(&schema, &document, operation);
            let mut found: Vec<String> =
                touched.functions.iter().map(|(kind, field)| format!("{kind} {}", field.name)).collect();
            found.extend(touched.is_introspection.then(|| "schema".to_owned()));
            assert_eq!(found.join(", "), expected, "{text}");
        }
    }
}
