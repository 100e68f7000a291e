//! Rules over the syntax of programs: what a host does not want to see.
//!
//! Rules are for hosts that want programs to be less than the language allows, because they are read by people, translated,
//! or kept. They confine nothing: the sandbox does.

use serde::{Deserialize, Serialize};

/// The rules of a host, in order. Without rules, everything is allowed.
///
/// A thing is refused if a rule denies it, or if there are rules that allow things of its kind and none of them names it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rules(Vec<SyntaxRule>);

/// One rule over the syntax of programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SyntaxRule {
    /// Whether the rule allows or denies.
    pub stance: Stance,
    /// The kind of things that it is about.
    pub about: About,
    /// The names of these things. `*` stands for any characters.
    pub names: Vec<String>,
    /// What the author of a program is told.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<String>,
}

/// Whether a rule allows or denies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Stance {
    /// Only what rules of this stance name is allowed.
    Allow,
    /// What the rule names is refused.
    Deny,
}

/// The kind of things that a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum About {
    /// Names that the program uses and does not declare: `setTimeout`.
    Globals,
    /// Properties that the program names: `constructor`, or with their object `Math.random`.
    Members,
    /// Forms of the language: `while`, `class`.
    Syntax,
    /// Modules and files that the program imports or requires.
    Imports,
}

impl About {
    /// All kinds, in the order of the documentation.
    pub const ALL: [Self; 4] = [Self::Globals, Self::Members, Self::Syntax, Self::Imports];

    /// Returns the word for the kind in `isobox.json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Globals => "globals",
            Self::Members => "members",
            Self::Syntax => "syntax",
            Self::Imports => "imports",
        }
    }
}

/// The forms of the language that rules can name. Everything else (literals, names, operators, calls, blocks and `return`) is
/// always allowed.
#[rustfmt::skip]
pub const SYNTAX: &[&str] = &[
    "array", "arrow-function", "assignment", "async", "await", "bigint", "break", "class", "computed-member", "conditional",
    "const", "continue", "debugger", "decorator", "delete", "destructuring", "do-while", "dynamic-import", "enum", "export",
    "for", "for-await", "for-in", "for-of", "function", "generator", "getter", "if", "import", "import-meta", "in",
    "instanceof", "label", "let", "namespace", "new", "object", "optional-chaining", "private-member", "regexp", "sequence",
    "setter", "spread", "static-block", "super", "switch", "tagged-template", "template", "this", "throw", "try", "typeof",
    "update", "using", "var", "void", "while", "yield",
];

/// Why a rule is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WrongRule {
    /// The rule names nothing.
    #[error("names nothing")]
    Empty,
    /// The rule has too many names.
    #[error("has more than {} names", Rules::MAXIMUM_NAMES)]
    TooMany,
    /// A name is empty, too long, or contains white space.
    #[error("has a name that is empty, contains white space, or is longer than {} bytes", Rules::MAXIMUM_NAME)]
    Name(usize),
    /// There is no form of the language with this name.
    #[error("names `{name}`, and there is no such form of the language")]
    Syntax {
        /// The index of the name.
        index: usize,
        /// The name.
        name: String,
    },
    /// The message is too long.
    #[error("has a message of more than {} bytes", Rules::MAXIMUM_MESSAGE)]
    Message,
}

impl SyntaxRule {
    /// Creates a rule.
    pub fn new(stance: Stance, about: About, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { stance, about, names: names.into_iter().map(Into::into).collect(), message: None }
    }

    /// Sets what the author of a program is told.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Checks the rule.
    ///
    /// # Errors
    ///
    /// Returns why the rule is wrong.
    pub fn check(&self) -> Result<(), WrongRule> {
        if self.names.is_empty() {
            return Err(WrongRule::Empty);
        }
        if self.names.len() > Rules::MAXIMUM_NAMES {
            return Err(WrongRule::TooMany);
        }
        for (index, name) in self.names.iter().enumerate() {
            let is_long = name.len() > Rules::MAXIMUM_NAME;
            if name.is_empty() || is_long || name.chars().any(|one| one.is_whitespace() || one.is_control()) {
                return Err(WrongRule::Name(index));
            }
            let is_form = || SYNTAX.iter().any(|form| matches(name, form));
            if self.about == About::Syntax && !is_form() {
                return Err(WrongRule::Syntax { index, name: name.clone() });
            }
        }
        match &self.message {
            Some(message) if message.len() > Rules::MAXIMUM_MESSAGE => Err(WrongRule::Message),
            Some(_) | None => Ok(()),
        }
    }

