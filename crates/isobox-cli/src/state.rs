//! The folder in which this user's own files are, outside of all projects.

use std::path::PathBuf;

/// Returns the folder for the state of Isobox, if the environment determines it.
pub(crate) fn state_folder(environment: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let folder = |name| environment(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    Some(state?.join("isobox"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_where_the_state_of_programs_is() {
        let found = |state: &str, home: &str| {
            let variable = |name: &str| {
                let value = if name == "XDG_STATE_HOME" { state } else { home };
                (!value.is_empty()).then(|| value.to_owned())
            };
            state_folder(&variable).map(|path| path.display().to_string())
        };
        assert_eq!(found("/s", "/h").as_deref(), Some("/s/isobox"));
        assert_eq!(found("", "/h").as_deref(), Some("/h/.local/state/isobox"));
        assert_eq!(found("relative", "/h").as_deref(), Some("/h/.local/state/isobox"));
        assert_eq!(found("", ""), None);
    }
}
