//! Every stored execution replays from its transcript, without tools.

use isobox::transcript::{ReplayUntil, Secrets, Transcript};
use isobox::{ExecutionId, Failure, Isobox};

/// Exports an execution, reads the document again, and replays it. Results that must not be stored end a replay.
pub(crate) async fn check_transcript(isobox: &Isobox, id: &ExecutionId) -> Result<(), String> {
    let told = |failure: Failure| format!("its transcript: {failure}");
    let json = isobox.export(id, Secrets::Included).await.and_then(|transcript| transcript.to_json()).map_err(told)?;
    let transcript = Transcript::read(json.as_bytes()).map_err(told)?;
    match isobox.replay(&transcript, ReplayUntil::End).await {
        Ok(_) => Ok(()),
        Err(failure) if failure.message.contains("is not recorded") => Ok(()),
        Err(failure) => Err(told(failure)),
    }
}
