//! The shell commands that decide about an execution, ready to paste.

use std::path::Path;

use isobox::config::StoreConfig;
use isobox::{ExecutionId, PendingCall, PendingKind};

/// Builds commands that use the same store and the same tools as this process.
#[derive(Debug, Clone)]
pub(crate) struct Commands {
    flags: String,
}

impl Commands {
    /// Derives the flags from the options of this process. The URL of a database server contains a password, so it is
    /// not repeated.
    pub(crate) fn new(config: Option<&Path>, store: Option<&str>, is_demo: bool) -> Self {
        let mut flags = String::new();
        if let Some(config) = config {
            flags.push_str(&format!(" --config {}", quoted(&config.display().to_string())));
        }
        match store.map(|store| StoreConfig::parse(store, None)) {
            Some(Ok(StoreConfig::Sqlite(path))) => {
                flags.push_str(&format!(" --store {}", quoted(&format!("sqlite:{}", path.display()))));
            }
            Some(Ok(StoreConfig::Postgres { .. })) => flags.push_str(" --store 'postgres://…'"),
            Some(Ok(StoreConfig::Nowhere) | Err(_)) | None => {}
        }
        if is_demo {
            flags.push_str(" --demo");
        }
        Self { flags }
    }

    /// Returns the decisions that let a call happen or give it a result, each with its command.
    pub(crate) fn accepting(&self, id: &ExecutionId, call: &PendingCall, revision: u64) -> Vec<(&'static str, String)> {
        let command = |verb, more| self.deciding(verb, (id, call, revision), more);
        match call.kind {
            PendingKind::Approval => vec![("approve", command("approve", ""))],
            PendingKind::Interrupt => vec![("answer", command("resolve", " 'JSON'"))],
            PendingKind::InDoubt => vec![
                ("it happened", command("resolve", " --happened 'JSON'")),
                ("it did not happen", command("resolve", " --did-not-happen")),
            ],
            _ => Vec::new(),
        }
    }

    /// Returns the decisions that refuse a call, each with its command.
    pub(crate) fn refusing(&self, id: &ExecutionId, call: &PendingCall, revision: u64) -> Vec<(&'static str, String)> {
        let command = |verb, more| self.deciding(verb, (id, call, revision), more);
        match call.kind {
            PendingKind::Approval | PendingKind::Interrupt => vec![("deny", command("deny", " --reason 'WHY'"))],
            PendingKind::InDoubt => vec![("fail it", command("resolve", " --fail --reason 'WHY'"))],
            _ => Vec::new(),
        }
    }

    fn deciding(&self, verb: &str, (id, call, revision): (&ExecutionId, &PendingCall, u64), more: &str) -> String {
        format!("isobox executions {verb} {id} {} --revision {revision}{more}{}", call.seq, self.flags)
    }

    /// Returns the command that approves all calls that need approval.
    pub(crate) fn approve_all(&self, id: &ExecutionId, revision: u64) -> String {
        format!("isobox executions approve {id} --all --revision {revision}{}", self.flags)
    }

    /// Returns a command that names no execution.
    pub(crate) fn of_many(&self, verb: &str, more: &str) -> String {
        format!("isobox executions {verb}{more}{}", self.flags)
    }

    /// Returns a command about an execution named by the user, possibly by a prefix.
    pub(crate) fn named(&self, verb: &str, id: &str) -> String {
        format!("isobox executions {verb} {}{}", quoted(id), self.flags)
    }

    pub(crate) fn resume(&self, id: &ExecutionId) -> String {
        format!("isobox executions resume {id}{}", self.flags)
    }

    pub(crate) fn delete(&self, id: &ExecutionId) -> String {
        format!("isobox executions delete {id}{}", self.flags)
    }

    pub(crate) fn rollback(&self, id: &ExecutionId) -> String {
        format!("isobox executions rollback {id}{}", self.flags)
    }

    pub(crate) fn reject(&self, id: &ExecutionId) -> String {
        format!("isobox executions reject {id}{}", self.flags)
    }

    pub(crate) fn cancel(&self, id: &ExecutionId) -> String {
        format!("isobox executions cancel {id}{}", self.flags)
    }

    pub(crate) fn show(&self, id: &ExecutionId) -> String {
        format!("isobox executions show {id}{}", self.flags)
    }
}

/// Quotes a word for the shell where needed.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_./:=-".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox::json;

    fn call(kind: &str) -> PendingCall {
        serde_json::from_value(json!({ "seq": "3", "path": "a.b", "input": {}, "kind": kind })).expect("a call")
    }

    #[test]
    fn commands_mean_the_same_store_without_its_password() {
        let id = ExecutionId::new(1, 2);
        let flags = |config: Option<&str>, store: Option<&str>, is_demo| {
            let commands = Commands::new(config.map(Path::new), store, is_demo);
            commands.resume(&id).split_once(id.as_str()).expect("it names it").1.to_owned()
        };
        assert_eq!(flags(None, None, false), "");
        assert_eq!(
            flags(Some("it's mine.json"), Some("sqlite:a.db"), true),
            r" --config 'it'\''s mine.json' --store sqlite:a.db --demo"
        );
        assert_eq!(flags(None, Some("postgres://ada:hunter2@db/x"), false), " --store 'postgres://…'");
    }

    #[test]
    fn there_is_a_command_for_everything_that_can_be_decided() {
        let id = ExecutionId::new(1, 2);
        let commands = Commands::new(None, None, false);
        let mut all = String::new();
        for kind in ["approval", "interrupt", "in-doubt"] {
            let (id, call) = (&id, &call(kind));
            for (what, command) in [commands.accepting(id, call, 7), commands.refusing(id, call, 7)].concat() {
                all.push_str(&format!("{kind}, {what}: {}\n", command.replace(id.as_str(), "ID")));
            }
        }
        insta::assert_snapshot!(all, @r"
        approval, approve: isobox executions approve ID 3 --revision 7
        approval, deny: isobox executions deny ID 3 --revision 7 --reason 'WHY'
        interrupt, answer: isobox executions resolve ID 3 --revision 7 'JSON'
        interrupt, deny: isobox executions deny ID 3 --revision 7 --reason 'WHY'
        in-doubt, it happened: isobox executions resolve ID 3 --revision 7 --happened 'JSON'
        in-doubt, it did not happen: isobox executions resolve ID 3 --revision 7 --did-not-happen
        in-doubt, fail it: isobox executions resolve ID 3 --revision 7 --fail --reason 'WHY'
        ");
    }
}
