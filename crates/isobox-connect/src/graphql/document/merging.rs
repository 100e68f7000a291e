//! Bounds the work for documents whose fields are merged. Decisions only; no I/O.
//!
//! Fields with the same name in a response have to be the same field, whichever fragments they come from. To check it, a validator
//! merges the selections of such fields, once for each combination in which they may occur. A few hundred fragments have more
//! combinations than can ever be checked.

use std::collections::{HashMap, HashSet};

use apollo_compiler::ast::{Definition, Document, Field, FragmentDefinition, Selection};
use apollo_compiler::{Name, Node, Schema};

/// The maximum number of selections, counted again wherever they are merged. A check takes a tenth of a second for them.
const MAX_MERGED: usize = 100_000;
/// The maximum depth of a response. The validator refuses deeper ones.
const MAX_DEPTH: usize = 128;

/// A selection, with the type that it selects from, if that is known.
type Part<'d> = (&'d [Selection], Option<&'d Name>);

/// Tells whether checking a document would take too long.
pub(super) fn is_too_much(schema: &Schema, document: &Document) -> bool {
    let mut fragments = HashMap::new();
    for definition in &document.definitions {
        if let Definition::FragmentDefinition(fragment) = definition {
            fragments.entry(&fragment.name).or_insert(fragment);
        }
    }
    let mut walk = Walk { schema, fragments, left: MAX_MERGED };
    document.definitions.iter().any(|definition| match definition {
        Definition::OperationDefinition(operation) => {
            let root = schema.root_operation(operation.operation_type);
            walk.merge((&operation.selection_set, root)).is_err()
        }
        _ => false,
    })
}

struct Walk<'d> {
    schema: &'d Schema,
    fragments: HashMap<&'d Name, &'d Node<FragmentDefinition>>,
    left: usize,
}

struct TooMuch;

