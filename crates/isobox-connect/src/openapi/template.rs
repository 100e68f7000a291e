//! Templates of paths: `/pets/{petId}`.

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part<'t> {
    Text(&'t str),
    /// The name of a parameter.
    Name(&'t str),
}

/// Splits a template into its parts. A brace without its counterpart is text.
pub(super) fn parts(template: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else { break };
        if open > 0 {
            parts.push(Part::Text(&rest[..open]));
        }
        // Some documents mark parameters that may contain slashes: `{+name}` and `{name*}`.
        let name = rest[open + 1..open + length].trim_start_matches('+').trim_end_matches('*');
        parts.push(Part::Name(name));
        rest = &rest[open + length + 1..];
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    parts
}

/// Returns the names of the parameters of a template.
pub(super) fn names(template: &str) -> Vec<&str> {
    let named = |part| match part {
        Part::Name(name) => Some(name),
        Part::Text(_) => None,
    };
    parts(template).into_iter().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_split_at_its_parameters() {
        use Part::{Name, Text};
        for (template, expected) in [
            ("/pets", &[Text("/pets")][..]),
            ("/pets/{id}", &[Text("/pets/"), Name("id")]),
            ("/{a}-{b}.json", &[Text("/"), Name("a"), Text("-"), Name("b"), Text(".json")]),
            ("/v1/{+name}/{rest*}", &[Text("/v1/"), Name("name"), Text("/"), Name("rest")]),
            ("/odd/{open", &[Text("/odd/{open")]),
            ("", &[]),
        ] {
            assert_eq!(parts(template), expected, "{template}");
        }
    }
}
