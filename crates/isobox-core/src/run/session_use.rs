//! The use of a session by an execution: from before its program starts until its end is recorded.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::durable::sessions::record::hash_of;
use crate::durable::sessions::{BEGINNING, Kept, RENEW_EVERY, Sessions, Taken};
use crate::journal::UsedGlobals;
use crate::run::host::{Execution, Globals, Host};
use crate::run::waiting::until;
use crate::{Ability, Code, ExecutionId, Failure, Right, Snapshot};

/// Ends the use of a session in memory when its execution is dropped.
pub(super) struct SessionGuard {
    sessions: Sessions,
    name: Arc<str>,
    id: ExecutionId,
}

impl Drop for SessionGuard {
    fn drop(&mut self) {
        self.sessions.abandon(&self.name, &self.id);
    }
}

/// Begins to use the session of an execution that asks for its globals.
pub(super) async fn take_session(host: &Host, execution: &mut Execution) -> Result<Option<SessionGuard>, Failure> {
    let Globals::OfSession(busy) = execution.globals else { return Ok(None) };
    execution.principal.require(Right::Run)?;
    let (name, sessions) = session_of(host, execution)?;
    if !host.driver.can(Ability::Snapshots) {
        return Err(Failure::new(Code::Config, "this sandbox takes no snapshots, so that sessions have no globals"));
    }
    let user = (&execution.id, execution.principal.name());
    let taking = sessions.bridging(outage(host));
    let Taken { version, globals } = taking.take(&name, user, busy, &execution.limits).await?;
    let guard = SessionGuard { sessions: sessions.clone(), name: Arc::clone(&name), id: execution.id.clone() };
    let hash = globals.as_deref().map(hash_of);
    execution.globals = Globals::InUse(UsedGlobals::new(version, hash, globals));
    Ok(Some(guard))
}

/// Waits until a program has started, and renews the use of its session meanwhile: the program may wait for capacity, and
/// until the store has its execution, others take its session once it is not renewed. A renewal that fails is tried again at
/// the next interval. After a failure the program starts only if others leave its session alone for as long as the execution
/// may bridge the outage before the store has it.
///
/// # Errors
///
/// `CONFLICT` if another program has taken the session, because the process was frozen. `STORE` if the store has failed for so
/// long that another program may take it.
pub(super) async fn keep_session<T>(
    host: &Host,
    execution: &Execution,
    mut starting: Pin<&mut impl Future<Output = Result<T, Failure>>>,
) -> Result<T, Failure> {
    // A plan only sees its session.
    if execution.used_globals().is_none() || execution.session.is_none() {
        return starting.await;
    }
    let (name, sessions) = session_of(host, execution)?;
    let mut renewed = host.clock.boot_time();
    loop {
        let next = host.clock.elapsed().saturating_add(RENEW_EVERY);
        let started = match until(&*host.clock, next, starting.as_mut()).await {
            // A program that did not start needs no session, and its caller needs that reason.
            Some(Err(failure)) => return Err(failure),
            started => started,
        };
        let now = host.clock.boot_time();
        if started.is_none() || now.saturating_sub(renewed) >= RENEW_EVERY {
            match sessions.renew(&name, &execution.id).await {
                Ok(()) => renewed = now,
                Err(failure) => {
                    let bridged = if started.is_some() { outage(host) } else { Duration::ZERO };
                    let age = host.clock.boot_time().saturating_sub(renewed);
                    let is_kept = age.saturating_add(bridged) < BEGINNING;
                    if failure.code == Code::Conflict || !is_kept {
                        return Err(failure);
                    }
                    tracing::warn!(execution = %execution.id, %failure, "the session could not be renewed");
                }
            }
        }
        if let Some(started) = started {
            return started;
        }
    }
}

/// Returns the globals that the program of a plan starts with. The session is not used, and nothing is left in it.
pub(super) async fn see_globals(host: &Host, execution: &Execution) -> Result<Globals, Failure> {
    let Globals::OfSession(_) = execution.globals else { return Ok(Globals::None) };
    let (name, sessions) = session_of(host, execution)?;
    let Taken { version, globals } = sessions.see(&name, execution.principal.name()).await?;
    let hash = globals.as_deref().map(hash_of);
    Ok(Globals::InUse(UsedGlobals::new(version, hash, globals)))
}

/// Ends the use of a session. Bridges an outage of the store if it is no longer than `patience`. Returns a hint for the author if
/// the program returned and its globals were not kept.
pub(super) async fn leave_session(
    host: &Host,
    execution: &Execution,
    left: Option<Snapshot>,
    has_returned: bool,
    patience: Duration,
) -> Result<Option<String>, Failure> {
    // A fork starts from globals, and leaves none.
    if execution.used_globals().is_none() || execution.session.is_none() {
        return Ok(None);
    }
    let (name, sessions) = session_of(host, execution)?;
    let limit = execution.limits.snapshot;
    let is_too_large = has_returned && left.is_none();
    let globals = left.filter(|_| has_returned).map(Arc::new);
    let kept = sessions.bridging(patience).leave(&name, &execution.id, globals, limit).await?;
    Ok(match kept {
        _ if is_too_large => Some(format!(
            "the globals were not kept, because they take more than the limit `snapshot` ({limit}): the session is as it \
             was before the program"
        )),
        Kept::NotHeld if has_returned => Some(
            "the globals were not kept: the session was deleted or forgotten, or another program uses it".to_owned(),
        ),
        Kept::Yes | Kept::NotHeld => None,
    })
}

/// Releases the session of an execution that has ended without keeping its globals. If this fails, the next program releases
/// the session.
pub(super) async fn release_session(host: &Host, execution: &Execution) {
    if let Err(failure) = leave_session(host, execution, None, false, outage(host)).await {
        tracing::warn!(execution = %execution.id, %failure, "the session is not released yet");
    }
}

/// Returns how long an outage of the store is bridged.
pub(super) fn outage(host: &Host) -> Duration {
    host.keeper.as_ref().map_or(Duration::ZERO, |keeper| keeper.timing.outage)
}

fn session_of(host: &Host, execution: &Execution) -> Result<(Arc<str>, Sessions), Failure> {
    let Some(name) = execution.session.clone() else {
        let message = "a program without a session has no globals of a session";
        return Err(Failure::new(Code::Config, message).hint("name a session: `Run::session`, or `--session NAME`"));
    };
    let sessions = host.sessions.clone();
    let sessions = sessions.ok_or_else(|| Failure::new(Code::Config, "this runtime keeps no sessions with globals"))?;
    Ok((name, sessions))
}
