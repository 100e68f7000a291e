//! The TypeScript corpus: every program means what the TypeScript compiler makes of it, or is refused.
//!
//! `counterparts/typescript.mjs` records the expectations, and compares them with the compiler.

use std::collections::BTreeMap;
use std::path::Path;

use isobox::{Code, Isobox, Outcome, Run, Value};
use serde::Deserialize;

#[derive(Deserialize)]
struct Expected {
    source: String,
    value: String,
}

#[tokio::test]
async fn typescript_means_what_its_compiler_makes_of_it_or_is_refused() {
    let (show, expected) = (read("typescript/show.js"), read("typescript/expected.jsonl"));
    let isobox = Isobox::builder().build().expect("the runtime starts");
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for line in expected.lines() {
        let case: Expected = serde_json::from_str(line).expect("a line is a case");
        let outcome = isobox.run(Run::from(format!("{show}\n{}", case.source).as_str())).await;
        let value = match outcome {
            Outcome::Completed(completed) => match completed.result {
                Value::String(text) => text,
                other => other.to_string(),
            },
            Outcome::Failed(failed) if failed.error.code == Code::Syntax => {
                if case.value != "throws SyntaxError" {
                    *refused.entry(without_names(&failed.error.message)).or_default() += 1;
                }
                continue;
            }
            Outcome::Failed(failed) => format!("throws {}", failed.error.name),
            other => format!("{other:?}"),
        };
        if value != case.value {
            faults.push(format!("{}\ngives {value}\nand not {}", case.source, case.value));
        }
    }
    let count = faults.len();
    faults.truncate(10);
    assert!(faults.is_empty(), "{count} programs mean something else:\n{}", faults.join("\n\n"));
    let refused: String = refused.iter().map(|(message, count)| format!("{count} {message}\n")).collect();
    assert_eq!(refused, read("typescript/refused.txt"), "other programs are refused than those in refused.txt");
}

/// Replaces what a message quotes, so that messages of one kind are counted together.
fn without_names(message: &str) -> String {
    let part = |(index, text): (usize, &str)| if index % 2 == 1 { "`…`".to_owned() } else { text.to_owned() };
    message.split('`').enumerate().map(part).collect()
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
