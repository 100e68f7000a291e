//! A document of 1 MB with 1,000 operations: the time and the memory to make tools of it.

use std::hint::black_box;
use std::time::{Duration, Instant};

use isobox::connector::{Connector, OpenApiConnector, OpenApiOptions, OpenApiService, Place};
use isobox::{Value, json};

use crate::Effort;
use crate::measure::{Times, round};

const LOAD: Duration = Duration::from_millis(300);
/// In MB, with the document and the tools.
const MEMORY: u64 = 60;
const OPERATIONS: usize = 1_000;

pub(crate) fn openapi(effort: Effort) -> Value {
    let runs = match effort {
        Effort::Full => 9,
        Effort::Quick => 1,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let measured = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        let load = || {
            let service = OpenApiService::new(Place::File(path.clone())).base_url("https://api.example.com".to_owned());
            let connector = OpenApiConnector::new("bench", service, OpenApiOptions::default());
            let offer = runtime.block_on(connector.offer()).expect("the document is accepted");
            (connector, offer)
        };
        let before = resident();
        let (connector, offer) = load();
        let memory = before.zip(resident()).map(|(before, after)| after.saturating_sub(before) / 1_000_000);
        let tools = offer.tools.len();
        drop((connector, offer));
        let mut times = Times::default();
        for _ in 0..runs {
            let start = Instant::now();
            let loaded = black_box(load());
            times.add(start.elapsed());
            drop(loaded);
        }
        (tools, times.median(), memory)
    };
    let json_text = document().to_string();
    // The first one has the memory that later ones find free.
    let (tools, time, memory) = measured("api.json", &json_text);
    let yaml_text = yaml(&document(), 0);
    let (_, yaml_time, _) = measured("api.yaml", &yaml_text);
    let milliseconds = |time: Duration| round(time.as_secs_f64() * 1e3);
    json!({
        "tools": tools,
        "documentKb": json_text.len() / 1024,
        "jsonMs": milliseconds(time),
        "yamlKb": yaml_text.len() / 1024,
        "yamlMs": milliseconds(yaml_time),
        "memoryMb": memory,
        "wanted": { "ms": LOAD.as_millis(), "memoryMb": MEMORY },
        "met": time < LOAD && yaml_time < LOAD && memory.is_none_or(|memory| memory < MEMORY),
    })
}

/// Returns the resident memory of this process, where the system tells it.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split(' ').nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

/// Returns a document whose schemas refer to each other in circles.
fn document() -> Value {
    let text = "Explains in a sentence or two what this is for, and what to keep in mind when it is used.";
    let mut paths = serde_json::Map::new();
    for number in 0..OPERATIONS {
        let schema = json!({ "$ref": format!("#/components/schemas/Schema{}", number % 250) });
        let operation = json!({
            "operationId": format!("operation{number}"), "tags": [format!("Group {}", number % 20)],
            "summary": format!("Does the thing with the number {number}"), "description": text,
            "parameters": [
                { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
                { "name": "limit", "in": "query", "description": text, "schema": { "type": "integer", "minimum": 1 } },
            ],
            "requestBody": { "content": { "application/json": { "schema": schema } } },
            "responses": { "200": { "description": "Done", "content": { "application/json": { "schema": schema } } } },
        });
        paths.insert(format!("/things{number}/{{id}}"), json!({ "post": operation }));
    }
    let schema = |number: usize| {
        let property = |index: usize| {
            let next = (number * 7 + index) % 250;
            let schema = if index < 3 {
                json!({ "$ref": format!("#/components/schemas/Schema{next}") })
            } else {
                json!({ "type": "string", "description": text })
            };
            (format!("property{index}"), schema)
        };
        let properties: serde_json::Map<String, Value> = (0..10).map(property).collect();
        (format!("Schema{number}"), json!({ "type": "object", "properties": properties }))
    };
    let schemas: serde_json::Map<String, Value> = (0..250).map(schema).collect();
    json!({ "openapi": "3.0.3", "info": { "title": "Bench", "version": "1" }, "paths": paths, "components": { "schemas": schemas } })
}

/// Writes a value as YAML in block style.
fn yaml(value: &Value, indent: usize) -> String {
    let pad = " ".repeat(indent);
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            let entry = |(key, value): (&String, &Value)| match value {
                Value::Object(inner) if !inner.is_empty() => format!("{pad}{key:?}:\n{}", yaml(value, indent + 2)),
                Value::Array(inner) if !inner.is_empty() => format!("{pad}{key:?}:\n{}", yaml(value, indent + 2)),
                other => format!("{pad}{key:?}: {other}\n"),
            };
            entries.iter().map(entry).collect()
        }
        Value::Array(items) if !items.is_empty() => items.iter().map(|item| format!("{pad}- {item}\n")).collect(),
        other => format!("{pad}{other}\n"),
    }
}
