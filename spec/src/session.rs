//! The session of a case: programs before it leave globals, and a program after it looks at them.

use std::sync::Arc;

use isobox::sessions::BusySession;
use isobox::store::Store;
use isobox::{Code, Failure, Isobox, Outcome, Run, Value};

use crate::runtime::keeping_runtime;
use crate::{Case, SpecSession, World};

/// The session of one run of a case.
pub(crate) struct CaseSession<'a> {
    spec: &'a SpecSession,
    isobox: Isobox,
    name: &'a str,
    /// Whether the program of the case returns, and so leaves its globals.
    returns: bool,
}

impl<'a> CaseSession<'a> {
    /// Begins the session of a case, if it has one: runs the programs before it.
    pub(crate) async fn begin(case: &'a Case, store: &Arc<dyn Store>, name: &'a str) -> Result<Option<Self>, String> {
        let Some(spec) = &case.header.session else { return Ok(None) };
        // Not watched, so that its programs are not taken for the execution of the case.
        let isobox = keeping_runtime(case, Arc::clone(store), &World::default())?.build().map_err(text)?;
        let session = Self { spec, isobox, name, returns: case.header.expect.result.is_some() };
        for source in &spec.before {
            session.cell(source).await?;
        }
        Ok(Some(session))
    }

    /// Checks that the program of the case has changed nothing, because it has not begun.
    pub(crate) async fn check_untouched(&self) -> Result<(), String> {
        self.check_versions(self.spec.before.len()).await
    }

    /// Checks that the session is as the program of the case left it, or as it was if the program failed, and that the next
    /// program finds the globals.
    pub(crate) async fn check_end(&self) -> Result<(), String> {
        self.check_versions(self.spec.before.len() + usize::from(self.returns)).await?;
        let expected: Value = serde_json::from_str(&self.spec.expect).map_err(|error| error.to_string())?;
        let found = self.cell(&self.spec.after).await?;
        if found == expected { Ok(()) } else { Err(format!("the session has {found}, and not {expected}")) }
    }

    async fn check_versions(&self, expected: usize) -> Result<(), String> {
        let versions = match self.isobox.sessions().get(self.name).await {
            Ok(session) => session.versions.len(),
            Err(failure) if failure.code == Code::NotFound => 0,
            Err(failure) => return Err(failure.to_string()),
        };
        if versions == expected {
            return Ok(());
        }
        Err(format!("the session has {versions} versions, and not {expected}"))
    }

    async fn cell(&self, source: &str) -> Result<Value, String> {
        let run = Run::from(source).session(self.name).globals(BusySession::Refuse);
        match self.isobox.run(run).await {
            Outcome::Completed(completed) => Ok(completed.result),
            other => Err(format!("a program of the session ended with {other:?}")),
        }
    }
}

fn text(failure: Failure) -> String {
    failure.to_string()
}
