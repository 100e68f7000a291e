use std::path::Path;

use isobox_connect::{OpenApiConnector, OpenApiOptions, OpenApiService, Place};
use isobox_core::{ByteSize, Connector, Offer};
use serde_json::{Value, json};

use crate::support::{Service, answer, call, ok};

async fn offered(path: &Path) -> Result<Offer, String> {
    let service = OpenApiService::new(Place::File(path.to_owned())).base_url("https://api.example.com".to_owned());
    let options = OpenApiOptions::default().max_document(ByteSize::mib(1));
    OpenApiConnector::new("shop", service, options).offer().await.map_err(|error| error.message().to_owned())
}

#[tokio::test]
async fn what_is_not_a_document_is_refused_with_its_place_and_reason() {
    let folder = tempfile::tempdir().unwrap();
    for (text, expected) in [
        ("", "api.yaml: it is empty"),
        ("just text", "this is not an OpenAPI document: it is not an object"),
        ("{}", "#: this is not an OpenAPI document: it has neither `openapi` nor `swagger`"),
        ("openapi: 4.0.0\npaths: {}", "version 4.0.0 of OpenAPI is not supported"),
        ("swagger: '1.2'", "version 1.2 of Swagger is not supported"),
        ("openapi: 3.0.0", "there are no `paths`"),
        ("openapi: 3.0.0\npaths: []", "#/paths: `paths` has to be an object"),
        ("openapi: 3.0.0\npaths:\n  /a: [", "api.yaml:"),
        ("{\"openapi\" \"3.0.0\"}", "api.yaml:1:"),
        ("openapi: 3.0.0\npaths: {/a: {$ref: '#/b'}}", "#/paths/~1a: the reference `#/b` leads nowhere"),
        (
            "openapi: 3.0.0\npaths: {/a: {get: {parameters: [{in: query}]}}}",
            "#/paths/~1a/get/parameters/0: a parameter needs a `name`",
        ),
        ("openapi: 3.0.0\npaths: {/a: {get: {parameters: [{in: hat, name: x}]}}}", "the `in` of a parameter is"),
    ] {
        let path = folder.path().join("api.yaml");
        std::fs::write(&path, text).unwrap();
        let error = offered(&path).await.unwrap_err();
        assert!(
            error.starts_with("the service `shop` cannot be used: ") && error.contains(expected),
            "{text}: {error}"
        );
    }
    assert!(offered(&folder.path().join("none.yaml")).await.unwrap_err().contains("there is no such file"));
    assert!(offered(folder.path()).await.unwrap_err().contains("it is not a regular file"));
    let large = folder.path().join("large.json");
    std::fs::write(&large, " ".repeat(2 << 20)).unwrap();
    assert!(offered(&large).await.unwrap_err().contains("it is too large"));
    let binary = folder.path().join("binary.json");
    std::fs::write(&binary, b"\xff\xfe").unwrap();
    assert!(offered(&binary).await.unwrap_err().contains("it is not UTF-8"));
}

#[tokio::test]
async fn files_refer_to_files_of_their_folder_only() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir_all(folder.path().join("api/parts")).unwrap();
    write("api/api.yaml", "openapi: 3.0.0\npaths:\n  /pets:\n    $ref: parts/pets.yaml#/paths/pets\n");
    write(
        "api/parts/pets.yaml",
        "paths:\n  pets:\n    get:\n      operationId: list\n      responses:\n        '200':\n          content:\n            \
         application/json: {schema: {$ref: '#/Pets'}}\nPets: {type: array, items: {$ref: '../pet.json'}}\n",
    );
    write(
        "api/pet.json",
        r##"{"type":"object","properties":{"parent":{"$ref":"#"},"out":{"$ref":"../secret.yaml"},"link":{"$ref":"link.yaml"}}}"##,
    );
    write("secret.yaml", "type: string\n");
    std::os::unix::fs::symlink(folder.path().join("secret.yaml"), folder.path().join("api/link.yaml")).unwrap();
    let offer = offered(&folder.path().join("api/api.yaml")).await.unwrap();
    let list = offer.tools.iter().find(|tool| tool.name == "list").unwrap();
    let schema = list.output_schema.as_ref().unwrap().to_string();
    assert!(schema.contains("parent") && !schema.contains("string"), "{schema}");
    let warnings = offer.warnings.join("\n");
    assert!(warnings.contains("it is outside the folder of the document"), "{warnings}");
    assert!(warnings.contains("it may not be read"), "{warnings}");
}

