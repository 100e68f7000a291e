//! Which tests are left out, by class.

use super::{Expectation, Test};

/// Why a test is left out: what it is about is nothing that a program can be asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// The test needs sloppy mode.
    Sloppy,
    /// The test needs `eval`, `Function` or another constructor of functions.
    CodeFromText,
    /// The test needs shared memory.
    SharedMemory,
    /// The test needs `Temporal`.
    Temporal,
    /// The test needs another realm.
    Realms,
    /// The test needs agents.
    Agents,
    /// The test needs scripts that share their global scope.
    Scripts,
    /// The test needs an object or a module that hosts may provide.
    HostObjects,
    /// The test needs a proposal that the engine does not implement.
    Proposals,
}

/// Proposals that the released engine does not implement either, as its own list of features says.
const PROPOSALS: &[&str] = &[
    "await-dictionary",
    "canonical-tz",
    "decorators",
    "import-defer",
    "legacy-regexp",
    "ShadowRealm",
    "source-phase-imports",
    "source-phase-imports-module-source",
    "tail-call-optimization",
];

/// What hosts may provide: an object that pretends to be undefined, collection on demand, modules of bytes and of text.
const HOST_FEATURES: &[&str] = &["IsHTMLDDA", "host-gc-required", "import-bytes", "import-text"];

impl LeftOut {
    /// Returns the class of a test that is left out.
    pub fn of(test: &Test) -> Option<Self> {
        let code = without_comments(&test.text);
        let needs = |features: &[&str]| test.metadata.features.iter().any(|it| features.contains(&it.as_str()));
        let starts = |prefix: &str| test.metadata.features.iter().any(|it| it.starts_with(prefix));
        let includes = |names: &[&str]| test.metadata.includes.iter().any(|it| names.contains(&it.as_str()));
        if test.metadata.has_flag("noStrict") {
            Some(Self::Sloppy)
        } else if starts("Temporal") {
            Some(Self::Temporal)
        } else if needs(PROPOSALS) || starts("Intl") {
            Some(Self::Proposals)
        } else if code.contains("$262.agent") || starts_flag(test, "CanBlockIs") {
            Some(Self::Agents)
        } else if starts("Atomics")
            || needs(&["SharedArrayBuffer"])
            || includes(&["testAtomics.js", "atomicsHelper.js"])
            || has_word(&code, "Atomics")
            || has_word(&code, "SharedArrayBuffer")
        {
            Some(Self::SharedMemory)
        } else if needs(&["cross-realm"]) || code.contains("$262.createRealm") {
            Some(Self::Realms)
        } else if code.contains("$262.evalScript") {
            Some(Self::Scripts)
        } else if needs(HOST_FEATURES) || code.contains("$262.IsHTMLDDA") || code.contains("$262.gc") {
            Some(Self::HostObjects)
        } else if test.metadata.expectation() == Expectation::IsRefused {
            // Nothing of it runs, whatever it names.
            None
        } else if makes_code(&code)
            || test.files.values().any(|text| makes_code(&without_comments(text)))
            || includes(&["wellKnownIntrinsicObjects.js"])
        {
            Some(Self::CodeFromText)
        } else {
            None
        }
    }

    /// Returns the reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Sloppy => "sloppy mode: programs are strict",
            Self::CodeFromText => "code from text (`eval`, `Function`): programs cannot make any",
            Self::SharedMemory => "`SharedArrayBuffer`, `Atomics`: programs have none",
            Self::Temporal => "`Temporal`: neither the engine nor programs have it",
            Self::Realms => "several realms: a program has one",
            Self::Agents => "agents: a program has one thread",
            Self::Scripts => "scripts that share a global scope: a program is a function or a module",
            Self::HostObjects => "what hosts may provide (IsHTMLDDA, collection on demand, modules of bytes and text)",
            Self::Proposals => "proposals that the released engine does not implement",
        }
    }
}

fn starts_flag(test: &Test, prefix: &str) -> bool {
    test.metadata.flags.iter().any(|flag| flag.starts_with(prefix))
}

/// Names of constructors of functions, as the tests call them.
const CONSTRUCTORS: &[&str] = &["Function", "GeneratorFunction", "AsyncFunction", "AsyncGeneratorFunction"];

/// Tells whether the code names `eval`, or calls a constructor of functions, directly or from a derived class.
fn makes_code(code: &str) -> bool {
    let calls = |name: &&str| {
        words(code, name).any(|end| {
            let (before, after) = (code[..end - name.len()].trim_end(), code[end..].trim_start());
            after.starts_with('(')
                || after.starts_with(".call(")
                || after.starts_with(".apply(")
                || before.ends_with("new") && !after.starts_with('.')
                || before.ends_with("extends")
        })
    };
    has_word(code, "eval") || code.contains(".constructor)(") || CONSTRUCTORS.iter().any(calls)
}

fn has_word(code: &str, word: &str) -> bool {
    words(code, word).next().is_some()
}

/// Returns where each occurrence of a word ends.
fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_part = |character: char| character.is_alphanumeric() || character == '_' || character == '$';
    code.match_indices(word).filter_map(move |(start, word)| {
        let end = start + word.len();
        let is_whole = !code[..start].ends_with(is_part) && !code[end..].starts_with(is_part);
        is_whole.then_some(end)
    })
}

/// Removes comments: block comments, and lines that are comments. What looks like a comment in a literal goes as well.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        code.push_str(&rest[..start]);
        let after = &rest[start + 2..];
        rest = after.find("*/").map_or("", |end| &after[end + 2..]);
    }
    code.push_str(rest);
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}
