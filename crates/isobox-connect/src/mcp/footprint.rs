//! Estimates the memory that a JSON text needs once parsed, without parsing it.

/// The size of a value, and the additional size of an object entry, in bytes.
const VALUE: u64 = 80;
const ENTRY: u64 = 40;

/// Returns an upper estimate of the memory that the values of a JSON text take. `[0,0,0]` takes forty times its text.
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
