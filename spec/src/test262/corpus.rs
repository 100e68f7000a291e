//! Finds and reads the tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;

use super::{Expectation, Metadata};

/// Code that the harness makes from text, by file: the text, and the same code as it is written in a program.
const WRITTEN_OUT: &[(&str, &str, &str)] = &[
    ("fnGlobalObject.js", "Function(\"return this;\")()", "globalThis"),
    (
        "resizableArrayBufferUtils.js",
        "new Function('return class My' + type + ' extends ' + type + ' {}')()",
        "{ Uint8Array: class MyUint8Array extends Uint8Array {}, Float32Array: class MyFloat32Array extends Float32Array {}, \
         BigInt64Array: class MyBigInt64Array extends BigInt64Array {} }[type]",
    ),
];

/// A checkout of test262.
#[derive(Debug)]
pub struct Corpus {
    root: PathBuf,
    harness: Mutex<BTreeMap<String, String>>,
}

/// One test.
#[derive(Debug)]
pub struct Test {
    /// The path of the test below `test/`.
    pub name: String,
    /// The text of the test.
    pub text: String,
    /// The header of the test.
    pub metadata: Metadata,
    /// The files of the harness that the test uses, joined. Empty for `raw` tests.
    pub harness: String,
    /// The other files that the test refers to, directly or indirectly, by their path below `test/`.
    pub files: BTreeMap<String, String>,
}

impl Corpus {
    /// Opens a checkout.
    ///
    /// # Errors
    ///
    /// Says which folder is missing.
    pub fn open(root: &Path) -> Result<Self, String> {
        for folder in ["test", "harness"] {
            if !root.join(folder).is_dir() {
                return Err(format!("{} is no checkout of test262: it has no folder `{folder}`", root.display()));
            }
        }
        Ok(Self { root: root.to_owned(), harness: Mutex::default() })
    }

    /// Returns the names of all tests, sorted.
    pub fn names(&self) -> Result<Vec<String>, String> {
        let root = self.root.join("test");
        let mut names = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            for entry in entries {
                let path = entry.map_err(|error| error.to_string())?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.strip_prefix(&root).map_err(|error| error.to_string())?;
                let name = name.to_str().ok_or_else(|| format!("{} is not text", path.display()))?;
                if name.ends_with(".js") && !name.contains("_FIXTURE") {
                    names.push(name.to_owned());
                }
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Reads a test, with all files that it needs.
    ///
    /// # Errors
    ///
    /// Says what cannot be read.
    pub fn read(&self, name: &str) -> Result<Test, String> {
        let text = self.text(&format!("test/{name}"))?;
        let metadata = Metadata::parse(&text).map_err(|problem| format!("{name}: {problem}"))?;
        let mut harness = String::new();
        if !metadata.has_flag("raw") {
            let done = (metadata.expectation() == Expectation::CallsDone).then_some("doneprintHandle.js");
            let usual = ["assert.js", "sta.js"].into_iter().chain(done);
            for include in usual.chain(metadata.includes.iter().map(String::as_str)) {
                harness.push_str(&self.harness_file(include)?);
                harness.push('\n');
            }
        }
        let mut files = BTreeMap::new();
        if text.contains("import") || metadata.has_flag("module") {
            self.follow(name, &text, &mut files);
            files.remove(name);
        }
        Ok(Test { name: name.to_owned(), text, metadata, harness, files })
    }

    fn harness_file(&self, name: &str) -> Result<String, String> {
        let mut harness = self.harness.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = harness.get(name) {
            return Ok(text.clone());
        }
        let mut text = self.text(&format!("harness/{name}"))?;
        for (_, old, new) in WRITTEN_OUT.iter().filter(|(file, ..)| *file == name) {
            if !text.contains(old) {
                return Err(format!("harness/{name} does not contain `{old}`, which programs cannot do"));
            }
            text = text.replace(old, new);
        }
        harness.insert(name.to_owned(), text.clone());
        Ok(text)
    }

    /// Reads the files whose relative paths are in quotes in a text, and those that they refer to.
    fn follow(&self, name: &str, text: &str, files: &mut BTreeMap<String, String>) {
        for (start, quote) in text.match_indices(['\'', '"', '`']) {
            let rest = &text[start + 1..];
            let Some(end) = rest.find(quote) else { continue };
            let specifier = &rest[..end];
            let is_relative = specifier.starts_with("./") || specifier.starts_with("../");
            let Some(target) = is_relative.then(|| resolve(name, specifier)).flatten() else { continue };
            if files.contains_key(&target) {
                continue;
            }
            if let Ok(text) = self.text(&format!("test/{target}")) {
                files.insert(target.clone(), text.clone());
                self.follow(&target, &text, files);
            }
        }
    }

    fn text(&self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(self.root.join(path)).map_err(|error| format!("{path}: {error}"))
    }
}

/// Returns the path that a relative specifier means in a file, unless it leaves the tests.
fn resolve(importer: &str, specifier: &str) -> Option<String> {
    let mut parts: Vec<&str> = importer.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
