use hyper::Method;
use serde_json::json;

use super::super::operation::Scalar;
use super::*;

fn parameter(name: &str, location: Location, style: Style, explode: bool) -> Parameter {
    let form = Form::Styled { style, explode, is_reserved_allowed: false };
    Parameter { property: name.to_owned(), name: name.to_owned(), location, form, scalar: Scalar::Text }
}

fn operation(path: &str, parameters: Vec<Parameter>) -> Operation {
    Operation {
        method: Method::GET,
        path: path.to_owned(),
        base: "https://api.example.com/v1/".parse().unwrap(),
        parameters,
        body: None,
        accepts: vec!["application/json".to_owned()],
        security: None,
        pages: None,
    }
}

fn built(operation: &Operation, input: Value) -> Result<HttpRequest, String> {
    build(operation, input.as_object().unwrap(), &Extras::default(), "XX")
}

#[test]
fn every_part_of_a_request_is_filled() {
    let operation = operation(
        "/pets/{id}/toys?fixed=1",
        vec![
            parameter("id", Location::Path, Style::Simple, false),
            parameter("q", Location::Query, Style::Form, true),
            parameter("none", Location::Query, Style::Form, true),
            parameter("X-Trace", Location::Header, Style::Simple, false),
            parameter("session", Location::Cookie, Style::Form, true),
            parameter("theme", Location::Cookie, Style::Form, true),
        ],
    );
    let input =
        json!({ "id": "a/b", "q": ["x", "y z"], "none": null, "X-Trace": [1, 2], "session": "s;1", "theme": "dark" });
    let request = built(&operation, input).unwrap();
    assert_eq!(request.url, "https://api.example.com/v1/pets/a%2Fb/toys?fixed=1&q=x&q=y%20z");
    assert_eq!(request.headers["x-trace"], "1,2");
    assert_eq!(request.headers["cookie"], "session=s%3B1; theme=dark");
    assert_eq!(request.headers["accept"], "application/json, */*;q=0.1");
}

#[test]
fn a_path_parameter_cannot_leave_its_segment() {
    let plain = operation("/pets/{id}/toys", vec![parameter("id", Location::Path, Style::Simple, false)]);
    for id in [
        json!(""),
        json!("."),
        json!(".."),
        json!("../admin"),
        json!("a/../../b"),
        json!("..\\x"),
        json!("%2e%2e"),
        json!("%2e%2e%2fadmin"),
        json!("%252e%252e"),
        json!("..;"),
        json!("..;x=1"),
        json!("..;x/admin"),
        json!(".;x"),
        json!("%2e%2e%3bx"),
        json!("a/..%3b/b"),
        json!(null),
        json!([]),
        json!(["x", ".."]),
        json!({ "a": "../x" }),
        json!({ "a/../b": 1 }),
    ] {
        assert!(built(&plain, json!({ "id": id })).is_err(), "{id}");
    }
    assert!(built(&plain, json!({})).unwrap_err().contains("`id` is missing"));
    for (id, expected) in [
        (json!("feature/x"), "feature%2Fx"),
        (json!("a?b#c"), "a%3Fb%23c"),
        (json!("..."), "..."),
        (json!("a..b"), "a..b"),
        (json!(7), "7"),
        (json!("50%"), "50%25"),
        (json!("a;v=.."), "a%3Bv%3D.."),
        (json!("..x;.."), "..x%3B.."),
    ] {
        let request = built(&plain, json!({ "id": id })).unwrap();
        assert_eq!(request.url.path(), format!("/v1/pets/{expected}/toys"), "{id}");
    }
    let joined = operation("/x/.{id}", vec![parameter("id", Location::Path, Style::Simple, false)]);
    for id in [".", ".;x", "./x", ";x"] {
        assert!(built(&joined, json!({ "id": id })).is_err(), "{id}");
    }
    let matrix = operation("/x{id}", vec![parameter("id", Location::Path, Style::Matrix, false)]);
    assert_eq!(built(&matrix, json!({ "id": "7" })).unwrap().url.path(), "/v1/x;id=7");
    let label = operation("/x/{id}", vec![parameter("id", Location::Path, Style::Label, false)]);
    assert!(built(&label, json!({ "id": "" })).is_err());
}

#[test]
fn headers_cannot_be_injected() {
    let operation = operation("/x", vec![parameter("X-A", Location::Header, Style::Simple, false)]);
    assert!(built(&operation, json!({ "X-A": "a\r\nAuthorization: b" })).unwrap_err().contains("control character"));
    assert_eq!(built(&operation, json!({ "X-A": "é" })).unwrap().headers["x-a"].as_bytes(), "é".as_bytes());
}

