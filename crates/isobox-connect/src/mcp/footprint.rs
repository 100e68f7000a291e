//! What a JSON text would take as values, found without making them.

/// What a value takes, and what an entry of an object takes beside it, in bytes.
const VALUE: u64 = 80;
const ENTRY: u64 = 40;

/// How many bytes the values of a JSON text would take, about and at most. `[0,0,0]` is forty times its text.
pub(super) fn footprint(text: &[u8]) -> u64 {
    let mut bytes = text.len() as u64 + VALUE;
    let mut is_in_string = false;
    let mut is_escaped = false;
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_in_string,
            b'"' => is_in_string = !is_in_string,
            b',' | b'[' | b'{' if !is_in_string => bytes += VALUE,
            b':' if !is_in_string => bytes += ENTRY,
            _ => {}
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_and_texts_weigh_what_they_are() {
        for (text, values, entries) in [
            ("1", 1, 0),
            ("[1,2,3]", 4, 0),
            (r#"{"a":1,"b":[]}"#, 4, 2),
            (r#""[[[,,,:::\"{{\\""#, 1, 0),
            (r#"["\\",[]]"#, 4, 0),
        ] {
            assert_eq!(footprint(text.as_bytes()), text.len() as u64 + values * VALUE + entries * ENTRY, "{text}");
        }
    }

    #[test]
    fn it_is_not_less_than_what_values_really_take() {
        assert!(size_of::<serde_json::Value>() as u64 <= VALUE);
        assert!(size_of::<(u64, String)>() as u64 <= ENTRY);
    }
}
