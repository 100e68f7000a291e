//! Passes the input to the code of a snippet.

use crate::program::{Import, Kind, Prepared, PreparedFile};

/// The file that passes the input to a module, and its name for the module.
const ENTRY: &str = "isobox:input";
const MODULE: &str = "isobox:snippet";

/// Returns the program that runs a snippet with this input, which is JSON. A function gets the input as its argument, and
/// other code finds it as the variable `input`.
///
/// Everything is added on lines before the first and after the last, so that the author's text keeps its places. The input
/// is parsed by the engine, because `__proto__` is an ordinary key of JSON.
pub(crate) fn with_input(prepared: &Prepared, input: &str) -> Prepared {
    let input = format!("JSON.parse({})", serde_json::Value::from(input));
    let mut files = prepared.files.clone();
    let Some(entry) = files.first_mut() else { return prepared.clone() };
    match prepared.kind {
        Kind::Script => {
            entry.code = format!("async()=>{{const input={input};return await(\n{}\n)(input)}}", entry.code);
            entry.first_line = entry.first_line.saturating_sub(1);
        }
        Kind::Module => {
            let code = format!(
                "import*as module from\"{MODULE}\";const input={input};export default async()=>\
                 typeof module.default===\"function\"?module.default(input):module.default"
            );
            let imports = vec![Import { specifier: MODULE.to_owned(), path: entry.path.clone() }];
            let first = PreparedFile { path: ENTRY.to_owned(), code, first_line: 0, segments: Vec::new(), imports };
            files.insert(0, first);
        }
    }
    Prepared { kind: prepared.kind, files }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(code: &str, first_line: i32) -> PreparedFile {
        let (segments, imports) = (Vec::new(), Vec::new());
        PreparedFile { path: "main.ts".to_owned(), code: code.to_owned(), first_line, segments, imports }
    }

    #[test]
    fn the_text_of_the_author_keeps_its_lines() {
        let prepared = Prepared { kind: Kind::Script, files: vec![file("async()=>{\nreturn input\n}", 0)] };
        let run = with_input(&prepared, r#"{"__proto__":1}"#);
        let entry = &run.files[0];
        let lines: Vec<&str> = entry.code.lines().collect();
        assert_eq!((entry.first_line, lines[2], lines.len()), (-1, "return input", 5));
        assert!(lines[0].contains(r#"JSON.parse("{\"__proto__\":1}")"#), "{}", lines[0]);
    }

    #[test]
    fn a_module_is_imported_by_the_file_that_has_the_input() {
        let prepared = Prepared { kind: Kind::Module, files: vec![file("export default (i) => i", 1)] };
        let run = with_input(&prepared, "1");
        assert_eq!(run.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), [ENTRY, "main.ts"]);
        assert_eq!(run.files[0].imports[0].path, "main.ts");
        assert_eq!(run.files[1], prepared.files[0]);
    }
}
