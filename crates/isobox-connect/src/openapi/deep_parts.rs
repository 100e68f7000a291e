//! Reads the parts of `deepObject` parameters in a query. Decisions only; no I/O.

use std::collections::BTreeMap;

use isobox_core::brief;
use serde_json::{Map, Value};

use super::collisions::fixed_pairs;
use super::model::{Form, Style};
use super::operation::{Operation, Parameter};
use crate::service::{Folded, Location};

/// The maximum number of keys in the name of a part.
const MAX_KEYS: usize = 20;

/// The declared parameters whose parts a query has, by their names in the query.
pub(super) struct DeepParts<'o> {
    /// The parameters of the query.
    in_query: Vec<(&'o Parameter, Folded)>,
    /// The names that the address and the path have already.
    fixed: Vec<Folded>,
    found: BTreeMap<&'o str, (&'o Parameter, Map<String, Value>)>,
}

impl<'o> DeepParts<'o> {
    pub(super) fn new(operation: &'o Operation) -> Self {
        let in_query = operation.parameters.iter().filter(|parameter| parameter.location == Location::Query);
        let fixed = fixed_pairs(&operation.base, &operation.path);
        Self {
            in_query: in_query.map(|parameter| (parameter, Folded::of(&parameter.name))).collect(),
            fixed: fixed.iter().map(|(name, _)| Folded::of(name)).collect(),
            found: BTreeMap::new(),
        }
    }

    /// Adds a pair of a query if it is a part of a declared parameter, such as `page[cursor]=a`, and nothing else. Returns whether
    /// it is. Returns why the pair is not usable, if it contradicts an earlier one.
    pub(super) fn add(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let Some((parameter, keys)) = self.part(name) else { return Ok(false) };
        let (_, object) = self.found.entry(&parameter.name).or_insert_with(|| (parameter, Map::new()));
        if is_added(object, &keys, value) {
            return Ok(true);
        }
        Err(format!("`{}` and another part of the query contradict each other", brief(name, 80)))
    }

    /// Adds the parameters to an input. `others` has the other pairs of the query.
    pub(super) fn complete(self, input: &mut Map<String, Value>, others: &Map<String, Value>) -> Result<(), String> {
        for (name, (parameter, object)) in self.found {
            if others.contains_key(name) {
                return Err(format!("the query has `{}` as a whole and in parts", brief(name, 80)));
            }
            let value = shaped(Value::Object(object), input.get(&parameter.property));
            input.insert(parameter.property.clone(), value);
        }
        Ok(())
    }

    /// Returns the parameter that a name is a part of, and the keys of the part. None if a service may take the name for something
    /// else.
    fn part<'q>(&self, name: &'q str) -> Option<(&'o Parameter, Vec<&'q str>)> {
        let mut deep = self.in_query.iter().map(|(parameter, _)| *parameter).filter(|parameter| is_deep(parameter));
        let (parameter, keys) = deep.find_map(|parameter| {
            let rest = name.strip_prefix(parameter.name.as_str())?;
            Some((parameter, keys(rest)?))
        })?;
        let folded = Folded::of(name);
        let mut others = self.in_query.iter().filter(|(other, _)| !std::ptr::eq(*other, parameter));
        let is_other = others.any(|(_, other)| folded.is_within(other));
        let is_fixed = self.fixed.iter().any(|fixed| folded.is_within(fixed));
        (!is_other && !is_fixed && !folded.is_method()).then_some((parameter, keys))
    }
}

fn is_deep(parameter: &Parameter) -> bool {
    matches!(parameter.form, Form::Styled { style: Style::DeepObject, .. })
}

/// Splits `[a][b]` into its keys. None if it is something else.
fn keys(rest: &str) -> Option<Vec<&str>> {
    let keys: Vec<&str> = rest.strip_prefix('[')?.strip_suffix(']')?.split("][").collect();
    let is_plain = keys.iter().all(|key| !key.is_empty() && !key.contains(['[', ']']));
    (is_plain && keys.len() <= MAX_KEYS).then_some(keys)
}

