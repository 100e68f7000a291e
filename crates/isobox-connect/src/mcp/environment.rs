//! What a child process gets to know of our environment.

use std::ffi::OsString;

/// Where programs, homes and temporary files are, who the user is and which language they speak. Everything else, above all
/// the credentials that tend to lie in environments, stays here.
const PASSED_ON: [&str; 11] =
    ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TMP", "TEMP", "TERM", "TZ", "LANG"];

/// The variables that every program needs.
pub(super) fn basics() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_basic))
}

fn is_basic(name: &str) -> bool {
    PASSED_ON.contains(&name) || name == "LANGUAGE" || name.starts_with("LC_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_every_program_needs_is_passed_on() {
        for name in ["PATH", "HOME", "LANG", "LC_ALL", "LC_TIME", "TMPDIR"] {
            assert!(is_basic(name), "{name}");
        }
        for name in [
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "LD_PRELOAD",
            "NODE_OPTIONS",
            "PATHS",
            "path",
            "ISOBOX_DECIDE_KEY_FILE",
            "XDG_STATE_HOME",
        ] {
            assert!(!is_basic(name), "{name}");
        }
    }
}