#[tokio::test]
async fn a_document_is_fetched_with_its_parts_and_read_by_programs() {
    let document = json!({ "openapi": "3.1.0", "info": { "title": "T" }, "servers": [{ "url": "/v1" }],
        "paths": { "/x": { "get": { "operationId": "x", "parameters": [{ "$ref": "parts.json#/q" }] } } } });
    let parts = json!({ "q": { "name": "q", "in": "query", "schema": { "type": "string" } } });
    let service = Service::new(vec![ok(&document), ok(&parts), ok(&json!("done"))]).await;
    let described = OpenApiService::new(Place::Url(format!("{}/docs/api.json", service.url())));
    let shop = OpenApiConnector::new("shop", described, OpenApiOptions::default());
    assert_eq!(call(&shop, "x", json!({ "q": "a b" })).await, Ok(json!("done")));
    let lines: Vec<String> = service.requests().into_iter().map(|request| request.line).collect();
    assert_eq!(lines, ["GET /docs/api.json", "GET /docs/parts.json", "GET /v1/x?q=a%20b"]);
    assert_eq!(call(&shop, "spec", json!({ "pointer": "#/info" })).await, Ok(json!({ "title": "T" })));
    assert_eq!(call(&shop, "spec", json!({ "pointer": "parts.json#/q/name" })).await, Ok(json!("q")));
    assert_eq!(call(&shop, "spec", json!({})).await, Ok(document));
    assert!(call(&shop, "spec", json!({ "pointer": "#/none" })).await.unwrap_err().contains("nothing at this place"));
}

#[tokio::test]
async fn a_dead_or_wrong_server_of_a_document_is_an_error() {
    let service = Service::new(vec![answer(&["500 Oops"], "")]).await;
    let fetch = |url: String| async move {
        let connector = OpenApiConnector::new("shop", OpenApiService::new(Place::Url(url)), OpenApiOptions::default());
        connector.offer().await.unwrap_err().message().to_owned()
    };
    assert!(fetch(format!("{}/api.json?token=secret", service.url())).await.contains("the answer was 500"));
    let dead = fetch("http://127.0.0.1:1/api.json?token=secret".to_owned()).await;
    assert!(dead.contains("cannot be reached") && !dead.contains("secret"), "{dead}");
}

fn names(offer: &Offer) -> Vec<&str> {
    offer.tools.iter().map(|tool| tool.name.as_str()).collect()
}

