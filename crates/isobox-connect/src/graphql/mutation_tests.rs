//! Mutated schemas and documents: whatever they are, they are read or refused.

use serde_json::{Map, Value, json};

use super::document::{checked, of_function};
use super::offering::offer;
use super::schema::read;

const SDL: &str = r#"
    directive @live(if: Boolean = true) on QUERY | FIELD
    scalar Date @specifiedBy(url: "https://date.example")
    enum Size { SMALL "Not small." LARGE @deprecated(reason: "too large") }
    interface Node implements Named { id: ID! name: String } interface Named { name: String }
    union Any = Product | Brand
    input Where @oneOf { and: [Where!] name: String size: Size }
    type Query { node(id: ID!): Node any: [Any!]! products(first: Int! = 10, where: Where): Products """ all of them """ size: Size @deprecated }
    type Mutation { add(name: String!, where: [Where], at: Date): Payload }
    type Subscription { changed: Product }
    type Products { edges: [Edge] nodes: [Product] pageInfo: PageInfo! } type Edge { node: Product cursor: String } type PageInfo { end: String }
    type Product implements Node & Named { id: ID! name: String at: Date size: Size brand: Brand twins(first: Int): [Product] }
    type Brand implements Node & Named { id: ID! name: String products: [Product!]! country: String! }
    type Payload { query: Query product: Product }
    extend type Query { more: [[Int!]] }"#;

const DOCUMENT: &str = r#"query A($w: Where = { and: [{ name: "x" }] }, $b: Boolean!) @live { products(where: $w) { ...f edges @skip(if: $b) { node { id ...g } } } }
    mutation B { add(name: """text""", at: [1, { a: 1.5e3 }]) { query { size any { ... on Brand { id } __typename } } } }
    fragment f on Products { nodes { id n: name } } fragment g on Product { brand { country } }"#;

/// Numbers by chance, the same ones in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % limit.max(1)
    }

    /// Changes a text in some places: parts are removed, repeated, moved, and replaced by marks.
    fn mutated(&mut self, text: &str) -> String {
        const MARKS: [&str; 24] = [
            "{", "}", "(", ")", "[", "]", "!", "|", "&", "=", ":", "@", "$", "...", "\"", "\"\"\"", "#", "\\u{0}",
            "\u{feff}", "é", "null", "type", "9e999", "query",
        ];
        let mut words: Vec<&str> = text.split_inclusive(|one: char| !one.is_ascii_alphanumeric()).collect();
        for _ in 0..=self.below(4) {
            let (from, to) = (self.below(words.len()), self.below(words.len()));
            match self.below(5) {
                0 => drop(words.remove(from)),
                1 => words.insert(to, words[from]),
                2 => words.swap(from, to),
                3 => words.insert(to, MARKS[self.below(MARKS.len())]),
                _ => words[from] = MARKS[self.below(MARKS.len())],
            }
            if words.is_empty() {
                break;
            }
        }
        words.concat()
    }
}

/// Makes all tools of a schema, and the requests of its functions. Returns whether it is a schema.
fn used(text: &str) -> bool {
    let Ok(schema) = read(text) else { return false };
    let (offer, functions) = offer(&schema);
    assert_eq!(offer.tools.len(), functions.by_tool.len() + 2);
    for (name, function) in &functions.by_tool {
        let field = schema.type_field(schema.root_operation(function.kind).unwrap(), &function.field).unwrap();
        let input = field.arguments.iter().map(|argument| (argument.name.to_string(), Value::Null));
        let request = of_function(&schema, function, input.collect());
        assert!(request.is_ok(), "{name}: {}", request.unwrap_err());
    }
    let _ = checked(&schema, &functions, json!({ "query": DOCUMENT, "operationName": "B" }).as_object().unwrap());
    true
}

#[test]
fn mutated_sdl_is_read_or_refused() {
    assert!(used(SDL));
    let mut chance = Chance(7);
    let read = (0..3_000).filter(|_| used(&chance.mutated(SDL))).count();
    assert!((50..2_900).contains(&read), "{read}");
}

#[test]
fn mutated_introspections_are_read_or_refused() {
    let named = |kind: &str, name: &str| json!({ "kind": kind, "name": name, "ofType": null });
    let list = json!({ "kind": "NON_NULL", "name": null, "ofType": { "kind": "LIST", "name": null, "ofType": named("OBJECT", "Product") } });
    let introspected = json!({ "data": { "__schema": { "queryType": { "name": "Query" }, "mutationType": null,
        "types": [
            { "kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [
                { "name": "products", "description": "d", "args": [{ "name": "where", "type": named("INPUT_OBJECT", "Where"), "defaultValue": "{}" }],
                  "type": list, "isDeprecated": true, "deprecationReason": "r" }] },
            { "kind": "OBJECT", "name": "Product", "interfaces": [{ "name": "Node" }], "fields": [{ "name": "id", "args": [], "type": named("SCALAR", "ID") }] },
            { "kind": "INTERFACE", "name": "Node", "fields": [{ "name": "id", "args": [], "type": named("SCALAR", "ID") }], "possibleTypes": [{ "name": "Product" }] },
            { "kind": "UNION", "name": "Any", "possibleTypes": [{ "name": "Product" }] },
            { "kind": "ENUM", "name": "Size", "enumValues": [{ "name": "S", "isDeprecated": false }] },
            { "kind": "INPUT_OBJECT", "name": "Where", "inputFields": [{ "name": "size", "type": named("ENUM", "Size") }] }],
        "directives": [{ "name": "live", "locations": ["FIELD"], "args": [] }] } } });
    let text = introspected.to_string();
    assert!(used(&text));
    let mut chance = Chance(8);
    let read = (0..3_000).filter(|_| used(&chance.mutated(&text))).count();
    assert!((20..2_900).contains(&read), "{read}");
}

#[test]
fn mutated_documents_and_selections_are_sent_as_checked_or_refused() {
    let schema = read(SDL).unwrap();
    let (_, functions) = offer(&schema);
    let mut chance = Chance(9);
    let (mut sent, mut selected) = (0, 0);
    for name in ["A", "B"] {
        let input = json!({ "query": DOCUMENT, "operationName": name, "variables": { "b": true } });
        assert_eq!(checked(&schema, &functions, input.as_object().unwrap()).err(), None);
    }
    for _ in 0..3_000 {
        let document = chance.mutated(DOCUMENT);
        for name in ["A", "B"] {
            let input = json!({ "query": document, "operationName": name, "variables": { "b": true } });
            let Ok(first) = checked(&schema, &functions, input.as_object().unwrap()) else { continue };
            sent += 1;
            assert!(!first.calls.is_empty(), "{document}");
            // What is sent is the same document, and amounts to the same calls.
            let input =
                json!({ "query": first.request.query, "operationName": name, "variables": first.request.variables });
            let again = checked(&schema, &functions, input.as_object().unwrap());
            assert_eq!(again.as_ref(), Ok(&first), "{document}");
        }
        let selection = chance.mutated("id name brand { country products { id } } ... on Node { id }");
        let product = &functions.by_tool["node"];
        let input = Map::from_iter([
            ("id".to_owned(), Value::from(1)),
            ("$select".to_owned(), Value::from(format!("... on Product {{ {selection} }}"))),
        ]);
        selected += usize::from(of_function(&schema, product, input).is_ok());
    }
    assert!(sent > 100 && selected > 100, "{sent} {selected}");
}
