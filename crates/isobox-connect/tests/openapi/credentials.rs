use isobox_connect::{Auth, OAuth, OpenApiConnector, OpenApiOptions};
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
