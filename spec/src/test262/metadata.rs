//! Reads the header of a test.

/// The header of a test: the YAML between `/*---` and `---*/`, of which the tests use little.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The flags: `onlyStrict`, `noStrict`, `module`, `raw`, `async` and others.
    pub flags: Vec<String>,
    /// The files of the harness that the test uses, beside the usual ones.
    pub includes: Vec<String>,
    /// The features of the language that the test needs.
    pub features: Vec<String>,
    /// The phase and the type of the error that the test has to end with.
    pub negative: Option<(String, String)>,
}

/// How a test has to end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expectation {
    /// It completes.
    Completes,
    /// It completes, and calls `$DONE` without an error.
    CallsDone,
    /// It is refused before anything of it runs.
    IsRefused,
    /// It throws an error of this name.
    Throws(String),
}

impl Metadata {
    /// Reads the header out of the text of a test.
    ///
    /// # Errors
    ///
    /// Says what is wrong if there is no header, or if its `negative` is incomplete.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (_, rest) = text.split_once("/*---").ok_or("it has no header")?;
        let (header, _) = rest.split_once("---*/").ok_or("its header has no end")?;
        let mut metadata = Self::default();
        let (mut key, mut phase, mut error) = (String::new(), None, None);
        for line in header.split(['\n', '\r']).map(without_comment).filter(|line| !line.trim().is_empty()) {
            let value = if line.starts_with([' ', '\t', '-']) {
                line.trim()
            } else {
                let (name, value) = line.split_once(':').ok_or_else(|| format!("its header has the line {line:?}"))?;
                name.trim().clone_into(&mut key);
                value.trim()
            };
            match key.as_str() {
                "flags" => metadata.flags.extend(items(value)),
                "includes" => metadata.includes.extend(items(value)),
                "features" => metadata.features.extend(items(value)),
                "negative" => match value.split_once(':') {
                    Some(("phase", value)) => phase = Some(value.trim().to_owned()),
                    Some(("type", value)) => error = Some(value.trim().to_owned()),
                    _ => {}
                },
                _ => {}
            }
            if key == "negative" {
                metadata.negative = phase.clone().zip(error.clone());
            }
        }
        if phase.is_some() != error.is_some() {
            return Err("its `negative` has no phase or no type".to_owned());
        }
        Ok(metadata)
    }

    /// Tells whether the test has a flag.
    pub fn has_flag(&self, flag: &str) -> bool {
        self.flags.iter().any(|it| it == flag)
    }

    /// Returns how the test has to end.
    pub fn expectation(&self) -> Expectation {
        match &self.negative {
            Some((phase, error)) if phase == "runtime" => Expectation::Throws(error.clone()),
            Some(_) => Expectation::IsRefused,
            None if self.has_flag("async") => Expectation::CallsDone,
            None => Expectation::Completes,
        }
    }
}

fn without_comment(line: &str) -> &str {
    match line.find(" #") {
        Some(start) => &line[..start],
        None if line.starts_with('#') => "",
        None => line,
    }
}

/// Returns the items of a list on one line, or the item of one line of a list.
fn items(value: &str) -> impl Iterator<Item = String> {
    let value = value.strip_prefix('-').unwrap_or(value).trim();
    let value = value.strip_prefix('[').unwrap_or(value);
    let value = value.strip_suffix(']').unwrap_or(value);
    value.split(',').map(|item| item.trim().to_owned()).filter(|item| !item.is_empty())
}
