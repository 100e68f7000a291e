//! Resolves import specifiers to files of the program.

use std::collections::BTreeMap;

use super::packages::builtin;
use crate::Interface;

/// The result of resolving a specifier.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Resolution<'program> {
    /// A file of the program.
    File(&'program str),
    /// A relative path at which there is no file.
    Missing,
    /// A module that the guest provides, with the prefix `node:`.
    Builtin(&'static str),
    /// A module that the host provides.
    Module(&'program Interface),
    /// Neither a relative path nor a module that the guest provides.
    Foreign,
}

const SUFFIXES: &[&str] = &["", ".ts", ".tsx", ".js", ".mjs", ".mts", ".jsx", "/index.ts", "/index.js"];

/// Extensions of compiled files, which TypeScript authors write in specifiers, and the extensions of their sources.
const REPLACEMENTS: &[(&str, &str)] =
    &[(".js", ".ts"), (".js", ".tsx"), (".jsx", ".tsx"), (".mjs", ".mts"), (".mjs", ".ts")];

/// Resolves `specifier` as an import in the file at `path`.
pub(super) fn resolve<'program>(
    files: &'program BTreeMap<String, String>,
    modules: &'program [Interface],
    path: &str,
    specifier: &str,
) -> Resolution<'program> {
    if !(specifier.starts_with("./") || specifier.starts_with("../") || matches!(specifier, "." | "..")) {
        let module = || modules.iter().find(|module| module.specifier == specifier);
        return match builtin(specifier) {
            Some(name) => Resolution::Builtin(name),
            None => module().map_or(Resolution::Foreign, Resolution::Module),
        };
    }
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Resolution::Missing;
                }
            }
            name => parts.push(name),
        }
    }
    let stem = parts.join("/");
    let find = |path: &str| files.get_key_value(path).map(|(path, _)| path.as_str());
    let direct = SUFFIXES.iter().find_map(|suffix| find(format!("{stem}{suffix}").trim_start_matches('/')));
    let replaced = || {
        let rename = |(from, to): &(&str, &str)| Some(format!("{}{to}", stem.strip_suffix(from)?));
        REPLACEMENTS.iter().filter_map(rename).find_map(|path| find(&path))
    };
    direct.or_else(replaced).map_or(Resolution::Missing, Resolution::File)
}

/// Returns the specifiers by which the file at `path` can import the file at `target`.
pub(super) fn specifiers(path: &str, target: &str) -> Vec<String> {
    let folder: Vec<&str> = path.split('/').collect();
    let folder = &folder[..folder.len() - 1];
    let parts: Vec<&str> = target.split('/').collect();
    let shared = folder.iter().zip(&parts[..parts.len() - 1]).take_while(|(left, right)| left == right).count();
    let up = "../".repeat(folder.len() - shared);
    let whole = format!("{}{}", if up.is_empty() { "./" } else { &up }, parts[shared..].join("/"));
    let mut found = Vec::new();
    for suffix in SUFFIXES.iter().filter(|suffix| !suffix.is_empty()) {
        found.extend(whole.strip_suffix(suffix).map(str::to_owned));
    }
    for (compiled, source) in REPLACEMENTS {
        found.extend(whole.strip_suffix(source).map(|stem| format!("{stem}{compiled}")));
    }
    found.push(whole);
    found
}

/// Returns the name most similar to `wanted`, if any name is similar enough.
pub(super) fn nearest<'name>(wanted: &str, names: impl Iterator<Item = &'name str>) -> Option<&'name str> {
    /// The likeness of names of which one has two neighbouring letters in the other order.
    const SWAPPED: f64 = 0.99;
    let wanted = wanted.to_lowercase();
    let likeness = |name: &str| {
        let name = name.to_lowercase();
        if is_swapped(&wanted, &name) { SWAPPED } else { strsim::jaro_winkler(&wanted, &name) }
    };
    names
        .map(|name| (likeness(name), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, name)| name)
}

/// Checks whether two names differ in the order of two neighbouring letters alone.
fn is_swapped(one: &str, other: &str) -> bool {
    let differs = |(left, right): &(char, char)| left != right;
    let mut pairs = one.chars().zip(other.chars()).filter(differs);
    let is_crossed = match (pairs.next(), pairs.next(), pairs.next()) {
        (Some((first, second)), Some(crossed), None) => crossed == (second, first),
        _ => false,
    };
    is_crossed && one.len() == other.len() && strsim::osa_distance(one, other) == 1
}
