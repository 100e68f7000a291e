//! Commands and abbreviations, and the words that they stand for.
//!
//! General knowledge: commands of shells, of version control and of databases, and abbreviations of the trade. The
//! words on the right are those that tools use for the same thing.

/// Returns the words that a word of a query stands for. `is_known` says whether an entry has the word itself,
/// `is_command` whether the word begins a query that is as short as a command.
pub(super) fn spelt_out(word: &str, is_known: bool, is_command: bool) -> impl Iterator<Item = &'static str> + use<> {
    let find = |list: &'static [(&str, &str)]| {
        list.binary_search_by(|(short, _)| (*short).cmp(word)).ok().map(|at| list[at].1)
    };
    let found = find(JARGON).or_else(|| if is_command && !is_known { find(COMMON_WORDS) } else { None });
    found.unwrap_or_default().split_whitespace()
}

/// Commands and abbreviations that mean nothing else.
const JARGON: &[(&str, &str)] = &[
    ("2fa", "two factor authentication"),
    ("acl", "access permission"),
    ("awk", "text process"),
    ("bg", "background process"),
    ("cd", "change directory"),
    ("chgrp", "change file group"),
    ("chmod", "change file permissions"),
    ("chown", "change file owner"),
    ("ci", "continuous integration workflow build"),
    ("cli", "command line"),
    ("cp", "copy file"),
    ("crm", "customer contact"),
    ("cron", "schedule job"),
    ("crontab", "schedule job"),
    ("crud", "create read update delete"),
    ("ctr", "click rate"),
    ("curl", "fetch url request"),
    ("cve", "vulnerability"),
    ("ddl", "create table schema"),
    ("del", "delete file"),
    ("df", "disk space usage"),
    ("dig", "dns lookup"),
    ("dir", "list directory"),
    ("dirs", "directories"),
    ("dm", "direct message"),
    ("dml", "insert update delete row"),
    ("du", "disk usage directory size"),
    ("egrep", "search text pattern"),
    ("eta", "arrival time duration"),
    ("etl", "import transform data"),
    ("faq", "questions answers"),
    ("fg", "foreground process"),
    ("fgrep", "search text pattern"),
    ("fs", "file system"),
    ("fx", "currency exchange"),
    ("glob", "search files pattern"),
    ("grep", "search text content"),
    ("gunzip", "decompress file"),
    ("gzip", "compress file"),
    ("htop", "list processes"),
    ("iam", "access role permission"),
    ("ifconfig", "network interface address"),
    ("img", "image"),
    ("ipconfig", "network interface address"),
    ("journalctl", "read logs"),
    ("k8s", "kubernetes cluster"),
    ("kpi", "metric performance"),
    ("kubectl", "kubernetes cluster"),
    ("kv", "key value"),
    ("lat", "latitude coordinates"),
    ("lb", "load balancer"),
    ("lng", "longitude coordinates"),
    ("lon", "longitude coordinates"),
    ("ls", "list directory files"),
    ("lsof", "list open files"),
    ("md5", "hash checksum"),
    ("md5sum", "hash checksum"),
    ("mfa", "two factor authentication"),
    ("mgmt", "management"),
    ("mkdir", "create directory"),
    ("mktemp", "create temporary file"),
    ("mv", "move rename file"),
    ("nat", "network address translation"),
    ("netstat", "list network connections"),
    ("nslookup", "dns lookup"),
    ("ocr", "recognize extract text image"),
    ("otp", "one time password"),
    ("param", "parameter"),
    ("params", "parameters"),
    ("perms", "permissions"),
    ("pic", "picture image"),
    ("pics", "pictures images"),
    ("pid", "process"),
    ("ping", "check reachable"),
    ("pkill", "terminate process"),
    ("pr", "pull request"),
    ("printenv", "environment variables"),
    ("prs", "pull requests"),
    ("ps", "list processes"),
    ("pwd", "current directory"),
    ("rbac", "role access permission"),
    ("rd", "remove directory"),
    ("readdir", "list directory"),
    ("regex", "search pattern"),
    ("regexp", "search pattern"),
    ("ren", "rename file"),
    ("rm", "delete remove file"),
    ("rmdir", "delete remove directory"),
    ("rsvp", "respond invitation accept decline"),
    ("rsync", "copy synchronize files"),
    ("scp", "copy file remote"),
    ("sed", "replace edit text"),
    ("sha256sum", "hash checksum"),
    ("sigkill", "terminate kill process"),
    ("sigterm", "terminate process"),
    ("ssh", "remote shell command"),
    ("sso", "single sign on login"),
    ("stderr", "error output log"),
    ("stdout", "output log"),
    ("stt", "speech text transcribe"),
    ("sudo", "administrator command"),
    ("systemctl", "service start stop restart"),
    ("tar", "archive compress files"),
    ("taskkill", "terminate process"),
    ("tasklist", "list processes"),
    ("tldr", "summarize summary"),
    ("tmp", "temporary"),
    ("todo", "task"),
    ("todos", "tasks"),
    ("traceroute", "network route"),
    ("tts", "text speech"),
    ("tz", "time zone"),
    ("uname", "system information"),
    ("unlink", "delete file"),
    ("unzip", "extract archive decompress"),
    ("upsert", "insert update write"),
    ("var", "variable"),
    ("vars", "variables"),
    ("wc", "count words lines"),
    ("wget", "download fetch url"),
    ("whoami", "current user"),
    ("wip", "draft progress"),
    ("xargs", "run command"),
    ("xlsx", "spreadsheet"),
    ("zip", "compress archive"),
];

/// Commands that are also common words. They are commands only at the beginning of a short query, and if no entry has
/// the word.
const COMMON_WORDS: &[(&str, &str)] = &[
    ("blame", "commit author history"),
    ("cat", "read file content"),
    ("diff", "compare changes"),
    ("echo", "print write text"),
    ("find", "search files"),
    ("head", "read file first lines"),
    ("insert", "insert write row"),
    ("join", "query tables"),
    ("kill", "terminate stop process"),
    ("less", "read file"),
    ("man", "help documentation"),
    ("more", "read file"),
    ("patch", "edit apply changes"),
    ("put", "write upload"),
    ("select", "query read database"),
    ("stash", "save changes"),
    ("stat", "file information metadata"),
    ("tail", "read file last lines log"),
    ("top", "list processes usage"),
    ("touch", "create write file"),
    ("tree", "directory tree"),
    ("type", "read file"),
    ("uniq", "duplicate lines"),
    ("uptime", "running time"),
    ("watch", "monitor"),
    ("which", "find command path"),
    ("who", "list users"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_for_binary_search_and_do_not_overlap() {
        for list in [JARGON, COMMON_WORDS] {
            assert!(list.is_sorted_by(|one, other| one.0 < other.0));
        }
        assert!(JARGON.iter().all(|(word, _)| COMMON_WORDS.iter().all(|(other, _)| word != other)));
    }

    #[test]
    fn a_common_word_is_a_command_only_at_the_start_of_a_short_query_and_if_no_entry_has_it() {
        let words = |word, is_known, is_command| spelt_out(word, is_known, is_command).collect::<Vec<_>>().join(" ");
        assert_eq!(words("mkdir", false, false), "create directory");
        assert_eq!(words("mkdir", true, true), "create directory");
        assert_eq!(words("cat", false, true), "read file content");
        assert_eq!(words("cat", false, false), "");
        assert_eq!(words("cat", true, true), "");
    }
}
