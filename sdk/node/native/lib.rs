//! The native part of the npm package `isobox`. Everything crosses as JSON text.
//!
//! JavaScript asks with [`Engine::run`] and [`Engine::request`]. Answers, tool calls, questions and events are messages, each with a
//! kind and a number. The callback tells JavaScript to take them. JavaScript answers tool calls with [`Engine::answer`]. Programs run
//! on threads of their own, so that the event loop is never held.

mod bridge;
mod engine;
mod execution;
mod ids;
mod json;
mod looking;
mod options;
mod request;
mod sessions;
mod snippets;
mod standby;
mod tools;
mod transcripts;
mod verdicts;

use std::sync::Arc;

use napi_derive::napi;

use bridge::{Bridge, Dispatch, Message};
use engine::{Shared, threads};
use json::json;

/// A runtime for JavaScript.
#[napi]
pub struct Engine(Arc<Shared>);

#[napi]
impl Engine {
    /// Creates a runtime from its options and the callback. An error message is the JSON of a failure.
    ///
    /// # Errors
    ///
    /// `CONFIG`, as JSON.
    #[napi(constructor)]
    pub fn new(options: String, dispatch: Dispatch) -> napi::Result<Self> {
        let made = threads()
            .and_then(|threads| {
                let _entered = threads.enter();
                Shared::new(&options, Arc::new(Bridge::new(dispatch)))
            })
            .map_err(|failure| napi::Error::from_reason(json(&failure)))?;
        Ok(Self(Arc::new(made)))
    }

    /// Starts a program. Its outcome has the number `id`.
    #[napi]
    pub fn run(&self, id: u32, run: String) {
        self.0.begin(id, move |shared| async move { shared.run(id, &run).await });
    }

    /// Starts any other request. Its answer has the number `id`.
    #[napi]
    pub fn request(&self, id: u32, request: String) {
        self.0.begin(id, move |shared| async move { shared.handle(id, &request).await });
    }

    /// Cancels the run or the request with this number.
    #[napi]
    pub fn cancel(&self, id: u32) {
        self.0.cancel(id);
    }

    /// Takes the first message.
    #[napi]
    pub fn take(&self) -> Option<Message> {
        self.0.bridge.take()
    }

    /// Looks for a message for a moment, and takes it.
    #[napi]
    pub fn glance(&self) -> Option<Message> {
        self.0.bridge.glance()
    }

    /// Sets whether JavaScript looks for messages, so that the callback is not needed.
    #[napi]
    pub fn watch(&self, is_watched: bool) {
        self.0.bridge.watch(is_watched);
    }

    /// Answers a tool call or a question.
    #[napi]
    pub fn answer(&self, id: u32, is_ok: bool, json: String) {
        self.0.bridge.answer(id, is_ok, json);
    }

    /// Reports the progress of a tool call.
    #[napi]
    pub fn progress(&self, id: u32, json: String) {
        self.0.bridge.progress(id, &json);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

/// Returns the TypeScript declarations of these tools, as a model sees them.
///
/// # Errors
///
/// `CONFIG`, as JSON.
#[napi]
pub fn declare(definitions: String) -> napi::Result<String> {
    tools::declare(&definitions).map_err(|failure| napi::Error::from_reason(json(&failure)))
}
