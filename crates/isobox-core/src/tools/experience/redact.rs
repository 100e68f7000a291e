//! Removes the parts of a result that the policy redacts.

use serde_json::Value;

/// Removes what a JSON pointer names. An index stands for every item of its array, because all of them have the same
/// shape. Returns false if the pointer names the whole value.
pub(super) fn remove(value: &mut Value, pointer: &str) -> bool {
    let mut segments = pointer.split('/').skip(1).map(|segment| segment.replace("~1", "/").replace("~0", "~"));
    let segments: Vec<String> = segments.by_ref().collect();
    if segments.is_empty() {
        return false;
    }
    remove_at(value, &segments);
    true
}

fn remove_at(value: &mut Value, segments: &[String]) {
    let Some((first, rest)) = segments.split_first() else { return };
    match value {
        Value::Object(entries) if rest.is_empty() => drop(entries.remove(first)),
        Value::Object(entries) => {
            if let Some(inner) = entries.get_mut(first) {
                remove_at(inner, rest);
            }
        }
        Value::Array(items) if first.bytes().all(|byte| byte.is_ascii_digit()) => {
            if rest.is_empty() {
                items.clear();
            }
            items.iter_mut().for_each(|item| remove_at(item, rest));
        }
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_pointer_names_is_removed_and_from_arrays_at_every_item() {
        let all = json!({ "a": { "b/c": 1, "d": 2 }, "list": [{ "x": 1, "y": 2 }, { "x": 3 }], "plain": [1, 2] });
        for (pointer, expected) in [
            ("/a/b~1c", json!({ "a": { "d": 2 }, "list": all["list"], "plain": [1, 2] })),
            ("/list/0/x", json!({ "a": all["a"], "list": [{ "y": 2 }, {}], "plain": [1, 2] })),
            ("/plain/1", json!({ "a": all["a"], "list": all["list"], "plain": [] })),
            ("/plain/x/y", all.clone()),
            ("/nothing/here", all.clone()),
        ] {
            let mut value = all.clone();
            assert!(remove(&mut value, pointer));
            assert_eq!(value, expected, "{pointer}");
        }
        assert!(!remove(&mut all.clone(), ""));
    }
}
