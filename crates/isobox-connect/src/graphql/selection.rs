//! Chooses the fields that a function returns by default, and describes them as JSON Schema. Decisions only; no I/O.
//!
//! The choice has all scalar fields, two levels of objects deep. The connections and edges of Relay are no level, because
//! they only carry objects. What needs arguments or is deprecated is left out.

use std::collections::HashMap;

use apollo_compiler::ast::Type;
use apollo_compiler::schema::{ExtendedType, FieldDefinition, Implementers};
use apollo_compiler::{Name, Schema};
use serde_json::{Map, Value, json};

use super::input::{nullable, scalar};
use super::roots::{functions, is_root};

/// The levels of objects.
const LEVELS: usize = 2;
/// The maximum number of fields of a choice.
const MAX_FIELDS: usize = 60;
/// The maximum number of types of a union or an interface whose own fields are chosen.
const MAX_FRAGMENTS: usize = 8;
/// The maximum nesting of a choice, with connections and edges.
const MAX_NESTING: usize = 8;
/// The maximum number of types that are looked at for a choice, and of fields of each.
const MAX_TYPES: usize = 60;
const MAX_SEEN: usize = 200;
/// The maximum number of values of an enum that a description lists.
const MAX_VALUES: usize = 30;

/// Chooses fields of the types of a schema.
pub(super) struct Chooser<'s> {
    schema: &'s Schema,
    implementers: HashMap<Name, Implementers>,
}

/// The numbers of fields and types that a choice may still use.
struct Left {
    fields: usize,
    types: usize,
}

/// The chosen fields of a type.
#[derive(Debug, Default)]
struct Choice<'s> {
    /// The number of chosen fields, with those below.
    count: usize,
    is_abstract: bool,
    fields: Vec<(&'s Name, &'s Type, Option<Choice<'s>>)>,
    /// The fields of possible types.
    fragments: Vec<(Name, Vec<(&'s Name, &'s Type)>)>,
}

/// The default result of a function.
#[derive(Debug, PartialEq)]
pub(super) struct Chosen {
    /// The selection. None if the type has no fields.
    pub(super) selection: Option<String>,
    /// The schema of results. No property is required, because a program may select other fields.
    pub(super) output: Value,
    /// The number of parts of the schema.
    pub(super) parts: usize,
}

impl<'s> Chooser<'s> {
    pub(super) fn new(schema: &'s Schema) -> Self {
        Self { schema, implementers: schema.implementers_map().into_iter().collect() }
    }

    /// Chooses the fields of a function.
    pub(super) fn choose(&self, field: &'s FieldDefinition) -> Chosen {
        let name = field.ty.inner_named_type();
        if !self.is_composite(name) {
            return Chosen { selection: None, output: self.output(&field.ty, None), parts: 1 };
        }
        let mut left = Left { fields: MAX_FIELDS, types: MAX_TYPES };
        let choice = self.of_type(name, LEVELS, &mut Vec::new(), &mut left);
        let mut selection = String::new();
        write(&choice, &mut selection);
        Chosen { selection: Some(selection), output: self.output(&field.ty, Some(&choice)), parts: choice.count + 1 }
    }

