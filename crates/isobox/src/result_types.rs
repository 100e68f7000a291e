//! The types of results that a runtime knows.

use std::future::ready;
#[cfg(feature = "config")]
use std::sync::Arc;

use isobox_core::experience::ExperienceOptions;
use isobox_core::{Described, Failure, SearchResults};
use serde_json::Value;

use crate::Isobox;
#[cfg(feature = "config")]
use crate::learning::Experience;

impl Isobox {
    /// Describes a tool or a namespace in about this many tokens, as `codemode.describe` does: with the types of results
    /// that are known now. [`Catalogue::describe`](crate::tools::Catalogue::describe) shows those that were known when
    /// the catalogue was built.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND` if these roles see neither a tool nor a namespace of this path.
    pub fn describe(&self, path: &str, tokens: usize, roles: &[String]) -> Result<Described, Failure> {
        self.catalogue().describe_now(path, tokens, self.policy(), roles, self.host.learner.as_deref())
    }

    /// Returns the tools that fit a query best, as `codemode.search` does: with the types of results that are known now.
    pub fn search(&self, query: &str, limit: usize, roles: &[String]) -> SearchResults {
        self.catalogue().search_now(query, limit, self.policy(), roles, self.host.learner.as_deref())
    }

    /// Returns the same runtime with a catalogue that shows the types of results that are known now, also from earlier
    /// processes with the same store.
    ///
    /// [`Connected::ready`](crate::connector::Connected::ready) does this with what was known when it was first called, so
    /// that the text for models keeps its bytes while a process runs.
    pub async fn informed(&self) -> Self {
        let Some(experience) = &self.experience else { return self.clone() };
        experience.recall(ready(Ok(None))).await;
        let known = experience.known().clone();
        self.with_observed(|tool| experience.schema_of(&known, tool))
    }

    /// Returns the same runtime with a catalogue that shows what was known when the first one was built.
    pub(crate) async fn informed_at_start(&self) -> Self {
        let Some(experience) = &self.experience else { return self.clone() };
        let known = experience.recall(ready(Ok(None))).await;
        self.with_observed(|tool| experience.schema_of(known, tool))
    }

    /// Returns what the runtime has learned. None if learning is switched off.
    #[cfg(feature = "config")]
    pub(crate) fn experience(&self) -> Option<&Arc<Experience>> {
        self.experience.as_ref()
    }

    /// Waits until the results that were seen are learned from and written to the store.
    ///
    /// # Errors
    ///
    /// `STORE` if the store cannot be written. It is tried again with the next results.
    pub async fn learned(&self) -> Result<(), Failure> {
        match &self.experience {
            Some(experience) => Ok(experience.learn().await?),
            None => Ok(()),
        }
    }

    /// Forgets what was learned about the results of a tool. Returns whether there was something.
    ///
    /// # Errors
    ///
    /// `STORE` if the store cannot be written.
    pub async fn forget(&self, path: &str) -> Result<bool, Failure> {
        match &self.experience {
            Some(experience) => Ok(experience.forget(path).await?),
            None => Ok(false),
        }
    }

    /// Checks that a tool may be called only to learn from its result: it changes nothing, and the policy allows the call
    /// without approval.
    ///
    /// # Errors
    ///
    /// As [`ExperienceOptions::check_call`].
    pub fn check_learning(&self, path: &str, input: &Value, roles: &[String]) -> Result<(), Failure> {
        let off = ExperienceOptions::default().is_enabled(false);
        let options = self.experience.as_ref().map_or(&off, |experience| &experience.options);
        options.check_call(self.catalogue(), path, input, self.policy(), roles)
    }
}
