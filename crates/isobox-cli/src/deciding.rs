//! Who sits here, and the credential that they decide with.
//!
//! Only commands that a person gives come here: `isobox mcp`, which an agent starts, never does.

use std::path::PathBuf;

use isobox::policy::own_credential;
use isobox::{Code, Failure, Principal};

use crate::setting::environment;

/// Names the file of the credential, where it is not in its usual place.
const KEY_FILE: &str = "ISOBOX_DECIDE_KEY_FILE";

/// The person who decides, with their credential; one is made where there is none.
pub(crate) fn decider() -> Result<Principal, Failure> {
    let hint = format!("{KEY_FILE} names another file");
    let Some(path) = key_file() else {
        return Err(Failure::new(Code::Config, "there is no home folder for the credential for deciding").hint(hint));
    };
    match own_credential(&path, &user()) {
        Ok(credential) => Ok(Principal::holding(credential)),
        Err(failure) => Err(failure.hint(hint)),
    }
}

/// The name of the user that this process runs as: what the system says, not the environment.
pub(crate) fn user() -> String {
    let number = rustix::process::geteuid().as_raw();
    let known = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    name_of(number, &known).unwrap_or_else(|| format!("user {number}"))
}

/// In the folder of the person rather than in that of a project, which agents work in.
fn key_file() -> Option<PathBuf> {
    if let Some(path) = environment(KEY_FILE) {
        return Some(PathBuf::from(path));
    }
    let state = environment("XDG_STATE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let state = state.or_else(|| Some(std::env::home_dir()?.join(".local/state")))?;
    Some(state.join("isobox/decide.key"))
}

fn name_of(number: u32, known: &str) -> Option<String> {
    let number = number.to_string();
    let line = known.lines().find(|line| line.split(':').nth(2) == Some(&number))?;
    line.split(':').next().filter(|name| !name.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_found_by_number() {
        let known = "root:x:0:0::/root:/bin/sh\nada:x:1000:100:Ada,,,:/home/ada:/bin/sh\n:x:7:7::/:\n";
        assert_eq!(name_of(1000, known), Some("ada".to_owned()));
        assert_eq!((name_of(100, known), name_of(7, known)), (None, None));
    }
}