impl<'d> Walk<'d> {
    fn merge(&mut self, root: Part<'d>) -> Result<(), TooMuch> {
        let mut sets = vec![(vec![root], 0)];
        while let Some((set, depth)) = sets.pop() {
            for alike in self.fields(set)?.into_values() {
                for merged in self.merged(alike)? {
                    if depth < MAX_DEPTH {
                        sets.push((merged, depth + 1));
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the fields of merged selections by their names in the response, each with the type that it belongs to.
    fn fields(&mut self, mut set: Vec<Part<'d>>) -> Result<Fields<'d>, TooMuch> {
        let (mut fields, mut seen) = (Fields::new(), HashSet::new());
        while let Some((selections, parent)) = set.pop() {
            self.spend(selections.len())?;
            for selection in selections {
                match selection {
                    Selection::Field(field) => {
                        let name = field.alias.as_ref().unwrap_or(&field.name);
                        fields.entry(name).or_default().push((field, parent));
                    }
                    Selection::InlineFragment(inline) => {
                        set.push((&inline.selection_set, inline.type_condition.as_ref().or(parent)));
                    }
                    Selection::FragmentSpread(spread) => {
                        if let Some(&fragment) = self.fragments.get(&spread.fragment_name)
                            && seen.insert(&fragment.name)
                        {
                            set.push((&fragment.selection_set, Some(&fragment.type_condition)));
                        }
                    }
                }
            }
        }
        Ok(fields)
    }

    /// Returns the selections below fields of one name, merged for each type of object to which the fields may belong together.
    /// A field of an interface or of a union may belong to any of them.
    fn merged(&mut self, alike: Vec<(&'d Field, Option<&'d Name>)>) -> Result<Vec<Vec<Part<'d>>>, TooMuch> {
        let schema = self.schema;
        let mut of_objects: HashMap<&Name, Vec<Part<'d>>> = HashMap::new();
        let mut of_any: Vec<Part<'d>> = Vec::new();
        for (field, parent) in alike {
            let definition = parent.and_then(|parent| schema.type_field(parent, &field.name).ok());
            let below: Part<'d> = (&field.selection_set, definition.map(|definition| definition.ty.inner_named_type()));
            match parent.filter(|parent| schema.get_object(parent).is_some()) {
                Some(object) => of_objects.entry(object).or_default().push(below),
                None => of_any.push(below),
            }
        }
        self.spend(of_objects.len().saturating_mul(of_any.len()))?;
        let mut merged: Vec<Vec<Part<'d>>> = match of_objects.is_empty() {
            true => vec![of_any],
            false => of_objects.into_values().map(|own| [own.as_slice(), of_any.as_slice()].concat()).collect(),
        };
        merged.iter_mut().for_each(|set| set.retain(|(selections, _)| !selections.is_empty()));
        merged.retain(|set| !set.is_empty());
        Ok(merged)
    }

    fn spend(&mut self, work: usize) -> Result<(), TooMuch> {
        self.left = self.left.checked_sub(work).ok_or(TooMuch)?;
        Ok(())
    }
}

type Fields<'d> = HashMap<&'d Name, Vec<(&'d Field, Option<&'d Name>)>>;

#[cfg(test)]
mod tests {
    use apollo_compiler::parser::Parser;

    use super::*;

    fn is_refused(sdl: &str, text: String) -> bool {
        let schema = Schema::parse_and_validate(sdl, "schema").unwrap();
        let document = Parser::new().parse_ast(text, "x").unwrap();
        is_too_much(&schema, &document)
    }

    #[test]
    fn what_has_too_many_combinations_of_fragments_is_refused() {
        let of_names = |levels: usize| {
            let mut text = "{ ...f0 }".to_owned();
            for level in 0..levels {
                let next = level + 1;
                text += &format!(
                    " fragment f{level} on Query {{ a: x {{ ...f{next} ...g{level}x{next} }} b: x {{ ...f{next} }} }}"
                );
                for below in next..=levels {
                    let more = if below == levels { "y".to_owned() } else { format!("...g{level}x{}", below + 1) };
                    text += &format!(" fragment g{level}x{below} on Query {{ a: x {{ {more} }} b: x {{ {more} }} }}");
                }
            }
            text + &format!(" fragment f{levels} on Query {{ y }}")
        };
        let sdl = "type Query { x: Query y: Int }";
        assert!(!is_refused(sdl, of_names(6)));
        assert!(is_refused(sdl, of_names(24)));

        let of_types = |levels: usize| {
            let mut text = "{ i { ...f0 } }".to_owned();
            for level in 0..levels {
                let next = level + 1;
                text += &format!(
                    " fragment f{level} on I {{ x {{ ...f{next} }} ... on A {{ x {{ ...g{level}x{next} }} }} ... on B {{ x {{ y }} }} }}"
                );
                for below in next..=levels {
                    let more = if below == levels { "y".to_owned() } else { format!("...g{level}x{}", below + 1) };
                    text += &format!(" fragment g{level}x{below} on I {{ x {{ {more} }} }}");
                }
            }
            text + &format!(" fragment f{levels} on I {{ y }}")
        };
        let sdl = "interface I { x: I y: Int } type A implements I { x: I y: Int } type B implements I { x: I y: Int }
            type Query { i: I }";
        assert!(!is_refused(sdl, of_types(6)));
        assert!(is_refused(sdl, of_types(24)));
    }

    #[test]
    fn usual_documents_are_not_refused() {
        let sdl = "type Query { x: Query y: Int }";
        let repeated = "{ ...f ...f a: x { ...f } b: x { ...f x { y y } } } fragment f on Query { x { y } y }";
        assert!(!is_refused(sdl, repeated.to_owned()));
        let wide = (0..2_000).map(|number| format!("a{number}: x {{ y }} ")).collect::<String>();
        assert!(!is_refused(sdl, format!("{{ {wide} }}")));
        let circle = "{ ...f } fragment f on Query { x { ...f } none { y } }";
        assert!(!is_refused(sdl, circle.to_owned()), "the validator refuses it");
    }
}
