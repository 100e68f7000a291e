//! Ranges of numbers: what both ends share is written once.

use super::symbols::setting;
use super::{Body, NumberFormat};
use crate::decimal::Number;
use crate::error::{Error, Result};
use crate::parts::{Part, tidy};

pub(super) fn format(format: &NumberFormat, start: &Number, end: &Number) -> Result<Vec<Part>> {
    if *start == Number::Nan || *end == Number::Nan {
        return Err(Error::range("Invalid number value: a range has to have two numbers."));
    }
    let (first, second) = (format.body(start), format.body(end));
    let plural = format.plurals.select_range(first.plural, second.plural);
    if same(&first, &second) && format.inner_affixes(&first) == format.inner_affixes(&second) {
        return Ok(approximately(format, first));
    }
    let (first_inner, second_inner) = (format.inner_affixes(&first), format.inner_affixes(&second));
    // A single character is repeated: "$3 – $5", but "3–5 €".
    let size = format.affix_size(&first);
    let is_same = first.is_negative == second.is_negative
        && size == format.affix_size(&second)
        && (first.pattern.is_none() && second.pattern.is_none() || first_inner == second_inner);
    let collapses = is_same && size > 1;
    let has_exponent = first.parts.iter().any(|part| part.kind == "exponentInteger");

    let pattern = setting(&format.numbers, &format.symbols.system, "miscPatterns/range").unwrap_or("{0}–{1}");
    let (_, rest) = pattern.split_once("{0}").unwrap_or(("", "–{1}"));
    let (between, _) = rest.split_once("{1}").unwrap_or(("–", ""));
    let mut separator = between.to_owned();
    if (size > 0 && !collapses) || has_exponent {
        if !separator.starts_with(' ') {
            separator.insert(0, ' ');
        }
        if !separator.ends_with(' ') {
            separator.push(' ');
        }
    }
    let outer = format.outer_affixes(plural);
    let mut parts = noted(outer.0, "shared");
    if collapses {
        parts.extend(noted(first_inner.0, "shared"));
        parts.extend(noted(first.parts, "startRange"));
        parts.push(Part { note: Some("shared"), ..Part::literal(separator) });
        parts.extend(noted(second.parts, "endRange"));
        parts.extend(noted(first_inner.1, "shared"));
    } else {
        parts.extend(noted(first_inner.0, "startRange"));
        parts.extend(noted(first.parts, "startRange"));
        parts.extend(noted(first_inner.1, "startRange"));
        parts.push(Part { note: Some("shared"), ..Part::literal(separator) });
        parts.extend(noted(second_inner.0, "endRange"));
        parts.extend(noted(second.parts, "endRange"));
        parts.extend(noted(second_inner.1, "endRange"));
    }
    parts.extend(noted(outer.1, "shared"));
    Ok(tidy(parts))
}

fn same(first: &Body, second: &Body) -> bool {
    first.parts == second.parts
        && first.is_negative == second.is_negative
        && first.pattern.is_some() == second.pattern.is_some()
}

fn approximately(format: &NumberFormat, body: Body) -> Vec<Part> {
    let sign = Part::new("approximatelySign", &format.symbols.approximately);
    let outer = format.outer_affixes(body.plural);
    let (prefix, suffix) = format.inner_affixes(&body);
    let mut parts = outer.0;
    parts.push(sign);
    parts.extend(prefix);
    parts.extend(body.parts);
    parts.extend(suffix);
    parts.extend(outer.1);
    noted(tidy(parts), "shared")
}

fn noted(parts: Vec<Part>, note: &'static str) -> Vec<Part> {
    parts.into_iter().map(|part| Part { note: Some(note), ..part }).collect()
}
