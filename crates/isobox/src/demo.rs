//! Demonstration tools that touch nothing outside the process.
//!
//! They are used by `isobox run --demo`, the examples of the documentation and the conformance cases.

use std::time::Duration;

use futures_util::stream::{Stream, StreamExt};
use serde_json::{Value, json};

use crate::{Failure, Tool, ToolCall, ToolError};

/// City, country, degrees, sky.
const CITIES: [(&str, &str, i64, &str); 6] = [
    ("Oslo", "Norway", 4, "snow"),
    ("Bergen", "Norway", 7, "rain"),
    ("Rome", "Italy", 21, "sun"),
    ("Milan", "Italy", 16, "clouds"),
    ("Lima", "Peru", 19, "fog"),
    ("Cusco", "Peru", 11, "sun"),
];

/// Returns all demonstration tools.
pub fn tools() -> Result<Vec<Tool>, Failure> {
    Ok(vec![
        Tool::new("cities.list", list_cities)?
            .description("The cities that have a weather station, of one country or of all.")
            .input_schema(object(&json!({ "country": { "type": "string" } }), &[]))?,
        Tool::new("weather.current", current_weather)?
            .description("The weather of a city, now. Takes a moment, as a service far away would.")
            .input_schema(object(&json!({ "city": { "type": "string" } }), &["city"]))?
            .output_schema(json!({
                "type": "object",
                "properties": { "city": { "type": "string" }, "celsius": { "type": "integer" }, "sky": { "type": "string" } },
                "required": ["city", "celsius", "sky"],
            }))?,
        Tool::with_call("mail.send", |call| async move { Ok(json!({ "sent": true, "to": call.input["to"] })) })?
            .description("Sends a mail. (It does not really.)")
            .input_schema(object(
                &json!({ "to": { "type": "string" }, "subject": { "type": "string" }, "body": { "type": "string" } }),
                &["to", "subject"],
            ))?,
        Tool::new("demo.echo", |input| async move { Ok(input) })?.description("Gives back what it is given."),
        Tool::new("demo.wait", wait)?
            .description("Answers after so many milliseconds.")
            .input_schema(object(&json!({ "ms": { "type": "integer", "minimum": 0 } }), &["ms"]))?,
        Tool::streaming("demo.count", count)?
            .description("Counts to a number, a step every 50 milliseconds, and tells of each on its way.")
            .input_schema(object(&json!({ "to": { "type": "integer", "minimum": 1, "maximum": 100 } }), &["to"]))?,
        Tool::new("demo.fail", fail)?
            .description("Fails with a message.")
            .input_schema(object(&json!({ "message": { "type": "string" } }), &["message"]))?,
        Tool::with_call("people.ask", ask)?
            .description("Asks a person a question, and returns the answer.")
            .input_schema(object(&json!({ "question": { "type": "string" } }), &["question"]))?,
        Tool::new("demo.text", text)?
            .description("A text of so many letters.")
            .input_schema(object(&json!({ "letters": { "type": "integer", "minimum": 0, "maximum": 16_777_216 } }), &["letters"]))?,
        Tool::new("demo.broken", |_| async move { Ok(json!({ "number": "seven" })) })?
            .description("Does not keep to its own output schema.")
            .output_schema(json!({ "type": "object", "properties": { "number": { "type": "integer" } } }))?,
    ])
}

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

async fn list_cities(input: Value) -> Result<Value, ToolError> {
    tokio::time::sleep(Duration::from_millis(20)).await;
    let country = input["country"].as_str();
    let names: Vec<&str> = CITIES
        .iter()
        .filter(|(_, its_country, ..)| country.is_none_or(|country| country == *its_country))
        .map(|(name, ..)| *name)
        .collect();
    Ok(json!(names))
}

async fn current_weather(input: Value) -> Result<Value, ToolError> {
    tokio::time::sleep(Duration::from_millis(80)).await;
    let city = input["city"].as_str().unwrap_or_default();
    let found = CITIES.iter().find(|(name, ..)| *name == city);
    let (name, _, celsius, sky) = found.ok_or_else(|| ToolError::new(format!("no weather station in {city}")))?;
    Ok(json!({ "city": name, "celsius": celsius, "sky": sky }))
}

async fn wait(input: Value) -> Result<Value, ToolError> {
    tokio::time::sleep(Duration::from_millis(input["ms"].as_u64().unwrap_or_default())).await;
    Ok(json!({ "waited": input["ms"] }))
}

fn count(call: ToolCall) -> impl Stream<Item = Result<Value, ToolError>> {
    let total = call.input["to"].as_u64().unwrap_or_default();
    futures_util::stream::iter(1..=total).then(move |progress| async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        Ok(json!({ "progress": progress, "total": total }))
    })
}

async fn fail(input: Value) -> Result<Value, ToolError> {
    Err(ToolError::new(input["message"].as_str().unwrap_or_default()))
}

async fn ask(call: ToolCall) -> Result<Value, ToolError> {
    match call.resolution {
        Some(answer) => Ok(json!({ "question": call.input["question"], "answer": answer })),
        None => Err(ToolError::interrupt(json!({ "question": call.input["question"] }))),
    }
}

async fn text(input: Value) -> Result<Value, ToolError> {
    let letters = usize::try_from(input["letters"].as_u64().unwrap_or_default()).map_err(ToolError::internal)?;
    Ok(json!("x".repeat(letters)))
}
