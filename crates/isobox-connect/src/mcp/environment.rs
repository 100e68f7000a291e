//! The environment variables that a child process inherits.

use std::ffi::OsString;

/// Paths, the home folder, temporary files, the user and the locale. All other variables stay here, because
/// environments often contain credentials.
const PASSED_ON: [&str; 11] =
    ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TMP", "TEMP", "TERM", "TZ", "LANG"];

/// Returns the inherited variables.
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
