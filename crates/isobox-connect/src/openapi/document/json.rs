//! Reads JSON with a bound on the number of values.

use serde_json::Value;

use super::super::error::SyntaxError;

/// Parses a JSON text. Reduces `values` by an upper bound of the number of values in it.
pub(super) fn parse(text: &str, values: &mut usize) -> Result<Value, SyntaxError> {
    let count = count_values(text);
    *values = values.checked_sub(count).ok_or_else(|| SyntaxError::whole("it has too many values"))?;
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        SyntaxError { line: error.line(), column: error.column(), message }
    })
}

/// Counts the values and keys of a text from its punctuation, without memory for them.
fn count_values(text: &str) -> usize {
    let (mut count, mut is_string, mut is_escape) = (1, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escape => is_escape = false,
            b'\\' if is_string => is_escape = true,
            b'"' => is_string = !is_string,
            b',' | b':' | b'[' | b'{' if !is_string => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_number_of_values_is_bounded_before_any_exists() {
        let text = r#"{"a": [1, 2, {"b,\"c": "x,y"}]}"#;
        assert_eq!(count_values(text), 8);
        let mut values = 8;
        assert_eq!(parse(text, &mut values).unwrap(), json!({ "a": [1, 2, { "b,\"c": "x,y" }] }));
        assert_eq!(values, 0);
        assert_eq!(parse(text, &mut 7).unwrap_err().message, "it has too many values");
    }

    #[test]
    fn errors_have_their_place() {
        let error = parse("{\n  \"a\": oops }", &mut 100).unwrap_err();
        assert_eq!((error.line, error.message.as_str()), (2, "expected value"));
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        assert!(parse(&deep, &mut 100_000).unwrap_err().message.contains("recursion limit"));
    }
}
