//! Asks for consent before a configuration in the current folder starts commands, reads files or the environment, or
//! stores executions elsewhere. The folder may be a checkout of another person's work. Asks once per file and content.

use std::io::{self, IsTerminal, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use isobox::config::{ConfigFile, Reach, StoreConfig};
use isobox::store::owned;
use isobox::store::owned::Guard;
use isobox::text::without_escapes;
use isobox::workspace::KnownStores;
use isobox::{Value, json};
use sha2::{Digest, Sha256};

use crate::pages::Pages;
use crate::rows::without_gaps;
use crate::secrets::{masked_address, masked_command};
use crate::state::{NO_HOME, state_folder};
use crate::style::{Colours, Look, print_error, warn};
use crate::terminal::ask_and_wait;

/// The way in which consent is obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    /// By a question at the terminal, if there is one.
    Person,
    /// Not at all: standard input is in use.
    Never,
}

/// The maximum number of remembered files. The oldest entries are dropped first.
const REMEMBERED: usize = 1_000;
/// The maximum size of the list file.
const MAX_LIST: u64 = 4 << 20;
/// The maximum number of characters and of lines in an error, which nobody can agree to.
const CHARACTERS: usize = 2_000;
const LINES: usize = 50;

/// Returns an error unless a person has agreed to the effects of the configuration.
pub(crate) fn agree(
    file: &ConfigFile,
    reach: &Reach,
    asks: Asks,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<()> {
    let path = place(file.path())?;
    let seal = seal(&path, file.content());
    let list = list_file(environment);
    let known = list.as_deref().map(read_list).transpose()?.unwrap_or_default();
    if known.iter().any(|one| one["sha256"] == *seal) {
        return Ok(());
    }
    let title = format!("{} is not trusted yet. It has these effects:", clean(&path.display().to_string()));
    if !can_ask(asks) {
        let named = match file.stranger() {
            Some(_) => String::new(),
            None => format!(", name it explicitly (`--config {}`)", file.path().display()),
        };
        // An error may be logged or shown to a model, and these values may be secrets.
        let told = in_brief(&effects(file, &without_secrets(reach)));
        bail!(
            "{title}\n{told}\n  hint: check the file, then agree to it by running a command at a terminal{named}, or pass --trust"
        );
    }
    let question = Question {
        note: "Commands run with your permissions, outside the sandbox.",
        text: "Trust this file until it changes? [y]es, [n]o:",
    };
    if !ask(&format!("{title}\n{}", effects(file, reach).join("\n")), question)? {
        bail!("{} is not trusted; nothing was started", file.path().display());
    }
    let remembered = list.context(NO_HOME).and_then(|list| {
        remember(&list, known, &path, &seal).with_context(|| format!("cannot write {}", list.display()))
    });
    if let Err(error) = remembered {
        warn(&format!("the answer cannot be stored, so the question will be asked again: {error:#}"));
    }
    Ok(())
}

/// Tells whether a person has agreed to this content of the file before.
pub(crate) fn has_agreed(file: &ConfigFile, environment: &dyn Fn(&str) -> Option<String>) -> Result<bool> {
    let seal = seal(&place(file.path())?, file.content());
    let known = list_file(environment).as_deref().map(read_list).transpose()?.unwrap_or_default();
    Ok(known.iter().any(|one| one["sha256"] == *seal))
}

/// Returns the place of the list of trusted files.
fn list_file(environment: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    state_folder(environment).map(|folder| folder.join("trusted.json"))
}

/// Returns an error unless this user has created the store, or agrees to use it. Otherwise a checkout of another person's
/// work could bring executions whose calls seem to be approved.
pub(crate) fn agree_to_store(store: &StoreConfig, known: Option<&KnownStores>, asks: Asks) -> Result<()> {
    // A key that cannot be read is reported when the store is opened.
    let (StoreConfig::Sqlite(path), Ok(Some(fingerprint))) = (store, store.fingerprint()) else { return Ok(()) };
    if known.is_some_and(|known| known.has(&fingerprint)) {
        return Ok(());
    }
    let path = clean(&path.display().to_string());
    let told = format!(
        "you have not used the store {path} yet. If it came with another person's work, its executions may have approvals that \
         nobody here has given."
    );
    if !can_ask(asks) {
        bail!(
            "{told}\n  hint: look at it with `isobox executions list`, then agree to it by running a command at a terminal, name it \
             explicitly (`--store sqlite:{path}`), or pass --trust"
        );
    }
    let question = Question {
        note: "Its executions can resume, and make calls with your tools.",
        text: "Use this store? [y]es, [n]o:",
    };
    if !ask(&told, question)? {
        bail!("the store {path} is not trusted; nothing was started");
    }
    let remembered = known
        .context(NO_HOME)
        .and_then(|known| known.add(&fingerprint).context("cannot write to the folder of known stores"));
    if let Err(error) = remembered {
        warn(&format!("the answer cannot be stored, so the question will be asked again: {error:#}"));
    }
    Ok(())
}

fn can_ask(asks: Asks) -> bool {
    asks == Asks::Person && io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Returns the path of a file with the links of its folder resolved. A link at the file itself is not resolved, because
/// its target was not written for this folder.
fn place(file: &Path) -> Result<PathBuf> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().with_context(|| format!("cannot find the folder of {}", file.display()))?;
    Ok(folder.join(file.file_name().unwrap_or_default()))
}

/// Returns the hash of a path and its content, which is what the person agrees to.
fn seal(path: &Path, content: &[u8]) -> String {
    let digest = Sha256::new().chain_update(path.as_os_str().as_bytes()).chain_update([0]).chain_update(content);
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Describes the effects of the configuration for the person who decides about it, all of them and in full.
fn effects(file: &ConfigFile, reach: &Reach) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, command) in &reach.commands {
        lines.push(format!("  starts {}: {}", clean(name), clean(command)));
        for (_, variables) in reach.environment.iter().filter(|(server, _)| server == name) {
            lines.push(format!("  sets for {}: {}", clean(name), clean(variables)));
        }
    }
    for (name, service) in &reach.services {
        lines.push(format!("  sends requests for {}: {}", clean(name), clean(service)));
    }
    if !reach.files.is_empty() {
        let names: Vec<&str> = reach.files.iter().map(String::as_str).collect();
        lines.push(format!("  reads files: {}", clean(&names.join(", "))));
    }
    if !reach.variables.is_empty() {
        let names: Vec<&str> = reach.variables.iter().map(String::as_str).collect();
        lines.push(format!("  reads environment variables: {}", clean(&names.join(", "))));
    }
    if let Some(store) = &reach.store {
        lines.push(format!("  stores executions in {}", clean(store)));
    }
    if let Some(retention) = &reach.retention {
        lines.push(format!("  {}", clean(retention)));
    }
    if let Some(owner) = file.stranger() {
        lines.push(format!("  belongs to another user ({owner})"));
    }
    lines
}

