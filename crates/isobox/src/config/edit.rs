//! Adds entries to the text of a configuration. Comments, and everything else in it, stay as they are written.

use std::path::{Path, PathBuf};

use jsonc_parser::common::Ranged;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Value, json};

use super::error::ConfigError;
use super::findings::Findings;
use super::reader::ConfigReader;
use super::{Config, excerpt, syntax};

/// The text of a configuration that is being edited.
#[derive(Debug, Clone)]
pub struct ConfigText {
    file: Option<PathBuf>,
    text: String,
}

impl ConfigText {
    /// Parses a text. Its settings are not checked, so that one with a mistake can be edited.
    ///
    /// # Errors
    ///
    /// If the text is too large, is not JSON with comments, is not an object, or has a key twice.
    pub fn parse(file: Option<&Path>, text: impl Into<String>) -> Result<Self, ConfigError> {
        let text = Self { file: file.map(Path::to_owned), text: text.into() };
        let secrets = |document: &_| excerpt::secrets_of(text.bare(), document);
        let document = document(text.file.as_deref(), text.bare())?;
        if !matches!(document, syntax::Value::Object(_)) {
            return Err(text.wrong(document.start(), "a configuration is an object", &secrets(&document)));
        }
        let mut reader = ConfigReader::new(text.bare(), &|_| None);
        reader.refuse_duplicates(&document);
        let (problems, _) = reader.finish();
        if !problems.is_empty() {
            return Err(ConfigError::new(text.file.as_deref(), text.bare(), problems, &secrets(&document)));
        }
        drop(document);
        Ok(text)
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the section that has an entry with this name: `mcpServers`, for example.
    pub fn section_of(&self, name: &str) -> Option<String> {
        let document = document(None, self.bare()).ok()?;
        let object = document.as_object()?;
        let named = object.properties.iter().filter(|section| SECTIONS.contains(&section.name.as_str()));
        let mut with =
            named.filter(|section| section.value.as_object().is_some_and(|entries| entries.get(name).is_some()));
        Some(with.next()?.name.as_str().to_owned())
    }

    /// Sets an entry of a section, and creates the section if it is missing.
    ///
    /// # Errors
    ///
    /// If the entry would not be valid, or the section is not an object. Nothing is changed then.
    pub fn set(&mut self, section: &str, name: &str, entry: &Value) -> Result<(), ConfigError> {
        // Any value of a variable will do that is valid wherever a server or a service takes a text.
        let alone = json!({ section: { name: entry } }).to_string();
        Config::parse(&alone, &|_| Some("https://variable.example".to_owned()))?;
        let document = document(self.file.as_deref(), self.bare())?;
        if let Some(other) = document.as_object().and_then(|object| object.get(section))
            && other.value.as_object().is_none()
        {
            let secrets = excerpt::secrets_of(self.bare(), &document);
            return Err(self.wrong(other.value.start(), &format!("`{section}` has to be an object"), &secrets));
        }
        let entries = self.edited(|object| object.object_value_or_set(section))?;
        let (root, entries) = entries;
        match entries.get(name) {
            Some(before) => before.set_value(input(entry)),
            None => drop(entries.append(name, input(entry))),
        }
        let start = if self.bare().len() < self.text.len() { "\u{feff}" } else { "" };
        *self = Self::parse(self.file.as_deref(), format!("{start}{root}"))?;
        Ok(())
    }

    /// Removes an entry of a section, with its comments.
    ///
    /// # Errors
    ///
    /// If the text cannot be edited.
    pub fn remove(&mut self, section: &str, name: &str) -> Result<(), ConfigError> {
        let (root, entries) = self.edited(|object| object.object_value_or_set(section))?;
        if let Some(entry) = entries.get(name) {
            entry.remove();
        }
        let start = if self.bare().len() < self.text.len() { "\u{feff}" } else { "" };
        *self = Self::parse(self.file.as_deref(), format!("{start}{root}"))?;
        Ok(())
    }

    /// Parses the text for editing, and returns the root with a part.
    fn edited<T>(&self, part: impl FnOnce(&CstObject) -> T) -> Result<(CstRootNode, T), ConfigError> {
        let root = CstRootNode::parse(self.bare(), &syntax::options()).ok();
        let Some((root, object)) = root.and_then(|root| root.object_value().map(|object| (root, object))) else {
            return Err(self.wrong(0, "this cannot be edited", &excerpt::all_values(self.bare())));
        };
        let part = part(&object);
        Ok((root, part))
    }

    /// Returns the text without a byte order mark.
    fn bare(&self) -> &str {
        self.text.strip_prefix('\u{feff}').unwrap_or(&self.text)
    }

    fn wrong(&self, at: usize, message: &str, secrets: &[std::ops::Range<usize>]) -> ConfigError {
        let mut findings = Findings::default();
        findings.add(at, message.to_owned());
        ConfigError::new(self.file.as_deref(), self.bare(), findings, secrets)
    }
}

/// The sections whose entries are sources of tools. Their names are the first parts of the paths of tools.
const SECTIONS: [&str; 3] = ["mcpServers", "openapi", "graphql"];

/// Reads the configuration of another program: JSON, in which comments and trailing commas are allowed.
///
/// # Errors
///
/// If the text is larger than a configuration may be, or is not JSON. The error has the place, and no values.
pub fn parse_foreign(file: &Path, bytes: &[u8]) -> Result<Value, ConfigError> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    document(Some(file), text).map(Value::from)
}

