use isobox_connect::{CallHeaders, OpenApiConnector, OpenApiOptions};
use isobox_core::{CallContext, CallSeq, Connector, ExecutionId, Limits, ToolCall};
use serde_json::{Value, json};

use crate::support::{Service, answer, call, leaves_effect_unknown, ok};

fn pets() -> Value {
    json!({ "/pets": {
        "get": { "operationId": "listPets", "parameters": [{ "name": "page", "in": "query", "schema": { "type": "integer" } }],
                 "responses": { "200": { "headers": { "Link": {} }, "content": { "application/json": { "schema": { "type": "array" } } } } } },
        "post": { "operationId": "createPet", "requestBody": { "required": true, "content": { "application/json": {} } } },
    }, "/pets/{id}": {
        "get": { "operationId": "getPet", "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "integer" } }] },
        "delete": { "operationId": "deletePet" },
        "head": { "operationId": "headPet" },
    } })
}

#[tokio::test]
async fn operations_are_called_with_one_object() {
    let service = Service::new(vec![ok(&json!({ "name": "Ada" }))]).await;
    let shop = service.connector(pets());
    assert_eq!(call(&shop, "getPet", json!({ "id": 7 })).await, Ok(json!({ "name": "Ada" })));
    assert_eq!(call(&shop, "createPet", json!({ "body": { "name": "Bo" } })).await, Ok(json!({ "name": "Ada" })));
    let requests = service.requests();
    assert_eq!((requests[0].line.as_str(), requests[1].line.as_str()), ("GET /pets/7", "POST /pets"));
    assert_eq!(requests[1].body, r#"{"name":"Bo"}"#);
    assert!(requests[1].head.contains("content-type: application/json"));
    assert!(requests.iter().all(|request| request.head.contains("accept-encoding: identity")));
}

#[tokio::test]
async fn a_value_never_calls_another_operation() {
    let service = Service::new(vec![ok(&json!(1))]).await;
    let shop = service.connector(json!({
        "/users/{id}": { "post": { "operationId": "update" } },
        "/users/purge": { "post": { "operationId": "purge" } },
        "/users/{id}/purge": { "post": { "operationId": "purgeOne" } },
    }));
    shop.offer().await.unwrap();
    for (tool, input, other) in [
        ("update", json!({ "id": "purge" }), "POST /users/purge"),
        ("update", json!({ "id": "Purge" }), "POST /users/purge"),
        ("update", json!({ "id": "7/purge" }), "POST /users/{id}/purge"),
        ("request", json!({ "method": "POST", "path": "/users/%70urge" }), "POST /users/purge"),
    ] {
        let error = call(&shop, tool, input.clone()).await.unwrap_err();
        let expected = format!("shop: the values make this the path of another operation, {other}; call that one");
        assert_eq!(error, expected, "{tool} {input}");
    }
    assert!(service.requests().is_empty(), "nothing is sent");
    for (tool, input) in [
        ("update", json!({ "id": "purged" })),
        ("purge", json!({})),
        ("purgeOne", json!({ "id": "purge" })),
        ("request", json!({ "method": "POST", "path": "/users/purge" })),
    ] {
        call(&shop, tool, input).await.unwrap();
    }
    let lines: Vec<String> = service.requests().into_iter().map(|request| request.line).collect();
    assert_eq!(lines, ["POST /users/purged", "POST /users/purge", "POST /users/purge/purge", "POST /users/purge"]);
}

#[tokio::test]
async fn an_error_has_its_status_and_its_body() {
    let missing = answer(&["404 Not Found", "content-type: application/json"], r#"{"why":"no such pet"}"#);
    let service = Service::new(vec![missing]).await;
    let shop = service.connector(pets());
    let error = call(&shop, "getPet", json!({ "id": 7 })).await.unwrap_err();
    assert_eq!(error, r#"shop: GET /pets/{id}: 404 Not Found: {"why":"no such pet"}"#);
    let whole = call(&shop, "request", json!({ "path": "/pets/7" })).await.unwrap();
    assert_eq!((&whole["status"], &whole["body"]), (&json!(404), &json!({ "why": "no such pet" })));
    let error = call(&shop, "request", json!({ "path": "/admin" })).await.unwrap_err();
    assert_eq!(error, "shop: no operation of the document is GET /admin");
}

#[tokio::test]
async fn idempotent_requests_are_repeated_when_the_service_asks_for_it() {
    let busy = || answer(&["503 Service Unavailable", "retry-after: 0"], "");
    let service = Service::new(vec![busy(), busy(), ok(&json!(1))]).await;
    let shop = service.connector(pets());
    assert_eq!(call(&shop, "getPet", json!({ "id": 7 })).await, Ok(json!(1)));
    assert_eq!(service.requests().len(), 3);

    let service = Service::new(vec![busy(), ok(&json!(1))]).await;
    let error = call(&service.connector(pets()), "createPet", json!({ "body": {} })).await.unwrap_err();
    assert!(error.contains("503 Service Unavailable"), "{error}");
    assert_eq!(service.requests().len(), 1);
}

#[tokio::test]
async fn only_a_request_that_may_have_changed_something_leaves_its_effect_unknown() {
    let unreadable = || answer(&["200 OK", "content-type: application/json"], "{");
    let lost = || answer(&["502 Bad Gateway", "retry-after: 60"], "");
    let refused = || answer(&["409 Conflict"], "");
    for (answered, is_unknown) in [(unreadable(), true), (lost(), true), (refused(), false)] {
        let service = Service::new(vec![answered]).await;
        let shop = service.connector(pets());
        assert_eq!(leaves_effect_unknown(&shop, "createPet", json!({ "body": {} })).await, is_unknown);
        assert!(!leaves_effect_unknown(&shop, "getPet", json!({ "id": 7 })).await, "it only reads");
    }
}

#[tokio::test]
async fn pages_are_read_until_the_last_one_or_until_there_are_enough() {
    let page = |number: u32, next: &str| {
        answer(&["200 OK", "content-type: application/json", next], &json!([number]).to_string())
    };
    let links = || {
        vec![
            page(1, "link: </pets?page=2>; rel=\"next\""),
            page(2, "link: </pets?page=3>; rel=\"next\""),
            page(3, "x: y"),
        ]
    };
    let service = Service::new(links()).await;
    let shop = service.connector(pets());
    assert_eq!(call(&shop, "listPets.pages", json!({})).await, Ok(json!({ "pages": [[1], [2], [3]], "next": null })));

    let service = Service::new(links()).await;
    let shop = service.connector(pets());
    let first = call(&shop, "listPets.pages", json!({ "maxPages": 2 })).await.unwrap();
    assert_eq!(first, json!({ "pages": [[1], [2]], "next": { "maxPages": 2, "pagesRead": 2, "nextPage": "?page=3" } }));
    assert_eq!(call(&shop, "listPets.pages", first["next"].clone()).await, Ok(json!({ "pages": [[3]], "next": null })));
    let lines: Vec<String> = service.requests().into_iter().map(|request| request.line).collect();
    assert_eq!(lines, ["GET /pets", "GET /pets?page=2", "GET /pets?page=3"]);
    let error = call(&shop, "listPets.pages", json!({ "nextPage": "http://169.254.169.254/" })).await.unwrap_err();
    assert!(error.contains("`nextPage` has to be"), "{error}");
}

#[tokio::test]
async fn a_list_is_read_whole_or_fails() {
    let page = |next: &str| answer(&["200 OK", "content-type: application/json", &format!("link: {next}")], "[1]");
    let service = Service::new(vec![page("<https://127.0.0.1:1/pets?page=2>; rel=next")]).await;
    let error = call(&service.connector(pets()), "listPets.pages", json!({})).await.unwrap_err();
    let expected = "shop: there is another page, but its address is not the one of this operation: \
                    https://127.0.0.1:1/pets; call the operation itself for the first page";
    assert_eq!(error, expected);
}

#[tokio::test]
async fn a_next_link_may_repeat_parts_of_a_declared_object_and_one_that_is_refused_loses_no_pages() {
    let paths = json!({ "/pets": { "get": {
        "operationId": "listPets",
        "parameters": [{ "name": "page", "in": "query", "style": "deepObject", "schema": { "type": "object" } }],
        "responses": { "200": { "headers": { "Link": {} }, "content": { "application/json": {} } } },
    } } });
    let page = |number: u32, next: &str| {
        answer(&["200 OK", "content-type: application/json", next], &json!([number]).to_string())
    };
    let pages = vec![
        page(1, "link: </pets?page%5Bcursor%5D=b&page%5Bsize%5D=2>; rel=\"next\""),
        page(2, "link: </pets?PAGE=3>; rel=\"next\""),
    ];
    let service = Service::new(pages).await;
    let shop = service.connector(paths);
    let read = call(&shop, "listPets.pages", json!({ "page": { "size": 2 } })).await.unwrap();
    assert_eq!(read["pages"], json!([[1], [2]]));
    assert_eq!(read["next"]["nextPage"], "?PAGE=3");
    let lines: Vec<String> = service.requests().into_iter().map(|request| request.line).collect();
    assert_eq!(lines, ["GET /pets?page%5Bsize%5D=2", "GET /pets?page%5Bcursor%5D=b&page%5Bsize%5D=2"]);
    let error = call(&shop, "listPets.pages", read["next"].clone()).await.unwrap_err();
    assert!(error.contains("some services read `PAGE` as `page`"), "{error}");
    let input = json!({ "page": { "size": 2 }, "nextPage": "?page[cursor]=b&page[size]=9" });
    let expected = json!({ "page": { "cursor": "b", "size": 9 } });
    assert_eq!(shop.equivalents("listPets.pages", &input).pop(), Some(("listPets".to_owned(), expected)));
}

#[tokio::test]
async fn pages_are_counted_from_the_first_one_that_the_document_names() {
    let page = json!({ "properties": { "pets": { "type": "array" } } });
    for (schema, expected) in [
        (json!({ "type": "integer", "default": 0 }), ["GET /pets?page=0", "GET /pets?page=1", "GET /pets?page=2"]),
        (json!({ "type": "integer", "minimum": 1 }), ["GET /pets?page=1", "GET /pets?page=2", "GET /pets?page=3"]),
        (json!({ "type": "integer" }), ["GET /pets", "GET /pets?page=2", "GET /pets?page=3"]),
    ] {
        let paths = json!({ "/pets": { "get": {
            "operationId": "listPets", "parameters": [{ "name": "page", "in": "query", "schema": schema }],
            "responses": { "200": { "content": { "application/json": { "schema": page } } } },
        } } });
        let full = |number: u32| ok(&json!({ "pets": [number], "warnings": [] }));
        let service = Service::new(vec![full(1), full(2), ok(&json!({ "pets": [], "warnings": [] }))]).await;
        let read = call(&service.connector(paths), "listPets.pages", json!({})).await.unwrap();
        assert_eq!((read["pages"].as_array().map(Vec::len), &read["next"]), (Some(3), &Value::Null), "{schema}");
        let lines: Vec<String> = service.requests().into_iter().map(|request| request.line).collect();
        assert_eq!(lines, expected);
    }
}

#[tokio::test]
async fn a_list_without_an_end_is_read_up_to_the_maximum_and_then_an_error() {
    let endless = (2..10).map(|number| {
        let next = format!("link: </pets?page={number}>; rel=\"next\"");
        answer(&["200 OK", "content-type: application/json", &next], "[]")
    });
    let service = Service::new(endless.collect()).await;
    let shop = service.connector_with(pets(), OpenApiOptions::default().max_pages(3));
    let first = call(&shop, "listPets.pages", json!({ "maxPages": 2 })).await.unwrap();
    assert_eq!(first["next"], json!({ "maxPages": 2, "pagesRead": 2, "nextPage": "?page=3" }));
    let last = call(&shop, "listPets.pages", first["next"].clone()).await.unwrap();
    assert_eq!(last["pages"], json!([[]]), "the pages up to the maximum are given");
    assert_eq!(last["next"]["pagesRead"], json!(3), "there are more, and the result says so");
    let error = call(&shop, "listPets.pages", last["next"].clone()).await.unwrap_err();
    let expected = "shop: 3 pages of this list were read, which is the maximum, and there are more; ask for less of it, or \
                    have the operator raise `maxPages` of the service";
    assert_eq!(error, expected);
    assert_eq!(service.requests().len(), 3);
}

#[tokio::test]
async fn what_is_large_compressed_or_moved_is_an_error_that_says_so() {
    let large = answer(
        &["200 OK", "content-type: text/plain"],
        &"x".repeat(usize::try_from(Limits::default().output.get()).unwrap() + 1),
    );
    let moved = answer(&["302 Found", "location: http://169.254.169.254/latest"], "");
    let packed = answer(&["200 OK", "content-type: text/plain", "content-encoding: gzip"], "x");
    let garbage = answer(&["200 OK", "content-type: application/json"], "<html>");
    for (answered, expected) in [
        (large, "the response is larger than"),
        (moved, "302 Found (redirects are not followed"),
        (packed, "the response is compressed"),
        (garbage, "the response is not valid JSON"),
        ("garbage\r\n\r\n".to_owned(), "failed"),
    ] {
        let service = Service::new(vec![answered]).await;
        let error = call(&service.connector(pets()), "createPet", json!({ "body": {} })).await.err();
        let error = error.unwrap_or_else(|| panic!("no error instead of: {expected}"));
        assert!(error.starts_with("shop: ") && error.contains(expected), "{error}");
    }
}

#[tokio::test]
async fn methods_say_what_tools_do() {
    let service = Service::new(vec![ok(&json!(1))]).await;
    let offer = service.connector(pets()).offer().await.unwrap();
    let hints = |name: &str| {
        let hints = offer.tools.iter().find(|tool| tool.name == name).unwrap().hints;
        (hints.read_only, hints.destructive, hints.idempotent)
    };
    assert_eq!(hints("listPets"), (Some(true), None, Some(true)));
    assert_eq!(hints("headPet"), (Some(true), None, Some(true)));
    assert_eq!(hints("createPet"), (Some(false), None, Some(false)));
    assert_eq!(hints("deletePet"), (Some(false), Some(true), Some(true)));
    assert_eq!(hints("spec"), (Some(true), None, Some(true)));
}

#[tokio::test]
async fn the_policy_learns_what_a_general_call_amounts_to() {
    let service = Service::new(vec![ok(&json!(1))]).await;
    let shop = service.connector(pets());
    shop.offer().await.unwrap();
    let amounts = |tool: &str, input: Value| shop.equivalents(tool, &input).pop();
    assert_eq!(
        amounts("request", json!({ "method": "DELETE", "path": "/pets/7" })),
        Some(("deletePet".to_owned(), json!({ "id": "7" })))
    );
    assert_eq!(
        amounts("request", json!({ "path": "/pets", "query": { "page": "2" } })),
        Some(("listPets".to_owned(), json!({ "page": 2 })))
    );
    assert_eq!(amounts("request", json!({ "path": "/admin" })), None);
    assert_eq!(
        amounts("listPets.pages", json!({ "maxPages": 3, "pagesRead": 6, "nextPage": "?page=9" })),
        Some(("listPets".to_owned(), json!({ "page": 9 })))
    );
}

#[tokio::test]
async fn a_body_makes_no_other_request_and_its_fields_are_sent_as_no_others() {
    let form = "application/x-www-form-urlencoded";
    let body = |media: &str, content: Value| json!({ "required": true, "content": { media: content } });
    let pay = json!({
        "schema": { "type": "object", "properties": { "amount": { "type": "integer" }, "more": { "type": "object" } } },
        "encoding": { "more": { "style": "form", "explode": true } },
    });
    let update = json!({ "schema": { "properties": { "_method": { "const": "PUT" }, "name": { "type": "string" } } } });
    let service = Service::new(vec![ok(&json!(1))]).await;
    let shop = service.connector(json!({
        "/pay": { "post": { "operationId": "pay", "requestBody": body(form, pay) } },
        "/create": { "post": { "operationId": "create", "requestBody": body("application/json", json!({})) } },
        "/update": { "post": { "operationId": "update", "requestBody": body("application/json", update) } },
        "/parts": { "post": { "operationId": "parts", "requestBody": body("multipart/form-data", json!({})) } },
        "/any": { "post": { "operationId": "any", "requestBody": body("*/*", json!({})) } },
    }));
    let method = "shop: `_method` and its like would make some services carry out another request";
    // `_method=DELETE`
    let bytes = json!({ "data": "X21ldGhvZD1ERUxFVEU=", "mimeType": form });
    for (tool, input, expected) in [
        ("create", json!({ "_method": "DELETE" }), method),
        ("pay", json!({ "amount": 1, "_METHOD": "DELETE" }), method),
        ("pay", json!({ "amount": 1, "more": { "_method": "DELETE" } }), method),
        ("parts", json!({ "_method": "DELETE" }), method),
        ("any", bytes, method),
        (
            "pay",
            json!({ "amount": 1, "more": { "amount": 1000 } }),
            "shop: the field `more` of the body is sent as `amount`",
        ),
        (
            "pay",
            json!({ "amount": 1, "amount[]": 1000 }),
            "shop: the field `amount[]` of the body is sent as `amount[]`",
        ),
    ] {
        let error = call(&shop, tool, json!({ "body": input })).await.unwrap_err();
        assert!(error.starts_with(expected), "{tool} {input}: {error}");
    }
    let request = json!({ "method": "POST", "path": "/create", "body": { "_method": "DELETE" } });
    assert_eq!(call(&shop, "request", request).await, Err(method.to_owned()));
    assert!(service.requests().is_empty(), "nothing is sent");
    for (tool, input) in [
        ("create", json!({ "method": "card", "nested": { "_method": 1 } })),
        ("pay", json!({ "amount": 1, "more": { "note": "a" }, "other": 2 })),
        ("update", json!({ "_method": "PUT", "name": "Bo" })),
    ] {
        assert_eq!(call(&shop, tool, json!({ "body": input })).await, Ok(json!(1)), "{tool}");
    }
    let bodies: Vec<String> = service.requests().into_iter().map(|request| request.body).collect();
    let create = r#"{"method":"card","nested":{"_method":1}}"#;
    assert_eq!(bodies, [create, "amount=1&note=a&other=2", r#"{"_method":"PUT","name":"Bo"}"#]);
}

#[tokio::test]
async fn a_service_gets_the_key_and_the_token_of_a_call_that_may_change_something() {
    let service = Service::new(vec![ok(&json!({}))]).await;
    let mut paths = pets();
    paths["/pets"]["post"]["parameters"] =
        json!([{ "name": "Idempotency-Key", "in": "header", "required": true, "schema": { "type": "string" } }]);
    let document = json!({ "openapi": "3.0.3", "info": { "title": "Shop" }, "paths": paths });
    let headers = CallHeaders::default().idempotency("Idempotency-Key".to_owned()).fencing("X-Fence".to_owned());
    let described = service.described(&document).call_headers(headers);
    let shop = OpenApiConnector::new("shop", described, OpenApiOptions::default());
    let offer = shop.offer().await.unwrap();
    let create = offer.tools.iter().find(|tool| tool.name == "createPet").unwrap();
    assert_eq!(create.input_schema.as_ref().unwrap()["required"], json!(["body"]), "the host fills in the header");
    let mut context = CallContext::new(ExecutionId::new(1, 2), CallSeq::new(3));
    context.fencing_token = Some(7);
    let key = context.key();
    for (tool, input) in [("createPet", json!({ "body": {} })), ("getPet", json!({ "id": 7 }))] {
        shop.call(tool, ToolCall::new(input, context.clone())).await.unwrap();
    }
    let requests = service.requests();
    let expected = format!("idempotency-key: {}\r\n", key.to_lowercase());
    assert!(requests[0].head.contains(&expected) && requests[0].head.contains("x-fence: 7\r\n"), "{requests:?}");
    assert!(!requests[1].head.contains("idempotency-key") && !requests[1].head.contains("x-fence"), "{requests:?}");
}
