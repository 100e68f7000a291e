//! Reads values of the document as the expected types, and reports problems.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use isobox_core::{ByteSize, ParseQuantityError, brief, parse_duration, shorten};
use jsonc_parser::ast::StringLit;
use jsonc_parser::common::Ranged;

use super::findings::Findings;
use super::syntax::Value;
use super::variables::{Part, parts};

/// Reads values, and collects problems.
pub(super) struct ConfigReader<'a> {
    text: &'a str,
    /// The ends of the lines.
    line_ends: Vec<usize>,
    environment: &'a dyn Fn(&str) -> Option<String>,
    problems: Findings,
    warnings: Findings,
    /// The substituted values of variables since they were last taken.
    put_in: Vec<String>,
    /// The names of all variables.
    variables: BTreeSet<String>,
    /// The files that are read, as written.
    files: BTreeSet<String>,
    /// The environment variables that are set for commands, by the name of the server and as written.
    environment_set: Vec<(String, String)>,
}

/// The keys of an object.
pub(super) struct Keys {
    /// Keys that are documented.
    pub(super) known: &'static [&'static str],
    /// Keys that are accepted and not recommended.
    pub(super) tolerated: &'static [&'static str],
    /// Keys of later versions.
    pub(super) later: &'static [&'static str],
}

/// An object with known keys.
pub(super) struct Section<'d> {
    /// Its offset.
    pub(super) start: usize,
    /// Its name in messages: "the server `github`".
    pub(super) owner: String,
    entries: HashMap<&'d str, &'d Value<'d>>,
}

/// A text with its variables substituted.
#[derive(Debug, Clone)]
pub(super) struct Text {
    /// Its offset.
    pub(super) start: usize,
    /// The value.
    pub(super) value: String,
    has_variables: bool,
}

impl<'d> Section<'d> {
    pub(super) fn get(&self, key: &str) -> Option<&'d Value<'d>> {
        self.entries.get(key).copied()
    }
}

impl Text {
    /// Tells whether a part of the text comes from the environment.
    pub(super) fn has_variables(&self) -> bool {
        self.has_variables
    }

    /// Returns `message`, which quotes the text, or a message without the value if a part of it comes from the
    /// environment.
    pub(super) fn blame(&self, message: String, without_value: &str) -> String {
        if self.has_variables { format!("with what the environment says, {without_value}") } else { message }
    }
}

impl<'a> ConfigReader<'a> {
    pub(super) fn new(text: &'a str, environment: &'a dyn Fn(&str) -> Option<String>) -> Self {
        let line_ends = text.match_indices('\n').map(|(at, _)| at).collect();
        Self {
            text,
            line_ends,
            environment,
            problems: Findings::default(),
            warnings: Findings::default(),
            put_in: Vec::new(),
            variables: BTreeSet::new(),
            files: BTreeSet::new(),
            environment_set: Vec::new(),
        }
    }

    /// Records that the file which this value names is read.
    pub(super) fn reads_file(&mut self, value: &Value<'_>) {
        if let Value::StringLit(literal) = value {
            self.files.insert(literal.value.to_string());
        }
    }

