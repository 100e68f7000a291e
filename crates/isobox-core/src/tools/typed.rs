//! Typed tools: serde converts their values, and schemars derives their schemas.

use std::sync::Arc;

use futures_util::stream::{Stream, StreamExt};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::text::brief;
use crate::tools::progress::last_of;
use crate::{Failure, Tool, ToolCall, ToolError};

/// The maximum length of a deserialization error, in characters.
const MAX_LENGTH: usize = 300;

impl Tool {
    /// Creates a tool from a typed function. The schemas of input and result come from the types, and doc comments
    /// become descriptions: that of the input type describes the tool, unless [`Tool::description`] does.
    ///
    /// An input that does not deserialise fails with `INVALID_INPUT` like one that does not fit its schema, before
    /// approval is asked for. A tool without input takes `()`.
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
    /// `CONFIG` if a program could not write the path.
    pub fn typed<I, O, F, R>(path: &str, handler: F) -> Result<Self, Failure>
    where
        I: DeserializeOwned + JsonSchema + 'static,
        O: Serialize + JsonSchema,
        F: Fn(I) -> R + Send + Sync + 'static,
        R: Future<Output = Result<O, ToolError>> + Send + 'static,
    {
        Self::typed_with_call(path, move |call: ToolCall<I>| handler(call.input))
    }

    /// Creates a tool from a typed function that also receives the context of the call: see [`Tool::typed`].
    ///
    /// # Errors
    ///
    /// `CONFIG` if a program could not write the path.
    pub fn typed_with_call<I, O, F, R>(path: &str, handler: F) -> Result<Self, Failure>
    where
        I: DeserializeOwned + JsonSchema + 'static,
        O: Serialize + JsonSchema,
        F: Fn(ToolCall<I>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<O, ToolError>> + Send + 'static,
    {
        Self::over_types::<I, O, _, _>(path, move |call| {
            let answered = handler(call);
            async move { value_of(&answered.await?) }
        })
    }

    /// Creates a tool from a function that returns a stream of typed outputs. The last one is its result, and the others are
    /// progress: see [`Tool::streaming`] and [`Tool::typed`].
    ///
    /// # Errors
    ///
    /// `CONFIG` if a program could not write the path.
    pub fn typed_streaming<I, O, F, S>(path: &str, handler: F) -> Result<Self, Failure>
    where
        I: DeserializeOwned + JsonSchema + 'static,
        O: Serialize + JsonSchema,
        F: Fn(ToolCall<I>) -> S + Send + Sync + 'static,
        S: Stream<Item = Result<O, ToolError>> + Send + 'static,
    {
        Self::over_types::<I, O, _, _>(path, move |call| {
            let progress = call.progress.clone();
            last_of(handler(call).map(|output| value_of(&output?)), progress)
        })
    }

    fn over_types<I, O, F, R>(path: &str, handler: F) -> Result<Self, Failure>
    where
        I: DeserializeOwned + JsonSchema + 'static,
        O: JsonSchema,
        F: Fn(ToolCall<I>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        let (input, presence) = input_schema(schema_of::<I>(SchemaSettings::draft2020_12().for_deserialize()));
        let output = schema_of::<O>(SchemaSettings::draft2020_12().for_serialize());
        let description = input.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        let tool = Self::with_call(path, move |call| {
            let ToolCall { input, resolution, interrupt, note, progress, context } = call;
            // Fails only if the host changes inputs (`Tool::around`): those of programs were checked before.
            let invoked = read::<I>(&input, presence).map_err(ToolError::internal).map(|input| {
                let mut call = ToolCall::new(input, context);
                (call.resolution, call.interrupt, call.note) = (resolution, interrupt, note);
                call.progress = progress;
                handler(call)
            });
            async move { invoked?.await }
        })?;
        let objection =
            move |input: &Value| read::<I>(input, presence).err().map(|error| brief(&error.to_string(), MAX_LENGTH));
        tool.description(description).objection(Arc::new(objection)).input_schema(input)?.output_schema(output)
    }
}

fn value_of(output: &impl Serialize) -> Result<Value, ToolError> {
    serde_json::to_value(output).map_err(ToolError::internal)
}

/// The presence of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    Something,
    /// The input is `()`. Programs pass no argument.
    Nothing,
}

fn read<I: DeserializeOwned>(input: &Value, presence: Presence) -> Result<I, serde_json::Error> {
    I::deserialize(match presence {
        Presence::Something => input,
        Presence::Nothing => &Value::Null,
    })
}

/// Returns the schema of a type without parts that programs do not need: the name of the Rust type, the draft.
fn schema_of<T: JsonSchema>(mut settings: SchemaSettings) -> Value {
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.to_value()
}

/// Returns the schema that programs see, and whether they pass an input. Without an argument, a tool gets an empty
/// object.
fn input_schema(schema: Value) -> (Value, Presence) {
    match schema.get("type") {
        Some(Value::String(name)) if name == "null" => {
            (json!({ "type": "object", "additionalProperties": false }), Presence::Nothing)
        }
        _ => (schema, Presence::Something),
    }
}
