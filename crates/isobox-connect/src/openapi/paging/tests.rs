use hyper::Method;
use hyper::header::HeaderValue;
use serde_json::json;

use super::super::document::documents_of;
use super::super::model::{Form, Style};
use super::super::operation::Scalar;
use super::super::reading::read;
use super::*;
use crate::service::{Auth, SecurityScheme};

fn parameter(name: &str) -> Parameter {
    let form = Form::Styled { style: Style::Form, explode: true, is_reserved_allowed: false };
    Parameter {
        property: name.to_owned(),
        name: name.to_owned(),
        location: Location::Query,
        form,
        scalar: Scalar::Text,
    }
}

fn detected(operation: Value, schema: Value, query: &[&str]) -> Option<Paging> {
    let mut operation = operation;
    operation["responses"]["200"]["content"] = json!({ "application/json": { "schema": schema } });
    let documents = documents_of(json!({ "openapi": "3.0.0", "paths": { "/x": { "get": operation } } }));
    let api = read(&documents).unwrap();
    let parameters: Vec<Parameter> = query.iter().map(|name| parameter(name)).collect();
    detect(&api.operations[0], &parameters)
}

fn counter(property: &str, first: Option<u64>, list: Option<&str>) -> Counter {
    Counter { property: property.to_owned(), first, list: list.map(str::to_owned) }
}

#[test]
fn schemas_that_have_themselves_as_parts_are_looked_at_once() {
    let itself = "#/paths/~1x/get/responses/200/content/application~1json/schema";
    let parts = vec![json!({ "$ref": itself }); 10_000];
    let schema = json!({ "allOf": parts, "properties": { "nextPageToken": {} } });
    assert!(detected(json!({}), schema, &["pageToken"]).is_some());
    let many: serde_json::Map<String, Value> = (0..100_000).map(|number| (format!("p{number}"), json!({}))).collect();
    let schema =
        json!({ "allOf": [{ "$ref": itself }, { "properties": { "nextPageToken": {} } }], "properties": many });
    assert_eq!(detected(json!({}), schema, &["pageToken"]), None, "there are too many properties before it");
}

#[test]
fn the_document_shows_the_way() {
    let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
    let list = json!({ "type": "array" });
    let google = json!({ "properties": { "items": list, "nextPageToken": {} } });
    let nested = json!({ "allOf": [{ "properties": { "meta": { "properties": { "next_cursor": {} } } } }] });
    let link = json!({ "responses": { "200": { "headers": { "link": {} } } } });
    let pets = || json!({ "properties": { "pets": list } });
    let with = |name: &str, schema: Value| json!({ "parameters": [{ "name": name, "in": "query", "schema": schema }] });
    for (operation, schema, query, expected) in [
        (
            json!({}),
            google,
            &["pageToken"][..],
            Some(Paging::Token { keys: keys(&["nextPageToken"]), property: "pageToken".into() }),
        ),
        (
            json!({}),
            nested,
            &["cursor"],
            Some(Paging::Token { keys: keys(&["meta", "next_cursor"]), property: "cursor".into() }),
        ),
        (json!({ "x-ms-pageable": {} }), json!({}), &[], Some(Paging::NextLink { keys: keys(&["nextLink"]) })),
        (json!({ "x-ms-pageable": { "nextLinkName": null } }), json!({}), &[], None),
        (link, list.clone(), &[], Some(Paging::LinkHeader)),
        (json!({}), json!({ "properties": { "next": {} } }), &[], Some(Paging::NextLink { keys: keys(&["next"]) })),
        (json!({}), list.clone(), &["page"], Some(Paging::Number(counter("page", None, None)))),
        (json!({}), pets(), &["offset"], Some(Paging::Offset(counter("offset", None, Some("pets"))))),
        (
            with("page", json!({ "default": 0, "minimum": 1 })),
            list.clone(),
            &["page"],
            Some(Paging::Number(counter("page", Some(0), None))),
        ),
        (
            with("page", json!({ "minimum": 0 })),
            list.clone(),
            &["page"],
            Some(Paging::Number(counter("page", Some(0), None))),
        ),
        (
            with("start", json!({ "default": 1 })),
            pets(),
            &["start"],
            Some(Paging::Offset(counter("start", Some(1), Some("pets")))),
        ),
        (
            with("page", json!({ "default": "first" })),
            list.clone(),
            &["page"],
            Some(Paging::Number(counter("page", None, None))),
        ),
        (
            json!({}),
            json!({ "allOf": [pets(), pets()] }),
            &["page"],
            Some(Paging::Number(counter("page", None, Some("pets")))),
        ),
        (json!({}), json!({ "properties": { "a": list, "b": list } }), &["page"], None),
        (json!({}), list, &["q"], None),
        (json!({}), json!({ "properties": { "page": {} } }), &["page"], None),
    ] {
        assert_eq!(detected(operation.clone(), schema.clone(), query), expected, "{operation} {schema} {query:?}");
    }
}