    fn of_type(&self, name: &'s Name, levels: usize, above: &mut Vec<&'s Name>, left: &mut Left) -> Choice<'s> {
        let mut choice = Choice::default();
        let (all, is_abstract): (Vec<&'s FieldDefinition>, bool) = match self.schema.types.get(name) {
            Some(ExtendedType::Object(one)) => {
                (one.fields.values().take(MAX_SEEN).map(|field| &***field).collect(), false)
            }
            Some(ExtendedType::Interface(one)) => {
                (one.fields.values().take(MAX_SEEN).map(|field| &***field).collect(), true)
            }
            Some(_) | None => (Vec::new(), true),
        };
        choice.is_abstract = is_abstract;
        let mut usable: Vec<&'s FieldDefinition> =
            all.into_iter().filter(|field| self.is_usable(name, field)).collect();
        for field in usable.extract_if(.., |field| !self.is_composite(field.ty.inner_named_type())) {
            if take(&mut left.fields) {
                choice.fields.push((&field.name, &field.ty, None));
            }
        }
        if is_abstract {
            self.add_fragments(name, &mut choice, left);
        }
        let has = |wanted: &str| usable.iter().any(|field| field.name == wanted);
        let is_connection = has("pageInfo") && (has("nodes") || has("edges"));
        let is_edge = has("node") && choice.fields.iter().any(|(name, ..)| *name == "cursor");
        let below = if is_connection || is_edge { levels } else { levels - 1 };
        // Both have the same objects.
        let is_twice = is_connection && has("nodes");
        if below > 0 && above.len() < MAX_NESTING {
            above.push(name);
            for field in usable.into_iter().filter(|field| !(is_twice && field.name == "edges")) {
                let inner = field.ty.inner_named_type();
                if above.contains(&inner) || left.fields == 0 || !take(&mut left.types) {
                    continue;
                }
                let chosen = self.of_type(inner, below, above, left);
                if chosen.count > 0 {
                    choice.fields.push((&field.name, &field.ty, Some(chosen)));
                }
            }
            above.pop();
        }
        let of_fields = choice.fields.iter().map(|(_, _, below)| 1 + below.as_ref().map_or(0, |below| below.count));
        choice.count =
            of_fields.sum::<usize>() + choice.fragments.iter().map(|(_, fields)| fields.len()).sum::<usize>();
        choice
    }

    /// Adds the scalar fields of the possible types. Of fields with the same name and different types, the first one is
    /// chosen, because a result cannot have both.
    fn add_fragments(&self, name: &'s Name, choice: &mut Choice<'s>, left: &mut Left) {
        let mut types: HashMap<&Name, &Type> = choice.fields.iter().map(|(name, ty, _)| (*name, *ty)).collect();
        let common: Vec<&Name> = types.keys().copied().collect();
        let possible: Vec<&'s Name> = match self.schema.types.get(name) {
            Some(ExtendedType::Union(union)) => {
                union.members.iter().take(MAX_SEEN).map(|member| &member.name).collect()
            }
            Some(_) | None => {
                let objects = self.implementers.get(name).map(|found| &found.objects);
                let known = |object: &Name| self.schema.types.get_key_value(object).map(|(name, _)| name);
                objects.into_iter().flatten().take(MAX_SEEN).filter_map(known).collect()
            }
        };
        for object in possible.into_iter().filter(|object| !is_root(self.schema, object)).take(MAX_FRAGMENTS) {
            let Some(definition) = self.schema.get_object(object) else { continue };
            let mut fields = Vec::new();
            for field in definition.fields.values().take(MAX_SEEN) {
                let is_new = !common.contains(&&field.name) && types.get(&field.name).is_none_or(|ty| **ty == field.ty);
                let is_scalar = !self.is_composite(field.ty.inner_named_type());
                if is_new && is_scalar && self.is_usable(object, field) && take(&mut left.fields) {
                    types.insert(&field.name, &field.ty);
                    fields.push((&field.name, &field.ty));
                }
            }
            if !fields.is_empty() {
                choice.fragments.push((object.clone(), fields));
            }
        }
    }

    /// Tells whether a field can be chosen. Objects that take arguments are mostly lists, which programs ask for.
    fn is_usable(&self, parent: &str, field: &FieldDefinition) -> bool {
        let inner = field.ty.inner_named_type();
        let needs_arguments = if self.is_composite(inner) {
            !field.arguments.is_empty()
        } else {
            field.arguments.iter().any(|argument| argument.is_required())
        };
        !needs_arguments
            && !field.directives.has("deprecated")
            && !is_root(self.schema, inner)
            && functions(self.schema, parent, &field.name).next().is_none()
    }

    fn is_composite(&self, name: &Name) -> bool {
        match self.schema.types.get(name) {
            Some(ExtendedType::Object(_) | ExtendedType::Interface(_) | ExtendedType::Union(_)) => true,
            Some(ExtendedType::Scalar(_) | ExtendedType::Enum(_) | ExtendedType::InputObject(_)) | None => false,
        }
    }

    fn output(&self, ty: &Type, choice: Option<&Choice<'_>>) -> Value {
        let schema = match ty {
            Type::List(inner) | Type::NonNullList(inner) => {
                json!({ "type": "array", "items": self.output(inner, choice) })
            }
            Type::Named(name) | Type::NonNullNamed(name) => match (choice, self.schema.types.get(name)) {
                (Some(choice), _) => self.object(choice),
                (None, Some(ExtendedType::Enum(one))) if one.values.len() <= MAX_VALUES => {
                    json!({ "enum": one.values.keys().map(Name::as_str).collect::<Vec<_>>() })
                }
                (None, Some(ExtendedType::Enum(_))) => json!({ "type": "string" }),
                (None, Some(_) | None) => scalar(name).map_or_else(|| json!({}), |known| json!({ "type": known })),
            },
        };
        if ty.is_non_null() { schema } else { nullable(schema) }
    }

    fn object(&self, choice: &Choice<'_>) -> Value {
        let mut properties = Map::new();
        if choice.is_abstract || choice.count == 0 {
            properties.insert("__typename".to_owned(), json!({ "type": "string" }));
        }
        for (name, ty, below) in &choice.fields {
            properties.insert(name.to_string(), self.output(ty, below.as_ref()));
        }
        for (name, ty) in choice.fragments.iter().flat_map(|(_, fields)| fields) {
            properties.insert(name.to_string(), self.output(ty, None));
        }
        json!({ "type": "object", "properties": properties })
    }
}

