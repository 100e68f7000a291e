//! Names the tools of a service. Names depend on what operations say, not on their order.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use isobox_core::identifier_of;

use super::template::{Part, parts};

/// The parts of an operation from which its name is made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) tag: Option<&'a str>,
    /// The method, in upper case.
    pub(super) method: &'a str,
    pub(super) path: &'a str,
}

/// The names of the tool of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    /// The unique path below the connector.
    pub(super) path: String,
    /// Other names, by which rules and settings find it too: the identifier in the document, and the path before words of the
    /// language are altered (`repos.delete`) and before a number makes it unique.
    pub(super) own: Vec<String>,
}

/// The maximum number of segments of a name.
const MAX_SEGMENTS: usize = 4;

/// Returns the names of every operation, in the same order. The paths are unique, and none is one of the reserved ones.
pub(super) fn names(connector: &str, subjects: &[Subject<'_>], reserved: &[&str]) -> Vec<Names> {
    let tags: BTreeSet<&str> = subjects.iter().filter_map(|subject| subject.tag).collect();
    let groups = tags.len() > 1;
    let plain: Vec<Vec<String>> = subjects.iter().map(|subject| segments(subject, groups)).collect();
    let identifiers = |plain: &Vec<String>| plain.iter().map(|segment| identifier_of(segment)).collect::<Vec<_>>();
    let wanted: Vec<String> = plain.iter().map(|plain| joined(connector, identifiers(plain))).collect();
    let mut rivals: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, wanted) in wanted.iter().enumerate() {
        rivals.entry(wanted).or_default().push(index);
    }
    let mut taken: HashSet<String> = reserved.iter().map(|name| (*name).to_owned()).collect();
    taken.extend(rivals.keys().map(|name| (*name).to_owned()));
    let mut paths = wanted.clone();
    for (wanted, mut indexes) in rivals {
        // The order of a document is not a property of an operation.
        indexes.sort_by_key(|index| (subjects[*index].path, subjects[*index].method));
        let first_keeps = !reserved.contains(&wanted);
        let mut number = 2;
        for index in indexes.into_iter().skip(usize::from(first_keeps)) {
            let free = loop {
                let candidate = format!("{wanted}_{number}");
                number += 1;
                if !taken.contains(&candidate) {
                    break candidate;
                }
            };
            taken.insert(free.clone());
            paths[index] = free;
        }
    }
    let named = paths.into_iter().zip(wanted).zip(plain).zip(subjects);
    named
        .map(|(((path, wanted), plain), subject)| {
            let mut own = Vec::new();
            for name in subject.id.map(str::to_owned).into_iter().chain([joined(connector, plain), wanted]) {
                if name != path && !own.contains(&name) {
                    own.push(name);
                }
            }
            Names { path, own }
        })
        .collect()
}

/// Returns the segments of the path of an operation. A segment may still be a word of the language.
fn segments(subject: &Subject<'_>, groups: bool) -> Vec<String> {
    match subject.id.filter(|id| has_letters(id)) {
        // The identifier has groups of its own: `repos/list-for-org`, `storage.buckets.list`.
        Some(id) if id.contains(['/', '.']) => {
            id.split(['/', '.']).filter(|part| has_letters(part)).map(segment).collect()
        }
        Some(id) => match subject.tag.filter(|tag| groups && has_letters(tag)) {
            Some(tag) => vec![segment(tag), segment(without_group(id, tag))],
            None => vec![segment(id)],
        },
        None => {
            let own = from_path(subject.method, subject.path);
            match subject.tag.filter(|tag| groups && has_letters(tag)) {
                Some(tag) => vec![segment(tag), own],
                None => vec![own],
            }
        }
    }
}

/// Joins the segments of a path. A first one that repeats the name of the connector is left out.
fn joined(connector: &str, mut segments: Vec<String>) -> String {
    if segments.len() > 1 && identifier_of(&segments[0]).eq_ignore_ascii_case(&identifier_of(connector)) {
        segments.remove(0);
    }
    if segments.len() > MAX_SEGMENTS {
        let rest = segments.split_off(MAX_SEGMENTS - 1).join("_");
        segments.push(identifier_of(&rest));
    }
    segments.join(".")
}

fn has_letters(text: &str) -> bool {
    text.chars().any(|character| character.is_ascii_alphanumeric())
}

/// Returns a text in camel case: separators start a word, and the first letter is small.
fn segment(text: &str) -> String {
    let mut joined = String::new();
    let mut starts_word = false;
    for character in text.chars() {
        if character == '_' || character == '$' || character.is_ascii_alphanumeric() {
            if starts_word && !joined.is_empty() {
                joined.push(character.to_ascii_uppercase());
            } else {
                joined.push(character);
            }
            starts_word = false;
        } else {
            starts_word = true;
        }
    }
    let mut characters = joined.chars();
    match (characters.next(), characters.next()) {
        (Some(first), Some(second)) if first.is_ascii_uppercase() && !second.is_ascii_uppercase() => {
            format!("{}{}", first.to_ascii_lowercase(), &joined[1..])
        }
        _ => joined,
    }
}

