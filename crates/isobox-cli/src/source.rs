//! Reads the program: one text, or exactly the files that were named.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, Result, bail};
use isobox::journal::Beginning;
use isobox::store::owned;
use isobox::{Code, Failure, Isobox, Program};

use crate::diagram::lines;

/// The number of bytes of a program that are read even if its limit is lower, so that the error can state the size.
const READABLE: u64 = 16 * 1024 * 1024;

/// A program and the display names of its files.
pub(crate) struct Source {
    pub(crate) program: Program,
    /// The redacted program, if the policy hides part of it.
    shown: OnceLock<Program>,
    /// Maps the path in the program to the name that the user gave the file.
    names: BTreeMap<String, String>,
}

impl Source {
    /// The display name of a program from standard input.
    pub(crate) const STANDARD_INPUT: &'static str = "<stdin>";

    /// Reads the named files. Reads little more than `limit` bytes in total.
    pub(crate) fn read(files: &[PathBuf], limit: u64) -> Result<Self> {
        let is_standard_input = |file: &PathBuf| file == Path::new("-");
        let mut readable = limit.max(READABLE).saturating_add(1);
        match files {
            [] if std::io::stdin().is_terminal() => {
                bail!("no program: name a file, or pass the program on standard input. Try `isobox run --help`.")
            }
            [] => {
                let name = Self::STANDARD_INPUT;
                Ok(Self::single(name.to_owned(), read(name, std::io::stdin(), &mut readable)?))
            }
            [file] if is_standard_input(file) => Self::read(&[], limit),
            [file] => Ok(Self::single(file.display().to_string(), read_file(file, &mut readable)?)),
            _ if files.iter().any(is_standard_input) => {
                bail!("`-` cannot be combined with files: standard input is a whole program")
            }
            _ => {
                let places = places(files)?;
                let (mut sources, mut names) = (BTreeMap::new(), BTreeMap::new());
                for (file, place) in files.iter().zip(&places) {
                    if let Some(other) = names.insert(place.clone(), file.display().to_string()) {
                        bail!("{other} and {} are the same file", file.display());
                    }
                    sources.insert(place.clone(), read_file(file, &mut readable)?);
                }
                let entry = places.into_iter().next().unwrap_or_default();
                Ok(Self { program: Program::new(sources, entry)?, shown: OnceLock::new(), names })
            }
        }
    }

    pub(crate) fn single(name: String, source: String) -> Self {
        let program = Program::single(source);
        let names = BTreeMap::from([(program.entry().to_owned(), name)]);
        Self { program, shown: OnceLock::new(), names }
    }

    /// Returns the program of a stored execution. Its files have the names of the program, and a single file has the
    /// name of the function.
    pub(crate) fn kept(beginning: Beginning<'_>) -> Self {
        let Beginning { program, function, .. } = beginning;
        Self::of(program.into_owned(), function)
    }

    /// Returns a program whose files have the names of the program. A single file has the given name, if there is one.
    pub(crate) fn of(program: Program, name: Option<String>) -> Self {
        match (program.files().len(), name) {
            (1, Some(name)) => {
                Self { names: BTreeMap::from([(program.entry().to_owned(), name)]), shown: OnceLock::new(), program }
            }
            _ => {
                let names = program.files().keys().map(|path| (path.clone(), path.clone())).collect();
                Self { names, shown: OnceLock::new(), program }
            }
        }
    }

    /// Redacts the program by the policy of a runtime from now on.
    pub(crate) async fn show_under(&self, isobox: &Isobox) {
        let shown = isobox.shown(&self.program).await;
        self.shown.get_or_init(|| shown);
    }

    /// Returns the name of the program: its first file.
    pub(crate) fn name(&self) -> &str {
        self.names.get(self.program.entry()).map_or("<unknown>", String::as_str)
    }

    /// Returns the name of the file that a failure is in, and its text as [`Source::file`] does.
    pub(crate) fn file_of<'a>(&'a self, failure: &'a Failure) -> (&'a str, Option<&'a str>) {
        self.file(failure.details.get("file").and_then(|file| file.as_str()))
    }

    /// Returns the name and the redacted text of a file. Without a path, returns the entry file. A module of the host has the
    /// specifier as its name, and its text is not known.
    pub(crate) fn file<'a>(&'a self, path: Option<&'a str>) -> (&'a str, Option<&'a str>) {
        let path = path.unwrap_or(self.program.entry());
        let name = self.names.get(path).map_or(path, String::as_str);
        let shown = self.shown.get().unwrap_or(&self.program);
        (name, shown.files().get(path).map(String::as_str))
    }
}

