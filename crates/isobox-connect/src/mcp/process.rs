//! The child process: started with an environment of its own, watched, and ended with everything it started.

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

/// A child process and whatever belongs to it.
///
/// The group is signalled only while its leader has not been reaped: afterwards its number may be that of strangers. So
/// waiting for the end does not reap, and the group is dropped before the child.
pub(super) struct Process {
    group: Group,
    child: Child,
    words: LastWords,
    listening: JoinHandle<()>,
}

/// The two ends that the protocol is spoken over.
pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
}

/// How a child process is made to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// It was asked to by closing its standard input; it gets a moment, then a signal and another moment.
    Politely,
    AtOnce,
}

/// How long a process gets to follow a request to end, and its output to be read to the end.
const MOMENT: Duration = Duration::from_secs(1);

impl Process {
    /// Starts it in a process group of its own.
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
            return Err(io::Error::other("it has no pipes"));
        };
        let listening = tokio::spawn(words.clone().listen(stderr));
        Ok((Self { group, child, words, listening }, Pipes { stdin, stdout }))
    }

    /// Waits until it has ended by itself. Nothing is lost when this is given up and called again.
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

    /// Makes sure that it and its whole group have ended, and reads what it said last.
    pub(super) async fn end(mut self, manner: Manner) -> (Option<ExitStatus>, LastWords) {
        if manner == Manner::Politely && timeout(MOMENT, self.exited()).await.is_err() {
            self.group.signal(Signal::TERM);
            let _ = timeout(MOMENT, self.exited()).await;
        }
        self.group.end();
        let status = self.child.wait().await.ok();
        // Whoever left the group may hold the other end open for ever.
        if timeout(MOMENT, &mut self.listening).await.is_err() {
            self.listening.abort();
        }
        (status, self.words.clone())
    }
}

/// A process group. Whatever is left of it is killed when this is dropped, wherever that happens: in a start that was given
/// up, or in a runtime that ends.
struct Group(Option<Pid>);

impl Group {
    /// The group of a child that leads it.
    fn of(child: &Child) -> Self {
        Self(child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?)))
    }

    fn leader_has_exited(&self) -> bool {
        let Some(leader) = self.0 else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        // Asking fails only where there is no such child any more.
        !matches!(waitid(WaitId::Pid(leader), options), Ok(None))
    }

    fn signal(&self, signal: Signal) {
        if let Some(leader) = self.0 {
            // There may be nobody left to receive it.
            let _ = kill_process_group(leader, signal);
        }
    }

    /// Kills what is left, for the last time.
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
        assert!(matches!(state_of(child), Some('S' | 'R')));
        let (status, _) = process.end(Manner::AtOnce).await;
        assert_eq!(status.and_then(|status| status.code()), Some(3));
        while matches!(state_of(child), Some('S' | 'R' | 'D')) {
            tokio::task::yield_now().await;
        }
    }
}
