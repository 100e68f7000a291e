//! The folder in which this user's own files are, outside of all projects.

use std::path::PathBuf;

/// The reason why there is no folder for the state.
pub(crate) const NO_HOME: &str = "there is no home folder";

/// Returns the folder for the state of Isobox, if the environment or the system determines it.
pub(crate) fn state_folder(environment: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    folder_within(environment, std::env::home_dir())
}

/// Returns the folder. `home` is the home folder that the system has of this user.
fn folder_within(environment: &dyn Fn(&str) -> Option<String>, home: Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |folder: &PathBuf| folder.is_absolute();
    let folder = |name| environment(name).map(PathBuf::from).filter(absolute);
    let in_home = || Some(folder("HOME").or_else(|| home.filter(absolute))?.join(".local/state"));
    Some(folder("XDG_STATE_HOME").or_else(in_home)?.join("isobox"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_where_the_state_of_programs_is() {
        let found = |state: &str, home: &str, of_system: Option<&str>| {
            let variable = |name: &str| {
                let value = if name == "XDG_STATE_HOME" { state } else { home };
                (!value.is_empty()).then(|| value.to_owned())
            };
            folder_within(&variable, of_system.map(PathBuf::from)).map(|path| path.display().to_string())
        };
        assert_eq!(found("/s", "/h", Some("/p")).as_deref(), Some("/s/isobox"));
        assert_eq!(found("", "/h", Some("/p")).as_deref(), Some("/h/.local/state/isobox"));
        assert_eq!(found("relative", "/h", None).as_deref(), Some("/h/.local/state/isobox"));
        assert_eq!(found("", "", Some("/p")).as_deref(), Some("/p/.local/state/isobox"));
        assert_eq!([found("", "", None), found("", "relative", Some("relative"))], [None, None]);
    }
}