fn document<'t>(file: Option<&Path>, text: &'t str) -> Result<syntax::Value<'t>, ConfigError> {
    if !Config::MAX_SIZE.holds(text.len()) {
        return Err(ConfigError::too_large(file));
    }
    syntax::parse(text).map_err(|finding| ConfigError::new(file, text, finding, &excerpt::all_values(text)))
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(truth) => CstInputValue::Bool(*truth),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(entries) => {
            CstInputValue::Object(entries.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set(text: &str, section: &str, name: &str, entry: &Value) -> String {
        let mut edited = ConfigText::parse(None, text).expect("it can be edited");
        edited.set(section, name, entry).expect("the entry is valid");
        edited.as_str().to_owned()
    }

    #[test]
    fn an_entry_is_added_and_everything_else_stays_as_it_is() {
        let text = "\u{feff}// first\n{\n\t\"mcpServers\": {\n\t\t// about a\n\t\t\"a\": { \"command\": \"x\" }, // behind a\n\t\t/* left */\n\t},\n\t\"limits\": { },\n}\n";
        let added = set(text, "mcpServers", "b c", &json!({ "command": "y", "args": ["\"", "\u{1b}"] }));
        insta::assert_snapshot!(added.replace('\u{feff}', "<BOM>").replace('\t', "→"));
        let service = set("{}", "openapi", "shop", &json!({ "spec": "./shop.yaml" }));
        assert_eq!(service, "{\n  \"openapi\": {\n    \"shop\": {\n      \"spec\": \"./shop.yaml\"\n    }\n  }\n}");
    }

    #[test]
    fn an_entry_is_replaced_and_found_and_removed() {
        let text = r#"{ "mcpServers": { "a": { "command": "x" } }, "openapi": { "b": { "spec": "./b" } } }"#;
        let mut edited = ConfigText::parse(None, text).unwrap();
        assert_eq!(
            (edited.section_of("a").as_deref(), edited.section_of("b").as_deref()),
            (Some("mcpServers"), Some("openapi"))
        );
        assert_eq!(edited.section_of("c"), None);
        edited.set("mcpServers", "a", &json!({ "url": "https://a.example" })).unwrap();
        let config = Config::parse(edited.as_str(), &|_| None).unwrap();
        assert_eq!(config.mcp_servers["a"].written, "https://a.example");
        edited.remove("openapi", "b").unwrap();
        assert_eq!(edited.section_of("b"), None);
    }

    #[test]
    fn what_cannot_be_edited_is_said_with_its_place() {
        for (text, expected) in [
            ("", "there is nothing here"),
            ("{ \"a\": 1", "has no end"),
            ("[]", "a configuration is an object"),
            ("{ \"a\": 1, \"a\": 2 }", "is already there"),
            (r#"{ "mcpServers": ["hunter2"] }"#, "`mcpServers` has to be an object"),
        ] {
            let entry = json!({ "command": "x" });
            let error = ConfigText::parse(None, text).and_then(|mut text| text.set("mcpServers", "a", &entry));
            let error = error.expect_err(text).to_string();
            assert!(error.contains(expected) && !error.contains("hunter2"), "{text}: {error}");
        }
        let mut text = ConfigText::parse(None, "{}").unwrap();
        text.set("mcpServers", "a", &json!({ "comand": "x" })).expect_err("the entry is not valid");
        assert_eq!(text.as_str(), "{}");
    }

    #[test]
    fn files_of_other_programs_are_bounded_and_their_errors_have_places_and_no_values() {
        let read = |text: &str| parse_foreign(Path::new("mcp.json"), text.as_bytes());
        assert_eq!(read("{ \"a\": [1, \"b\"], // c\n }").unwrap(), json!({ "a": [1, "b"] }));
        let error = read("{ \"TOKEN\": \"hunter2\",\n \"b\" }").unwrap_err().to_string();
        assert!(error.starts_with("mcp.json:2:") && !error.contains("hunter2"), "{error}");
        assert!(read(&" ".repeat(2 << 20)).unwrap_err().to_string().contains("larger than"));
        assert!(read(&"[".repeat(100_000)).is_err());
    }

    /// Text between two tokens.
    fn space() -> impl Strategy<Value = String> {
        prop::sample::select(vec![
            "",
            " ",
            "\n",
            "\n  ",
            "\r\n\t",
            " // c\n",
            " /* d */ ",
            "\n\n    // e \"x\": {\n    ",
        ])
        .prop_map(str::to_owned)
    }

    fn entries() -> impl Strategy<Value = Vec<[String; 4]>> {
        prop::collection::vec([space(), space(), space(), space()], 0..4)
    }

    proptest! {
        #[test]
        fn comments_and_other_entries_stay_as_they_are(
            servers in entries(), around in [space(), space(), space(), space()], last in any::<bool>(),
            name in "[a-z\"\\\\ é]{1,6}",
        ) {
            let written: Vec<String> = servers.iter().enumerate().map(|(at, [a, b, c, d])| {
                format!("\"s{at}\"{a}:{b}{{{c}\"command\": \"x\"{d}}}")
            }).collect();
            let comma = if last && !written.is_empty() { "," } else { "" };
            let [a, b, c, d] = &around;
            let text = format!("{a}{{\"mcpServers\":{b}{{{c}{}{comma}{d}}}}}{a}", written.join(&format!(",{d}")));
            let added = set(&text, "mcpServers", &name, &json!({ "command": "new" }));
            let after = Config::parse(&added, &|_| None).expect("it can be read");
            prop_assert_eq!(after.mcp_servers.len(), servers.len() + 1);
            prop_assert!(after.mcp_servers.contains_key(&name));
            // A file with both kinds of line ends gets one kind.
            let (text, added) = (text.replace("\r\n", "\n"), added.replace("\r\n", "\n"));
            let mut rest = added.as_str();
            for entry in written.iter().map(|entry| entry.replace("\r\n", "\n")) {
                let found = rest.find(entry.as_str());
                prop_assert!(found.is_some(), "{entry:?} is lost in {added:?}");
                rest = &rest[found.unwrap_or_default() + entry.len()..];
            }
            for comment in ["// c\n", "/* d */", "// e \"x\": {\n"] {
                prop_assert_eq!(text.matches(comment).count(), added.matches(comment).count(), "{}", added);
            }
        }
    }
}
