//! The user of this process and the credential they decide with.
//!
//! Only commands that a person runs use this module. `isobox mcp`, which an agent starts, must never use it.

use std::path::PathBuf;

use isobox::policy::own_credential;
use isobox::{Code, Failure, Principal};

use crate::setting::environment;
use crate::state::{NO_HOME, state_folder};

/// The environment variable that names the credential file if it is not in the default place.
const KEY_FILE: &str = "ISOBOX_DECIDE_KEY_FILE";

/// Returns the deciding person with their credential. Creates the credential if it does not exist.
pub(crate) fn decider() -> Result<Principal, Failure> {
    let hint = format!("set {KEY_FILE} to use another file");
    let Some(path) = key_file() else {
        let message = format!("cannot find the credential for deciding: {NO_HOME}");
        return Err(Failure::new(Code::Config, message).hint(hint));
    };
    match own_credential(&path, &user()) {
        Ok(credential) => Ok(Principal::holding(credential)),
        Err(failure) => Err(failure.hint(hint)),
    }
}

/// Returns the name of the effective user. Asks the system, not the environment.
pub(crate) fn user() -> String {
    let number = rustix::process::geteuid().as_raw();
    let known = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    name_of(number, &known).unwrap_or_else(|| format!("user {number}"))
}

/// Returns the path of the credential file. The default is in the user's home folder because agents work in project
/// folders.
fn key_file() -> Option<PathBuf> {
    if let Some(path) = environment(KEY_FILE) {
        return Some(PathBuf::from(path));
    }
    Some(state_folder(&environment)?.join("decide.key"))
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
