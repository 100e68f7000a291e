use isobox_connect::{Auth, OAuth, OAuthGrant, OpenApiConnector, OpenApiOptions};
use isobox_core::{CallContext, CallSeq, Connector, ExecutionId, ToolCall};
use serde_json::{Value, json};

use crate::support::{Service, answer, call, ok};

fn document() -> Value {
    json!({ "openapi": "3.0.3", "paths": { "/me": { "get": { "operationId": "me" } } } })
}

#[tokio::test]
async fn credentials_are_sent_and_never_told() {
    let echo = answer(&["403 Forbidden", "content-type: text/plain"], "the token hunter2-hunter2 is not allowed");
    let service = Service::new(vec![echo]).await;
    let described = service.described(&document()).auth(Auth::bearer("hunter2-hunter2"));
    let debug = format!("{described:?}");
    let shop = OpenApiConnector::new("shop", described, OpenApiOptions::default());
    let error = call(&shop, "me", json!({})).await.unwrap_err();
    assert!(error.contains("the token *** is not allowed") && error.contains("`auth`"), "{error}");
    assert!(service.requests()[0].head.contains("authorization: bearer hunter2-hunter2"));
    assert!(!debug.contains("hunter2") && !format!("{shop:?}").contains("hunter2"));
}

/// A document with a list of pets, whose requests have a key in the query.
fn with_key() -> Value {
    let page = json!({ "properties": { "pets": { "type": "array" }, "next": { "type": "string" } } });
    json!({
        "openapi": "3.0.3",
        "paths": { "/pets": { "get": {
            "operationId": "listPets",
            "responses": { "200": { "content": { "application/json": { "schema": page } } } },
        } } },
        "components": { "securitySchemes": { "key": { "type": "apiKey", "in": "query", "name": "key" } } },
    })
}

#[tokio::test]
async fn a_result_has_no_credentials_and_all_other_data() {
    let sent = json!({
        "headers": { "Authorization": "Bearer hunter2-hunter2" }, "hunter2-hunter2": true,
        "args": { "key": "key/of-the-host" }, "url": "/pets?key=key%2Fof-the-host", "version": "2026-01-01",
    });
    // A service may escape what needs no escape.
    let echo = sent.to_string().replace("key/of", "key\\/of");
    let text = answer(&["200 OK", "content-type: text/plain"], "you are hunter2-hunter2");
    let bytes = answer(&["200 OK", "content-type: application/pdf"], "hunter2-hunter2");
    let data = answer(&["200 OK", "content-type: application/json"], &echo);
    let service = Service::new(vec![data.clone(), data, text, bytes]).await;
    let headers = [("X-Version".to_owned(), "2026-01-01".to_owned())].into();
    let auth = Auth::bearer("hunter2-hunter2").with_api_key(None, "key/of-the-host");
    let described = service.described(&with_key()).auth(auth).headers(headers);
    let shop = OpenApiConnector::new("shop", described, OpenApiOptions::default());
    let shown = json!({
        "headers": { "Authorization": "Bearer ***" }, "***": true,
        "args": { "key": "***" }, "url": "/pets?key=***", "version": "2026-01-01",
    });
    assert_eq!(call(&shop, "listPets", json!({})).await, Ok(shown.clone()));
    assert_eq!(call(&shop, "request", json!({ "path": "/pets" })).await.unwrap()["body"], shown);
    assert_eq!(call(&shop, "listPets", json!({})).await, Ok(json!("you are ***")));
    let bytes = call(&shop, "listPets", json!({})).await.unwrap();
    assert_eq!(bytes["data"], "aHVudGVyMi1odW50ZXIy", "bytes stay as they are");
    assert_eq!(service.requests()[0].line, "GET /pets?key=key%2Fof-the-host");
}

