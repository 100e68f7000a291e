//! The note of a tool as the journal keeps it: with the tool that has left it. A note means something to that tool alone.

use serde_json::{Map, Value};

use crate::Tool;

const LEFT_BY: &str = "leftBy";
const NOTE: &str = "note";

/// Returns a note with the tool that has left it.
pub(super) fn kept(note: Value, tool: Option<&Tool>) -> Value {
    match tool {
        Some(tool) => Value::Object(Map::from_iter([(LEFT_BY.to_owned(), tool.source()), (NOTE.to_owned(), note)])),
        None => note,
    }
}

/// Returns the note as its tool has left it.
pub(super) fn note(kept: &Value) -> &Value {
    parts(kept).map_or(kept, |(_, note)| note)
}

/// Tells whether another tool has left a note than the one that is at the path of the call now.
pub(super) fn is_of_another(kept: &Value, tool: Option<&Tool>) -> bool {
    parts(kept).zip(tool).is_some_and(|((left_by, _), tool)| *left_by != tool.source())
}

/// Returns the tool and the note. None for a note of an earlier build, which does not name its tool.
fn parts(kept: &Value) -> Option<(&Value, &Value)> {
    let parts = kept.as_object().filter(|parts| parts.len() == 2)?;
    Some((parts.get(LEFT_BY)?, parts.get(NOTE)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_note_is_kept_with_its_tool_and_returned_without_it() {
        let tool = Tool::new("film.render", |input| async move { Ok(input) }).expect("a path");
        for own in [json!({ "task": "7" }), json!({ "leftBy": 1, "note": 2 }), json!(null)] {
            let kept = kept(own.clone(), Some(&tool));
            assert_eq!(*note(&kept), own);
            assert!(!is_of_another(&kept, Some(&tool)));
            assert!(!is_of_another(&kept, None), "a tool that is missing is reported in another way");
        }
        let of_server = json!({ "leftBy": ["film", "render"], "note": 1 });
        assert!(is_of_another(&of_server, Some(&tool)));
        let earlier = json!({ "task": "7" });
        assert_eq!(*note(&earlier), earlier);
        assert!(!is_of_another(&earlier, Some(&tool)));
    }
}
