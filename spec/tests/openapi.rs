//! OpenAPI documents of the world, and documents that are made hostile: each becomes a connector whose declarations
//! parse, or is refused with its place and reason.
//!
//! The documents of the world are not part of the repository. Variables name their folders: see [`DOCUMENTS`].

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use isobox::connector::{Connector, ConnectorSettings, Offer, OpenApiConnector, OpenApiOptions, OpenApiService, Place};
use isobox::policy::Policy;
use isobox::tools::Catalogue;
use isobox::{Isobox, Program};
use serde_json::{Map, Value, json};

/// The variables that name folders with documents, and what is in them.
const DOCUMENTS: [(&str, &str); 2] = [
    ("ISOBOX_OPENAPI_SAMPLE", "public documents, which `scripts/with_corpora.py` looks for"),
    ("ISOBOX_OPENAPI_EXAMPLES", "documents of an npm package, which `./test` and `./soak` install"),
];

/// The number of tools whose declarations are parsed together.
const CHUNK: usize = 100;

async fn offered(path: &Path) -> Result<(Arc<dyn Connector>, Offer), String> {
    let service = OpenApiService::new(Place::File(path.to_owned())).base_url("https://api.example.com".to_owned());
    let connector: Arc<dyn Connector> = Arc::new(OpenApiConnector::new("api", service, OpenApiOptions::default()));
    let offer =
        tokio::time::timeout(Duration::from_secs(30), connector.offer()).await.map_err(|_| "TOO SLOW".to_owned())?;
    offer.map(|offer| (connector, offer)).map_err(|error| error.message().to_owned())
}

/// Checks that the catalogue keeps every tool and every schema, and that the declarations parse.
async fn check(isobox: &Isobox, connector: &Arc<dyn Connector>, offer: &Offer) -> Result<(), String> {
    for tools in offer.tools.chunks(CHUNK) {
        let mut builder = Catalogue::builder();
        builder.connector(connector, Offer::default().tools(tools.to_vec()), &ConnectorSettings::default());
        let catalogue = builder.build();
        if catalogue.len() != tools.len() {
            return Err(format!("{} of {} tools are left", catalogue.len(), tools.len()));
        }
        if let Some(warning) = catalogue.warnings().first() {
            return Err(warning.clone());
        }
        let declarations = catalogue.declarations(&Policy::default(), &[]);
        let prepared = isobox.prepare(&Program::single(format!("{declarations}\nreturn 1;"))).await;
        prepared.map_err(|failure| format!("{}\n{declarations}", failure.message))?;
    }
    Ok(())
}

/// Returns all files in a folder and in those below it that may be documents.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let is_document = |file: &PathBuf| {
        let is_of_the_package = ["package.json", "tsconfig.json"].iter().any(|name| file.ends_with(name));
        let extension = file.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("json" | "yaml" | "yml")) && !is_of_the_package
    };
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.retain(is_document);
    files.sort();
    files
}

/// Tells whether a refusal names a place: a part of the document, a line of the file, or the file.
fn has_place(refusal: &str) -> bool {
    ["cannot be used: #", ".yaml:", ".yml:", ".json:"].iter().any(|place| refusal.contains(place))
}

#[tokio::test]
async fn documents_of_the_world_become_connectors_whose_declarations_parse() {
    let isobox = Isobox::builder().build().expect("a runtime");
    for (variable, what) in DOCUMENTS {
        #[expect(clippy::disallowed_methods, reason = "scripts name the folders there")]
        match std::env::var(variable) {
            Ok(folder) => all_become_connectors(&isobox, Path::new(&folder)).await,
            Err(_) => println!("skipped: {variable} does not name a folder with {what}"),
        }
    }
}

async fn all_become_connectors(isobox: &Isobox, folder: &Path) {
    let files = documents(folder);
    let (mut accepted, mut tools, mut failures) = (0, 0, Vec::new());
    for file in &files {
        let name = file.strip_prefix(folder).unwrap_or(file).display();
        match offered(file).await {
            Ok((connector, offer)) => {
                accepted += 1;
                tools += offer.tools.len();
                if let Err(why) = check(isobox, &connector, &offer).await {
                    failures.push(format!("{name}: {why}"));
                }
                for warning in &offer.warnings {
                    println!("{name}: {warning}");
                }
            }
            Err(why) if has_place(&why) => println!("{name}: refused: {why}"),
            Err(why) => failures.push(format!("{name}: refused without a place: {why}")),
        }
    }
    println!("{accepted} of {} documents with {tools} tools", files.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(accepted > 0 && accepted * 20 >= files.len() * 19, "{accepted} of {} documents are accepted", files.len());
}

/// A generator of numbers that gives the same ones for the same seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit.max(1)).expect("small")).expect("small")
    }
}

