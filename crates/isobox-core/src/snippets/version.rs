//! A snippet with its versions, and its form in a store.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Example;
use crate::experience::Shape;
use crate::journal::StoreKey;
use crate::program::Program;
use crate::text::brief;
use crate::{ByteSize, Code, ExecutionId, Failure, Timestamp, Tool, ToolPath};

/// A snippet: its name, and the versions that are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Snippet {
    /// The name, an identifier.
    pub name: String,
    /// The versions that are kept, oldest first. There is at least one.
    pub versions: Vec<SnippetVersion>,
}

/// A version of a snippet. It never changes, but for its uses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct SnippetVersion {
    /// The number, from 1.
    pub version: u32,
    /// The description of the snippet, for models and people.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub description: String,
    /// The JSON Schema of the input.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input_schema: Option<Value>,
    /// The program.
    pub program: Program,
    /// The execution whose program it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub from: Option<ExecutionId>,
    /// The name of the principal that saved it.
    pub by: String,
    /// The time at which it was saved.
    pub saved: Timestamp,
    /// The tools that it needs, with the hashes of their definitions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub tools: BTreeMap<String, String>,
    /// Examples that can be run.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub examples: Vec<Example>,
    /// Its uses so far.
    #[serde(skip_serializing_if = "Uses::is_none", default)]
    pub uses: Uses,
    /// The types of its results so far.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub results: Option<Shape>,
}

/// The uses of a version of a snippet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Uses {
    /// The number of runs that succeeded.
    pub successes: u32,
    /// The number of runs that failed.
    pub failures: u32,
    /// The time of the last run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last: Option<Timestamp>,
}

impl Uses {
    fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// A snippet to save, as a new version if there is one of this name.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NewSnippet {
    /// The name.
    pub name: String,
    /// The program.
    pub program: Program,
    /// The description of the snippet.
    pub description: String,
    /// The JSON Schema of the input.
    pub input_schema: Option<Value>,
    /// The tools that it needs, with the hashes of their definitions.
    pub tools: BTreeMap<String, String>,
    /// Examples that can be run.
    pub examples: Vec<Example>,
    /// The execution whose program it is.
    pub from: Option<ExecutionId>,
    /// Whether it is saved although a check finds mistakes. Rules over the syntax apply nevertheless.
    pub is_forced: bool,
}

impl NewSnippet {
    /// Creates a snippet of this program.
    pub fn new(name: impl Into<String>, program: Program) -> Self {
        Self {
            name: name.into(),
            program,
            description: String::new(),
            input_schema: None,
            tools: BTreeMap::new(),
            examples: Vec::new(),
            from: None,
            is_forced: false,
        }
    }

    setters! {
        description: impl Into<String>,
        input_schema: impl Into<Option<Value>>,
        tools: BTreeMap<String, String>,
        examples: Vec<Example>,
        from: impl Into<Option<ExecutionId>>,
        is_forced: bool,
    }

    /// Checks that the snippet can be kept, shown and run.
    ///
    /// # Errors
    ///
    /// `INVALID_INPUT` if the name is not an identifier, or if the schema, the description or the examples cannot be kept.
    /// `SOURCE_TOO_LARGE` if the code is too large.
    pub fn check(&self) -> Result<(), Failure> {
        check_name(&self.name)?;
        let name = &self.name;
        let refused = |why: String| Err(Failure::new(Code::InvalidInput, format!("snippet `{name}`: {why}")));
        let (size, limit) = (self.program.source_size(), Snippet::MAX_CODE);
        if !limit.holds(size) {
            let message = format!("snippet `{name}`: its code is {size} bytes, and the limit is {limit}");
            return Err(Failure::new(Code::SourceTooLarge, message).hint("keep data out of it: it gets an input"));
        }
        if self.description.len() > Snippet::MAX_DESCRIPTION {
            return refused(format!("its description is longer than {} bytes", Snippet::MAX_DESCRIPTION));
        }
        if self.tools.len() > Snippet::MOST_TOOLS {
            return refused(format!("it needs more than {} tools", Snippet::MOST_TOOLS));
        }
        if let Some(schema) = &self.input_schema {
            if schema.to_string().len() > Snippet::MAX_EXTRA {
                return refused(format!("its input schema is larger than {} bytes", Snippet::MAX_EXTRA));
            }
            if let Err(failure) = Tool::of_snippet(name)?.input_schema(schema.clone()) {
                return refused(failure.message);
            }
        }
        let examples = serde_json::to_string(&self.examples).map_or(usize::MAX, |json| json.len());
        if self.examples.len() > Snippet::MOST_EXAMPLES || examples > Snippet::MAX_EXTRA {
            let (most, bytes) = (Snippet::MOST_EXAMPLES, Snippet::MAX_EXTRA);
            return refused(format!("it may have {most} examples, which are at most {bytes} bytes together"));
        }
        Ok(())
    }
}

