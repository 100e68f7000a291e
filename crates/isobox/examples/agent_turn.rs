//! One turn of an agent: the program that a model wrote, tools of the host, and what goes back to the model.
//!
//!     cargo run -p isobox --example agent_turn

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use isobox::{Isobox, Outcome, Tool, ToolError, json};

/// What a model might have answered, fence and all.
const ANSWER: &str = "```ts
const orders = await tools.orders.list({ status: 'open' });
const late = orders.filter((order: { days: number }) => order.days > 14);
for (const order of late) {
  await tools.orders.remind({ id: order.id });
}
console.log(`reminded ${late.length} of ${orders.length} customers`);
return late.map((order) => order.id);
```";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), isobox::Failure> {
    let reminders: Arc<Mutex<HashMap<String, u32>>> = Arc::default();
    let counted = Arc::clone(&reminders);

    let list = Tool::new("orders.list", |_| async move {
        Ok(json!([{ "id": "A-1", "days": 3 }, { "id": "A-2", "days": 20 }, { "id": "A-3", "days": 31 }]))
    })?
    .description("Orders by status.")
    .input_schema(json!({ "type": "object", "properties": { "status": { "enum": ["open", "paid"] } } }))?;

    let remind = Tool::new("orders.remind", move |input| {
        let counted = Arc::clone(&counted);
        async move {
            let id = input["id"].as_str().unwrap_or_default().to_owned();
            let mut counted = counted.lock().map_err(|_| ToolError::new("the list of reminders is gone"))?;
            *counted.entry(id).or_default() += 1;
            Ok(json!({ "ok": true }))
        }
    })?
    .description("Sends a reminder.")
    .input_schema(json!({ "type": "object", "properties": { "id": { "type": "string" } }, "required": ["id"] }))?;

    let isobox = Isobox::builder().tools([list, remind]).build()?;
    match isobox.run(ANSWER).await {
        Outcome::Completed(done) => {
            for log in &done.logs {
                println!("log: {}", log.message);
            }
            println!("result: {}", done.result);
            println!("calls: {}", done.calls.iter().map(|call| call.path.as_str()).collect::<Vec<_>>().join(", "));
        }
        Outcome::Failed(failed) => println!("what the model is told: {}", failed.error),
        other => println!("{other:?}"),
    }
    Ok(())
}