/// Removes the name of its group from the beginning of an identifier: `Pets_List` of `Pets` is `List`.
fn without_group<'a>(id: &'a str, tag: &str) -> &'a str {
    let letters = |text: &str| {
        text.chars().filter(char::is_ascii_alphanumeric).map(|one| one.to_ascii_lowercase()).collect::<String>()
    };
    let separated = id.split_once(['_', '-', ':', ' ']);
    match separated {
        Some((group, rest)) if has_letters(rest) && letters(group) == letters(tag) => rest,
        Some(_) | None => id,
    }
}

/// Returns a name for a method and a path: `getPetsByPetId` for `GET /pets/{petId}`.
fn from_path(method: &str, path: &str) -> String {
    let mut words = vec![method.to_ascii_lowercase()];
    for part in parts(path.split('#').next().unwrap_or_default()) {
        match part {
            Part::Text(text) => words.extend(text.split(|one: char| !one.is_ascii_alphanumeric()).map(str::to_owned)),
            Part::Name(name) => words.extend(["by".to_owned(), name.to_owned()]),
        }
    }
    words.retain(|word| has_letters(word));
    segment(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(operations: &[(&str, &str, &str, &str)]) -> Vec<String> {
        all_names(operations).into_iter().map(|names| names.path).collect()
    }

    fn all_names(operations: &[(&str, &str, &str, &str)]) -> Vec<Names> {
        let subjects: Vec<Subject<'_>> = operations
            .iter()
            .map(|(id, tag, method, path)| Subject {
                id: Some(*id).filter(|id| !id.is_empty()),
                tag: Some(*tag).filter(|tag| !tag.is_empty()),
                method,
                path,
            })
            .collect();
        names("shop", &subjects, &["spec", "request"])
    }

    #[test]
    fn names_come_from_the_identifier_or_from_method_and_path() {
        for (operation, expected) in [
            (("listPets", "pets", "GET", "/pets"), "listPets"),
            (("ListPets", "", "GET", "/pets"), "listPets"),
            (("list-pets", "", "GET", "/pets"), "listPets"),
            (("repos/list-for-org", "repos", "GET", "/orgs"), "repos.listForOrg"),
            (("shop.buckets.objects.list", "", "GET", "/b"), "buckets.objects.list"),
            (("a.b.c.d.e.f", "", "GET", "/b"), "a.b.c.d_e_f"),
            (("", "", "GET", "/pets/{petId}/toys"), "getPetsByPetIdToys"),
            (("", "", "POST", "/"), "post"),
            (("", "", "GET", "/v1/a.json#X-Amz-Target=B"), "getV1AJson"),
            (("***", "", "GET", "/x"), "getX"),
            (("delete", "", "DELETE", "/x"), "delete_"),
            (("2things", "", "GET", "/x"), "_2things"),
            (("IPs", "", "GET", "/x"), "IPs"),
        ] {
            assert_eq!(named(&[operation]), [expected], "{operation:?}");
        }
    }

    #[test]
    fn an_operation_keeps_the_names_that_its_path_no_longer_has() {
        let names = all_names(&[
            ("delete-pet", "", "DELETE", "/a"),
            ("deletePet", "", "DELETE", "/b"),
            ("repos/delete", "", "DELETE", "/c"),
            ("delete", "", "DELETE", "/d"),
            ("spec", "", "GET", "/e"),
            ("listPets", "", "GET", "/f"),
        ]);
        let own = |path: &str| names.iter().find(|names| names.path == path).expect("it is named").own.clone();
        assert_eq!(own("deletePet"), ["delete-pet"]);
        assert_eq!(own("deletePet_2"), ["deletePet"]);
        assert_eq!(own("repos.delete_"), ["repos/delete", "repos.delete"]);
        assert_eq!(own("delete_"), ["delete"]);
        assert_eq!(own("spec_2"), ["spec"]);
        assert!(own("listPets").is_empty());
    }

    #[test]
    fn tags_group_where_there_are_several() {
        let names = named(&[
            ("Pets_List", "Pets", "GET", "/pets"),
            ("createPet", "Pets", "POST", "/pets"),
            ("list", "Order Lines", "GET", "/lines"),
            ("", "Order Lines", "DELETE", "/lines/{id}"),
            ("other", "", "GET", "/other"),
            ("shopInfo", "Shop", "GET", "/info"),
        ]);
        let expected =
            ["pets.list", "pets.createPet", "orderLines.list", "orderLines.deleteLinesById", "other", "shopInfo"];
        assert_eq!(names, expected);
    }

    #[test]
    fn collisions_are_resolved_whatever_the_order() {
        let operations = [
            ("list", "", "GET", "/b"),
            ("list", "", "GET", "/a"),
            ("list_2", "", "GET", "/c"),
            ("List", "", "POST", "/a"),
            ("spec", "", "GET", "/spec"),
            ("request", "", "GET", "/request"),
        ];
        let expected = ["list_4", "list", "list_2", "list_3", "spec_2", "request_2"];
        assert_eq!(named(&operations), expected);
        let mut reversed = operations;
        reversed.reverse();
        let mut names = named(&reversed);
        names.reverse();
        assert_eq!(names, expected);
    }
}