    /// Takes the files that are read, as written.
    pub(super) fn files(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.files)
    }

    /// Records the environment variables that are set for the command of a server, as written.
    pub(super) fn sets_environment(&mut self, server: &str, written: String) {
        self.environment_set.push((server.to_owned(), written));
    }

    /// Takes the environment variables that are set for commands, as written.
    pub(super) fn environment_set(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.environment_set)
    }

    /// Takes the names of the variables that were read.
    pub(super) fn variables(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.variables)
    }

    /// Returns the problems and the warnings.
    pub(super) fn finish(self) -> (Findings, Findings) {
        (self.problems, self.warnings)
    }

    pub(super) fn problem(&mut self, at: usize, owner: &str, message: impl AsRef<str>) {
        self.problems.add(at, owned_by(owner, message.as_ref()));
    }

    pub(super) fn warning(&mut self, at: usize, owner: &str, message: impl AsRef<str>) {
        self.warnings.add(at, owned_by(owner, message.as_ref()));
    }

    /// Reports that the value has the wrong type.
    pub(super) fn mismatch(&mut self, owner: &str, key: &str, value: &Value<'_>, expected: &str) {
        let subject = if key.is_empty() { "this".to_owned() } else { format!("`{key}`") };
        self.problem(value.start(), owner, format!("{subject} has to be {expected}, and is {}", kind(value)));
    }

    /// Reports duplicate keys of objects.
    pub(super) fn refuse_duplicates(&mut self, value: &Value<'_>) {
        match value {
            Value::Object(object) => {
                let mut first: HashMap<&str, usize> = HashMap::new();
                for property in &object.properties {
                    let (key, start) = (property.name.as_str(), property.name.start());
                    if let Some(earlier) = first.get(key) {
                        let line = self.line_ends.partition_point(|end| end < earlier) + 1;
                        let message = format!("`{}` is already there, in line {line}; keep one of them", shown(key));
                        self.problem(start, "", message);
                    } else {
                        first.insert(key, start);
                    }
                    self.refuse_duplicates(&property.value);
                }
            }
            Value::Array(array) => array.elements.iter().for_each(|element| self.refuse_duplicates(element)),
            Value::StringLit(_) | Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => {}
        }
    }

    /// Reads an object that may have only these keys.
    pub(super) fn section<'d>(
        &mut self,
        owner: impl Into<String>,
        value: &'d Value<'d>,
        keys: &Keys,
    ) -> Option<Section<'d>> {
        let owner = owner.into();
        let named = self.entries(&owner, "", value)?;
        let mut entries = HashMap::new();
        for (start, key, value) in named {
            if keys.known.contains(&key) || keys.tolerated.contains(&key) {
                entries.insert(key, value);
            } else if keys.later.contains(&key) {
                self.problem(start, &owner, format!("`{key}` is not in this version yet; remove it"));
            } else {
                let advice = match nearest(key, keys.known) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("known are {}", listed(keys.known, "and")),
                };
                self.problem(start, &owner, format!("unknown key `{}`; {advice}", shown(key)));
            }
        }
        Some(Section { start: value.start(), owner, entries })
    }

    /// Reads an object with any keys. Returns the offset of each key, the key and its value.
    pub(super) fn entries<'d>(
        &mut self,
        owner: &str,
        key: &str,
        value: &'d Value<'d>,
    ) -> Option<Vec<(usize, &'d str, &'d Value<'d>)>> {
        let Value::Object(object) = value else {
            self.mismatch(owner, key, value, "an object");
            return None;
        };
        let entry = |property: &'d jsonc_parser::ast::ObjectProp<'d>| {
            (property.name.start(), property.name.as_str(), &property.value)
        };
        Some(object.properties.iter().map(entry).collect())
    }

    /// Reads the text of a key, if there is one.
    pub(super) fn text(&mut self, section: &Section<'_>, key: &str) -> Option<Text> {
        self.text_of(&section.owner, key, section.get(key)?, "a text")
    }

    pub(super) fn text_of(&mut self, owner: &str, key: &str, value: &Value<'_>, expected: &str) -> Option<Text> {
        match value {
            Value::StringLit(literal) => self.resolve(owner, key, literal),
            other => {
                self.mismatch(owner, key, other, expected);
                None
            }
        }
    }

    /// Reads the texts of a list. Returns none if the key is missing or not a list. Leaves out elements that are not
    /// texts.
    pub(super) fn texts(&mut self, section: &Section<'_>, key: &str) -> Option<Vec<Text>> {
        let value = section.get(key)?;
        let Value::Array(array) = value else {
            self.mismatch(&section.owner, key, value, "a list of texts");
            return None;
        };
        let element = |element: &Value<'_>| self.text_of(&section.owner, key, element, "a list of texts");
        Some(array.elements.iter().filter_map(element).collect())
    }

    /// Reads the boolean of a key, if there is one.
    pub(super) fn truth(&mut self, section: &Section<'_>, key: &str) -> Option<bool> {
        match section.get(key)? {
            Value::BooleanLit(literal) => Some(literal.value),
            other => {
                self.mismatch(&section.owner, key, other, "`true` or `false`");
                None
            }
        }
    }

    /// Reads the text of a key as one of several choices, if there is one.
    pub(super) fn choice<T: Copy>(
        &mut self,
        section: &Section<'_>,
        key: &str,
        choices: &[(&'static str, T)],
    ) -> Option<T> {
        let text = self.text(section, key)?;
        let chosen = choices.iter().find(|(name, _)| *name == text.value).map(|(_, meaning)| *meaning);
        if chosen.is_none() {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            let names = listed(&names, "or").replace('`', "\"");
            self.problem(text.start, &section.owner, format!("`{key}` can only be {names}"));
        }
        chosen
    }

    /// Reads the count of a key, if there is one.
    pub(super) fn count(&mut self, section: &Section<'_>, key: &str) -> Option<u32> {
        let value = section.get(key)?;
        let count = match value {
            Value::NumberLit(literal) => literal.value.parse().ok(),
            _ => None,
        };
        if count.is_none() {
            let is = match value {
                Value::NumberLit(literal) => shorten(literal.value, 20),
                other => kind(other).to_owned(),
            };
            let message = format!("`{key}` has to be a whole number from 0 to {}, and is {is}", u32::MAX);
            self.problem(value.start(), &section.owner, message);
        }
        count
    }

    /// Reads the duration of a key, if there is one. Reports `too_short` if it is 0.
    pub(super) fn duration(&mut self, section: &Section<'_>, key: &str, too_short: &str) -> Option<Duration> {
        let text = self.text_of(&section.owner, key, section.get(key)?, "a duration like \"30s\"")?;
        let message = match parse_duration(&text.value) {
            Ok(duration) if !duration.is_zero() => return Some(duration),
            Ok(_) => too_short.to_owned(),
            Err(error) => {
                text.blame(format!("`{key}`: {error}"), &format!("`{key}` is not a duration like 5s, 500ms or 2m"))
            }
        };
        self.problem(text.start, &section.owner, message);
        None
    }

    /// Reads the size of a key, if there is one.
    pub(super) fn size(&mut self, section: &Section<'_>, key: &str) -> Option<ByteSize> {
        let value = section.get(key)?;
        if let Value::NumberLit(literal) = value
            && let Ok(bytes) = literal.value.parse()
        {
            return Some(ByteSize::bytes(bytes));
        }
        let expected = "a size like \"64MiB\", or a whole number of bytes";
        let text = self.text_of(&section.owner, key, value, expected)?;
        match text.value.parse() {
            Ok(size) => Some(size),
            Err(error) => {
                let message = format!("`{key}`: {}", ParseQuantityError::to_string(&error));
                let message = text.blame(message, &format!("`{key}` is not a size like 64MiB, 512KiB or 1000"));
                self.problem(text.start, &section.owner, message);
                None
            }
        }
    }

    /// Takes the substituted values of variables since the last call.
    pub(super) fn forget_variables(&mut self) -> Vec<String> {
        std::mem::take(&mut self.put_in)
    }

    /// Substitutes the variables of a text.
    pub(super) fn resolve(&mut self, owner: &str, key: &str, literal: &StringLit<'_>) -> Option<Text> {
        let mut text = Text { start: literal.start(), value: String::new(), has_variables: false };
        let mut is_whole = true;
        let mut written = None;
        for (_, part) in parts(&literal.value) {
            match part {
                Part::Text(written) => text.value.push_str(written),
                Part::Escaped => text.value.push_str("${"),
                Part::Variable(name) => {
                    text.has_variables = true;
                    self.variables.insert(name.to_owned());
                    match (self.environment)(name) {
                        Some(value) => {
                            text.value.push_str(&value);
                            self.put_in.push(value);
                        }
                        None => {
                            is_whole = false;
                            let message = format!(
                                "`{key}` needs the environment variable `{name}`, which is not set; set it, or write \
                                 `$${{{name}}}` for the text itself"
                            );
                            let written = written.get_or_insert_with(|| Written::of(self.text, literal));
                            self.problem(written.place_of(part), owner, message);
                        }
                    }
                }
                Part::Malformed(_) => {
                    is_whole = false;
                    let message = format!(
                        "`{key}` has a `${{` without the name of a variable; write `${{NAME}}`, or `$${{` for the text \
                         itself"
                    );
                    let written = written.get_or_insert_with(|| Written::of(self.text, literal));
                    self.problem(written.place_of(part), owner, message);
                }
            }
        }
        is_whole.then_some(text)
    }
}

/// The variables of a text as it is written in the file. A text may have very many.
struct Written<'t> {
    /// The offset of the text.
    start: usize,
    /// The offset of the first place of each variable.
    variables: HashMap<&'t str, usize>,
    malformed: Option<usize>,
}