fn seeds() -> Vec<Value> {
    let pet = json!({ "type": "object", "required": ["id"], "properties": { "id": { "type": "integer", "minimum": 0, "exclusiveMinimum": true },
        "tag": { "type": "string", "nullable": true, "enum": ["a", null] }, "parent": { "$ref": "#/components/schemas/Pet" },
        "any": { "oneOf": [{ "type": "string", "pattern": "^a+$" }, { "type": "array", "items": { "$ref": "#/components/schemas/Pet" } }] } } });
    let new = json!({
        "openapi": "3.0.3", "info": { "title": "T" }, "servers": [{ "url": "https://{a}.example.com", "variables": { "a": { "default": "b" } } }],
        "security": [{ "key": [] }],
        "paths": { "/pets/{id}": {
            "parameters": [{ "name": "id", "in": "path", "required": true, "style": "matrix", "schema": { "type": "integer" } }],
            "get": { "operationId": "pets/get", "tags": ["pets"], "parameters": [{ "$ref": "#/components/parameters/Q" }],
                "responses": { "200": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Pet" } } } } } },
            "post": { "tags": ["other"], "requestBody": { "$ref": "#/components/requestBodies/B" } },
        } },
        "components": { "schemas": { "Pet": pet }, "parameters": { "Q": { "name": "q", "in": "query", "style": "deepObject", "schema": { "type": "object" } } },
            "requestBodies": { "B": { "content": { "multipart/form-data": { "schema": { "type": "object", "properties": { "f": { "type": "string", "format": "binary" } } },
                "encoding": { "f": { "contentType": "image/png" } } }, "application/json": { "schema": { "$ref": "#/components/schemas/Pet" } } } } },
            "securitySchemes": { "key": { "type": "apiKey", "in": "query", "name": "k" }, "o": { "type": "oauth2", "flows": { "clientCredentials": { "tokenUrl": "/t" } } } } },
    });
    let old = json!({
        "swagger": "2.0", "host": "example.com", "basePath": "/v1", "consumes": ["application/json"], "produces": ["application/json"],
        "paths": { "/a/{b}": { "get": { "operationId": "a", "parameters": [{ "name": "b", "in": "path", "type": "string", "required": true },
            { "name": "c", "in": "query", "type": "array", "items": { "type": "string" }, "collectionFormat": "pipes" }],
            "responses": { "200": { "schema": { "$ref": "#/definitions/D" } } } },
            "post": { "parameters": [{ "name": "f", "in": "formData", "type": "file" }] } } },
        "definitions": { "D": { "allOf": [{ "$ref": "#/definitions/D" }, { "type": "object", "additionalProperties": { "type": "string" } }] } },
    });
    vec![new, old]
}

/// Returns the pointers of all values.
fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
    all.push(at.to_owned());
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, entry)| {
            pointers(entry, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), all);
        }),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| pointers(item, &format!("{at}/{index}"), all))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Changes a document in one place.
fn mutate(document: &mut Value, chance: &mut Chance) {
    let mut places = Vec::new();
    pointers(document, "", &mut places);
    let (place, other) = (places[chance.below(places.len())].clone(), places[chance.below(places.len())].clone());
    let elsewhere = document.pointer(&other).cloned().unwrap_or_default();
    let Some(value) = document.pointer_mut(&place) else { return };
    let hostile = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(""),
        json!("*/ }; evil() //"),
        json!("`${x}`\u{2028}\u{0}"),
        json!([]),
        json!({}),
        json!([[[[[[]]]]]]),
        json!({ "$ref": "#" }),
        json!({ "$ref": "#/components/schemas/Pet" }),
        json!({ "$ref": "../../../etc/passwd" }),
        json!({ "$ref": "http://169.254.169.254/" }),
        json!({ "$ref": format!("#{place}") }),
        json!({ "__proto__": { "then": 1 } }),
        json!("x".repeat(5_000)),
        json!("constructor"),
        json!({ "type": ["string", 7], "enum": [{}], "required": [1] }),
        json!("a\r\nb: c"),
    ];
    match chance.below(5) {
        0 => *value = hostile[chance.below(hostile.len())].clone(),
        1 => *value = elsewhere,
        2 => {
            if let Value::Object(entries) = value {
                let names = ["then", "../x", "a b", "", "__proto__", "*/", "\u{202e}x", "constructor", "0"];
                entries.insert(names[chance.below(names.len())].to_owned(), elsewhere);
            }
        }
        3 => {
            if let Value::Object(entries) = value
                && let Some(key) = entries.keys().nth(chance.below(entries.len())).cloned()
            {
                entries.remove(&key);
            }
        }
        _ => {
            if let Value::Array(items) = value {
                items.push(elsewhere);
            }
        }
    }
}

#[tokio::test]
async fn hostile_documents_are_accepted_or_refused_and_nothing_else() {
    let isobox = Isobox::builder().build().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.json");
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..2_000 {
        let seeds = seeds();
        let mut document = seeds[round % seeds.len()].clone();
        for _ in 0..=chance.below(6) {
            mutate(&mut document, &mut chance);
        }
        std::fs::write(&path, document.to_string()).expect("written");
        match offered(&path).await {
            Ok((connector, offer)) => {
                accepted += 1;
                if let Err(why) = check(&isobox, &connector, &offer).await {
                    panic!("round {round}: {why}\n{document:#}");
                }
            }
            Err(why) => {
                refused += 1;
                assert!(why.starts_with("the service `api` cannot be used: "), "round {round}: {why}\n{document:#}");
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 200 && refused > 200, "{accepted} accepted, {refused} refused");
}

#[tokio::test]
async fn twenty_thousand_operations_are_one_connector() {
    let operation = |number: usize| {
        let get = json!({ "get": { "operationId": format!("operation{number}"), "summary": format!("Reads the thing number {number}.") } });
        (format!("/things/{number}/{{id}}"), get)
    };
    let paths: Map<String, Value> = (0..19_990).map(operation).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.json");
    std::fs::write(&path, json!({ "openapi": "3.1.0", "paths": paths }).to_string()).expect("written");
    let (connector, offer) = offered(&path).await.expect("accepted");
    let mut builder = Catalogue::builder();
    builder.connector(&connector, offer, &ConnectorSettings::default());
    let catalogue = builder.build();
    assert_eq!((catalogue.len(), catalogue.warnings().len()), (19_992, 0));
    let found = catalogue.search("thing number 777", 5, &Policy::default(), &[]);
    assert!(json!(found).to_string().contains("operation777"), "{}", json!(found));
}
