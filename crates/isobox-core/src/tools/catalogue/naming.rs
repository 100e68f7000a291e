//! Names the tools of a connector. Names depend on the offered names, not on their order.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::tools::declarations::identifier_of;
use crate::{Code, Failure, OfferedTool, Tool, ToolPath};

/// A tool of a connector, with its default names.
pub(super) struct Named {
    pub(super) offered: OfferedTool,
    /// The path unless it is renamed.
    pub(super) natural: String,
    /// Its other names: the identifier of its name, and its names unchanged, below both names of its connector.
    pub(super) others: Vec<String>,
    /// Those of its unchanged names that no other tool of the connector has. Settings find the tool by them.
    pub(super) keys: Vec<String>,
}

/// The maximum length of the text before a number. A path that is too long would not be free with any number after it.
const LONGEST: usize = ToolPath::MAX_LENGTH - 12;

/// Assigns paths below `root` to the tools of a connector. A name that is an identifier stays unchanged, as does a path
/// that the connector has chosen. The others follow in the order of their names, with numbers if an identifier is taken.
pub(super) fn named(root: &str, connector: &str, mut tools: Vec<OfferedTool>) -> Vec<Named> {
    tools.sort_by_cached_key(|tool| {
        let is_altered = relative(tool) != tool.path.as_deref().unwrap_or_else(|| label(tool));
        (is_altered, label(tool).to_owned(), tool.name.clone())
    });
    let owners = owners(&tools);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut next: HashMap<String, usize> = HashMap::new();
    let name = |offered: OfferedTool| {
        let plain = format!("{root}.{}", relative(&offered));
        let start = next.get(&plain).copied().unwrap_or(1);
        let is_free = |path: &str| !taken.contains(path) && path.parse::<ToolPath>().is_ok();
        let (natural, number) = first_free(&plain, start, is_free);
        next.insert(plain.clone(), number);
        taken.insert(natural.clone());
        let below = |name: &str| [format!("{root}.{name}"), format!("{connector}.{name}")];
        let is_its_alone = |name: &&str| *name == offered.name || owners.get(*name) == Some(&1);
        let keys = unaltered(&offered).filter(is_its_alone).flat_map(below).collect();
        let others = unaltered(&offered).flat_map(below).chain([plain]).collect();
        Named { offered, natural, others, keys }
    };
    tools.into_iter().map(name).collect()
}

/// Counts the tools that have each name, at the connector or at the service.
fn owners(tools: &[OfferedTool]) -> HashMap<String, usize> {
    let mut owners = HashMap::new();
    for tool in tools {
        for name in unaltered(tool).collect::<BTreeSet<_>>() {
            *owners.entry(name.to_owned()).or_default() += 1;
        }
    }
    owners
}

/// Returns the names of a tool as the connector and the service have them.
fn unaltered(tool: &OfferedTool) -> impl Iterator<Item = &str> {
    std::iter::once(&tool.name).chain(&tool.own_names).map(String::as_str)
}

/// Returns the name by which a tool is known to people. Its path follows from it, unless the connector has chosen the path.
pub(super) fn label(tool: &OfferedTool) -> &str {
    match (&tool.path, tool.own_names.first()) {
        (None, Some(own)) => own,
        (Some(_), _) | (None, None) => &tool.name,
    }
}

/// Returns the path of a tool below its connector, unless it is taken.
fn relative(tool: &OfferedTool) -> String {
    match &tool.path {
        Some(path) => path.split('.').map(identifier_of).collect::<Vec<_>>().join("."),
        None => identifier_of(label(tool)),
    }
}

/// Returns the name if it is free, otherwise the first free one with a number after it, and the number.
pub(super) fn first_free(wanted: &str, start: usize, is_free: impl Fn(&str) -> bool) -> (String, usize) {
    let stem = &wanted[..wanted.floor_char_boundary(LONGEST)];
    let mut number = start;
    loop {
        let name = if number == 1 { wanted.to_owned() } else { format!("{stem}_{number}") };
        if is_free(&name) {
            return (name, number);
        }
        number += 1;
    }
}

/// Tells whether a path is that of the reverts of a tool that brings a function for them.
pub(super) fn is_of_reverts(tools: &BTreeMap<String, impl Borrow<Tool>>, path: &str) -> bool {
    let reverted = ToolPath::reverted(path).and_then(|reverted| tools.get(reverted));
    reverted.is_some_and(|tool| Borrow::<Tool>::borrow(tool).has_own_revert())
}

/// Returns `CONFIG` if the path of a tool is that of the reverts of another one, or the other way around.
pub(super) fn check_reverts(tools: &BTreeMap<String, impl Borrow<Tool>>, tool: &Tool) -> Result<(), Failure> {
    let (path, of_reverts) = (tool.path().as_str(), tool.revert_path());
    let taken = if is_of_reverts(tools, path) {
        path
    } else if tool.has_own_revert() && tools.contains_key(of_reverts.as_str()) {
        of_reverts.as_str()
    } else {
        return Ok(());
    };
    let reverted = ToolPath::reverted(taken).unwrap_or_default();
    let message = format!("a tool has the path `{taken}`, which is that of the reverts of `{reverted}`");
    Err(Failure::new(Code::Config, message).hint("give the tool another path"))
}