#[tokio::test]
async fn an_old_document_is_the_same_service() {
    let list = |name: &str, format: &str| json!({ "name": name, "in": "formData", "type": "array", "items": { "type": "string" }, "collectionFormat": format });
    let usual = json!({ "name": "usual", "in": "formData", "type": "array", "items": { "type": "string" } });
    let lists = json!([list("csv", "csv"), list("pipes", "pipes"), list("multi", "multi"), usual]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("api.json");
    let document = json!({ "swagger": "2.0", "consumes": ["application/json"], "paths": { "/pets/{id}": {
        "parameters": [{ "name": "id", "in": "path", "type": "integer", "required": true }],
        "put": { "operationId": "put", "parameters": [
            { "name": "tags", "in": "query", "type": "array", "items": { "type": "string" }, "collectionFormat": "pipes" },
            { "name": "pet", "in": "body", "required": true, "schema": { "$ref": "#/definitions/Pet" } } ],
            "responses": { "200": { "schema": { "$ref": "#/definitions/Pet" } } } },
        "post": { "operationId": "upload", "parameters": [
            { "name": "photo", "in": "formData", "type": "file", "required": true }, { "name": "id", "in": "formData", "type": "string" } ] },
    }, "/lists": { "post": { "operationId": "send", "parameters": lists }, "put": { "operationId": "sendParts", "parameters": lists,
        "consumes": ["multipart/form-data"] } },
    }, "definitions": { "Pet": { "type": "object", "properties": { "id": { "type": "integer", "readOnly": true }, "name": { "type": "string" } } } } });
    std::fs::write(&path, document.to_string()).unwrap();
    let offer = offered(&path).await.unwrap();
    assert_eq!(names(&offer), ["put", "upload", "send", "sendParts", "spec", "request"]);
    let input = |index: usize| offer.tools[index].input_schema.clone().unwrap();
    assert_eq!(input(0)["required"], json!(["id", "body"]));
    assert_eq!(input(0)["properties"]["body"], json!({ "$ref": "#/$defs/Pet" }));
    assert_eq!(input(0)["$defs"]["Pet"]["properties"], json!({ "name": { "type": "string" } }));
    let form = &input(1)["properties"]["body"];
    assert_eq!(
        (&form["required"], form["properties"]["photo"]["anyOf"].as_array().map(Vec::len)),
        (&json!(["photo"]), Some(2))
    );
    let output: &Value = offer.tools[0].output_schema.as_ref().unwrap();
    assert_eq!(output["$defs"]["Pet"]["properties"]["id"]["type"], "integer");
    let service = Service::new(vec![ok(&json!(1))]).await;
    let shop = OpenApiConnector::new("shop", service.described(&document), OpenApiOptions::default());
    let body = json!({ "csv": ["a", "b c"], "pipes": ["a", "b"], "multi": ["a", "b"], "usual": ["a", "b"] });
    for tool in ["send", "sendParts"] {
        assert_eq!(call(&shop, tool, json!({ "body": body })).await, Ok(json!(1)), "{tool}");
    }
    let requests = service.requests();
    let [form, parts] = &requests[..] else { panic!("there are two requests") };
    assert_eq!(form.body, "csv=a,b%20c&pipes=a%7Cb&multi=a&multi=b&usual=a,b");
    let parts: Vec<&str> = parts.body.split("name=").skip(1).map(|part| part.split("\r\n--").next().unwrap()).collect();
    let expected = [("csv", "a,b c"), ("pipes", "a|b"), ("multi", "a"), ("multi", "b"), ("usual", "a,b")];
    assert_eq!(parts, expected.map(|(name, text)| format!("\"{name}\"\r\n\r\n{text}")));
}

#[tokio::test]
async fn what_openapi_3_2_adds_is_read_and_sent() {
    let form = json!({ "application/x-www-form-urlencoded": { "schema": { "type": "object" } } });
    let search = json!({ "application/json": { "schema": { "type": "object" } } });
    let document = json!({ "openapi": "3.2.0", "info": { "title": "Shop" }, "paths": {
        "/pets": {
            "query": { "operationId": "findPets", "requestBody": { "required": true, "content": { "application/json": {} } } },
            "get": { "operationId": "listPets", "parameters": [
                { "name": "all", "in": "querystring", "required": true, "content": form },
                { "name": "theme", "in": "cookie", "style": "cookie", "schema": { "type": "string" } },
                { "name": "old", "in": "cookie", "schema": { "type": "string" } },
            ] },
        },
        "/search": { "get": { "operationId": "search", "parameters": [{ "name": "by", "in": "querystring", "content": search }] } },
        "/pets/{id}": {
            "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "integer" } }],
            "additionalOperations": { "COPY": { "operationId": "copyPet" }, "x-Odd": { "operationId": "oddPet" } },
        },
    } });
    let service = Service::new(vec![ok(&json!(1))]).await;
    let shop = OpenApiConnector::new("shop", service.described(&document), OpenApiOptions::default());
    let offer = shop.offer().await.unwrap();
    assert_eq!(offer.warnings, Vec::<String>::new());
    let mut offered = names(&offer);
    offered.sort_unstable();
    assert_eq!(offered, ["copyPet", "findPets", "listPets", "oddPet", "request", "search", "spec"]);
    let list = json!({ "all": { "sort": "a b", "tag": ["x", "y"] }, "theme": "a%20b,c", "old": "a%20b,c" });
    for (tool, input) in [
        ("findPets", json!({ "body": { "name": "Bo" } })),
        ("copyPet", json!({ "id": 7 })),
        ("oddPet", json!({ "id": 7 })),
        ("listPets", list),
        ("search", json!({ "by": { "tags": ["x y", null], "_method": 1 } })),
    ] {
        assert_eq!(call(&shop, tool, input).await, Ok(json!(1)), "{tool}");
    }
    let requests = service.requests();
    let lines: Vec<&str> = requests.iter().map(|request| request.line.as_str()).collect();
    let search = "GET /search?%7B%22tags%22%3A%5B%22x%20y%22%2Cnull%5D%2C%22_method%22%3A1%7D";
    assert_eq!(lines, ["QUERY /pets", "COPY /pets/7", "x-Odd /pets/7", "GET /pets?sort=a%20b&tag=x&tag=y", search]);
    assert_eq!(requests[0].body, r#"{"name":"Bo"}"#);
    assert!(requests[3].head.contains("cookie: theme=a%20b,c; old=a%2520b%2cc"), "{}", requests[3].head);
}

#[tokio::test]
async fn a_tool_is_bound_to_its_service_and_to_the_form_of_its_requests() {
    async fn binding(service: &Service, location: &str, media: &str, url: &str) -> String {
        let parameter = json!({ "name": "id", "in": location, "required": true, "schema": { "type": "string" } });
        let body = json!({ "content": { media: { "schema": { "type": "object", "properties": { "a": { "type": "string" } } } } } });
        let path = if location == "path" { "/pay/{id}" } else { "/pay" };
        let paths =
            json!({ path: { "post": { "operationId": "pay", "parameters": [parameter], "requestBody": body } } });
        let document = json!({ "openapi": "3.0.3", "info": { "title": "Shop" }, "paths": paths });
        let described = service.described(&document).base_url(url.to_owned());
        let connector = OpenApiConnector::new("shop", described, OpenApiOptions::default());
        let offer = connector.offer().await.expect("it is offered");
        offer.tools.iter().find(|tool| tool.name == "pay").expect("it is offered").binding.clone()
    }
    let service = Service::new(Vec::new()).await;
    let (json, form, url) = ("application/json", "application/x-www-form-urlencoded", "https://a.example");
    let first = binding(&service, "query", json, url).await;
    assert_eq!(first, binding(&service, "query", json, url).await);
    for (location, media, url) in
        [("header", json, url), ("path", json, url), ("query", form, url), ("query", json, "https://b.example")]
    {
        assert_ne!(first, binding(&service, location, media, url).await, "{location} {media} {url}");
    }
}