#[tokio::test]
async fn pages_are_followed_without_the_pairs_of_the_host() {
    let page = |number: u32, next: &str| ok(&json!({ "pets": [number], "next": next }));
    let service = Service::new(vec![
        page(1, "/pets?tenant=tenant-from-env&page=2&key=key-of-the-host"),
        page(2, "/pets?key=key-of-the-host&page=3&tenant=tenant-from-env"),
        page(3, ""),
    ])
    .await;
    let described = service
        .described(&with_key())
        .base_url(format!("{}/?tenant=tenant-from-env", service.url()))
        .secrets(vec!["tenant-from-env".to_owned()])
        .auth(Auth::default().with_api_key(None, "key-of-the-host"));
    let shop = OpenApiConnector::new("shop", described, OpenApiOptions::default());
    let first = call(&shop, "listPets.pages", json!({ "maxPages": 2 })).await.unwrap();
    let expected = json!({
        "pages": [
            { "pets": [1], "next": "/pets?tenant=***&page=2&key=***" },
            { "pets": [2], "next": "/pets?key=***&page=3&tenant=***" },
        ],
        "next": { "maxPages": 2, "pagesRead": 2, "nextPage": "?page=3" },
    });
    assert_eq!(first, expected);
    let last = call(&shop, "listPets.pages", first["next"].clone()).await;
    assert_eq!(last, Ok(json!({ "pages": [{ "pets": [3], "next": "" }], "next": null })));
    let lines: Vec<String> = service.requests().into_iter().map(|request| request.line).collect();
    let expected = [
        "GET /pets?tenant=tenant-from-env&key=key-of-the-host",
        "GET /pets?tenant=tenant-from-env&page=2&key=key-of-the-host",
        "GET /pets?tenant=tenant-from-env&page=3&key=key-of-the-host",
    ];
    assert_eq!(lines, expected);
}

#[tokio::test]
async fn a_granted_token_is_never_told() {
    let tokens = Service::new(vec![
        ok(&json!({ "access_token": "first-token" })),
        ok(&json!({ "access_token": "second-token" })),
    ])
    .await;
    let refused = answer(&["401 Unauthorized"], "");
    let echo = answer(
        &["403 Forbidden", "content-type: text/plain", "x-token: second-token"],
        "second-token may not do this, and first-token was refused",
    );
    let service = Service::new(vec![refused, echo]).await;
    let oauth = OAuth::new("id", "top-secret").token_url(format!("{}/token", tokens.url()));
    let described = service.described(&document()).auth(Auth::default().with_oauth(oauth));
    let shop = OpenApiConnector::new("shop", described, OpenApiOptions::default());
    let context = CallContext::new(ExecutionId::new(1, 2), CallSeq::new(3));
    let error = shop.call("me", ToolCall::new(json!({}), context)).await.unwrap_err();
    assert!(error.message().contains("403 Forbidden: *** may not do this"), "{error}");
    assert_eq!(error.details()["body"], "*** may not do this, and *** was refused");
    let whole = call(&shop, "request", json!({ "path": "/me" })).await.unwrap();
    assert_eq!(whole["headers"]["x-token"], "***");
    assert!(service.requests()[2].head.contains("authorization: bearer second-token"));
}

#[tokio::test]
async fn a_newer_refresh_token_is_kept_when_a_refresh_fails() {
    let granted = |token: &str, refresh: &str| ok(&json!({ "access_token": token, "refresh_token": refresh }));
    let failed = answer(&["500 Internal Server Error"], "");
    let tokens = Service::new(vec![granted("one", "r2"), failed, granted("two", "r3")]).await;
    let refused = answer(&["401 Unauthorized"], "");
    let service = Service::new(vec![refused.clone(), refused, ok(&json!(1))]).await;
    let oauth = OAuth::new("id", "secret")
        .token_url(format!("{}/token", tokens.url()))
        .grant(OAuthGrant::RefreshToken("r1".to_owned()));
    let described = service.described(&document()).auth(Auth::default().with_oauth(oauth));
    let shop = OpenApiConnector::new("shop", described, OpenApiOptions::default());
    let error = call(&shop, "me", json!({})).await.unwrap_err();
    assert!(error.contains("no token was granted: the answer was 500"), "{error}");
    assert_eq!(call(&shop, "me", json!({})).await, Ok(json!(1)));
    let sent: Vec<String> = tokens.requests().into_iter().map(|request| request.body).collect();
    for (body, expected) in sent.iter().zip(["refresh_token=r1", "refresh_token=r2", "refresh_token=r2"]) {
        assert!(body.contains(expected), "{expected}: {sent:?}");
    }
    assert_eq!(sent.len(), 3);
}

