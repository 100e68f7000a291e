use std::time::Duration;

use isobox_connect::{Auth, CallHeaders, GraphQlOptions, OAuth};
use isobox_core::{ByteSize, Connector};
use serde_json::{Value, json};

use crate::support::{SDL, Service, answer, call, connected, leaves_effect_unknown, ok};

fn sent(service: &Service) -> Vec<Value> {
    service.requests().iter().map(|request| serde_json::from_str(&request.body).expect("JSON")).collect()
}

#[tokio::test]
async fn a_function_sends_its_document_with_variables() {
    let products = json!([{ "id": "1", "name": "Tea" }]);
    let service = Service::new(vec![ok(&json!({ "data": { "products": products } }))]).await;
    let shop = service.connector().await;
    assert_eq!(call(&shop, "products", json!({ "first": 1 })).await, Ok(products.clone()));
    assert_eq!(call(&shop, "products", json!({ "$select": "label: name" })).await, Ok(products));
    let request = &service.requests()[0];
    assert_eq!(request.line, "POST /graphql?key=of-the-host");
    assert!(request.head.contains("content-type: application/json\r\n"), "{}", request.head);
    assert!(request.head.contains("accept: application/graphql-response+json, application/json"), "{}", request.head);
    let sent = sent(&service);
    assert_eq!(sent[0]["variables"], json!({ "first": 1 }));
    assert!(sent[0]["query"].as_str().unwrap().starts_with("query($first: Int) {"), "{}", sent[0]);
    assert!(sent[1]["query"].as_str().unwrap().contains("label: name"), "{}", sent[1]);
}

#[tokio::test]
async fn errors_are_errors_of_functions_and_a_part_of_the_result_of_a_document() {
    let partial = json!({ "data": { "products": [], "secret": null }, "errors": [{ "message": "not for you", "path": ["secret"] }] });
    let service = Service::new(vec![ok(&partial)]).await;
    let shop = service.connector().await;
    let told = "shop: not for you (at `secret`)";
    assert_eq!(call(&shop, "products", json!({})).await, Err(told.to_owned()));
    let both = call(&shop, "query", json!({ "query": "{ products { id } secret }" })).await;
    assert_eq!(both, Ok(partial));
}

#[tokio::test]
async fn what_is_refused_is_not_sent() {
    let service = Service::new(vec![ok(&json!({ "data": {} }))]).await;
    let shop = service.connector().await;
    for (tool, input, expected) in [
        ("query", json!({ "query": "{ nothing }" }), "does not have a field `nothing`"),
        ("query", json!({ "query": "subscription { x }" }), "does not fit the schema"),
        ("query", json!({ "query": "{ secret } { secret }" }), "does not fit the schema"),
        ("products", json!({ "$select": "id } secret {" }), "has to be a selection"),
        ("products", json!(["x"]), "the input has to be an object"),
        ("add", json!({ "name": "x", "$select": "query { secret }" }), "leads to other functions"),
        ("nothing", json!({}), "the schema no longer has this function"),
    ] {
        let refused = call(&shop, tool, input).await.unwrap_err();
        assert!(refused.starts_with("shop: ") && refused.contains(expected), "{refused}");
    }
    assert!(service.requests().is_empty());
}

#[tokio::test]
async fn the_policy_learns_which_functions_a_document_calls() {
    let service = Service::new(vec![ok(&json!({ "data": {} }))]).await;
    let shop = service.connector().await;
    let amounts = |query: &str| shop.equivalents("query", &json!({ "query": query }));
    let names = |query: &str| amounts(query).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(amounts("{ product(id: \"7\") { id } }"), [("product".to_owned(), json!({ "id": "7" }))]);
    assert_eq!(
        names("mutation M { a: remove(id: 1) b: remove(id: 2) add(name: \"x\") { query { secret } } }"),
        ["remove", "remove", "add", "secret"]
    );
    assert!(names("{ nothing }").is_empty());
    assert!(shop.equivalents("products", &json!({})).is_empty());
}

#[tokio::test]
async fn queries_are_repeated_and_mutations_are_not() {
    let busy = answer(&["503 Busy", "retry-after: 0"], "");
    let done = ok(&json!({ "data": { "secret": "x", "remove": true } }));
    let service = Service::new(vec![busy.clone(), busy.clone(), done.clone()]).await;
    let shop = service.connector().await;
    assert_eq!(call(&shop, "secret", json!({})).await, Ok(json!("x")));
    assert_eq!(service.requests().len(), 3);
    let service = Service::new(vec![busy, done]).await;
    let shop = service.connector().await;
    let refused = call(&shop, "query", json!({ "query": "mutation { remove(id: 1) }" })).await.unwrap_err();
    assert!(refused.contains("503") && service.requests().len() == 1, "{refused}");
}