    fn names(&self, name: &str) -> bool {
        self.names.iter().any(|pattern| matches(pattern, name))
    }
}

impl Rules {
    /// The maximum number of rules.
    pub const MAXIMUM: usize = 64;
    /// The maximum number of names in a rule.
    pub const MAXIMUM_NAMES: usize = 256;
    /// The maximum size of a name, in bytes.
    pub const MAXIMUM_NAME: usize = 128;
    /// The maximum size of a message, in bytes.
    pub const MAXIMUM_MESSAGE: usize = 500;

    /// Creates rules from a list that was checked, up to [`Rules::MAXIMUM`].
    pub fn new(rules: Vec<SyntaxRule>) -> Self {
        Self(rules)
    }

    /// Returns the rules in order.
    pub fn list(&self) -> &[SyntaxRule] {
        &self.0
    }

    /// Checks whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks whether some rule is about things of a kind.
    pub fn are_about(&self, about: About) -> bool {
        self.0.iter().any(|rule| rule.about == about)
    }

    /// Returns the index of the rule that refuses a thing. The thing may have several names.
    pub fn refusing(&self, about: About, names: &[&str]) -> Option<usize> {
        let mut allowing = None;
        let mut is_allowed = false;
        for (index, rule) in self.0.iter().enumerate().filter(|(_, rule)| rule.about == about) {
            let is_named = names.iter().any(|name| rule.names(name));
            match rule.stance {
                Stance::Deny if is_named => return Some(index),
                Stance::Deny => {}
                Stance::Allow => {
                    allowing = allowing.or(Some(index));
                    is_allowed |= is_named;
                }
            }
        }
        allowing.filter(|_| !is_allowed)
    }
}

/// Checks whether a name fits a pattern in which `*` stands for any characters, in time linear in their product.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut at, mut index, mut star) = (0, 0, None);
    while index < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, index));
                at += 1;
            }
            Some(sign) if *sign == name[index] => {
                at += 1;
                index += 1;
            }
            _ => {
                let Some((behind, from)) = star else { return false };
                at = behind + 1;
                index = from + 1;
                star = Some((behind, index));
            }
        }
    }
    pattern[at..].iter().all(|sign| *sign == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, name) in [("*", ""), ("a*", "a"), ("*.b", "a.b"), ("a*c*e", "abcde"), ("@x/*", "@x/y/z")] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("", "a"), ("a", "ab"), ("a*c", "ab"), ("*b", "a"), ("a.b", "axb")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn denying_comes_before_allowing_and_an_allow_list_refuses_the_rest() {
        let rules = Rules::new(vec![
            SyntaxRule::new(Stance::Allow, About::Globals, ["Math", "J*"]),
            SyntaxRule::new(Stance::Deny, About::Globals, ["Java"]),
            SyntaxRule::new(Stance::Allow, About::Globals, ["console"]),
        ]);
        assert_eq!(rules.refusing(About::Globals, &["JSON"]), None);
        assert_eq!(rules.refusing(About::Globals, &["console"]), None);
        assert_eq!(rules.refusing(About::Globals, &["Java"]), Some(1));
        assert_eq!(rules.refusing(About::Globals, &["Date"]), Some(0));
        assert_eq!(rules.refusing(About::Syntax, &["while"]), None);
        assert_eq!(Rules::default().refusing(About::Imports, &["fs"]), None);
    }

    #[test]
    fn wrong_rules_are_refused() {
        let syntax = |name: &str| SyntaxRule::new(Stance::Deny, About::Syntax, [name]).check();
        assert_eq!(syntax("for-*"), Ok(()));
        assert_eq!(syntax("whlie"), Err(WrongRule::Syntax { index: 0, name: "whlie".to_owned() }));
        assert_eq!(SyntaxRule::new(Stance::Deny, About::Globals, ["a b"]).check(), Err(WrongRule::Name(0)));
        let nothing: [&str; 0] = [];
        assert_eq!(SyntaxRule::new(Stance::Allow, About::Members, nothing).check(), Err(WrongRule::Empty));
        let long = SyntaxRule::new(Stance::Allow, About::Members, ["a"]).message("x".repeat(501));
        assert_eq!(long.check(), Err(WrongRule::Message));
        assert!(SYNTAX.is_sorted());
    }
}
