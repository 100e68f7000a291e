//! Tools for conformance cases.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::stream::{self, StreamExt};
use isobox::rollback::RevertCall;
use isobox::{CancellationToken, Failure, Tool, ToolCall, ToolError, Value, json};
use tokio::sync::Barrier;

use crate::Fate;

tokio::task_local! {
    static CALLER: Caller;
}

static TOKENS: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());

/// The caller of an execution, as its tools can reach it.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// Cancelled by `spec.cancel`.
    pub gives_up: CancellationToken,
    /// The process that dies in `spec.crash`.
    pub dies: Option<Arc<Fate>>,
}

/// Runs an execution for this caller.
pub async fn with_caller<T>(caller: Caller, execution: impl Future<Output = T>) -> T {
    CALLER.scope(caller, execution).await
}

/// Ends the process if the case says so; otherwise answers.
async fn crash(call: ToolCall) -> Result<Value, ToolError> {
    if dies_here() {
        return std::future::pending().await;
    }
    Ok(json!({ "done": call.input }))
}

/// Ends the process if the case says so. Tells whether it has.
pub(crate) fn dies_here() -> bool {
    let fate = CALLER.with(|caller| caller.dies.clone());
    fate.iter().for_each(|fate| fate.die());
    fate.is_some()
}

/// Leaves a note, and does the same as `crash` when it is called again with the note.
async fn task(call: ToolCall) -> Result<Value, ToolError> {
    match &call.note {
        None if call.context.fencing_token.is_some() => Err(ToolError::noted(json!({ "of": call.input }))),
        Some(note) if note["of"] != call.input => Err(ToolError::new("the note belongs to another call")),
        None | Some(_) => crash(call).await,
    }
}

/// Asks for an answer, and returns it with the number of its call. Asks again until the answer says that it has `asked`
/// as many `times` as its input says.
async fn login(call: ToolCall) -> Result<Value, ToolError> {
    let asked = call.resolution.as_ref().and_then(|resolution| resolution["asked"].as_u64()).unwrap_or(1);
    let times = call.input["times"].as_u64().unwrap_or(1);
    match call.resolution {
        Some(resolution) if asked >= times => {
            let seq = call.context.seq;
            Ok(json!({ "with": resolution, "call": seq }))
        }
        _ => Err(ToolError::interrupt(json!({ "url": "https://login.example.com", "for": call.input["for"] }))),
    }
}

/// Fails with the properties of its input as details.
async fn refuse(input: Value) -> Result<Value, ToolError> {
    let details = input.as_object().cloned().unwrap_or_default();
    Err(details.into_iter().fold(ToolError::new("refused"), |error, (key, value)| error.detail(key, value)))
}

/// Returns pages of the numbers from `from` to `to`, one on each page and two in one call.
async fn number_pages(input: Value) -> Result<Value, ToolError> {
    let (from, to) = (input["from"].as_u64().unwrap_or(1), input["to"].as_u64().unwrap_or_default());
    let last = to.min(from + input["maxPages"].as_u64().unwrap_or(2).min(2) - 1);
    let pages: Vec<Value> = (from..=last).map(|number| json!([number])).collect();
    let next = if last < to { json!({ "from": last + 1, "to": to }) } else { Value::Null };
    Ok(json!({ "pages": pages, "next": next }))
}