/// Adds a value to an object. Returns whether there was room for it.
fn is_added(object: &mut Map<String, Value>, keys: &[&str], value: &str) -> bool {
    let Some((last, above)) = keys.split_last() else { return false };
    let mut place = object;
    for key in above {
        let inner = place.entry(*key).or_insert_with(|| Value::Object(Map::new()));
        let Value::Object(inner) = inner else { return false };
        place = inner;
    }
    if place.contains_key(*last) {
        return false;
    }
    place.insert((*last).to_owned(), Value::String(value.to_owned()));
    true
}

/// Returns a value as a program would pass it: with a list in place of an object that numbers its entries, and with the types of
/// an earlier value.
fn shaped(value: Value, earlier: Option<&Value>) -> Value {
    match value {
        Value::Object(entries) => {
            let is_list = (0..entries.len()).all(|index| entries.contains_key(&index.to_string()));
            if is_list && !earlier.is_some_and(Value::is_object) {
                let item = |index: usize| {
                    let value = entries.get(&index.to_string()).cloned().unwrap_or_default();
                    shaped(value, earlier.and_then(|earlier| earlier.get(index)))
                };
                return (0..entries.len()).map(item).collect();
            }
            let entry = |(key, value): (String, Value)| {
                let value = shaped(value, earlier.and_then(|earlier| earlier.get(&key)));
                (key, value)
            };
            Value::Object(entries.into_iter().map(entry).collect())
        }
        Value::String(text) => {
            let typed = match earlier {
                Some(Value::Number(_)) => text.parse::<serde_json::Number>().ok().map(Value::Number),
                Some(Value::Bool(_)) => text.parse::<bool>().ok().map(Value::Bool),
                _ => None,
            };
            typed.unwrap_or(Value::String(text))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use hyper::Method;
    use serde_json::json;

    use super::super::matching::with_query;
    use super::super::operation::Scalar;
    use super::*;

    fn operation() -> Operation {
        let parameter = |name: &str, style: Style| Parameter {
            property: name.to_owned(),
            name: name.to_owned(),
            location: Location::Query,
            form: Form::Styled { style, explode: true, is_reserved_allowed: false },
            scalar: Scalar::Object,
        };
        Operation {
            method: Method::GET,
            path: "/pets?page[fixed]=1".to_owned(),
            base: "https://a.example".parse().unwrap(),
            parameters: vec![
                parameter("page", Style::DeepObject),
                parameter("filter", Style::DeepObject),
                parameter("filter[own]", Style::Form),
                parameter("any", Style::Form),
            ],
            body: None,
            accepts: Vec::new(),
            security: None,
            pages: None,
        }
    }

    fn input(query: &str) -> Result<Value, String> {
        let given = json!({ "page": { "size": 5, "all": true }, "filter": { "0": "a" } });
        with_query(&operation(), given.as_object().unwrap().clone(), query).map(Value::Object)
    }

    #[test]
    fn the_parts_of_a_declared_parameter_are_its_value() {
        for (query, page, filter) in [
            (
                "page%5Bcursor%5D=x%26y&page[size]=10&page[all]=false",
                json!({ "cursor": "x&y", "size": 10, "all": false }),
                json!({ "0": "a" }),
            ),
            (
                "filter[a][b]=1&filter[a][c]=&page[ids][0]=p&page[ids][1]=q",
                json!({ "ids": ["p", "q"] }),
                json!({ "a": { "b": "1", "c": "" } }),
            ),
            ("filter[0]=b&page[0]=c&page[size]=all", json!({ "0": "c", "size": "all" }), json!({ "0": "b" })),
        ] {
            assert_eq!(input(query), Ok(json!({ "page": page, "filter": filter })), "{query}");
        }
    }

    #[test]
    fn what_may_be_something_else_is_no_part() {
        for query in [
            "page[a]=1&page[a]=2",
            "page[a]=1&page[a][b]=2",
            "page[a][b]=2&page[a]=1",
            "page=1&page[a]=2",
            "page[]=1",
            "page[a]b=1",
            "page[a=1",
            "page[[a]]=1",
            "page.a=1",
            "Page[a]=1",
            "page[fixed]=2",
            "page[Fixed]=2",
            "filter[own][a]=1",
            "filter[OWN]=1",
            "other=1",
        ] {
            assert!(input(query).is_err(), "{query}");
        }
        assert!(input(&format!("page{}=1", "[a]".repeat(MAX_KEYS + 1))).is_err());
    }
}
