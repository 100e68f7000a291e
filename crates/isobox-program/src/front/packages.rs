//! The modules beside the program's own files: those that the guest provides, and advice about those that it does not.

use crate::module::BUILTIN;

/// The hint for imports of anything but files of the program.
pub(super) const ONLY_OWN_FILES: &str = "only the program's own files can be imported; the tools are in `tools.…`";

/// Returns the name of a module that the guest provides, with the prefix `node:`.
pub(super) fn builtin(specifier: &str) -> Option<&'static str> {
    let name = specifier.strip_prefix("node:").unwrap_or(specifier);
    BUILTIN.iter().copied().find(|builtin| &builtin["node:".len()..] == name)
}

/// What to use instead of modules that are not available. The guest is built with the same table.
const ADVICE: &str = include_str!("packages.txt");

/// Returns what to use instead of a module that is not available.
pub(super) fn advice(specifier: &str) -> &'static str {
    let name = specifier.strip_prefix("node:").unwrap_or(specifier);
    let name = name.strip_prefix('@').unwrap_or(name);
    let package = name.split('/').next().unwrap_or_default();
    let lines = ADVICE.lines().filter(|line| !line.starts_with('#'));
    let mut rows = lines.filter_map(|line| line.split_once(": "));
    rows.find(|(names, _)| names.split(' ').any(|name| name == package)).map_or(ONLY_OWN_FILES, |(_, advice)| advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_node_are_known_with_and_without_their_prefix() {
        assert_eq!(builtin("path"), Some("node:path"));
        assert_eq!(builtin("node:assert/strict"), Some("node:assert/strict"));
        assert_eq!(builtin("path/win32"), None);
        assert_eq!(builtin("node:node:path"), None);
        assert_eq!(builtin("./path"), None);
    }

    #[test]
    fn packages_are_advised_about_by_their_first_name() {
        assert_eq!(advice("node:fs/promises"), advice("fs"));
        assert_eq!(advice("@aws-sdk/client-s3"), advice("@aws-sdk/client-sns"));
        assert_ne!(advice("@aws-sdk/client-s3"), ONLY_OWN_FILES);
        for package in [
            "qs",
            "decimal.js",
            "bignumber.js",
            "diff",
            "fast-deep-equal",
            "ms",
            "xlsx",
            "marked",
            "mathjs",
            "csv-stringify",
        ] {
            assert_ne!(advice(package), ONLY_OWN_FILES, "{package}");
        }
        assert_eq!(advice("left-pad"), ONLY_OWN_FILES);
        assert_eq!(advice(""), ONLY_OWN_FILES);
    }

    #[test]
    fn every_line_of_the_table_has_names_and_advice_and_no_name_is_there_twice() {
        let mut names = std::collections::BTreeSet::new();
        for line in ADVICE.lines().filter(|line| !line.starts_with('#')) {
            let (packages, advice) = line.split_once(": ").unwrap_or_else(|| panic!("{line} has no advice"));
            assert!(!advice.is_empty(), "{line}");
            for name in packages.split(' ') {
                assert!(!name.is_empty() && names.insert(name), "{name} in {line}");
                assert_eq!(builtin(name), None, "{name} is available");
            }
        }
    }
}
