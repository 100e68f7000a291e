//! Tells which names of parameters and headers a service may take for the same. Decisions only; no I/O.

/// A name of a parameter or a header, without what some services do not tell apart: case, and signs that stand for an underscore.
#[derive(Debug)]
pub(crate) struct Folded(String);

/// The parameters whose values some services take for the method of the request.
const METHODS: [&str; 4] = ["_method", "x_http_method", "x_http_method_override", "x_method_override"];

impl Folded {
    pub(crate) fn of(name: &str) -> Self {
        // Some services read a name only up to a null character.
        let name = name.split('\0').next().unwrap_or_default();
        Self(name.trim().to_lowercase().replace(['-', ' ', '+'], "_"))
    }

    /// Tells whether a service may take two names for the same.
    pub(crate) fn is(&self, known: &Self) -> bool {
        self.flat().eq(known.flat())
    }

    /// Tells whether a service may take this for a name that begins with another.
    pub(crate) fn begins_with(&self, beginning: &Self) -> bool {
        let mut signs = self.flat();
        beginning.flat().all(|sign| signs.next() == Some(sign))
    }

    /// Tells whether a service may take this for the name of a part of a value: `filter[a]` is a part of `filter`, `ids[0]` and `ids`
    /// are parts of `ids[]`, and `filter.a` is one of `filter[a]`.
    pub(crate) fn is_part_of(&self, known: &Self) -> bool {
        let mut keys = self.keys();
        let has_its_beginning = known.keys().next().is_some_and(|first| self.0.starts_with(first));
        self.0 != known.0 && has_its_beginning && known.keys().all(|key| keys.next() == Some(key))
    }

    /// Tells whether a service may take this for a name or for a part of its value.
    pub(crate) fn is_within(&self, known: &Self) -> bool {
        self.is(known) || self.is_part_of(known)
    }

    /// Tells whether some services take the value of this parameter for the method of the request.
    pub(crate) fn is_method(&self) -> bool {
        self.0.contains("method") && METHODS.iter().any(|known| self.is_within(&Self((*known).to_owned())))
    }

    /// Returns the keys of `a[b].c`.
    fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.split(['[', ']', '.']).filter(|key| !key.is_empty())
    }

    fn flat(&self) -> impl Iterator<Item = char> {
        // Some services take what begins a part of a value for an underscore, too.
        self.0.chars().map(|sign| if matches!(sign, '.' | '[') { '_' } else { sign })
    }
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
            ("force\0x", "force", true, false),
            ("force[a]\0", "force", false, true),
            ("dry-run", "dry_run", true, false),
            ("dry.run", "dry_run", true, false),
            ("force[]", "force", false, true),
            ("Force.a", "force", false, true),
            ("ids[0]", "ids[]", false, true),
            ("ids", "ids[]", false, true),
            ("IDS[]", "ids[]", true, false),
            ("filter.a", "filter[a]", false, true),
            ("filter[a][b]", "filter.a", false, true),
            ("filter_a", "filter[a]", false, false),
            ("filter[b]", "filter[a]", false, false),
            ("filter", "filter[a]", false, false),
            ("my[force]", "force", false, false),
            ("[force", "force", false, false),
            ("forced", "force", false, false),
            ("enforce", "force", false, false),
            ("dryrun", "dry_run", false, false),
        ] {
            let (name, known) = (Folded::of(name), Folded::of(known));
            assert_eq!((name.is(&known), name.is_part_of(&known)), (is, is_part), "{name:?} {known:?}");
        }
        for (name, is_method) in [
            ("_method", true),
            (".Method", true),
            ("[method", true),
            ("_method\0x", true),
            ("X-HTTP-Method-Override", true),
            ("x_method_override", true),
            ("method", false),
            ("payment_method", false),
        ] {
            assert_eq!(Folded::of(name).is_method(), is_method, "{name}");
        }
        for (name, begins) in [("X-Forwarded-For", true), ("x.forwarded_for", true), ("X-Forward", false)] {
            assert_eq!(Folded::of(name).begins_with(&Folded::of("x-forwarded-")), begins, "{name}");
        }
    }
}
