//! Requests about transcripts: export, replay and forks.

use isobox::transcript::{Fork, ForkAnswer, ReplayEnd, ReplayUntil, Replayed, Secrets, Transcript};
use isobox::{Failure, Isobox, Resume, Value};
use serde::Deserialize;
use serde_json::json;

use crate::engine::Shared;
use crate::execution::{By, EventContents, Source};
use crate::ids::{id_of, seq_of};
use crate::json::resumed;
use crate::tools::Definition;

/// A request about transcripts.
#[derive(Deserialize)]
#[serde(tag = "verb", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub(crate) enum TranscriptRequest {
    Export {
        id: String,
        secrets: bool,
    },
    Replay {
        of: Recorded,
        #[serde(default)]
        before: Option<String>,
    },
    Fork(Box<ForkRequest>),
}

/// A fork of a recorded execution.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ForkRequest {
    of: Recorded,
    before: String,
    #[serde(default)]
    answer: Answered,
    #[serde(default)]
    program: Option<Source>,
    #[serde(default)]
    principal: Option<By>,
    #[serde(default)]
    tools: Vec<Definition>,
    #[serde(default)]
    events: Option<EventContents>,
}

/// A recorded execution.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Recorded {
    /// In the store.
    Id(String),
    /// As an exported document.
    Transcript(String),
}

/// The answer to the call before which a fork begins.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Answered {
    /// The call is made.
    #[default]
    Made,
    /// The call is not made, and has this result.
    Result(Value),
    /// The call is not made, and fails with this message.
    Error(String),
}

impl From<Answered> for ForkAnswer {
    fn from(answered: Answered) -> Self {
        match answered {
            Answered::Made => Self::Made,
            Answered::Result(result) => Self::Result(result),
            Answered::Error(message) => Self::Failed(message),
        }
    }
}

impl Recorded {
    async fn transcript(self, isobox: &Isobox) -> Result<Transcript, Failure> {
        match self {
            Self::Id(id) => isobox.export(&id_of(&id)?, Secrets::Included).await,
            Self::Transcript(text) => Transcript::read(text.as_bytes()),
        }
    }
}

impl Shared {
    pub(crate) async fn transcribed(&self, number: u32, request: TranscriptRequest) -> Result<Value, Failure> {
        match request {
            TranscriptRequest::Export { id, secrets } => {
                let secrets = if secrets { Secrets::Included } else { Secrets::Hidden };
                Ok(self.looked().await?.export(&id_of(&id)?, secrets).await?.to_json()?.into())
            }
            TranscriptRequest::Replay { of, before } => {
                let isobox = match &of {
                    Recorded::Id(_) => self.looked().await?,
                    Recorded::Transcript(_) => self.workspace.ready().await?.isobox,
                };
                let transcript = of.transcript(&isobox).await?;
                let until = match before {
                    Some(seq) => ReplayUntil::Before(seq_of(&seq)?),
                    None => ReplayUntil::End,
                };
                let replayed = isobox.replay(&transcript, until).await?;
                Ok(told(&transcript, &replayed))
            }
            TranscriptRequest::Fork(request) => {
                let ForkRequest { of, before, answer, program, principal, tools, events } = *request;
                let isobox = self.observed(self.workspace.durable().await?.isobox, number, events);
                let transcript = of.transcript(&isobox).await?;
                let mut fork = Fork::before(seq_of(&before)?).answer(answer.into()).principal(By::principal(principal));
                if let Some(program) = program {
                    fork = fork.program(program.program()?);
                }
                let resume = Resume::default().cancelled_by(self.token(number)).tools(self.tools(tools)?);
                resumed(isobox.fork(&transcript, fork, resume).await?)
            }
        }
    }
}

/// Returns a replay as JavaScript sees it.
fn told(transcript: &Transcript, replayed: &Replayed) -> Value {
    let Replayed { end, calls, logs, facts, is_other_image, .. } = replayed;
    let end = match end {
        ReplayEnd::Same => "same",
        ReplayEnd::EndedFromOutside => "ended-from-outside",
        ReplayEnd::NotOver => "not-over",
        ReplayEnd::Before(_) => "stopped",
    };
    json!({
        "executionId": transcript.execution_id,
        "end": end,
        "isOtherImage": is_other_image,
        "calls": calls,
        "logs": logs,
        "facts": facts,
    })
}