/// The purpose in the seal of a snippet.
const SNIPPET: &[u8] = b"snippet ";

impl Snippet {
    /// The maximum number of versions that are kept. Older ones are forgotten.
    pub const MOST_VERSIONS: usize = 10;
    /// The maximum size of the code of one version.
    pub const MAX_CODE: ByteSize = ByteSize::kib(64);
    /// The maximum size of a description in bytes.
    pub const MAX_DESCRIPTION: usize = 2_000;
    /// The maximum size of a schema, and of the examples of a version together, in bytes.
    pub const MAX_EXTRA: usize = 32 << 10;
    /// The maximum number of examples of a version.
    pub const MOST_EXAMPLES: usize = 20;
    /// The maximum number of tools of a version.
    pub const MOST_TOOLS: usize = 256;
    /// The maximum size of all versions as they are kept, in bytes. The oldest are forgotten.
    const MAX_KEPT: usize = 512 << 10;

    /// Returns the newest version.
    pub fn latest(&self) -> &SnippetVersion {
        self.versions.last().expect("a snippet has a version")
    }

    /// Returns the version with this number, or the newest.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND` if it is not kept.
    pub fn version(&self, version: Option<u32>) -> Result<&SnippetVersion, Failure> {
        let Some(wanted) = version else { return Ok(self.latest()) };
        self.versions.iter().find(|kept| kept.version == wanted).ok_or_else(|| {
            let kept: Vec<String> = self.versions.iter().map(|kept| kept.version.to_string()).collect();
            let message = format!("snippet `{}` has no version {wanted}: it has {}", self.name, kept.join(", "));
            Failure::new(Code::NotFound, message)
        })
    }

    /// Adds a version.
    pub(super) fn add(before: Option<Self>, new: NewSnippet, by: &str, saved: Timestamp) -> Self {
        let NewSnippet { name, program, description, input_schema, tools, examples, from, is_forced: _ } = new;
        let mut snippet = before.unwrap_or(Self { name, versions: Vec::new() });
        let last = snippet.versions.last();
        let version = last.map_or(1, |last| last.version.saturating_add(1));
        // They describe the snippet, and not this code alone.
        let description = match last {
            Some(last) if description.is_empty() => last.description.clone(),
            Some(_) | None => description,
        };
        let input_schema = input_schema.or_else(|| last?.input_schema.clone());
        snippet.versions.push(SnippetVersion {
            version,
            description,
            input_schema,
            program,
            from,
            by: by.to_owned(),
            saved,
            tools,
            examples,
            uses: Uses::default(),
            results: None,
        });
        while snippet.versions.len() > 1 && (snippet.versions.len() > Self::MOST_VERSIONS || snippet.is_too_large()) {
            snippet.versions.remove(0);
        }
        snippet
    }

    fn is_too_large(&self) -> bool {
        serde_json::to_vec(self).map_or(usize::MAX, |json| json.len()) > Self::MAX_KEPT
    }

    /// Returns the form in which a store with this key keeps it.
    pub(super) fn sealed(&self, key: &StoreKey) -> Option<Vec<u8>> {
        let content = serde_json::to_vec(self).ok()?;
        Some(key.sealed(&[SNIPPET, self.name.as_bytes(), &[0]], &content))
    }

    /// Reads the form of a store. Returns none if it was not sealed with this key for this name, or was written by another
    /// version of Isobox.
    pub(super) fn opened(key: &StoreKey, name: &str, sealed: &[u8]) -> Option<Self> {
        let content = key.opened(&[SNIPPET, name.as_bytes(), &[0]], sealed)?;
        serde_json::from_slice(content).ok().filter(|snippet: &Self| !snippet.versions.is_empty())
    }
}

