use isobox_connect::{Auth, GraphQlConnector, GraphQlOptions, GraphQlService};
use isobox_core::{ByteSize, Connector, Failure, Offer};
use serde_json::{Value, json};

use crate::support::{SDL, Service, answer, call, connected, ok};

async fn offered(service: GraphQlService) -> Result<Offer, String> {
    let options = GraphQlOptions::default().max_schema(ByteSize::mib(1)).retries(0);
    let offer = GraphQlConnector::new("shop", service, options).offer().await;
    offer
        .map_err(Failure::from)
        .map_err(|failure| format!("{} ({})", failure.message, failure.hint.unwrap_or_default()))
}

fn introspection() -> Value {
    let text = json!({ "kind": "SCALAR", "name": "String" });
    json!({ "__schema": { "queryType": { "name": "Q" }, "mutationType": null, "subscriptionType": null, "directives": [],
        "types": [{ "kind": "OBJECT", "name": "Q", "interfaces": [],
            "fields": [{ "name": "hello", "args": [{ "name": "to", "type": text, "defaultValue": "\"you\"" }], "type": text }] }] } })
}

#[tokio::test]
async fn a_schema_comes_from_the_service_or_from_a_file_of_either_kind() {
    let service =
        Service::new(vec![ok(&json!({ "data": introspection() })), ok(&json!({ "data": { "hello": "hi" } }))]).await;
    let described = GraphQlService::new(service.url()).auth(Auth::bearer("hunter2-hunter2"));
    let shop = connected(described, GraphQlOptions::default()).await;
    assert_eq!(call(&shop, "hello", json!({ "to": "me" })).await, Ok(json!("hi")));
    let requests = service.requests();
    assert!(requests[0].body.contains("__schema") && requests[0].head.contains("bearer hunter2-hunter2"));
    for text in [introspection().to_string(), json!({ "data": introspection() }).to_string()] {
        let offer = offered(service.described(&text)).await.unwrap();
        assert_eq!(offer.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["hello", "query", "schema"]);
    }
    let offer = offered(service.described(SDL)).await.unwrap();
    assert_eq!((offer.tools.len(), offer.instructions.as_str()), (7, "A shop."));
    assert_eq!(service.requests().len(), 2);
}

#[tokio::test]
async fn what_is_not_a_schema_is_refused_with_its_place_and_reason() {
    let service = Service::new(vec![ok(&json!({}))]).await;
    for (text, expected) in [
        ("", "schema.graphql: it is empty"),
        ("openapi: 3.0.0", "schema.graphql: line 1, column 1: "),
        ("type Query { a: Missing }", "cannot find type `Missing`"),
        ("type Product { id: ID }", "schema.graphql: "),
        ("{ \"openapi\": \"3.0.0\" }", "it has no `__schema`"),
        ("{ \"__schema\": 1 }", "it has no `__schema`"),
        ("{ \"data\"", "it begins like JSON"),
    ] {
        let error = offered(service.described(text)).await.unwrap_err();
        assert!(
            error.starts_with("the service `shop` cannot be used: ") && error.contains(expected),
            "{text}: {error}"
        );
        assert!(error.ends_with("(correct `graphql.shop` of the configuration, or its schema)"), "{error}");
    }
    let missing = GraphQlService::new(service.url()).schema(service.folder.path().join("none.graphql"));
    assert!(offered(missing).await.unwrap_err().contains("none.graphql: there is no such file"));
    assert!(offered(service.described(&" ".repeat(2 << 20))).await.unwrap_err().contains("it is too large"));
    assert!(offered(GraphQlService::new("shop.example")).await.unwrap_err().contains("`url` is not usable"));
}

#[tokio::test]
async fn an_introspection_that_fails_says_what_to_do() {
    let file = "save the schema of the service as a file and name it as `schema`";
    let forbidden = ok(&json!({ "errors": [{ "message": "introspection is disabled, hunter2-hunter2" }] }));
    let invalid = ok(&json!({ "data": { "__schema": { "queryType": { "name": "Q" }, "types": [] } } }));
    let huge = ok(&json!({ "data": "x".repeat(2 << 20) }));
    for (answered, expected) in [
        (forbidden, vec!["introspection is disabled, ***", file]),
        (answer(&["401 Unauthorized"], ""), vec!["401 Unauthorized", "under `auth`"]),
        (answer(&["404 Not Found", "content-type: text/html"], "<h1>no</h1>"), vec!["404 Not Found: <h1>no</h1>"]),
        (answer(&["301 Moved", "location: https://elsewhere.example/"], ""), vec!["sets the final address as `url`"]),
        (ok(&json!("hello")), vec!["neither `data` nor `errors`"]),
        (ok(&json!({ "data": { "__schema": null } })), vec!["the introspected schema: it has no `__schema`"]),
        (invalid, vec!["the introspected schema: "]),
        (huge, vec!["the response is larger than 1048576 bytes"]),
    ] {
        let service = Service::new(vec![answered]).await;
        let described =
            GraphQlService::new(format!("{}/?key=hidden", service.url())).auth(Auth::bearer("hunter2-hunter2"));
        let error = offered(described).await.unwrap_err();
        assert!(error.starts_with("the service `shop` cannot be used: ") && !error.contains("hidden"), "{error}");
        expected.iter().for_each(|part| assert!(error.contains(part), "{part}: {error}"));
        assert_eq!(service.requests().len(), 1);
    }
    let dead = offered(GraphQlService::new("http://127.0.0.1:1/?key=hidden")).await.unwrap_err();
    assert!(dead.contains("http://127.0.0.1:1 cannot be reached") && !dead.contains("hidden"), "{dead}");
}