fn operation(paging: Paging) -> Operation {
    Operation {
        method: Method::GET,
        path: "/pets".to_owned(),
        base: "https://a.example/?v=1".parse().unwrap(),
        parameters: Vec::new(),
        body: None,
        accepts: Vec::new(),
        security: None,
        pages: Some(paging),
    }
}

fn credentials() -> Credentials {
    let key = SecurityScheme::ApiKey { name: "key".to_owned(), location: Location::Query };
    Credentials {
        auth: Auth::default().with_api_key(None, "k"),
        headers: Default::default(),
        schemes: [("key".to_owned(), key)].into(),
        origin: Origin::of(&"https://a.example".parse().unwrap()).unwrap(),
    }
}

fn following(paging: Paging, input: Value, link: &str, page: Value) -> Result<Option<NextPage>, String> {
    let mut headers = HeaderMap::new();
    if !link.is_empty() {
        headers.insert(LINK, HeaderValue::from_bytes(link.as_bytes()).unwrap());
    }
    let url = "https://a.example/pets?v=1&page=1&key=k".parse().unwrap();
    next(&operation(paging), &credentials(), input.as_object().unwrap(), &url, &headers, &page)
}

#[test]
fn the_next_page_is_found() {
    let query = |query: &str| Some(NextPage::Query(query.to_owned()));
    let input = |value: Value| Some(NextPage::Input(value.as_object().unwrap().clone()));
    let token = || Paging::Token { keys: vec!["meta".into(), "next".into()], property: "cursor".into() };
    let link = || Paging::NextLink { keys: vec!["next".into()] };
    let number = || Paging::Number(counter("page", None, None));
    let counted = || Paging::Number(counter("page", Some(0), Some("pets")));
    let offset = || Paging::Offset(counter("offset", None, None));
    let start = || Paging::Offset(counter("start", Some(1), Some("pets")));
    for (paging, given, header, page, expected) in [
        (
            Paging::LinkHeader,
            json!({}),
            r#"<https://a.example/pets?page=2>; rel="next", <x>; rel="last""#,
            json!([]),
            query("page=2"),
        ),
        (Paging::LinkHeader, json!({}), "<?page=2>; title=x; rel=next", json!([]), query("page=2")),
        (Paging::LinkHeader, json!({}), "</pets?key=k&page=2&v=1>; rel=next", json!([]), query("page=2")),
        (Paging::LinkHeader, json!({}), "<?v=1&key=k&page=1>; rel=next", json!([]), None),
        (Paging::LinkHeader, json!({}), r#"<?page=0>; rel="prev""#, json!([1]), None),
        (Paging::LinkHeader, json!({}), r#"<?page=1>; rel="next""#, json!([]), None),
        (link(), json!({}), "", json!({ "next": "/pets?page=2" }), query("page=2")),
        (link(), json!({}), "", json!({ "next": null }), None),
        (token(), json!({ "q": 1 }), "", json!({ "meta": { "next": "t" } }), input(json!({ "q": 1, "cursor": "t" }))),
        (token(), json!({ "cursor": "t" }), "", json!({ "meta": { "next": "t" } }), None),
        (token(), json!({}), "", json!({ "meta": { "next": "" } }), None),
        (token(), json!({}), "", json!([]), None),
        (number(), json!({}), "", json!([1]), input(json!({ "page": 2 }))),
        (number(), json!({ "page": 5 }), "", json!({ "pets": [1] }), input(json!({ "page": 6 }))),
        (number(), json!({ "page": 5 }), "", json!([]), None),
        (number(), json!({}), r#"<?page=1>; rel="first""#, json!([1]), None),
        (number(), json!({ "page": u64::MAX }), "", json!([1]), None),
        (counted(), json!({}), "", json!({ "pets": [1], "warnings": [] }), input(json!({ "page": 1 }))),
        (counted(), json!({}), "", json!({ "pets": [], "warnings": [1] }), None),
        (counted(), json!({}), "", json!({ "warnings": [1] }), None),
        (offset(), json!({ "offset": 10 }), "", json!([1, 2]), input(json!({ "offset": 12 }))),
        (offset(), json!({}), "", json!({}), None),
        (start(), json!({}), "", json!({ "pets": [1, 2], "warnings": [] }), input(json!({ "start": 3 }))),
    ] {
        let found = following(paging.clone(), given, header, page.clone());
        assert_eq!(found, Ok(expected), "{paging:?} {header} {page}");
    }
}

#[test]
fn a_link_may_spell_the_address_of_its_operation_in_another_way() {
    let query = |query: &str| Ok::<_, String>(Some(NextPage::Query(query.to_owned())));
    let by_link = || Paging::NextLink { keys: vec!["next".into()] };
    let by_token = || Paging::Token { keys: vec!["next".into()], property: "cursor".into() };
    for (link, expected) in [
        ("?page[number]=2", query("page[number]=2")),
        ("?q=a b|c", query("q=a%20b|c")),
        ("http://a.example/pets?page=2", query("page=2")),
        ("https://A.example:443/pets/?page=2", query("page=2")),
        ("/p%65ts?page=2", query("page=2")),
        ("?p%61ge=1", Ok(None)),
    ] {
        assert_eq!(following(by_link(), json!({}), "", json!({ "next": link })), expected, "{link}");
        assert_eq!(following(by_link(), json!({}), "", json!({ "next": { "href": link } })), expected, "{link}");
        assert_eq!(following(by_token(), json!({}), "", json!({ "next": { "href": link } })), expected, "{link}");
        let header = format!("<{link}>; rel=next");
        assert_eq!(following(Paging::LinkHeader, json!({}), &header, json!([])), expected, "{link}");
    }
    let link = json!({ "next": "https://a.example/pets?cursor=x" });
    assert_eq!(following(by_token(), json!({}), "", link), query("cursor=x"));
    let header = "</pets?q=ü>; rel=next";
    assert_eq!(following(Paging::LinkHeader, json!({}), header, json!([])), query("q=%C3%BC"));
}

#[test]
fn a_list_never_ends_at_a_link_that_is_not_followed() {
    let elsewhere = |address: &str| {
        format!(
            "there is another page, but its address is not the one of this operation: {address}; call the operation \
             itself for the first page"
        )
    };
    let unusable = |why: &str| format!("there is another page, and its address cannot be used: {why}");
    let none = || "there is another page, but the property for its address has none".to_owned();
    let by_link = || Paging::NextLink { keys: vec!["next".into()] };
    for (link, expected) in [
        (json!("https://evil.example/pets?page=2"), elsewhere("https://evil.example/pets")),
        (json!("https://a.example:8443/pets?page=2"), elsewhere("https://a.example:8443/pets")),
        (json!("/admin?page=2"), elsewhere("https://a.example/admin")),
        (json!("http://169.254.169.254/"), elsewhere("http://169.254.169.254/")),
        (json!("ftp://a.example/pets"), unusable("it is neither http nor https")),
        (json!("https://user@a.example/pets"), unusable("it contains a user name")),
        (json!(2), none()),
        (json!({ "url": "?page=2" }), none()),
    ] {
        let found = following(by_link(), json!({}), "", json!({ "next": link }));
        assert_eq!(found, Err(expected), "{link}");
    }
    for page in [json!({ "next": {} }), json!({ "next": { "href": null } }), json!({ "next": false }), json!([])] {
        assert_eq!(following(by_link(), json!({}), "", page.clone()), Ok(None), "{page}");
    }
}

#[test]
fn the_first_page_is_named_where_the_document_names_it() {
    let first = |number: Option<u64>| Paging::Number(counter("page", number, None));
    for (paging, given, expected) in [
        (first(Some(0)), json!({ "q": 1 }), json!({ "q": 1, "page": 0 })),
        (first(Some(0)), json!({ "page": null }), json!({ "page": 0 })),
        (first(Some(0)), json!({ "page": 5 }), json!({ "page": 5 })),
        (first(None), json!({}), json!({})),
        (Paging::LinkHeader, json!({}), json!({})),
    ] {
        let mut input = given.as_object().unwrap().clone();
        begin(&operation(paging), &mut input);
        assert_eq!(Value::Object(input), expected, "{given}");
    }
}

#[test]
fn an_address_has_the_pairs_of_the_host_once() {
    let url = "https://a.example/pets?v=1&limit=5".parse().unwrap();
    for (query, expected) in [
        ("page=2", "https://a.example/pets?v=1&page=2"),
        ("v=7&page=2&key=forged", "https://a.example/pets?v=1&page=2"),
        ("", "https://a.example/pets?v=1"),
    ] {
        let found = address(&operation(Paging::LinkHeader), &credentials(), &Map::new(), &url, query);
        assert_eq!(found.map(|url| url.to_string()).as_deref(), Some(expected), "{query}");
    }
}

#[test]
fn every_page_has_the_fixed_query_of_the_path() {
    let mut operation = operation(Paging::LinkHeader);
    operation.path = "/pets/{id}?Action=List&of={id}&limit=10".to_owned();
    operation.parameters = vec![Parameter { location: Location::Path, ..parameter("id") }, parameter("limit")];
    let input = json!({ "id": "a&b" }).as_object().unwrap().clone();
    let url = "https://a.example/pets/a%26b?v=1&Action=List&of=a%26b&limit=10&limit=5&key=k".parse().unwrap();
    let page = |link: &str| {
        let headers = [(LINK, HeaderValue::from_str(&format!("<{link}>; rel=next")).unwrap())].into_iter().collect();
        match next(&operation, &credentials(), &input, &url, &headers, &Value::Null).unwrap() {
            Some(NextPage::Query(query)) => {
                let address = address(&operation, &credentials(), &input, &url, &query).unwrap();
                Some((query, address.query().unwrap().to_owned()))
            }
            other => other.map(|_| Default::default()),
        }
    };
    let fixed = "v=1&Action=List&of=a%26b&limit=10";
    for (link, expected) in [
        ("?page=2", Some("page=2")),
        ("?v=1&Action=List&of=a%26b&page=2&key=k", Some("page=2")),
        ("?Action=Delete&action=Delete&of=c&page=2", Some("page=2")),
        ("?Action=List&limit=10&limit=5&page=2", Some("limit=5&page=2")),
        ("?limit=7&page=2", Some("limit=7&page=2")),
        ("?limit=5&Action=List&key=k", None),
    ] {
        let expected = expected.map(|query| (query.to_owned(), format!("{fixed}&{query}")));
        assert_eq!(page(link), expected, "{link}");
    }
}
