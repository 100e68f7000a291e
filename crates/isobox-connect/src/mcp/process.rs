//! The child process: started with its own environment, watched, and ended with everything it started.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::McpServer;
use super::environment;
use super::last_words::LastWords;

/// A child process and its process group.
///
/// The group is signalled only while its leader has not been reaped, because the group id may be reused afterwards. So
/// waiting for the end does not reap the leader, and the group is dropped before the child.
pub(super) struct Process {
    group: Group,
    child: Child,
    words: LastWords,
    listening: JoinHandle<()>,
}

/// The pipes of the protocol.
pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
}

/// The way in which a child process is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// Its standard input was closed. It gets a moment to end, then a signal and another moment.
    Politely,
    AtOnce,
}

/// The time that a process has to end after a request, and the time for which its remaining output is read.
const MOMENT: Duration = Duration::from_secs(1);

impl Process {
    /// Starts the server in its own process group.
    pub(super) fn spawn(server: &McpServer, words: LastWords) -> io::Result<(Self, Pipes)> {
        let mut command = Command::new(&server.command);
        command
            .args(&server.args)
            .env_clear()
            .envs(environment::basics())
            .envs(&server.env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        if let Some(folder) = &server.cwd {
            command.current_dir(folder);
        }
        let mut child = command.spawn()?;
        let group = Group::of(&child);
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("the process has no pipes"));
        };
        let listening = tokio::spawn(words.clone().listen(stderr));
        Ok((Self { group, child, words, listening }, Pipes { stdin, stdout }))
    }

    /// Waits until the process has ended by itself. Cancellation safe.
    pub(super) async fn exited(&self) {
        let mut children = signal(SignalKind::child()).ok();
        while !self.group.leader_has_exited() {
            match &mut children {
                Some(children) => {
                    children.recv().await;
                }
                None => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Ends the process and its whole group, and reads its last output.
    pub(super) async fn end(mut self, manner: Manner) -> (Option<ExitStatus>, LastWords) {
        if manner == Manner::Politely && timeout(MOMENT, self.exited()).await.is_err() {
            self.group.signal(Signal::TERM);
            let _ = timeout(MOMENT, self.exited()).await;
        }
        self.group.end();
        let status = self.child.wait().await.ok();
        // A process that left the group may hold the other end open for ever.
        if timeout(MOMENT, &mut self.listening).await.is_err() {
            self.listening.abort();
        }
        (status, self.words.clone())
    }
}

/// A process group. Dropping it kills the remaining processes, also when a start is cancelled or a runtime shuts down.
struct Group(Option<Pid>);

impl Group {
    /// Returns the group led by a child.
    fn of(child: &Child) -> Self {
        Self(child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?)))
    }

    fn leader_has_exited(&self) -> bool {
        let Some(leader) = self.0 else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        // The query fails only if the child no longer exists.
        !matches!(waitid(WaitId::Pid(leader), options), Ok(None))
    }

    fn signal(&self, signal: Signal) {
        if let Some(leader) = self.0 {
            // The group may already be empty.
            let _ = kill_process_group(leader, signal);
        }
    }

    /// Kills the remaining processes. Nothing is signalled afterwards.
    fn end(&mut self) {
        self.signal(Signal::KILL);
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state_of(process: &str) -> Option<char> {
        let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        status.rsplit_once(')')?.1.trim_start().chars().next()
    }

    #[tokio::test]
    async fn the_group_is_killed_before_its_leader_is_reaped() {
        use tokio::io::AsyncReadExt;
        let args = ["-c", "sleep 1000 >/dev/null 2>&1 & echo $! $$; exit 3"].map(str::to_owned).to_vec();
        let server = McpServer { command: "sh".to_owned(), args, ..McpServer::default() };
        let (process, mut pipes) = Process::spawn(&server, LastWords::default()).unwrap();
        process.exited().await;
        let mut said = String::new();
        pipes.stdout.read_to_string(&mut said).await.unwrap();
        let (child, leader) = said.trim().split_once(' ').unwrap();
        assert_eq!(state_of(leader), Some('Z'), "its number is not free yet");
        // It may still be loading.
        let is_alive = || matches!(state_of(child), Some('S' | 'R' | 'D'));
        assert!(is_alive());
        let (status, _) = process.end(Manner::AtOnce).await;
        assert_eq!(status.and_then(|status| status.code()), Some(3));
        while is_alive() {
            tokio::task::yield_now().await;
        }
    }
}