#[tokio::test]
async fn wrong_answers_say_what_to_do() {
    let html = answer(&["200 OK", "content-type: text/html"], "<html>");
    let elsewhere = answer(&["302 Found", "location: http://169.254.169.254/"], "");
    let refused = answer(
        &["401 Unauthorized", "content-type: application/graphql-response+json"],
        r#"{"errors":[{"message":"who is hunter2-hunter2"}]}"#,
    );
    let garbage = answer(&["200 OK", "content-type: application/json"], "{\"data\": {");
    let other = ok(&json!({ "data": { "other": 1 } }));
    let huge = ok(&json!({ "data": { "secret": "x".repeat(2_000) } }));
    for (answered, expected) in [
        (html, "(the operator checks that `url` is the address of a GraphQL service)"),
        (elsewhere, "302 Found (redirects are not followed; the operator sets the final address as `url`)"),
        (refused, "who is ***: 401 Unauthorized (the operator sets the credentials under `auth`)"),
        (garbage, "the response is not valid JSON"),
        (other, "the answer has no `secret`"),
        (huge, "the response is larger than 1000 bytes; ask for less"),
    ] {
        let service = Service::new(vec![answered]).await;
        let described = service.described(SDL).auth(Auth::bearer("hunter2-hunter2"));
        let shop = connected(described, GraphQlOptions::default().max_response(ByteSize::bytes(1_000))).await;
        let error = call(&shop, "secret", json!({})).await.unwrap_err();
        assert!(error.starts_with("shop: ") && error.contains(expected), "{error}");
        assert!(service.requests()[0].head.contains("authorization: bearer hunter2-hunter2"));
    }
}

#[tokio::test]
async fn a_service_that_is_dead_or_slow_is_an_error() {
    let service = Service::new(vec![ok(&json!({}))]).await;
    let mut described = service.described(SDL);
    described.url = "http://127.0.0.1:1/graphql?key=hunter2".to_owned();
    let shop = connected(described, GraphQlOptions::default().retries(0)).await;
    let dead = call(&shop, "secret", json!({})).await.unwrap_err();
    assert!(dead.contains("http://127.0.0.1:1 cannot be reached") && !dead.contains("hunter2"), "{dead}");
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut described = service.described(SDL);
    described.url = format!("http://{}", silent.local_addr().unwrap());
    let shop = connected(described, GraphQlOptions::default().timeout(Duration::from_millis(50))).await;
    assert!(call(&shop, "secret", json!({})).await.unwrap_err().contains("did not answer within 50ms"));
    assert!(!leaves_effect_unknown(&shop, "secret", json!({})).await, "a query only reads");
    let mutation = json!({ "query": "mutation { remove(id: 1) }" });
    assert!(leaves_effect_unknown(&shop, "query", mutation).await, "the service may have carried it out");
}

#[tokio::test]
async fn a_token_is_granted_and_headers_are_added_and_never_told() {
    let tokens = Service::new(vec![ok(&json!({ "access_token": "granted-token", "expires_in": 3_600 }))]).await;
    let service = Service::new(vec![
        ok(&json!({ "data": { "secret": null } })),
        ok(&json!({ "data": { "secret": "granted-token key-of-the-host of-the-host" } })),
    ])
    .await;
    let oauth = OAuth::new("id", "top-secret").token_url(format!("{}/token", tokens.url()));
    let headers = [("X-Api-Key".to_owned(), "key-of-the-host".to_owned())];
    let described = service.described(SDL).auth(Auth::default().with_oauth(oauth)).headers(headers.into());
    assert!(!format!("{described:?}").contains("of-the-host"));
    let shop = connected(described, GraphQlOptions::default()).await;
    assert_eq!(call(&shop, "secret", json!({})).await, Ok(Value::Null));
    let head = &service.requests()[0].head;
    assert!(
        head.contains("authorization: bearer granted-token") && head.contains("x-api-key: key-of-the-host"),
        "{head}"
    );
    assert_eq!(call(&shop, "secret", json!({})).await, Ok(json!("*** *** ***")), "a result has none of them");
}

#[tokio::test]
async fn programs_read_the_schema_in_parts() {
    let service = Service::new(vec![ok(&json!({}))]).await;
    let shop = service.connector().await;
    assert_eq!(
        call(&shop, "schema", json!({ "type": "Product" })).await.unwrap().as_str().map(str::trim),
        Some("type Product {\n  id: ID!\n  name: String\n}")
    );
    assert!(
        call(&shop, "schema", json!({}))
            .await
            .unwrap()
            .as_str()
            .unwrap()
            .contains("mutation remove(id: ID!): Boolean!")
    );
    assert!(call(&shop, "schema", json!({ "type": "X" })).await.unwrap_err().contains("no type `X`"));
}

#[tokio::test]
async fn a_mutation_has_the_key_of_its_call() {
    let service = Service::new(vec![ok(&json!({ "data": { "remove": true, "products": [] } }))]).await;
    let headers = CallHeaders::default().idempotency("Idempotency-Key".to_owned());
    let shop = connected(service.described(SDL).call_headers(headers), GraphQlOptions::default()).await;
    assert_eq!(call(&shop, "remove", json!({ "id": "1" })).await, Ok(json!(true)));
    assert_eq!(call(&shop, "query", json!({ "query": "mutation { remove(id: 1) }" })).await.map(|_| ()), Ok(()));
    assert_eq!(call(&shop, "products", json!({})).await, Ok(json!([])));
    let has_key: Vec<bool> =
        service.requests().iter().map(|request| request.head.contains("idempotency-key: exec_")).collect();
    assert_eq!(has_key, [true, true, false]);
}
