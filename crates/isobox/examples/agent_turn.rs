//! One turn of an agent: the program of a model, tools of the host, and the answer to the model.
//!
//!     cargo run -p isobox --example agent_turn

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use isobox::{Isobox, Outcome, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer of a model, with its fence.
const ANSWER: &str = "```ts
const orders = await tools.orders.list({ status: 'open' });
const late = orders.filter((order) => order.days > 14);
for (const order of late) {
  await tools.orders.remind({ id: order.id });
}
console.log(`reminded ${late.length} of ${orders.length} customers`);
return late.map((order) => order.id);
```";

/// Lists orders by status.
#[derive(Deserialize, JsonSchema)]
struct List {
    status: Option<Status>,
}

#[derive(Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Status {
    Open,
    Paid,
}

#[derive(Serialize, JsonSchema)]
struct Order {
    id: String,
    /// Its age.
    days: u32,
}

/// Sends a reminder.
#[derive(Deserialize, JsonSchema)]
struct Remind {
    id: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), isobox::Failure> {
    let reminders: Arc<Mutex<HashMap<String, u32>>> = Arc::default();
    let counted = Arc::clone(&reminders);

    let list = Tool::typed("orders.list", |list: List| async move {
        if list.status == Some(Status::Paid) {
            return Ok(Vec::<Order>::new());
        }
        Ok([("A-1", 3), ("A-2", 20), ("A-3", 31)].map(|(id, days)| Order { id: id.to_owned(), days }).into())
    })?;

    let remind = Tool::typed("orders.remind", move |remind: Remind| {
        let counted = Arc::clone(&counted);
        async move {
            let mut counted = counted.lock().map_err(|_| ToolError::new("the list of reminders is gone"))?;
            *counted.entry(remind.id).or_default() += 1;
            Ok(())
        }
    })?;

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