fn take(left: &mut usize) -> bool {
    match left.checked_sub(1) {
        Some(fewer) => {
            *left = fewer;
            true
        }
        None => false,
    }
}

fn write(choice: &Choice<'_>, out: &mut String) {
    let mut words = Vec::new();
    if choice.is_abstract || choice.count == 0 {
        words.push("__typename".to_owned());
    }
    for (name, _, below) in &choice.fields {
        let mut word = name.to_string();
        if let Some(below) = below {
            word.push_str(" { ");
            write(below, &mut word);
            word.push_str(" }");
        }
        words.push(word);
    }
    for (name, fields) in &choice.fragments {
        let fields: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
        words.push(format!("... on {name} {{ {} }}", fields.join(" ")));
    }
    out.push_str(&words.join(" "));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(sdl: &str) -> Chosen {
        let schema = Schema::parse_and_validate(sdl, "schema").unwrap();
        let chosen = Chooser::new(&schema).choose(&schema.get_object("Query").unwrap().fields["a"]);
        if let Some(selection) = &chosen.selection {
            let document = format!("{{ a {{ {selection} }} }}");
            let checked = apollo_compiler::ExecutableDocument::parse_and_validate(&schema, document, "x");
            assert!(checked.is_ok(), "{selection}: {}", checked.unwrap_err().errors);
        }
        chosen
    }

    fn selection(sdl: &str) -> String {
        chosen(sdl).selection.unwrap()
    }

    #[test]
    fn scalars_are_chosen_two_levels_deep_and_cycles_are_cut() {
        let sdl = "scalar Date enum Size { S L }
            type Query { a: [Product!]! }
            type Product { id: ID! at: Date size: Size brand: Brand! old: Int @deprecated price(currency: String!): Int
                label(upper: Boolean): String reviews(first: Int): [Review] query: Query twin: Product empty: Empty }
            type Brand { name: String country: Country products: [Product] } type Country { code: String } type Review { text: String }
            type Empty { only(x: Int!): Int }";
        let Chosen { selection, output, parts } = chosen(sdl);
        assert_eq!(selection.as_deref(), Some("id at size label brand { name }"));
        assert_eq!(
            output,
            json!({ "type": "array", "items": { "type": "object", "properties": {
                "id": { "type": "string" }, "at": {}, "size": { "enum": ["S", "L", null] }, "label": { "type": ["string", "null"] },
                "brand": { "type": "object", "properties": { "name": { "type": ["string", "null"] } } } } } })
        );
        assert_eq!(parts, 7);
        assert_eq!(selection_of_scalar(), (None, json!({ "type": ["integer", "null"] })));
    }

    fn selection_of_scalar() -> (Option<String>, Value) {
        let Chosen { selection, output, .. } = chosen("type Query { a: Int }");
        (selection, output)
    }

    #[test]
    fn connections_and_edges_are_no_levels() {
        let sdl = "type Query { a: Products } type PageInfo { hasNextPage: Boolean! }
            type Products { edges: [Edge] NODES pageInfo: PageInfo! total: Int } type Edge { node: Product cursor: String! }
            type Product { id: ID brand: Brand } type Brand { name: String country: Country } type Country { code: String }";
        assert_eq!(
            selection(&sdl.replace("NODES", "")),
            "total edges { cursor node { id brand { name } } } pageInfo { hasNextPage }"
        );
        assert_eq!(
            selection(&sdl.replace("NODES", "nodes: [Product]")),
            "total nodes { id brand { name } } pageInfo { hasNextPage }"
        );
    }

    #[test]
    fn unions_and_interfaces_have_the_fields_of_their_types() {
        let sdl = "type Query { a: Any } union Any = A | B | Query type A { id: ID! x: Int only: String } type B { id: ID x: String! b: Int }";
        assert_eq!(selection(sdl), "__typename ... on A { id x only } ... on B { b }");
        let sdl = "type Query { a: Node } interface Node { id: ID! } type A implements Node { id: ID! x: Int } type B implements Node { id: ID! x: Int }";
        let Chosen { selection: chosen, output, .. } = chosen(sdl);
        assert_eq!(chosen.as_deref(), Some("__typename id ... on A { x } ... on B { x }"));
        assert_eq!(output["properties"].as_object().unwrap().keys().collect::<Vec<_>>(), ["__typename", "id", "x"]);
        let many: String = (0..50).map(|n| format!("type T{n} implements Node {{ id: ID! f{n}: Int }} ")).collect();
        let all = selection(&format!("type Query {{ a: Node }} interface Node {{ id: ID! }} {many}"));
        assert_eq!(all.matches("... on").count(), MAX_FRAGMENTS);
    }

    #[test]
    fn the_number_of_fields_is_bounded_and_no_object_is_empty() {
        let fields: String = (0..500).map(|n| format!("f{n}: Int ")).collect();
        let all = selection(&format!("type Query {{ a: A }} type A {{ {fields} b: B }} type B {{ x: Int }}"));
        assert_eq!(all.split(' ').count(), MAX_FIELDS);
        assert_eq!(selection("type Query { a: A } type A { x(y: Int!): Int }"), "__typename");
        // Every type leads to every other one, and none has a field.
        let wide: String = (0..400).map(|n| format!("e{n}: C{n} ")).collect();
        let carriers: String =
            (0..400).map(|n| format!("type C{n} {{ nodes: [C{}] pageInfo: C0 {wide} }} ", n / 2)).collect();
        let none = selection(&format!("type Query {{ a: C1 }} {carriers}"));
        assert_eq!(none, "__typename");
        // A function behind an interface of the root is not a field like others.
        let sdl =
            "interface Node { id: ID } type Query implements Node { id: ID a: Node } type A implements Node { id: ID }";
        assert_eq!(selection(sdl), "__typename ... on A { id }");
    }
}
