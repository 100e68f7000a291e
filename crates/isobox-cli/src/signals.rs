//! The signals that ask this process to end, and what becomes of its work then.

use anyhow::Result;
use isobox::workspace::Workspace;
use isobox::{CancellationToken, ExecutionId};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::Exit;
use crate::commands::Commands;
use crate::outcome::{Form, print_running};
use crate::style::{complain, print_error};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndSignal {
    /// The terminal is gone.
    HangUp,
    /// Somebody pressed Ctrl-C.
    Interrupt,
    /// Somebody stops this process: a deployment, say.
    Terminate,
}

impl EndSignal {
    pub(crate) fn exit(self) -> Exit {
        match self {
            Self::HangUp => Exit::HungUp,
            Self::Interrupt => Exit::Interrupted,
            Self::Terminate => Exit::Terminated,
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::HangUp => "stopped by SIGHUP",
            Self::Interrupt => "interrupted",
            Self::Terminate => "stopped by SIGTERM",
        }
    }
}

/// Listens for them. Servers are children: without that they would outlive us.
pub(crate) struct EndSignals {
    hang_up: Signal,
    interrupt: Signal,
    terminate: Signal,
}

impl EndSignals {
    /// From now on they do not end the process by themselves.
    pub(crate) fn listen() -> Result<Self> {
        Ok(Self {
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) -> EndSignal {
        tokio::select! {
            _ = self.hang_up.recv() => EndSignal::HangUp,
            _ = self.interrupt.recv() => EndSignal::Interrupt,
            _ = self.terminate.recv() => EndSignal::Terminate,
        }
    }
}

/// What is left of work that is stopped in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaves {
    Nothing,
    /// An execution that somebody else can go on with.
    Execution,
}

/// Does the work, unless a signal stops it: which.
///
/// An interrupt asks it to come to its end, and so does every other signal where nothing would be left of it; the next signal
/// stops it. What is left as an execution is stopped at once by those who do not care about the program: it goes on later.
pub(crate) async fn until_stopped<T>(
    work: impl Future<Output = T>,
    signals: &mut EndSignals,
    token: &CancellationToken,
    leaves: Leaves,
) -> Result<T, EndSignal> {
    let mut work = std::pin::pin!(work);
    let first = tokio::select! {
        biased;
        done = &mut work => return Ok(done),
        first = signals.next() => first,
    };
    if leaves == Leaves::Execution && first != EndSignal::Interrupt {
        return Err(first);
    }
    token.cancel();
    tokio::select! {
        biased;
        done = work => Ok(done),
        second = signals.next() => Err(second),
    }
}

/// Says that a signal has stopped the work, and how to go on with the execution that it leaves; others can when this returns.
pub(crate) async fn tell_stopped(
    signal: EndSignal,
    left: Option<&ExecutionId>,
    workspace: &Workspace,
    commands: &Commands,
    form: Form,
) -> Result<Exit> {
    workspace.let_go().await;
    match left {
        Some(id) if is_kept(workspace, id).await => {
            if form == Form::Json {
                print_running(id)?;
            }
            let (why, resume) = (signal.in_words(), commands.resume(id));
            print_error(&format!("{why}: {id} is kept as far as it came, and can be resumed\ngo on: {resume}"));
        }
        Some(_) | None => complain(signal.in_words()),
    }
    Ok(signal.exit())
}

/// One that has made no call yet is nowhere: nothing was done that could be lost.
async fn is_kept(workspace: &Workspace, id: &ExecutionId) -> bool {
    match workspace.archive().await {
        Ok(archive) => archive.inspect(id).await.is_ok(),
        Err(_) => false,
    }
}
