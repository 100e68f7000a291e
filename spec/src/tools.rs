//! Tools that only a conformance case could want.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use isobox::{Failure, Tool, ToolError, Value, json};

/// All of them.
pub fn spec_tools() -> Result<Vec<Tool>, Failure> {
    let at_once = Arc::new(AtomicU64::new(0));
    Ok(vec![
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
        Tool::new(
            "spec.secret",
            |_| async move { Err(ToolError::internal("the password is hunter2 in /etc/secret")) },
        )?,
        Tool::new("spec.key.of.this.call", |_| async move { Ok(json!("deep")) })?,
        Tool::with_call("spec.key.suffix", |call| async move {
            Ok(json!(call.key.rsplit_once(':').map(|(_, seq)| seq.to_owned())))
        })?,
        // How many calls of this tool were under way when this one was, itself included.
        Tool::new("spec.atOnce", move |_| {
            let at_once = Arc::clone(&at_once);
            async move {
                at_once.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(30)).await;
                let seen = at_once.load(Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(30)).await;
                at_once.fetch_sub(1, Ordering::SeqCst);
                Ok(json!(seen))
            }
        })?,
        Tool::new("spec.nested", |input| async move {
            let depth = input["depth"].as_u64().unwrap_or_default();
            Ok((0..depth).fold(json!(1), |inner, _| Value::Array(vec![inner])))
        })?,
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
