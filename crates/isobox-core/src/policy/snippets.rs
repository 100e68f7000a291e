//! Decides about running snippets. Decisions only; no I/O and no clock.

use std::sync::Arc;

use serde_json::Value;

use super::bridge::{Bridge, Route, forbidden};
use super::{Permission, Ruling, Subject};
use crate::snippets::RUN;
use crate::{Catalogue, Failure};

impl Bridge<'_> {
    /// Sets the catalogue with snippets, in which searches and descriptions look.
    pub(crate) fn show(&mut self, shown: Option<Arc<Catalogue>>) {
        self.shown = shown;
    }

    /// Tells whether a call looks tools up.
    pub(crate) fn looks_up(&self, path: &str) -> bool {
        let name = path.strip_prefix("codemode.").unwrap_or(path);
        matches!(name, "search" | "describe") && self.catalogue.get(path).is_none()
    }

    /// Decides about running a snippet, which rules see as a call of `codemode.run` with the name, the version, the trust,
    /// the code and the input.
    pub(crate) fn route_run(&mut self, shown: &Value) -> Result<Route, Failure> {
        let route = self.judge_run(shown)?;
        self.count(std::iter::once((RUN.into(), shown)))?;
        Ok(route)
    }

    pub(super) fn judge_run(&self, shown: &Value) -> Result<Route, Failure> {
        let Ruling { permission, why, .. } = self.policy.decide(Subject::unknown(RUN), shown, self.roles);
        match permission {
            Permission::Allow => Ok(Route::Call),
            Permission::RequireApproval => Ok(Route::Ask(why.into_owned())),
            Permission::Deny | Permission::Hide => Err(forbidden(RUN, &why)),
        }
    }
}