#[tokio::test]
async fn a_token_is_granted_once_and_again_when_it_is_refused() {
    let token = |value: &str| ok(&json!({ "access_token": value, "expires_in": 3_600 }));
    let refused = answer(&["401 Unauthorized"], "");
    let tokens = Service::new(vec![token("one"), token("two")]).await;
    let service = Service::new(vec![ok(&json!(1)), refused.clone(), ok(&json!(2)), refused]).await;
    let oauth = OAuth::new("id", "secret").token_url(format!("{}/token", tokens.url()));
    let described = service.described(&document()).auth(Auth::default().with_oauth(oauth));
    let shop = OpenApiConnector::new("shop", described, OpenApiOptions::default());
    assert_eq!(call(&shop, "me", json!({})).await, Ok(json!(1)));
    assert_eq!(call(&shop, "me", json!({})).await, Ok(json!(2)));
    let sent: Vec<bool> = service.requests().iter().map(|request| request.head.contains("bearer one")).collect();
    assert_eq!((sent, tokens.requests().len()), (vec![true, true, false], 2));
    assert!(tokens.requests()[0].body.contains("grant_type=client_credentials"));
    // A second refusal is the answer.
    let error = call(&shop, "me", json!({})).await.unwrap_err();
    assert!(error.contains("401 Unauthorized"), "{error}");
}

#[tokio::test]
async fn a_refused_client_is_an_error_without_its_secret() {
    let tokens = Service::new(vec![answer(&["400 Bad Request"], r#"{"error":"invalid_client"}"#)]).await;
    let service = Service::new(vec![ok(&json!(1))]).await;
    let oauth = OAuth::new("id", "top-secret").token_url(format!("{}/token", tokens.url()));
    let described = service.described(&document()).auth(Auth::default().with_oauth(oauth));
    let shop = OpenApiConnector::new("shop", described, OpenApiOptions::default());
    let error = call(&shop, "me", json!({})).await.unwrap_err();
    assert_eq!(error, "shop: no token was granted: the answer was 400 invalid_client");
    assert!(service.requests().is_empty());
}

#[tokio::test]
async fn a_document_cannot_direct_credentials_elsewhere() {
    let elsewhere = Service::new(vec![ok(&json!("elsewhere"))]).await;
    let mut document = document();
    document["paths"]["/me"]["get"]["servers"] = json!([{ "url": elsewhere.url() }]);
    let service = Service::new(vec![ok(&json!("here"))]).await;
    let described = service.described(&document).auth(Auth::bearer("hunter2-hunter2"));
    let shop = OpenApiConnector::new("shop", described, OpenApiOptions::default());
    assert_eq!(call(&shop, "me", json!({})).await, Ok(json!("here")));
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn a_field_of_an_object_is_not_sent_under_the_name_of_a_key() {
    let service = Service::new(vec![ok(&json!(1))]).await;
    let by = json!({ "name": "by", "in": "query", "style": "form", "explode": true, "schema": { "type": "object" } });
    let document = json!({
        "openapi": "3.0.3", "info": { "title": "Shop" },
        "components": { "securitySchemes": { "key": { "type": "apiKey", "in": "query", "name": "api_key" } } },
        "paths": { "/pets": { "get": { "operationId": "listPets", "parameters": [by] } } },
    });
    let described = service.described(&document).auth(Auth::default().with_api_key(None, "key-of-the-host"));
    let shop = OpenApiConnector::new("shop", described, OpenApiOptions::default());
    for name in ["api_key", "API-Key", "api.key", "api_key[0]"] {
        let error = call(&shop, "listPets", json!({ "by": { name: "forged" } })).await.unwrap_err();
        assert_eq!(error, format!("shop: the query parameter `{name}` is set by the host"));
    }
    assert_eq!(call(&shop, "listPets", json!({ "by": { "name": "Bo" } })).await, Ok(json!(1)));
    assert_eq!(service.requests()[0].line, "GET /pets?name=Bo&api_key=key-of-the-host");
}
