//! A call of `codemode.run`: what the program asked for, and what follows from it.

use serde_json::{Value, json};

use super::version::{check_name, hash_of};
use super::{RUN, SnippetVersion, Trust};
use crate::program::Program;
use crate::{Code, Failure};

/// The request of a program to run a snippet.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) name: String,
    pub(crate) version: Option<u32>,
    pub(crate) input: Value,
}

impl Asked {
    /// Reads `run(name)`, `run(name, input)` and `run({ name, input })`. The name may end with `@` and a version.
    pub(crate) fn read(input: &Value) -> Result<Self, Failure> {
        match input {
            Value::String(name) => Self::named(name, Value::Null),
            Value::Array(items) => match items.as_slice() {
                [Value::String(name)] => Self::named(name, Value::Null),
                [Value::String(name), input] => Self::named(name, input.clone()),
                _ => Err(wrong_use()),
            },
            Value::Object(entries) => {
                let is_known = entries.keys().all(|key| key == "name" || key == "input");
                match entries.get("name").filter(|_| is_known) {
                    Some(Value::String(name)) => Self::named(name, entries.get("input").cloned().unwrap_or_default()),
                    Some(_) | None => Err(wrong_use()),
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => Err(wrong_use()),
        }
    }

    /// Reads a name, which may end with `@` and a version.
    fn named(text: &str, input: Value) -> Result<Self, Failure> {
        let (name, version) = match text.split_once('@') {
            None => (text, None),
            Some((name, version)) => (name, Some(version.parse().map_err(|_| wrong_use())?)),
        };
        check_name(name)?;
        Ok(Self { name: name.to_owned(), version, input })
    }
}

fn wrong_use() -> Failure {
    let usage = "codemode.run(\"monthlyReport\", { year: 2026 })";
    Failure::new(Code::InvalidInput, format!("run takes the name of a snippet and its input: {usage}"))
}

/// The version that a call runs. It is what rules and people decide about, and what is run once they have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Resolved {
    pub(crate) name: String,
    pub(crate) version: u32,
    pub(crate) program: Program,
    pub(crate) trust: Trust,
    pub(crate) input: Value,
    /// The warning for the author of the program, if a tool of the snippet has changed.
    pub(crate) warning: Option<String>,
}

impl Resolved {
    pub(crate) fn new(asked: Asked, version: &SnippetVersion, trust: Trust) -> Self {
        let Asked { name, input, .. } = asked;
        Self { name, version: version.version, program: version.program.clone(), trust, input, warning: None }
    }

    /// Returns the hash of the code.
    pub(crate) fn hash(&self) -> String {
        hash_of(&self.program)
    }

    /// Returns the call as rules and people see it.
    pub(crate) fn shown(&self) -> Value {
        let Self { name, version, program, trust, input, warning } = self;
        let single = program.files().get("main.ts").filter(|_| program.files().len() == 1);
        let code = single.map_or_else(|| json!(program), |source| json!(source));
        let mut shown = json!({ "name": name, "version": version, "trust": trust, "code": code, "input": input });
        if let Some(warning) = warning {
            shown["warning"] = json!(warning);
        }
        shown
    }

    /// Reads a call as it was shown.
    pub(crate) fn of_shown(mut shown: Value) -> Result<Self, Failure> {
        let damaged = |what: &str| Failure::new(Code::Internal, format!("the approved call of `{RUN}` has no {what}"));
        let mut part = |key: &str| shown.get_mut(key).map(Value::take).ok_or_else(|| damaged(key));
        let (name, version, trust, code) = (part("name")?, part("version")?, part("trust")?, part("code")?);
        let version = version.as_u64().and_then(|version| u32::try_from(version).ok());
        Ok(Self {
            name: name.as_str().ok_or_else(|| damaged("name"))?.to_owned(),
            version: version.ok_or_else(|| damaged("version"))?,
            trust: serde_json::from_value(trust).map_err(|_| damaged("trust"))?,
            program: match code {
                Value::String(source) => Program::single(source),
                program => serde_json::from_value(program).map_err(|_| damaged("code"))?,
            },
            input: part("input")?,
            warning: part("warning").ok().and_then(|warning| warning.as_str().map(str::to_owned)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_names_a_snippet_and_perhaps_a_version() {
        let read = |value: Value| Asked::read(&value).map(|asked| (asked.name, asked.version, asked.input));
        assert_eq!(read(json!("a")), Ok(("a".to_owned(), None, Value::Null)));
        assert_eq!(read(json!(["a@3", { "b": 1 }])), Ok(("a".to_owned(), Some(3), json!({ "b": 1 }))));
        assert_eq!(read(json!({ "name": "a", "input": 2 })), Ok(("a".to_owned(), None, json!(2))));
        // What rules and people decide about is never taken from the program.
        let forged = json!({ "name": "a", "code": "return 1", "input": 2 });
        let wrong = [json!(null), json!([]), json!([1]), json!(["a", 1, 2]), json!("a@x"), json!("a b"), forged];
        for wrong in wrong {
            assert_eq!(Asked::read(&wrong).map_err(|failure| failure.code), Err(Code::InvalidInput), "{wrong}");
        }
    }

    #[test]
    fn what_was_shown_is_run() {
        let files = [("a.ts".to_owned(), "export default 1".to_owned())];
        let modules = Program::new(files.into(), "a.ts").expect("a program");
        for program in [Program::single("return 1"), modules] {
            let (name, warning) = ("a".to_owned(), (program.files().len() == 1).then(|| "it has changed".to_owned()));
            let (trust, input) = (Trust::Provisional, json!([1]));
            let resolved = Resolved { name, version: 2, program, trust, input, warning };
            assert_eq!(Resolved::of_shown(resolved.shown()).expect("it was shown"), resolved);
        }
        assert_eq!(Resolved::of_shown(json!({})).map_err(|failure| failure.code), Err(Code::Internal));
    }
}
