//! The signals that end this process, and their effect on its work.

use anyhow::Result;
use isobox::workspace::Workspace;
use isobox::{CancellationToken, Code, ExecutionId, Failure};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::Exit;
use crate::commands::Commands;
use crate::outcome::{Form, print_running, tell_error};
use crate::style::print_laid_out;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndSignal {
    /// SIGHUP: the terminal was closed.
    HangUp,
    /// SIGINT: Ctrl-C was pressed.
    Interrupt,
    /// SIGTERM: the process is being stopped, for example by a deployment.
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

    /// Ends a command: says so where JSON was asked for, and returns the exit status.
    pub(crate) fn end(self, form: Form) -> Exit {
        if form == Form::Json {
            tell_error(Failure::new(Code::Aborted, self.in_words()).into(), form);
        }
        self.exit()
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::HangUp => "stopped by SIGHUP",
            Self::Interrupt => "interrupted",
            Self::Terminate => "stopped by SIGTERM",
        }
    }
}

/// Listens for end signals. Without a listener the servers, which are child processes, would outlive this process.
pub(crate) struct EndSignals {
    hang_up: Signal,
    interrupt: Signal,
    terminate: Signal,
}

impl EndSignals {
    /// Starts to listen. From now on the signals no longer end the process by themselves.
    pub(crate) fn listen() -> Result<Self> {
        Ok(Self {
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) -> EndSignal {
        tokio::select! {
            _ = self.hang_up.recv() => EndSignal::HangUp,
            _ = self.interrupt.recv() => EndSignal::Interrupt,
            _ = self.terminate.recv() => EndSignal::Terminate,
        }
    }
}

/// The remains of work that is stopped halfway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaves {
    Nothing,
    /// An execution that another process can resume.
    Execution,
}

/// Runs the work unless a signal stops it, and returns that signal in the error.
///
/// The first interrupt cancels the work through the token and waits for its end; the next signal stops it. Other
/// signals do the same if nothing remains of the work. If an execution remains, they stop the work at once, because it
/// can be resumed later.
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

/// Reports that a signal stopped the work, and how to resume the remaining execution. Releases the execution first, so
/// another process can resume it when this function returns.
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
            print_laid_out(&format!("{why}: the progress of {id} is stored\nresume: {resume}"));
        }
        Some(_) | None => {
            tell_error(Failure::new(Code::Aborted, signal.in_words()).into(), form);
        }
    }
    Ok(signal.exit())
}

/// Tells whether the execution is stored. An execution that has made no call yet is not, and then nothing is lost.
async fn is_kept(workspace: &Workspace, id: &ExecutionId) -> bool {
    match workspace.archive().await {
        Ok(archive) => archive.inspect(id).await.is_ok(),
        Err(_) => false,
    }
}