/// Returns all tools.
pub fn spec_tools() -> Result<Vec<Tool>, Failure> {
    let gatherings = Mutex::new(HashMap::new());
    Ok(vec![
        Tool::new("spec.pay", |input| async move { Ok(json!({ "paid": input["amount"] })) })?.with_approval(),
        // Reverted by `spec.unmake`.
        Tool::new("spec.make", |input| async move { Ok(json!({ "id": input["name"] })) })?
            .reverted_by(RevertCall::new("spec.unmake", json!({ "id": "$result.id", "of": "$input.name" }))),
        // Reverted by `spec.unmake`, without its result.
        Tool::new("spec.stamp", |input| async move { Ok(json!({ "id": input["name"] })) })?
            .reverted_by(RevertCall::new("spec.unmake", json!({ "id": "$input.name", "of": "$input.name" }))),
        // Fails for `stuck`, needs approval for `guarded`, asks for `asking`. For `crashing`, the process dies if the case
        // says so.
        Tool::with_call("spec.unmake", |call| async move {
            match call.input["id"].as_str() {
                Some("stuck") => Err(ToolError::new("it is stuck")),
                Some("asking") if call.resolution.is_none() => Err(ToolError::interrupt(json!("really?"))),
                Some("crashing") if dies_here() => std::future::pending().await,
                _ => Ok(json!({ "unmade": call.input["of"] })),
            }
        })?
        .with_approval_when(|input| input["id"] == json!("guarded")),
        // Amounts up to ten need no approval.
        Tool::new("spec.tip", |input| async move { Ok(json!({ "paid": input["amount"] })) })?
            .with_approval_when(|input| input["amount"].as_u64().is_none_or(|amount| amount > 10)),
        Tool::with_call("spec.login", login)?,
        Tool::new("spec.closed", |_| async { Ok(json!({ "total": 3, "items": [{ "name": "a" }] })) })?.output_schema(
            json!({
                "type": "object",
                "properties": {
                    "total": { "type": "integer" },
                    "items": {
                        "type": "array",
                        "items": { "type": "object", "properties": { "name": {} }, "additionalProperties": false },
                    },
                },
                "additionalProperties": false,
            }),
        )?,
        // Returns its input.
        Tool::new("spec.paint", |input| async move { Ok(input) })?.input_schema(json!({
            "type": "object",
            "properties": {
                "colour": { "enum": ["red", "green"] },
                "coats": { "type": "integer" },
                "layers": { "type": "array", "items": { "properties": { "version": { "const": 1 } } } },
            },
            "required": ["colour"],
        }))?,
        Tool::new("spec.refuse", refuse)?,
        Tool::new("spec.refuseUnstored", refuse)?.ephemeral(),
        Tool::new("spec.numbers.pages", number_pages)?,
        Tool::new("spec.paidNumbers.pages", number_pages)?.with_approval(),
        Tool::with_call("spec.crash", crash)?,
        Tool::with_call("spec.crashSafely", crash)?.idempotent(true),
        Tool::with_call("spec.task", task)?,
        // Returns how often this call was made. Never stored.
        Tool::with_call("spec.token", |call| async move {
            let mut tokens = TOKENS.lock().unwrap_or_else(PoisonError::into_inner);
            let next = tokens.entry(call.context.key()).or_insert(0);
            *next += 1;
            Ok(json!(*next))
        })?
        .ephemeral(),
        // Returns the same value every time. Never stored.
        Tool::new("spec.password", |_| async move { Ok(json!("hunter2")) })?.ephemeral(),
        Tool::new("spec.panic", |input| async move {
            if input["late"] == json!(true) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            panic!("this text is for the host")
        })?,
        Tool::new("spec.panicBeforeFuture", |_: Value| -> std::future::Ready<Result<Value, ToolError>> {
            panic!("this text is for the host")
        })?,
        Tool::new("spec.hang", |_| std::future::pending())?,
        // Cancels the caller of this execution during the call.
        Tool::new("spec.cancel", |_| async {
            CALLER.with(|caller| caller.gives_up.cancel());
            std::future::pending().await
        })?,
        Tool::new(
            "spec.secret",
            |_| async move { Err(ToolError::internal("the password is hunter2 in /etc/secret")) },
        )?,
        Tool::new("spec.key.of.this.call", |_| async move { Ok(json!("deep")) })?,
        Tool::with_call("spec.key.suffix", |call| async move { Ok(json!(call.context.seq)) })?,
        // Answers when `count` calls of one execution are running, and never otherwise.
        Tool::with_call("spec.gather", move |call| {
            let execution = call.context.execution.as_str().to_owned();
            let count = call.input["count"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or_default();
            let barrier = {
                let mut gatherings = gatherings.lock().unwrap_or_else(PoisonError::into_inner);
                Arc::clone(gatherings.entry(execution).or_insert_with(|| Arc::new(Barrier::new(count))))
            };
            async move {
                barrier.wait().await;
                Ok(json!("all here"))
            }
        })?,
        // Streams values, then ends or fails.
        Tool::streaming("spec.stream", |call| {
            let values = call.input["values"].as_array().cloned().unwrap_or_default();
            let end = call.input["end"].as_str().unwrap_or_default().to_owned();
            let end = stream::once(async move {
                match end.as_str() {
                    "error" => Some(Err(ToolError::new("no more"))),
                    "panic" => panic!("this text is for the host"),
                    "hang" => std::future::pending().await,
                    _ => None,
                }
            });
            stream::iter(values.into_iter().map(Ok)).chain(end.filter_map(std::future::ready))
        })?,
        Tool::new("spec.nested", |input| async move {
            let depth = input["depth"].as_u64().unwrap_or_default();
            Ok((0..depth).fold(json!(1), |inner, _| Value::Array(vec![inner])))
        })?,
        // Returns its input.
        Tool::new("spec.page", |input| async move { Ok(input) })?.input_schema(json!({
            "type": "object",
            "properties": {
                "limit": { "type": "integer", "default": 10 },
                "sort": { "$ref": "#/$defs/sort", "default": {} },
                "filters": { "type": "array", "items": { "$ref": "#/$defs/filter" } },
            },
            "required": ["limit"],
            "$defs": {
                "sort": { "type": "object", "properties": { "by": { "type": "string", "default": "name" } } },
                "filter": { "type": "object", "properties": { "not": { "type": "boolean", "default": false } } },
            },
        }))?,
        Tool::new("spec.value", |input| async move {
            Ok(match input["kind"].as_str() {
                Some("thenable") => json!({ "then": "not a function", "constructor": { "prototype": null } }),
                Some("proto") => serde_json::from_str(r#"{"__proto__":{"polluted":true},"a":1}"#).unwrap_or_default(),
                Some("unicode") => json!("ä\u{2028}\u{0}😀"),
                Some("number") => json!(9_007_199_254_740_993_u64),
                _ => Value::Null,
            })
        })?,
    ])
}
