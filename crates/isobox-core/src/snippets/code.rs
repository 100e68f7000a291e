//! Passes the input to the code of a snippet.

use crate::program::{Import, Kind, Prepared, PreparedFile};

/// The file that passes the input to a module, and its name for the module.
const ENTRY: &str = "isobox:entry";
const MODULE: &str = "isobox:snippet";
/// The file that has the input. It is evaluated before the module.
const INPUT: &str = "isobox:input";

/// Returns the program that runs a snippet with this input, which is JSON. A function gets the input as its argument, and
/// other code finds it as the variable `input`: in a module, a global that a declaration of the author hides.
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
                "import input from\"{INPUT}\";import*as module from\"{MODULE}\";export default async()=>\
                 typeof module.default===\"function\"?module.default(input):module.default"
            );
            let import =
                |specifier: &str, path: &str| Import { specifier: specifier.to_owned(), path: path.to_owned() };
            let imports = vec![import(INPUT, INPUT), import(MODULE, &entry.path)];
            files.insert(0, added(ENTRY, code, imports));
            // The last one: places name the files of the author by their numbers.
            files.push(added(INPUT, format!("export default globalThis.input={input}"), Vec::new()));
        }
    }
    Prepared { kind: prepared.kind, files }
}

fn added(path: &str, code: String, imports: Vec<Import>) -> PreparedFile {
    PreparedFile { path: path.to_owned(), code, first_line: 0, segments: Vec::new(), imports }
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
        assert_eq!(run.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), [ENTRY, "main.ts", INPUT]);
        assert_eq!(
            run.files[0].imports.iter().map(|import| import.path.as_str()).collect::<Vec<_>>(),
            [INPUT, "main.ts"]
        );
        assert_eq!(run.files[1], prepared.files[0]);
    }
}