impl<'t> Written<'t> {
    fn of(file: &'t str, literal: &StringLit<'_>) -> Self {
        let inside = literal.start() + 1;
        let mut written = Self { start: literal.start(), variables: HashMap::new(), malformed: None };
        for (start, part) in parts(&file[inside..literal.end() - 1]) {
            match part {
                Part::Variable(name) => {
                    written.variables.entry(name).or_insert(inside + start);
                }
                Part::Malformed(_) => written.malformed = Some(inside + start),
                Part::Text(_) | Part::Escaped => {}
            }
        }
        written
    }

    /// Returns the offset of a variable, or of what is none. Exact unless the text has escapes.
    fn place_of(&self, wanted: Part<'_>) -> usize {
        let found = match wanted {
            Part::Variable(name) => self.variables.get(name).copied(),
            Part::Malformed(_) => self.malformed,
            Part::Text(_) | Part::Escaped => None,
        };
        found.unwrap_or(self.start)
    }
}

/// Returns a key in a form to show: short, in one line.
pub(super) fn shown(key: &str) -> String {
    const MAX_LENGTH: usize = 60;
    brief(key, MAX_LENGTH)
}

/// Formats a list: "`a`, `b` and `c`".
pub(super) fn listed(names: &[&str], conjunction: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {conjunction} {last}", rest.join(", ")),
        Some((only, _)) => only.clone(),
        None => String::new(),
    }
}

fn owned_by(owner: &str, message: &str) -> String {
    if owner.is_empty() { message.to_owned() } else { format!("{owner}: {message}") }
}

/// Names the type of a value.
fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::NumberLit(_) => "a number",
        Value::StringLit(_) => "a text",
        Value::BooleanLit(literal) if literal.value => "`true`",
        Value::BooleanLit(_) => "`false`",
        Value::Object(_) => "an object",
        Value::Array(_) => "a list",
        Value::NullKeyword(_) => "`null`",
    }
}

/// Returns the most similar key, if one is similar enough.
pub(super) fn nearest<'name>(wanted: &str, known: &[&'name str]) -> Option<&'name str> {
    const LIKE: f64 = 0.75;
    const MAX_KEY: usize = 100;
    if wanted.len() > MAX_KEY {
        return None;
    }
    let likeness = |name: &str| strsim::jaro_winkler(&wanted.to_lowercase(), &name.to_lowercase());
    let rated = known.iter().map(|name| (likeness(name), *name)).filter(|(likeness, _)| *likeness > LIKE);
    rated.max_by(|(left, _), (right, _)| left.total_cmp(right)).map(|(_, name)| name)
}
