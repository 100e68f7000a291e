//! The tools of `spec/programs/tools.json`, which `spec/programs/tools.mjs` serves to Node.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use isobox::{Failure, Tool, ToolCall, ToolError, Value, json};
use serde::Deserialize;

#[derive(Deserialize)]
struct Offer {
    data: BTreeMap<String, Arc<Vec<Value>>>,
    tools: Vec<Declared>,
}

#[derive(Deserialize)]
struct Declared {
    path: String,
    description: String,
    #[serde(flatten)]
    kind: Kind,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Kind {
    /// The records whose fields equal those of the input, a page at a time.
    List { data: String, filters: Vec<String>, paging: Paging, limit: Option<u64> },
    /// The record with that key.
    Get { data: String, key: String, missing: String },
    /// The records one of whose fields contains the `query`.
    Search { data: String, fields: Vec<String> },
    /// The same answer to every input, with the input.
    Reply { answer: Value },
    /// The same, after some failures: they are counted for each execution and input.
    Flaky { failures: u32, error: String, answer: Value },
    /// The `value` or the `error` of a record, after its `delayMs`.
    Delayed { data: String, key: String, missing: String },
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Paging {
    None,
    Cursor,
    Page,
    Offset,
}

/// Returns the tools that the programs call.
pub fn program_tools(root: &Path) -> Result<Vec<Tool>, String> {
    let text = std::fs::read_to_string(root.join("tools.json")).map_err(|error| error.to_string())?;
    let Offer { data, tools } = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let records = |name: &str| data.get(name).cloned().ok_or_else(|| format!("tools.json has no data `{name}`"));
    let mut served = Vec::new();
    for Declared { path, description, kind } in tools {
        let tool = match kind {
            Kind::List { data, filters, paging, limit } => list(&path, records(&data)?, filters, paging, limit),
            Kind::Get { data, key, missing } => {
                let records = records(&data)?;
                Tool::new(&path, move |input| std::future::ready(find(&records, &key, &missing, &input).cloned()))
            }
            Kind::Search { data, fields } => search(&path, records(&data)?, fields),
            Kind::Reply { answer } => Tool::new(&path, move |input| std::future::ready(Ok(merged(&answer, input)))),
            Kind::Flaky { failures, error, answer } => flaky(&path, failures, error, answer),
            Kind::Delayed { data, key, missing } => delayed(&path, records(&data)?, key, missing),
        };
        served.push(tool.map_err(|failure| failure.to_string())?.description(description));
    }
    Ok(served)
}

fn list(
    path: &str,
    records: Arc<Vec<Value>>,
    filters: Vec<String>,
    paging: Paging,
    limit: Option<u64>,
) -> Result<Tool, Failure> {
    Tool::new(path, move |input| {
        let fits = |record: &&Value| {
            filters.iter().all(|field| input.get(field).is_none_or(|wanted| record.get(field) == Some(wanted)))
        };
        let fitting = records.iter().filter(fits).cloned().collect();
        std::future::ready(Ok(page(fitting, paging, limit, &input)))
    })
}

fn page(records: Vec<Value>, paging: Paging, limit: Option<u64>, input: &Value) -> Value {
    let number = |name: &str| input[name].as_u64();
    let count = number("limit").or(number("per_page")).or(limit).unwrap_or(u64::MAX);
    let start = match paging {
        Paging::None => return Value::Array(records),
        Paging::Cursor => input["cursor"].as_str().and_then(|cursor| cursor.parse().ok()).unwrap_or(0),
        Paging::Page => number("page").unwrap_or(1).saturating_sub(1).saturating_mul(count),
        Paging::Offset => number("offset").unwrap_or(0),
    };
    let end = start.saturating_add(count);
    let total = records.len();
    let index = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(total);
    let some = records[index(start)..index(end)].to_vec();
    let has_more = index(end) < total;
    match paging {
        Paging::None | Paging::Page => Value::Array(some),
        Paging::Cursor => {
            json!({ "items": some, "nextCursor": has_more.then(|| end.to_string()), "total": total })
        }
        Paging::Offset => json!({ "data": some, "total": total, "hasMore": has_more }),
    }
}

fn search(path: &str, records: Arc<Vec<Value>>, fields: Vec<String>) -> Result<Tool, Failure> {
    Tool::new(path, move |input| {
        let query = input["query"].as_str().unwrap_or_default().to_lowercase();
        let has = |field: &String, record: &Value| {
            record[field.as_str()].as_str().is_some_and(|text| text.to_lowercase().contains(&query))
        };
        let found = records.iter().filter(|record| fields.iter().any(|field| has(field, record)));
        std::future::ready(Ok(Value::Array(found.cloned().collect())))
    })
}

fn flaky(path: &str, failures: u32, error: String, answer: Value) -> Result<Tool, Failure> {
    let calls = Mutex::new(HashMap::new());
    Tool::with_call(path, move |call: ToolCall| {
        let key = (call.context.execution.as_str().to_owned(), call.input.to_string());
        let mut calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = calls.entry(key).or_insert(0);
        *earlier += 1;
        let fails = *earlier <= failures;
        std::future::ready(if fails { Err(ToolError::new(error.clone())) } else { Ok(merged(&answer, call.input)) })
    })
}

fn delayed(path: &str, records: Arc<Vec<Value>>, key: String, missing: String) -> Result<Tool, Failure> {
    Tool::new(path, move |input| {
        let found = find(&records, &key, &missing, &input).cloned();
        async move {
            let record = found?;
            tokio::time::sleep(Duration::from_millis(record["delayMs"].as_u64().unwrap_or_default())).await;
            match record["error"].as_str() {
                Some(error) => Err(ToolError::new(error)),
                None => Ok(record["value"].clone()),
            }
        }
    })
}

fn find<'a>(records: &'a [Value], key: &str, missing: &str, input: &Value) -> Result<&'a Value, ToolError> {
    let wanted = &input[key];
    records.iter().find(|record| record[key] == *wanted).ok_or_else(|| {
        let shown = wanted.as_str().map_or_else(|| wanted.to_string(), str::to_owned);
        ToolError::new(format!("{missing}: {shown}"))
    })
}

/// Returns the answer with the fields of the input.
fn merged(answer: &Value, input: Value) -> Value {
    let mut merged = answer.clone();
    if let (Value::Object(fields), Value::Object(given)) = (&mut merged, input) {
        fields.extend(given);
    }
    merged
}