/// Returns the effects without values of variables and without what looks like a secret in commands and addresses.
fn without_secrets(reach: &Reach) -> Reach {
    let masked = |all: &[(String, String)], mask: fn(&str) -> String| {
        all.iter().map(|(name, text)| (name.clone(), mask(text))).collect::<Vec<_>>()
    };
    Reach {
        commands: masked(&reach.commands, masked_command),
        environment: Vec::new(),
        services: masked(&reach.services, masked_address),
        ..reach.clone()
    }
}

/// Shortens the effects for an error.
fn in_brief(effects: &[String]) -> String {
    let cut = |line: &String| match line.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}… {} more characters", &line[..end], line[end..].chars().count()),
        None => line.clone(),
    };
    let mut lines: Vec<String> = effects.iter().take(LINES).map(cut).collect();
    if effects.len() > LINES {
        lines.push(format!("  … {} more effects", effects.len() - LINES));
    }
    lines.join("\n")
}

/// Escapes a text from the configuration to one line in which nothing stands far behind blanks.
fn clean(text: &str) -> String {
    without_gaps(&without_escapes(text))
}

#[derive(Clone, Copy)]
struct Question {
    /// The consequences of consent.
    note: &'static str,
    text: &'static str,
}

/// Shows a text page by page, and asks when all of it was shown.
fn ask(told: &str, question: Question) -> Result<bool> {
    let colours = Colours::of_standard_error();
    let mut pages = Pages::open(&format!("{}: {told}", colours.paint(Look::Warning, "warn")));
    while !pages.are_seen() {
        let Some(line) = answer(&pages.question("n to refuse"))? else { return Ok(false) };
        if !pages.turn(&line) && matches!(line.as_str(), "n" | "no") {
            return Ok(false);
        }
    }
    print_error(question.note);
    loop {
        let Some(line) = answer(question.text)? else { return Ok(false) };
        match line.as_str() {
            "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ => {}
        }
    }
}

