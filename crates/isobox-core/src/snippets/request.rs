//! A call of `codemode.run`: what the program asked for, and what follows from it.

use std::borrow::Cow;

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
        let code = code_of(program);
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

/// The member of a shown call that has the code without its literals, for people who must not see what the policy redacts.
/// Rules do not see it, and people see it in place of the code.
const MASKED: &str = "masked";
/// The members that every shown call has. The result of a snippet may have some of them.
const MEMBERS: [&str; 5] = ["name", "version", "trust", "code", "input"];

/// Adds the code without its literals to a shown call.
pub(crate) fn add_masked(shown: &mut Value, masked: &Program) {
    shown[MASKED] = code_of(masked);
}

/// Returns a shown call as rules see it.
pub(crate) fn judged(shown: &Value) -> Cow<'_, Value> {
    match shown.get(MASKED) {
        Some(_) => {
            let mut judged = shown.clone();
            take_masked(&mut judged);
            Cow::Owned(judged)
        }
        None => Cow::Borrowed(shown),
    }
}

/// Replaces the code of a shown call by the code without its literals, or by `hidden` if the call does not have that. Keeps the
/// code if there is no `hidden`. Other values stay as they are.
pub(crate) fn show_masked(value: &mut Value, hidden: Option<&str>) {
    if MEMBERS.iter().any(|member| value.get(member).is_none()) {
        return;
    }
    let masked = take_masked(value);
    if let Some(hidden) = hidden {
        value["code"] = masked.unwrap_or_else(|| hidden.into());
    }
}

/// The member is the last one, so that the others keep their order.
fn take_masked(shown: &mut Value) -> Option<Value> {
    shown.as_object_mut()?.remove(MASKED)
}

/// Returns the code of a program as it is shown: a text if that is all.
fn code_of(program: &Program) -> Value {
    let single = program.files().get("main.ts").filter(|_| program.files().len() == 1);
    single.map_or_else(|| json!(program), |source| json!(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_who_must_not_see_the_code_see_it_without_literals_and_rules_do_not_see_that() {
        let (plain, masked) = (Program::single("return 7"), Program::single("return *"));
        let asked = Asked { name: "a".to_owned(), version: None, input: json!(1) };
        let resolved = |program: Program| Resolved {
            name: asked.name.clone(),
            version: 2,
            program,
            trust: Trust::Provisional,
            input: asked.input.clone(),
            warning: Some("it has changed".to_owned()),
        };
        let shown = resolved(plain).shown();
        let mut asked_about = shown.clone();
        add_masked(&mut asked_about, &masked);
        assert_ne!(asked_about, shown);
        assert_eq!(*judged(&asked_about), shown);
        assert_eq!(Resolved::of_shown(asked_about.clone()).expect("it was shown").shown(), shown, "the code is run");
        let as_seen = |value: &Value, hidden: Option<&str>| {
            let mut seen = value.clone();
            show_masked(&mut seen, hidden);
            seen
        };
        assert_eq!(as_seen(&asked_about, Some("[hidden]")).to_string(), resolved(masked).shown().to_string());
        assert_eq!(as_seen(&asked_about, None), shown);
        assert_eq!(as_seen(&shown, Some("[hidden]"))["code"], "[hidden]", "it was asked before something was redacted");
        let result = json!({ "code": "EUR", "masked": true });
        assert_eq!(as_seen(&result, Some("[hidden]")), result);
    }

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