/// Separates the names that only one tool has from shared ones.
pub(super) fn part_names(tools: &mut BTreeMap<String, Tool>) {
    let mut owners: HashMap<String, usize> = HashMap::new();
    for tool in tools.values() {
        for name in tool.names().all() {
            *owners.entry(name.to_owned()).or_default() += 1;
        }
    }
    for origin in tools.values_mut().filter_map(Tool::origin_mut) {
        let is_shared = |name: &String| owners.get(name).is_some_and(|count| *count > 1);
        let (shared, others) = std::mem::take(&mut origin.others).into_iter().partition(is_shared);
        (origin.shared, origin.others) = (shared, others);
    }
}

/// Marks other names of tools as shared if they are the paths of added tools.
pub(super) fn share_names(tools: &mut BTreeMap<String, Arc<Tool>>, added: &BTreeSet<String>) {
    for tool in tools.values_mut() {
        if !tool.names().others.iter().any(|name| added.contains(name)) {
            continue;
        }
        if let Some(origin) = Arc::make_mut(tool).origin_mut() {
            let is_taken = |name: &String| added.contains(name);
            let (taken, others) = std::mem::take(&mut origin.others).into_iter().partition(is_taken);
            origin.others = others;
            origin.shared.extend::<Vec<String>>(taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn paths(names: &[String]) -> Vec<(String, String)> {
        let tools = names.iter().map(|name| OfferedTool { name: name.clone(), ..OfferedTool::default() });
        let named = named("fs", "f s", tools.collect());
        let mut paths: Vec<_> = named.into_iter().map(|one| (one.offered.name, one.natural)).collect();
        paths.sort();
        paths
    }

    #[test]
    fn a_name_that_is_an_identifier_keeps_it_and_the_others_are_numbered_by_name() {
        let names = ["write.file", "write-file", "write_file", "write_file_2", "delete"].map(str::to_owned);
        let expected = [
            ("delete", "fs.delete_"),
            ("write-file", "fs.write_file_3"),
            ("write.file", "fs.write_file_4"),
            ("write_file", "fs.write_file"),
            ("write_file_2", "fs.write_file_2"),
        ];
        assert_eq!(paths(&names), expected.map(|(name, path)| (name.to_owned(), path.to_owned())));
    }

    #[test]
    fn a_path_follows_from_the_name_at_the_service_however_the_connector_offers_it() {
        let names = ["files.delete", "delete", "write-file", "write.file", "list"];
        let named_as = |is_task: fn(&str) -> bool| {
            let tool = |name: &str| match is_task(name) {
                true => OfferedTool::new(format!("tasks/call/{name}")).own_names(vec![name.to_owned()]),
                false => OfferedTool::new(name),
            };
            let named = named("fs", "f s", names.map(tool).into());
            let mut found: Vec<_> =
                named.iter().map(|one| (label(&one.offered).to_owned(), one.natural.clone())).collect();
            found.sort();
            found
        };
        let plain = named_as(|_| false);
        assert_eq!(plain[1], ("files.delete".to_owned(), "fs.files_delete".to_owned()));
        assert_eq!(named_as(|_| true), plain);
        assert_eq!(named_as(|name| name.contains('.')), plain);
        assert_eq!(named_as(|name| name.contains('-')), plain);
    }

    #[test]
    fn a_path_of_the_connector_makes_namespaces_of_identifiers() {
        let tool = |name: &str, path: &str| OfferedTool::new(name).path(path.to_owned());
        let tools =
            vec![tool("1", "pets.list"), tool("2", "pets.list.pages"), tool("3", "pets.list"), tool("4", "a b..new")];
        let named = named("shop", "shop", tools);
        let paths: Vec<_> = named.into_iter().map(|one| (one.offered.name, one.natural)).collect();
        let expected = [
            ("1", "shop.pets.list"),
            ("2", "shop.pets.list.pages"),
            ("3", "shop.pets.list_2"),
            ("4", "shop.a_b._.new_"),
        ];
        assert_eq!(paths, expected.map(|(name, path)| (name.to_owned(), path.to_owned())));
    }

    #[test]
    fn a_path_that_is_too_long_is_cut_and_numbered() {
        let long = vec!["x".repeat(100); 10].join(".");
        let tools = ["1", "2"].map(|name| OfferedTool::new(name).path(long.clone()));
        let paths: Vec<String> = named("shop", "shop", tools.into()).into_iter().map(|one| one.natural).collect();
        assert!(paths.iter().all(|path| path.parse::<ToolPath>().is_ok()), "{paths:?}");
        assert!(paths[0].ends_with("x_2") && paths[1].ends_with("x_3"), "{paths:?}");
    }

    proptest! {
        #[test]
        fn paths_do_not_depend_on_the_order_of_a_list(
            names in proptest::collection::btree_set("[ab_.\\-2]{1,4}|new|delete", 1..12)
                .prop_flat_map(|names| Just(names.into_iter().collect::<Vec<_>>()).prop_shuffle()),
        ) {
            let mut sorted = names.clone();
            sorted.sort();
            let found = paths(&names);
            prop_assert_eq!(&found, &paths(&sorted));
            for (name, path) in &found {
                prop_assert!(path.parse::<ToolPath>().is_ok());
                if identifier_of(name) == *name {
                    prop_assert_eq!(path, &format!("fs.{name}"));
                }
            }
            let different: BTreeSet<_> = found.iter().map(|(_, path)| path).collect();
            prop_assert_eq!(different.len(), found.len());
        }
    }
}
