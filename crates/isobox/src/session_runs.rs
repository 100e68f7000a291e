//! Runs that use the globals of a session.

use isobox_core::{BusySession, Globals, Sessions};

use crate::{Isobox, Run};

impl Isobox {
    /// Returns the sessions whose globals programs use ([`Run::globals`]).
    pub fn sessions(&self) -> &Sessions {
        self.host.sessions.as_ref().expect("every runtime is built with sessions")
    }
}

impl Run {
    /// Lets the program find the globals that the program of the same [session](Run::session) before it left: the properties
    /// of `globalThis`. If it returns, its own are there for the next one. If it fails, the session stays as it was.
    ///
    /// Only one program uses a session at a time; `busy` says what happens to another one. The run is durable if the runtime
    /// has a store, and the session is in that store; otherwise it is in memory. The outcome is `CONFIG` without a session,
    /// `FORBIDDEN` if another principal began the session, and `CONFLICT` if another version of the sandbox did.
    ///
    /// ```
    /// use isobox::sessions::BusySession;
    /// use isobox::{Isobox, Run, json};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), isobox::Failure> {
    /// let isobox = Isobox::builder().build()?;
    /// let cell = |source: &str| Run::from(source).session("notebook").globals(BusySession::Wait);
    /// isobox.run(cell("globalThis.rows = [1, 2, 3]; return rows.length")).await.into_result()?;
    /// assert_eq!(isobox.run(cell("return rows[1]")).await.into_result()?, json!(2));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn globals(mut self, busy: BusySession) -> Self {
        self.globals = Globals::OfSession(busy);
        self
    }
}
