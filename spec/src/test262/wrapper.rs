//! Turns a test into a program.

use std::collections::BTreeMap;

use isobox::Program;
use isobox::program::Fault;

use super::{Expectation, Test};

/// What tests find beside the harness. They name `Function` to reach its prototype; a program can name it only so.
const HOST: &str = r"var Function = (function () {}).constructor;
function print(text) { console.log(text); }
var $262 = (() => {
  const { apply } = Reflect, { transfer } = ArrayBuffer.prototype;
  return { global: globalThis, detachArrayBuffer(buffer) { apply(transfer, buffer, []); return null; } };
})();
";

/// Gives the errors of the harness the name that the headers of tests call them by.
const AFTER_HARNESS: &str = "Test262Error.prototype.name = 'Test262Error';\n";

/// A program that completes returns this.
pub(super) const RAN: &str = "ran";

/// How a test becomes a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A function body: the harness, then the test.
    Body,
    /// A function body that imports the harness and, dynamically, other files.
    BodyWithFiles,
    /// A module that imports the harness, then the test.
    Module,
}

/// A test as a program.
#[derive(Debug)]
pub struct Wrapped {
    /// How the test became a program.
    pub form: Form,
    /// The path of the entry file.
    pub entry: String,
    /// The files of the program by path.
    pub files: BTreeMap<String, String>,
    /// Whether the program returns [`RAN`] if it completes. A `raw` test stays as it is.
    pub(super) tells_its_end: bool,
}

impl Wrapped {
    /// Turns a test into a program.
    pub fn new(test: &Test) -> Self {
        let folder = test.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let own = test.name.rsplit('/').next().unwrap_or_default();
        let beside = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let harness_path = beside("harness-of-the-test.js");
        let tells_its_end = !test.metadata.has_flag("raw") || test.metadata.has_flag("module");
        let mut files = test.files.clone();
        if test.metadata.has_flag("module") {
            let entry = beside("entry-of-the-test.js");
            let text =
                format!("import \"./harness-of-the-test.js\";\nimport \"./{own}\";\nexport default \"{RAN}\";\n");
            files.extend([
                (entry.clone(), text),
                (harness_path, exposed(&harness(test))),
                (test.name.clone(), test.text.clone()),
            ]);
            return Self { form: Form::Module, entry, files, tells_its_end };
        }
        let entry = test.name.clone();
        if files.is_empty() {
            let globals = globals(&test.harness);
            files.insert(entry.clone(), format!("{}{globals}{}", harness(test), body(test)));
            return Self { form: Form::Body, entry, files, tells_its_end };
        }
        files.extend([
            (entry.clone(), format!("import \"./harness-of-the-test.js\";\n{}", body(test))),
            (harness_path, exposed(&harness(test))),
        ]);
        Self { form: Form::BodyWithFiles, entry, files, tells_its_end }
    }

    /// Returns the program as the library takes it.
    pub fn program(&self) -> Result<Program, Fault> {
        Program::new(self.files.clone(), self.entry.clone())
    }
}

/// Returns what precedes a test in the same scope.
pub(super) fn harness(test: &Test) -> String {
    if test.metadata.has_flag("raw") {
        return String::new();
    }
    format!("{HOST}{}{AFTER_HARNESS}", test.harness)
}

/// Returns a test as the end of a function body. A test that must not parse stays as it is: text behind it could complete it.
fn body(test: &Test) -> String {
    if test.metadata.expectation() == Expectation::IsRefused || test.metadata.has_flag("raw") {
        return test.text.clone();
    }
    format!("{}\nreturn \"{RAN}\"", test.text)
}

/// Returns a module that makes what a script declares global.
fn exposed(script: &str) -> String {
    format!("{script}{}", globals(script))
}

/// Returns the statements that make what a script declares global. Lines inside of functions may look like declarations, too.
fn globals(script: &str) -> String {
    let mut statements = String::new();
    for line in script.lines() {
        let Some(rest) = DECLARATIONS.iter().find_map(|start| line.strip_prefix(start)) else { continue };
        let is_part = |character: char| character.is_alphanumeric() || character == '_' || character == '$';
        let name = rest.find(|character| !is_part(character)).map_or(rest, |end| &rest[..end]);
        if !name.is_empty() {
            statements.push_str(&format!("if (typeof {name} !== 'undefined') globalThis.{name} = {name};\n"));
        }
    }
    statements
}

const DECLARATIONS: &[&str] = &["var ", "let ", "const ", "function* ", "function ", "async function ", "class "];
