//! Executions that pause, as a person and a model meet them: in real processes, on real files, at a terminal.

mod across;
mod crash;
mod decide;
mod docs;
mod mcp;
mod restored;
mod rights;
mod rollback;
mod sleep;
mod stores;
mod terminal;
mod transcripts;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use isobox::config::Config;
use isobox::policy::own_credential;
use isobox::workspace::{Workspace, WorkspaceOptions};
use isobox::{Decisions, Principal};
use serde_json::Value;

pub(crate) use terminal::terminal;

/// A folder with a configuration that asks before mail is sent.
pub(crate) struct Folder(pub(crate) PathBuf);

pub(crate) const ASKING: &str = r#"{ "policy": [{ "tools": "mail.*", "require": "approval" }] }"#;

/// Sends one mail.
pub(crate) const ONE: &str = "console.log('before');
const sent = await tools.mail.send({ to: 'ada', subject: 'hi' });
console.log('after');
return sent.to;";

/// Sends two side by side.
pub(crate) const TWO: &str = "const send = (to) => tools.mail.send({ to, subject: 'hi' });
const all = await Promise.allSettled([send('ada'), send('bob')]);
return all.map((one) => one.value?.to ?? one.reason.message);";

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        Self::with(name, ASKING)
    }

    pub(crate) fn with(name: &str, config: &str) -> Self {
        let path = std::env::temp_dir().join(format!("isobox-executions-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        let folder = Self(path);
        folder.file("isobox.json", config);
        folder.credential("ada.key", &"a".repeat(64), "ada");
        folder
    }

    /// Gives a person a credential.
    pub(crate) fn credential(&self, file: &str, digits: &str, name: &str) {
        self.file(file, &format!("{digits} {name}\n"));
        fs::set_permissions(self.0.join(file), fs::Permissions::from_mode(0o600)).expect("it is hers alone");
    }

    /// Who has the credential that others decide with.
    pub(crate) fn ada(&self) -> Principal {
        Principal::holding(own_credential(&self.0.join("ada.key"), "nobody").expect("a credential"))
    }

    pub(crate) fn file(&self, name: &str, content: &str) {
        fs::write(self.0.join(name), content).expect("a file can be written");
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobox"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command.env("ISOBOX_DECIDE_KEY_FILE", self.0.join("ada.key")).env("XDG_STATE_HOME", self.0.join("state"));
        command.env("USER", "nobody").env("NO_COLOR", "1").env_remove("ISOBOX_STORE_KEY");
        command
    }

    pub(crate) fn isobox(&self, arguments: &[&str]) -> Done {
        Done::of(&self.command(arguments).output().expect("the binary starts"))
    }

    /// Runs a program with the demonstration tools until it pauses; its name.
    pub(crate) fn pause(&self, program: &str) -> String {
        self.file("program.ts", program);
        let done = self.isobox(&["run", "--demo", "--json", "program.ts"]);
        assert_eq!(done.status, 3, "{done:?}");
        assert_eq!(done.json()["status"], "paused", "{done:?}");
        done.json()["executionId"].as_str().expect("it has a name").to_owned()
    }

    /// The executions that are kept, newest first.
    pub(crate) fn listed(&self) -> Vec<Value> {
        let listed = self.isobox(&["executions", "list", "--json"]);
        listed.json()["executions"].as_array().expect("a list").clone()
    }

    /// The revision that a person sees now.
    pub(crate) fn revision(&self, id: &str) -> String {
        self.isobox(&["executions", "show", id, "--json"]).json()["revision"].to_string()
    }

    /// Decides in a process that does nothing else.
    pub(crate) fn decide_only(&self, id: &str, decisions: Decisions) {
        let config = Config::read(&self.0.join("isobox.json"), &|_| None).expect("it is read");
        let executor = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        executor.block_on(async {
            let workspace = Workspace::new(config, WorkspaceOptions::default()).expect("a workspace");
            let archive = workspace.archive().await.expect("the store opens");
            archive.decide(&id.parse().expect("a name"), decisions).await.expect("it waits for that");
        });
    }

    /// As if so much time had passed that every process that has not said so meanwhile is taken to be dead.
    pub(crate) fn let_leases_run_out(&self) {
        let script = "import sqlite3; c = sqlite3.connect('.isobox/isobox.db'); \
                      c.execute('UPDATE isobox_nodes SET expires = 0'); c.commit()";
        let done = Command::new("python3").args(["-c", script]).current_dir(&self.0).status().expect("python starts");
        assert!(done.success());
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// The name of the user that the tests run as.
pub(crate) fn user() -> String {
    let named = Command::new("id").arg("-un").output().expect("it is always there");
    String::from_utf8(named.stdout).expect("a name").trim().to_owned()
}

/// What came of a process.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Done {
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("it is text");
        let status = output.status.code().unwrap_or(-1);
        Self { status, stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