/// Returns the answer to a question, or `None` if the terminal was closed.
fn answer(question: &str) -> Result<Option<String>> {
    let line = ask_and_wait(question).context("cannot read the answer")?;
    if line.is_none() {
        print_error("");
    }
    Ok(line.map(|line| line.trim().to_lowercase()))
}

fn read_list(path: &Path) -> Result<Vec<Value>> {
    let read = || {
        let file = match owned::open_to_read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            file => file?,
        };
        owned::check(&file, path, Guard::Secret)?;
        let mut bytes = Vec::new();
        file.take(MAX_LIST).read_to_end(&mut bytes)?;
        let list: Value = serde_json::from_slice(&bytes)?;
        Ok::<_, io::Error>(list["trusted"].as_array().cloned().unwrap_or_default())
    };
    read().with_context(|| format!("cannot use {}, the list of trusted files", path.display()))
}

/// Adds a file to the list and replaces its previous entry. Replaces the list file atomically.
fn remember(list: &Path, mut known: Vec<Value>, path: &Path, seal: &str) -> Result<()> {
    let path = path.display().to_string();
    known.retain(|one| one["path"] != *path);
    known.drain(..known.len().saturating_sub(REMEMBERED - 1));
    known.push(json!({ "path": path, "sha256": seal }));
    owned::replace(list, format!("{:#}\n", json!({ "trusted": known })).as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_place_or_content_is_another_question() {
        let one = seal(Path::new("/a/isobox.json"), b"{}");
        assert_eq!(one, seal(Path::new("/a/isobox.json"), b"{}"));
        assert_ne!(one, seal(Path::new("/b/isobox.json"), b"{}"));
        assert_ne!(one, seal(Path::new("/a/isobox.json"), b"{ }"));
    }

    #[test]
    fn what_is_shown_of_a_command_is_one_line() {
        assert_eq!(clean("a\nTrust this file? y\r\u{1b}[2Jb"), r"a\nTrust this file? y\r\u{1b}[2Jb");
        assert_eq!(clean(&format!("a{}b", " ".repeat(500))), "a [500 blanks] b");
    }

    #[test]
    fn an_error_shows_no_secrets_of_commands_and_addresses() {
        let pair = |name: &str, text: &str| vec![(name.to_owned(), text.to_owned())];
        let reach = Reach {
            commands: pair("gh", "gh-mcp --token=abc stdio"),
            environment: pair("gh", "TOKEN=abc"),
            services: pair("shop", "https://a.example/?key=abc"),
            ..Reach::default()
        };
        let shown = without_secrets(&reach);
        assert_eq!(shown.commands, pair("gh", "gh-mcp --token=*** stdio"));
        assert_eq!(shown.services, pair("shop", "https://a.example/?key=***"));
        assert!(shown.environment.is_empty());
    }

    #[test]
    fn an_error_is_bounded() {
        let long = in_brief(&["x".repeat(5_000)]);
        assert!(long.ends_with("x… 3000 more characters"), "{long}");
        let many = in_brief(&vec!["x".to_owned(); 60]);
        assert!(many.ends_with("\n  … 10 more effects"), "{many}");
    }
}
