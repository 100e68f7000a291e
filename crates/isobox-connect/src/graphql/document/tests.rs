use serde_json::json;

use super::super::offering::offer;
use super::*;

const SDL: &str = r#"
    type Query { products(first: Int, ids: [ID!], where: Where): [Product!]! product(id: ID!): Product secret: String node: Node }
    type Mutation { add(name: String!, tags: [String!]): Payload remove(id: ID!): Int }
    type Subscription { changed: Product }
    interface Node { id: ID }
    input Where { name: String }
    type Product implements Node { id: ID name: String brand: Brand }
    type Brand { name: String }
    type Payload { product: Product query: Query subscription: Subscription }"#;

fn service() -> (Valid<Schema>, Functions) {
    let schema = Schema::parse_and_validate(SDL, "schema").unwrap();
    let (_, functions) = offer(&schema);
    (schema, functions)
}

fn request(tool: &str, input: Value) -> Result<Request, String> {
    let (schema, functions) = service();
    of_function(&schema, &functions.by_tool[tool], input.as_object().unwrap().clone())
}

fn raw(input: Value) -> Result<Checked, String> {
    let (schema, functions) = service();
    checked(&schema, &functions, input.as_object().unwrap())
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_arguments_of_a_function_are_variables() {
    let hostile = "x\") { secret } y: product(id: \"";
    let Request { query, variables, kind, .. } =
        request("products", json!({ "first": 2, "where": { "name": hostile } })).unwrap();
    let expected =
        "query($first: Int, $where: Where) { products(first: $first, where: $where) { id name brand { name } } }";
    assert_eq!(flat(&query), expected);
    assert_eq!((variables["where"]["name"].as_str(), kind), (Some(hostile), OperationType::Query));
    let added = request("add", json!({ "name": "x", "$select": "product { id }" })).unwrap();
    assert_eq!(flat(&added.query), "mutation($name: String!) { add(name: $name) { product { id } } }");
    assert_eq!((added.variables.len(), added.kind), (1, OperationType::Mutation));
    assert_eq!(flat(&request("secret", json!({})).unwrap().query), "{ secret }");
    assert!(request("products", json!({ "last": 1 })).unwrap_err().contains("no argument `last`"));
}

#[test]
fn a_selection_is_a_selection_and_fits_the_schema() {
    let select = |text: &str| request("products", json!({ "$select": text }));
    for (text, expected) in [
        ("id", "{ products { id } }"),
        ("{ id brand { name } }", "{ products { id brand { name } } }"),
        ("label: name # a comment", "{ products { label: name } }"),
        ("... on Product { id } ... on Node { id }", "{ products { ... on Product { id } ... on Node { id } } }"),
        ("id @skip(if: true) name", "{ products { id @skip(if: true) name } }"),
    ] {
        assert_eq!(flat(&select(text).unwrap().query), expected, "{text}");
    }
    for (text, expected) in [
        ("", "has to be a selection"),
        ("id } secret products {", "has to be a selection"),
        ("{ id } mutation { remove(id: 1) }", "it is more than that"),
        ("{ id } fragment f on Product { id }", "it is more than that"),
        ("query { id }", "does not have a field `query`"),
        ("id(", "has to be a selection"),
        ("price", "does not have a field `price`"),
        ("brand", "subselection"),
        ("...f", "cannot find fragment `f`"),
        ("id @include(if: $x)", "variable `$x` is not defined"),
        ("name: id", "has the name of another field"),
        ("brand { n: name } ... on Product { id: name }", "has the name of another field"),
    ] {
        let refused = select(text).unwrap_err();
        assert!(refused.starts_with('`') && refused.contains(expected), "{text}: {refused}");
    }
    let deep = format!("{}id{}", "... { ".repeat(10_000), "}".repeat(10_000));
    assert!(select(&deep).unwrap_err().contains("limit"));
    assert!(request("secret", json!({ "$select": "id" })).unwrap_err().contains("nothing to select"));
    assert!(request("products", json!({ "$select": 1 })).unwrap_err().contains("has to be a text"));
}

#[test]
fn a_selection_does_not_lead_to_other_functions() {
    for selection in ["query { secret }", "query { __schema { types { name } } }", "query { x: products { id } }"] {
        let refused = request("add", json!({ "name": "x", "$select": selection })).unwrap_err();
        assert!(refused.contains("leads to other functions"), "{refused}");
    }
    assert!(request("add", json!({ "name": "x", "$select": "query { __typename }" })).is_ok());
}

#[test]
fn a_document_amounts_to_all_functions_that_it_may_call() {
    let calls =
        |query: &str| raw(json!({ "query": query, "variables": { "v": "7" } })).map(|checked| json!(checked.calls));
    for (query, expected) in [
        ("{ secret }", json!([["secret", {}]])),
        ("query($v: ID!) { product(id: $v) { id } secret }", json!([["product", { "id": "7" }], ["secret", {}]])),
        (
            "{ a: product(id: 1) { id } b: product(id: 2) { id } }",
            json!([["product", { "id": "1" }], ["product", { "id": "2" }]]),
        ),
        ("{ ...f } fragment f on Query { secret }", json!([["secret", {}]])),
        (
            "mutation { a: add(name: \"x\") { ...f } b: add(name: \"y\") { ...f } } fragment f on Payload { query { secret } }",
            json!([["add", { "name": "x" }], ["add", { "name": "y" }], ["secret", {}], ["secret", {}]]),
        ),
        ("{ secret @skip(if: true) }", json!([["secret", {}]])),
        (
            "mutation { add(name: \"x\", tags: \"t\") { query { secret } } remove(id: 1) }",
            json!([["add", { "name": "x", "tags": ["t"] }], ["secret", {}], ["remove", { "id": "1" }]]),
        ),
        ("{ __typename }", json!([["schema", {}]])),
        ("{ secret __schema { queryType { name } } }", json!([["secret", {}], ["schema", {}]])),
    ] {
        let mut calls = calls(query).unwrap();
        let mut expected = expected;
        for list in [&mut calls, &mut expected] {
            list.as_array_mut().unwrap().sort_by_key(Value::to_string);
        }
        assert_eq!(calls, expected, "{query}");
    }
}

#[test]
fn only_the_operation_that_was_checked_is_sent() {
    let document = "query A { ...f } mutation B { remove(id: 1) } fragment f on Query { secret } fragment g on Product { id }
        query C($v: Int = 3, $unused: Int) { products(first: $v) { ...g } product(id: \"\"\"x\"\"\") @include(if: true) { ...g } }";
    let named = |name: Value| raw(json!({ "query": document, "operationName": name, "variables": { "other": 1 } }));
    // The variable `$unused` is not valid, so that nothing of the document is.
    assert!(named(json!("A")).unwrap_err().contains("unused variable: `$unused`"));
    let document = document.replace(", $unused: Int", "");
    let named = |name: Value| raw(json!({ "query": document, "operationName": name, "variables": { "other": 1 } }));
    let Checked { request, calls } = named(json!("A")).unwrap();
    assert_eq!(flat(&request.query), "query A { ...f } fragment f on Query { secret }");
    assert_eq!((request.operation_name.as_deref(), request.kind, calls.len()), (Some("A"), OperationType::Query, 1));
    let Checked { request, .. } = named(json!("C")).unwrap();
    assert_eq!(request.variables, *json!({ "v": 3 }).as_object().unwrap());
    assert!(!request.query.contains("remove") && request.query.contains("fragment g"), "{}", request.query);
    assert_eq!(named(json!("B")).unwrap().request.kind, OperationType::Mutation);
    assert!(named(json!(null)).unwrap_err().contains("several operations"));
    assert!(named(json!("D")).unwrap_err().contains("no operation `D`"));
    assert!(named(json!(1)).unwrap_err().contains("has to be a text"));
}

#[test]
fn documents_that_cannot_be_decided_are_refused() {
    let many = format!("{{ {} }}", (0..60).map(|n| format!("a{n}: secret ")).collect::<String>());
    let deep = format!("{{ {} secret {} }}", "... { ".repeat(5_000), "}".repeat(5_000));
    let long = format!("{{ {} }}", "secret ".repeat(20_000));
    let circle = "{ node { ...f } } fragment f on Node { ...g } fragment g on Node { ...f }";
    for (input, expected) in [
        (json!({ "query": "" }), "does not fit the schema"),
        (json!({ "query": "hello" }), "does not fit the schema"),
        (json!({ "query": "{ nothing }" }), "does not have a field `nothing`"),
        (json!({ "query": "type A { b: Int }" }), "must not contain"),
        (json!({ "query": "{ secret } type A { b: Int }" }), "must not contain"),
        (json!({ "query": "subscription { changed { id } }" }), "subscriptions are not supported"),
        (
            json!({ "query": "mutation { add(name: \"\") { subscription { changed { id } } } }" }),
            "the subscription `changed`, which is not supported",
        ),
        (json!({ "query": "{ product(id: 1) }" }), "does not fit the schema"),
        (json!({ "query": "{ product { id } }" }), "does not fit the schema"),
        (json!({ "query": "query($v: ID!) { product(id: $v) { id } }" }), "missing value for non-null variable 'v'"),
        (
            json!({ "query": "query($v: Int) { products(first: $v) { id } }", "variables": { "v": "x" } }),
            "`variables` do not fit",
        ),
        (json!({ "query": "{ secret }", "variables": [] }), "`variables` has to be an object"),
        (json!({ "query": many }), "more than 50 functions"),
        (json!({ "query": deep }), "limit"),
        (json!({ "query": long }), "limit"),
        (json!({ "query": circle }), "does not fit the schema"),
        (json!({}), "`query` has to be a text"),
    ] {
        let refused = raw(input.clone()).unwrap_err();
        assert!(refused.contains(expected), "{}: {refused}", brief(&input.to_string(), 200));
        assert!(refused.len() < 1_200, "{refused}");
    }
}

#[test]
fn fragments_that_multiply_are_walked_once() {
    let doubling = |count: usize| {
        let one = |n: usize| format!("fragment f{n} on Node {{ id ...f{} ...f{} }} ", n + 1, n + 2);
        let last = format!("fragment f{count} on Node {{ id }} fragment f{} on Node {{ id }}", count + 1);
        format!("{{ node {{ ...f0 }} }} {} {last}", (0..count).map(one).collect::<String>())
    };
    assert_eq!(raw(json!({ "query": doubling(40) })).unwrap().calls.len(), 1);
    assert!(raw(json!({ "query": doubling(400) })).unwrap_err().contains("too much nesting"));
    let calling = |count: usize| {
        let one = |n: usize| format!("fragment f{n} on Query {{ ...f{} ...f{} }} ", n + 1, n + 1);
        format!("{{ ...f0 }} {} fragment f{count} on Query {{ secret }}", (0..count).map(one).collect::<String>())
    };
    assert_eq!(raw(json!({ "query": calling(5) })).unwrap().calls.len(), 32);
    assert!(raw(json!({ "query": calling(30) })).unwrap_err().contains("more than 50 functions"));
    let same = format!("{{ {} }}", "secret ".repeat(4_000));
    assert!(raw(json!({ "query": same })).unwrap_err().contains("more than 50 functions"));
}
