//! Tools over types: what serde reads and writes, with the schemas that schemars derives.

use std::sync::Arc;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::text::brief;
use crate::{Failure, Tool, ToolCall, ToolError};

/// How much is shown of why a value is no input, in characters.
const MAX_LENGTH: usize = 300;

impl Tool {
    /// Makes a tool of a function over types. The schemas of input and result come from the types, and doc comments become
    /// descriptions: that of the input type describes the tool, unless [`Tool::description`] does.
    ///
    /// An input that does not deserialise fails like one that does not fit its schema: with `INVALID_INPUT`, before a person is
    /// asked for approval. A tool without input takes `()`.
    ///
    /// ```
    /// use isobox_core::{Failure, Tool, ToolError};
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    ///
    /// /// Finds an order by its number.
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Find {
    ///     /// As printed on the invoice.
    ///     number: String,
    /// }
    ///
    /// #[derive(Serialize, JsonSchema)]
    /// struct Order {
    ///     number: String,
    ///     days: u32,
    /// }
    ///
    /// # fn main() -> Result<(), Failure> {
    /// let find = Tool::typed("orders.find", |find: Find| async move {
    ///     match find.number.as_str() {
    ///         "A-1" => Ok(Order { number: find.number, days: 3 }),
    ///         _ => Err(ToolError::new("there is no such order")),
    ///     }
    /// })?;
    /// assert_eq!(find.description_text(), "Finds an order by its number.");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `CONFIG` where the path is not one that a program could write.
    pub fn typed<I, O, F, R>(path: &str, handler: F) -> Result<Self, Failure>
    where
        I: DeserializeOwned + JsonSchema + 'static,
        O: Serialize + JsonSchema,
        F: Fn(I) -> R + Send + Sync + 'static,
        R: Future<Output = Result<O, ToolError>> + Send + 'static,
    {
        Self::typed_with_call(path, move |call: ToolCall<I>| handler(call.input))
    }

    /// Makes a tool of a function over types that wants to know more about the call than its input: see [`Tool::typed`].
    ///
    /// # Errors
    ///
    /// `CONFIG` where the path is not one that a program could write.
    pub fn typed_with_call<I, O, F, R>(path: &str, handler: F) -> Result<Self, Failure>
    where
        I: DeserializeOwned + JsonSchema + 'static,
        O: Serialize + JsonSchema,
        F: Fn(ToolCall<I>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<O, ToolError>> + Send + 'static,
    {
        let (input, presence) = input_schema(schema_of::<I>(SchemaSettings::draft2020_12().for_deserialize()));
        let output = schema_of::<O>(SchemaSettings::draft2020_12().for_serialize());
        let description = input.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        let tool = Self::with_call(path, move |call| {
            let ToolCall { input, resolution, progress, context } = call;
            // Only a host that changes inputs on their way (`Tool::around`) can fail here: programs are checked before.
            let invoked = read::<I>(&input, presence).map_err(ToolError::internal).map(|input| {
                let mut call = ToolCall::new(input, context);
                (call.resolution, call.progress) = (resolution, progress);
                handler(call)
            });
            async move { serde_json::to_value(invoked?.await?).map_err(ToolError::internal) }
        })?;
        let objection =
            move |input: &Value| read::<I>(input, presence).err().map(|error| brief(&error.to_string(), MAX_LENGTH));
        tool.description(description).objection(Arc::new(objection)).input_schema(input)?.output_schema(output)
    }
}

/// Whether a tool takes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    Something,
    /// Its input is `()`; programs pass no argument.
    Nothing,
}

fn read<I: DeserializeOwned>(input: &Value, presence: Presence) -> Result<I, serde_json::Error> {
    I::deserialize(match presence {
        Presence::Something => input,
        Presence::Nothing => &Value::Null,
    })
}

/// Returns the schema of a type without what is of no use to a program: the name of the Rust type, the draft.
fn schema_of<T: JsonSchema>(mut settings: SchemaSettings) -> Value {
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.to_value()
}

/// Returns the schema that programs see, and whether they pass anything: without an argument, a tool gets an empty object.
fn input_schema(schema: Value) -> (Value, Presence) {
    match schema.get("type") {
        Some(Value::String(name)) if name == "null" => {
            (json!({ "type": "object", "additionalProperties": false }), Presence::Nothing)
        }
        _ => (schema, Presence::Something),
    }
}
