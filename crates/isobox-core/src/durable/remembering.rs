//! Decisions that apply to further calls: those of an execution in its journal, those of a session in the store.

use serde_json::Value;

use crate::Failure;
use crate::durable::recorder::Recorder;
use crate::journal::{Remembered, Verdict, unwritable};
use crate::store::Error;

/// The purpose in the seal of remembered decisions.
const REMEMBERED: &[u8] = b"remembered about ";

impl Recorder {
    /// Returns the decision that was remembered for the same call, with the name of the principal that made it, if its
    /// decisions are accepted.
    pub(crate) async fn recall(
        &mut self,
        session: Option<&str>,
        path: &str,
        definition: &str,
        input: &Value,
        is_accepted: impl Fn(&str) -> bool,
    ) -> Result<Option<(Verdict, String)>, Error> {
        let is_same = |one: &&Remembered| {
            one.path == path && one.definition == definition && one.input == *input && is_accepted(&one.by)
        };
        if let Some(one) = self.state().remembered.iter().rev().find(is_same) {
            return Ok(Some((one.verdict.clone(), one.by.clone())));
        }
        let Some(session) = session else { return Ok(None) };
        let about = about(path, definition, input);
        let key = &about;
        let recalled = self.ask(|store| async move { store.recall(session, key).await }).await;
        let Some(sealed) = self.heed(recalled)? else { return Ok(None) };
        // A decision sealed with another key or for another session is ignored, and a person is asked.
        let decision = self.store.key().opened(&[REMEMBERED, about.as_bytes()], &sealed);
        let decision = decision.and_then(|decision| serde_json::from_slice::<(String, Verdict, String)>(decision).ok());
        let decision = decision.filter(|(of_session, _, by)| of_session == session && is_accepted(by));
        Ok(decision.map(|(_, verdict, by)| (verdict, by)))
    }

    /// Stores a decision for a session.
    pub(crate) async fn remember(&mut self, session: &str, remembered: &Remembered) -> Result<(), Failure> {
        let Remembered { path, definition, input, verdict, by } = remembered;
        let decision = serde_json::to_vec(&(session, verdict, by)).map_err(unwritable)?;
        let about = about(path, definition, input);
        let sealed = self.store.key().sealed(&[REMEMBERED, about.as_bytes()], &decision);
        let (key, sealed) = (&about, &sealed);
        let remembered = self.ask(|store| async move { store.remember(session, key, sealed.clone()).await }).await;
        Ok(self.heed(remembered)?)
    }
}

/// Returns the key of a remembered decision: a hash of tool, definition and input.
fn about(path: &str, definition: &str, input: &Value) -> String {
    use sha2::{Digest, Sha256};
    let mut digest = Sha256::new();
    digest.update(path.as_bytes());
    digest.update([0]);
    digest.update(definition.as_bytes());
    digest.update([0]);
    digest.update(canonical(input).to_string().as_bytes());
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the value with its keys in order.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(canonical).collect(),
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().map(|(key, value)| (key.clone(), canonical(value))).collect();
            entries.sort_by(|(one, _), (other, _)| one.cmp(other));
            Value::Object(entries.into_iter().collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}