impl SnippetVersion {
    /// Returns the hash of the code.
    pub fn hash(&self) -> String {
        hash_of(&self.program)
    }
}

/// Returns the hash of a program.
pub(super) fn hash_of(program: &Program) -> String {
    let mut hash = Sha256::new_with_prefix(program.entry());
    for (path, source) in program.files() {
        for text in [path, source] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Checks that a name is an identifier.
pub(super) fn check_name(name: &str) -> Result<(), Failure> {
    const LONGEST: usize = 64;
    if name.len() <= LONGEST && ToolPath::of_snippet(name).is_some() {
        return Ok(());
    }
    let message = format!("`{}` cannot be the name of a snippet", brief(name, 80));
    Err(Failure::new(Code::InvalidInput, message).hint("use an identifier of at most 64 characters: `monthlyReport`"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::snippets::Expected;

    fn new(name: &str) -> NewSnippet {
        NewSnippet::new(name, Program::single("return 1"))
    }

    #[test]
    fn every_save_adds_a_version_and_the_oldest_are_forgotten() {
        let mut snippet = None;
        for _ in 0..12 {
            snippet = Some(Snippet::add(snippet, new("a"), "ada", Timestamp(1)));
        }
        let snippet = snippet.expect("it was saved");
        assert_eq!(snippet.versions.iter().map(|kept| kept.version).collect::<Vec<_>>(), (3..=12).collect::<Vec<_>>());
        assert_eq!(snippet.version(Some(2)).map_err(|failure| failure.code), Err(Code::NotFound));
        assert_eq!(snippet.version(Some(3)).expect("it is kept").version, 3);
        let key = StoreKey::new([1; 32]);
        let sealed = snippet.sealed(&key).expect("it is written");
        assert_eq!(Snippet::opened(&key, "b", &sealed), None, "it is another one");
        assert_eq!(Snippet::opened(&StoreKey::new([2; 32]), "a", &sealed), None);
        assert_eq!(Snippet::opened(&key, "a", &sealed), Some(snippet));
    }

    #[test]
    fn a_new_version_keeps_the_description_and_the_schema_unless_it_has_others() {
        let schema = json!({ "type": "object" });
        let first = new("a").description("Adds.").input_schema(schema.clone());
        let first = Snippet::add(None, first, "ada", Timestamp(1));
        let kept = Snippet::add(Some(first.clone()), new("a"), "ada", Timestamp(2));
        assert_eq!((&*kept.latest().description, &kept.latest().input_schema), ("Adds.", &Some(schema)));
        let other = new("a").description("Counts.").input_schema(json!({}));
        let changed = Snippet::add(Some(first), other, "ada", Timestamp(2));
        assert_eq!((&*changed.latest().description, &changed.latest().input_schema), ("Counts.", &Some(json!({}))));
    }

    #[test]
    fn a_snippet_is_kept_within_its_size() {
        let mut snippet = None;
        for _ in 0..12 {
            let large = NewSnippet::new("a", Program::single("x".repeat(60 << 10)));
            snippet = Some(Snippet::add(snippet, large, "ada", Timestamp(1)));
        }
        let versions = snippet.expect("it was saved").versions;
        assert_eq!((versions.len(), versions.last().map(|last| last.version)), (8, Some(12)));
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        for name in ["", "a b", "a.b", "1a", "then", "a@2", "ä", &"a".repeat(65)] {
            assert_eq!(new(name).check().map_err(|failure| failure.code), Err(Code::InvalidInput), "{name}");
        }
        new("_a$1").check().expect("it is a name");
        let code = |new: NewSnippet| new.check().map_err(|failure| failure.code);
        let large = NewSnippet::new("a", Program::single("x".repeat(65 << 10)));
        assert_eq!(code(large), Err(Code::SourceTooLarge));
        assert_eq!(code(new("a").description("x".repeat(2001))), Err(Code::InvalidInput));
        assert_eq!(code(new("a").input_schema(json!({ "type": 7 }))), Err(Code::InvalidInput));
        let example = Example { input: json!("x".repeat(33 << 10)), expected: Expected::Result(json!(1)) };
        assert_eq!(code(new("a").examples(vec![example])), Err(Code::InvalidInput));
    }
}
