//! Passes the questions of a paused program on to the person at the client, if the client can ask.

use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, ClientResult, ElicitRequest, ElicitRequestParams, InputRequest, InputRequiredResult,
    ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use rmcp::{Peer, RoleServer};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// A question of a paused program that a person at the client may answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Names the question. [`CodeMode::answer`](super::CodeMode::answer) gets it back.
    pub reference: String,
    /// The text for the person.
    pub message: String,
    /// The way in which the person answers.
    pub mode: QuestionMode,
}

/// The way in which a person answers a question.
#[derive(Debug, Clone, PartialEq)]
pub enum QuestionMode {
    /// By filling in a form with this JSON Schema.
    Form(Value),
    /// By visiting this address.
    Url(String),
}

/// The way in which a client is asked.
pub(super) enum AskBy {
    /// By a request to the client, which the call waits for.
    Request(Modes, Peer<RoleServer>),
    /// By a result that asks for input. The client calls again with the answer.
    Result(Modes),
}

/// The kinds of questions that a client can ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Modes {
    form: bool,
    url: bool,
}

/// The maximum number of questions of one call.
pub(super) const MOST_QUESTIONS: u32 = 20;
/// The maximum time that a person may take. After that the call returns the paused outcome.
const PATIENCE: Duration = Duration::from_mins(10);
/// The key of the only question of a result.
const KEY: &str = "question";

impl AskBy {
    /// Returns how the client of a call is asked. None if it has not declared that it can ask.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Option<Self> {
        let capability = context.client_capabilities()?.elicitation?;
        let (form, url) = (capability.form.is_some(), capability.url.is_some());
        // A client that names no kind has the first one.
        let modes = Modes { form: form || !url, url };
        Some(match context.protocol_version() {
            Some(version) if !version.has_initialize() => Self::Result(modes),
            Some(_) | None => Self::Request(modes, context.peer.clone()),
        })
    }

    fn modes(&self) -> Modes {
        match self {
            Self::Request(modes, _) | Self::Result(modes) => *modes,
        }
    }

    /// Returns the request for a question. None if the client cannot ask it.
    fn request(&self, question: &Question) -> Option<ElicitRequest> {
        let Modes { form, url } = self.modes();
        let message = &question.message;
        let params = match &question.mode {
            QuestionMode::Form(schema) if form => {
                json!({ "mode": "form", "message": message, "requestedSchema": schema })
            }
            QuestionMode::Url(address) if url && is_of_the_web(address) => json!({
                "mode": "url", "message": message, "url": address, "elicitationId": question.reference,
            }),
            QuestionMode::Form(_) | QuestionMode::Url(_) => return None,
        };
        let params: ElicitRequestParams = serde_json::from_value(params).ok()?;
        Some(ElicitRequest::new(params))
    }

    /// Asks a question.
    pub(super) async fn ask(&self, question: &Question, given_up: &CancellationToken) -> Asked {
        let Some(request) = self.request(question) else { return Asked::Unanswered };
        let peer = match self {
            Self::Request(_, peer) => peer,
            Self::Result(_) => {
                let requests = BTreeMap::from([(KEY.to_owned(), InputRequest::Elicitation(request))]);
                let result = InputRequiredResult::new(Some(requests), Some(question.reference.clone()));
                return Asked::Later(Box::new(result));
            }
        };
        let options = PeerRequestOptions::no_options();
        let Ok(mut handle) = peer.send_request_with_option(ServerRequest::ElicitRequest(request), options).await else {
            return Asked::Unanswered;
        };
        tokio::select! {
            answer = &mut handle.rx => match answer {
                Ok(Ok(ClientResult::ElicitResult(answer))) => {
                    Asked::Answered(json!({ "action": answer.action, "content": answer.content }))
                }
                Ok(_) | Err(_) => Asked::Unanswered,
            },
            () = given_up.cancelled() => {
                // The client may be gone.
                let _ = handle.cancel(Some("the call was cancelled".to_owned())).await;
                Asked::Unanswered
            }
            () = tokio::time::sleep(PATIENCE) => {
                let _ = handle.cancel(Some("the question was not answered in time".to_owned())).await;
                Asked::Unanswered
            }
        }
    }
}

/// The result of a question.
pub(super) enum Asked {
    /// The answer: `action`, and `content` if there is any.
    Answered(Value),
    /// The client calls again with the answer.
    Later(Box<InputRequiredResult>),
    /// The client cannot ask, or there was no answer in time.
    Unanswered,
}

/// Returns the question that a call answers, and the answer. A call without an answer has dismissed the question.
pub(super) fn answer_in(request: &CallToolRequestParams) -> Option<(String, Value)> {
    let reference = request.request_state.clone()?;
    let answer = request.input_responses.as_ref().and_then(|responses| responses.get(KEY));
    Some((reference, answer.cloned().unwrap_or_else(|| json!({ "action": "cancel" }))))
}

fn is_of_the_web(address: &str) -> bool {
    ["https://", "http://"].iter().any(|scheme| address.starts_with(scheme))
}