#[test]
fn content_of_parameters_is_json_where_the_document_says_so() {
    let filter = Parameter {
        form: Form::Content("application/json".to_owned()),
        ..parameter("filter", Location::Query, Style::Form, true)
    };
    let whole = Parameter {
        form: Form::Content("application/x-www-form-urlencoded".to_owned()),
        ..parameter("all", Location::QueryString, Style::Form, true)
    };
    let request = built(
        &operation("/x", vec![filter, whole]),
        json!({ "filter": { "a": 1 }, "all": { "b": [1, 2], "c": "d e" } }),
    );
    assert_eq!(request.unwrap().url.query(), Some("filter=%7B%22a%22%3A1%7D&b=1&b=2&c=d%20e"));
}

#[test]
fn a_field_of_an_object_cannot_be_another_parameter() {
    let object = |name: &str, location: Location, style: Style| Parameter {
        scalar: Scalar::Object,
        ..parameter(name, location, style, true)
    };
    let whole = Parameter {
        form: Form::Content("application/x-www-form-urlencoded".to_owned()),
        ..parameter("whole", Location::QueryString, Style::Form, true)
    };
    let operation = operation(
        "/x?Action=List",
        vec![
            object("filter", Location::Query, Style::Form),
            object("deep", Location::Query, Style::DeepObject),
            whole,
            parameter("force", Location::Query, Style::Form, true),
            parameter("deep[a]", Location::Query, Style::Form, true),
            object("crumbs", Location::Cookie, Style::Form),
            parameter("session", Location::Cookie, Style::Form, true),
        ],
    );
    for (input, expected) in [
        (json!({ "filter": { "force": "true" } }), "`filter` has a field that is sent as `force`"),
        (json!({ "filter": { "FORCE": "true" } }), "as `FORCE`"),
        (json!({ "filter": { "force[a]": "true" } }), "as `force[a]`"),
        (json!({ "filter": { "Action": "Delete" } }), "as `Action`"),
        (json!({ "filter": { "_method": "DELETE" } }), "carry out another request"),
        (json!({ "deep": { "a": 1 } }), "`deep` has a field that is sent as `deep[a]`"),
        (json!({ "whole": { "force": "true" } }), "`whole` has a field"),
        (json!({ "whole": { "_method": "DELETE" } }), "carry out another request"),
        (json!({ "crumbs": { "session": "forged" } }), "`crumbs` has a field"),
    ] {
        let error = built(&operation, input.clone()).unwrap_err();
        assert!(error.contains(expected), "{input}: {error}");
    }
    let input =
        json!({ "filter": { "filter": 1, "session": 2 }, "deep": { "b": 3 }, "force": "no", "crumbs": { "force": 4 } });
    let request = built(&operation, input).unwrap();
    assert_eq!(request.url.query(), Some("Action=List&filter=1&session=2&deep%5Bb%5D=3&force=no"));
    assert_eq!(request.headers["cookie"], "force=4");
}

#[test]
fn no_more_fields_are_compared_than_a_request_has_room_for() {
    let object = |number: usize, location| parameter(&format!("p{number}"), location, Style::Form, true);
    for (location, expected) in
        [(Location::Query, "the address of the request has"), (Location::Cookie, "the cookies have")]
    {
        let operation = operation("/pets", (0..500).map(|number| object(number, location)).collect());
        let of_many = |fields: usize| {
            let fields: Map<String, Value> = (0..fields).map(|field| (format!("x{field}"), json!(1))).collect();
            Value::Object((0..500).map(|number| (format!("p{number}"), json!(fields))).collect())
        };
        let error = built(&operation, of_many(20)).unwrap_err();
        assert!(error.starts_with(expected) && error.ends_with("more than 32768 bytes"), "{error}");
        assert!(built(&operation, of_many(2)).is_ok());
    }
}

#[test]
fn odd_paths_of_documents_are_kept_valid() {
    for (path, expected) in [
        ("/a b/{id}", "/v1/a%20b/7"),
        ("/#X-Amz-Target=A", "/v1/"),
        ("/a%20b", "/v1/a%20b"),
        ("/items(id='{id}')", "/v1/items(id='7')"),
        ("/ü", "/v1/%C3%BC"),
        ("/{open", "/v1/%7Bopen"),
    ] {
        let operation = operation(path, vec![parameter("id", Location::Path, Style::Simple, false)]);
        assert_eq!(built(&operation, json!({ "id": 7 })).unwrap().url.path(), expected, "{path}");
    }
    assert!(built(&operation("/a/../b", Vec::new()), json!({})).is_err());
}
