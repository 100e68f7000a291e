//! Tells which names of a request a service may take for the same. Decisions only; no I/O.

use hyper::Uri;
use percent_encoding::percent_decode_str;

/// The reason why the parameter `_method` is refused.
pub(super) const METHOD_REFUSED: &str = "`_method` would make some services carry out another request";

/// A name of a parameter, without what some services do not tell apart: case, and signs that stand for an underscore.
#[derive(Debug)]
pub(super) struct Folded(String);

impl Folded {
    pub(super) fn of(name: &str) -> Self {
        Self(name.trim().to_lowercase().replace(['-', ' ', '+'], "_"))
    }

    /// Tells whether a service may take two names for the same.
    pub(super) fn is(&self, known: &Self) -> bool {
        // Some services take what begins a part of a value for an underscore, too.
        let flat = |sign: char| if matches!(sign, '.' | '[') { '_' } else { sign };
        self.0.chars().map(flat).eq(known.0.chars().map(flat))
    }

    /// Tells whether a service may take this for the name of a part of a value: `filter[a]` is a part of `filter`.
    pub(super) fn is_part_of(&self, known: &Self) -> bool {
        self.0.strip_prefix(&known.0).is_some_and(|rest| rest.starts_with(['[', '.']))
    }

    /// Tells whether a service may take this for a name or for a part of its value.
    pub(super) fn is_within(&self, known: &Self) -> bool {
        self.is(known) || self.is_part_of(known)
    }

    /// Tells whether some services take the value of this parameter for the method of the request.
    pub(super) fn is_method(&self) -> bool {
        self.is_within(&Self("_method".to_owned()))
    }
}

/// Returns the pairs that the query has before anything is added: those of the address of the service, and those of the path.
pub(super) fn fixed_pairs(base: &Uri, path: &str) -> Vec<(String, String)> {
    let path = path.split('#').next().unwrap_or_default();
    let own = path.split_once('?').map(|(_, query)| query);
    base.query().into_iter().chain(own).flat_map(decoded_pairs).collect()
}

/// Returns the pairs of a query, decoded.
pub(super) fn decoded_pairs(query: &str) -> Vec<(String, String)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

/// Decodes a name or a value of a query.
pub(super) fn decoded(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_some_services_do_not_tell_apart_are_known() {
        for (name, known, is, is_part) in [
            ("force", "force", true, false),
            ("FORCE", "force", true, false),
            (" force", "force", true, false),
            ("dry-run", "dry_run", true, false),
            ("dry.run", "dry_run", true, false),
            ("force[]", "force", false, true),
            ("Force.a", "force", false, true),
            ("forced", "force", false, false),
            ("enforce", "force", false, false),
            ("dryrun", "dry_run", false, false),
        ] {
            let (name, known) = (Folded::of(name), Folded::of(known));
            assert_eq!((name.is(&known), name.is_part_of(&known)), (is, is_part), "{name:?} {known:?}");
        }
        for (name, is_method) in [("_method", true), (".Method", true), ("[method", true), ("method", false)] {
            assert_eq!(Folded::of(name).is_method(), is_method, "{name}");
        }
    }

    #[test]
    fn the_query_of_a_service_and_of_a_path_is_fixed() {
        let base = "https://a.example/v1?tenant=a%20b".parse().unwrap();
        let fixed = fixed_pairs(&base, "/x?Action=List&flag#part?no=1");
        let expected = [("tenant", "a b"), ("Action", "List"), ("flag", "")];
        assert_eq!(fixed, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert!(fixed_pairs(&"https://a.example".parse().unwrap(), "/x").is_empty());
    }
}
