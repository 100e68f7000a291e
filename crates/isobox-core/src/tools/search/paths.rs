//! Queries that are paths: `github.issues.list`, `github.issues`, `issues.list`, `github.*.delete*`.

/// The fit of a path query to the path of an entry, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// The query is the path.
    Exact,
    /// The query is the end of the path, from a dot on.
    End,
    /// The query is a namespace of the path, or a pattern that matches it.
    Within,
    /// The query is the beginning of the path.
    Start,
}

/// The paths in a query.
pub(super) struct PathQuery {
    parts: Vec<String>,
    /// Whether the query is a single path. Among other words only a whole path counts.
    alone: bool,
}

impl PathQuery {
    pub(super) fn new(query: &str) -> Self {
        let mut parts: Vec<String> = query.split_whitespace().map(bare).filter(|part| !part.is_empty()).collect();
        let alone = parts.len() == 1;
        if !alone {
            parts.retain(|part| part.contains('.') && !part.contains('*'));
        }
        Self { parts, alone }
    }

    /// Tells whether the query is a single pattern.
    pub(super) fn is_pattern(&self) -> bool {
        self.alone && self.parts.iter().any(|part| part.contains('*'))
    }

    /// Returns the best fit to a lower-case path.
    pub(super) fn fit(&self, path: &str) -> Option<Fit> {
        self.parts.iter().filter_map(|part| self.fit_of(part, path)).min()
    }

    fn fit_of(&self, part: &str, path: &str) -> Option<Fit> {
        let namespace = part.trim_end_matches(['.', '*']).trim_end_matches('.');
        if part == path {
            Some(Fit::Exact)
        } else if part.contains('.') && follows_dot(path, part) {
            Some(Fit::End)
        } else if !self.alone || (namespace.is_empty() && !part.contains('*')) {
            None
        } else if part.contains('*') {
            matches(part, path).then_some(Fit::Within)
        } else if path.strip_prefix(namespace).is_some_and(|rest| rest.starts_with('.')) {
            Some(Fit::Within)
        } else {
            (part.contains('.') && !part.ends_with('.') && path.starts_with(part)).then_some(Fit::Start)
        }
    }
}

/// Removes the decoration of a path in a program or a sentence.
fn bare(word: &str) -> String {
    let word = word.trim_matches(|character: char| !character.is_alphanumeric() && !"_$.*".contains(character));
    let word = word.split('(').next().unwrap_or(word);
    word.strip_prefix("tools.").unwrap_or(word).to_lowercase()
}

fn follows_dot(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|start| start.ends_with('.'))
}

/// Tells whether a pattern, in which `*` is any text, matches a whole path.
fn matches(pattern: &str, path: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}