/// Tells whether a failure is at an import of a file that is not part of the program, as in `import "./other"`.
pub(crate) fn is_at_unnamed_file(failure: &Failure, source: &Source) -> bool {
    let file = failure.details.get("file").and_then(|file| file.as_str()).unwrap_or(source.program.entry());
    let text = source.program.files().get(file).map_or("", String::as_str);
    let (Code::Syntax, Some(line), Some(column)) = (failure.code, failure.line, failure.column) else { return false };
    let line = lines(text).nth(line as usize - 1).unwrap_or_default();
    let from: String = line.chars().skip(column as usize - 1).take(4).collect();
    from.strip_prefix(['"', '\'']).is_some_and(|name| name.starts_with("./") || name.starts_with("../"))
}

/// Returns the paths of the files in the program, relative to their common folder.
fn places(files: &[PathBuf]) -> Result<Vec<String>> {
    let absolute: Vec<PathBuf> = files.iter().map(|file| plain(file)).collect::<Result<_>>()?;
    let mut common = absolute.first().and_then(|file| file.parent()).unwrap_or(Path::new("/"));
    while let (false, Some(parent)) = (absolute.iter().all(|file| file.starts_with(common)), common.parent()) {
        common = parent;
    }
    let relative = |(file, named): (&PathBuf, &PathBuf)| {
        let place = file.strip_prefix(common).ok().and_then(Path::to_str);
        place.map(str::to_owned).with_context(|| format!("the name of {} is not UTF-8", named.display()))
    };
    absolute.iter().zip(files).map(relative).collect()
}

/// Returns the absolute path of a file without `.` and `..`. Does not follow links.
fn plain(file: &Path) -> Result<PathBuf> {
    let absolute = std::path::absolute(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut plain = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(component),
        }
    }
    Ok(plain)
}

fn read_file(path: &Path, readable: &mut u64) -> Result<String> {
    let name = path.display().to_string();
    if path.is_dir() {
        bail!("{name} is a folder; name the files of the program, the entry file first");
    }
    let stream = owned::open_stream(path).with_context(|| format!("cannot read {name}"))?;
    read(&name, stream, readable)
}

/// Reads at most `readable` bytes and subtracts them. A text that is cut off here exceeds its limit anyway.
fn read(name: &str, reader: impl Read, readable: &mut u64) -> Result<String> {
    let mut bytes = Vec::new();
    reader.take(*readable).read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
    *readable -= bytes.len() as u64;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) if *readable == 0 => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        Err(error) => bail!("{name} is not text: byte {} is not UTF-8", error.utf8_error().valid_up_to() + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_of_the_host_has_its_specifier_as_its_name() {
        let source = Source::single("jobs/report.ts".to_owned(), "return 1".to_owned());
        assert_eq!(source.file(None), ("jobs/report.ts", Some("return 1")));
        assert_eq!(source.file(Some("csv")), ("csv", None));
    }

    #[test]
    fn paths_in_the_program_are_those_below_the_common_folder() {
        let places = |files: &[&str]| places(&files.iter().map(PathBuf::from).collect::<Vec<_>>()).expect("it is text");
        assert_eq!(places(&["/p/main.ts", "/p/lib/a.ts"]), ["main.ts", "lib/a.ts"]);
        assert_eq!(places(&["/p/src/main.ts", "/p/lib/a.ts"]), ["src/main.ts", "lib/a.ts"]);
        assert_eq!(places(&["/p/lib/x/../main.ts", "/p/./lib/a.ts"]), ["main.ts", "a.ts"]);
        assert_eq!(places(&["/one.ts", "/other/two.ts"]), ["one.ts", "other/two.ts"]);
        assert_eq!(places(&["sub/main.ts", "./sub/a.ts"]), ["main.ts", "a.ts"]);
        assert_eq!(places(&["/p/ab/main.ts", "/p/abc/a.ts"]), ["ab/main.ts", "abc/a.ts"]);
    }
}
