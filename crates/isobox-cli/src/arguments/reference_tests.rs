//! Keeps `docs/commands.md` as the definitions of the arguments are.

use std::path::Path;

use clap::{Arg, Command, CommandFactory};

use super::Arguments;
use crate::exit::HELP;

const WRITE: &str = "ISOBOX_WRITE_DOCS";

#[test]
fn the_reference_of_the_commands_is_what_the_code_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    let page = page();
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let other = page.lines().zip(kept.lines()).find(|(line, kept)| line != kept);
    assert!(
        page == kept,
        "docs/commands.md is not what the code says, first at {other:?}: run {WRITE}=1 cargo test -p isobox-cli reference"
    );
}

fn page() -> String {
    let mut root = Arguments::command();
    let everywhere = |arg: &&Arg| arg.is_global_set() && arg.get_id() != "help";
    // Gives every command its whole name and the options of the commands above it.
    root.build();
    let mut page = format!(
        "# Commands\n\nThis page lists every command with its arguments and options. It is generated from the code: after a \
         change, write it with\n`{WRITE}=1 cargo test -p isobox-cli reference`. A test compares it.\n\n{}\n\n\
         `isobox --version` prints the version. `--help` after any command prints what this page says about it. Every \
         command takes this option:\n{}\n| command | does |\n|---|---|\n",
        sentence(&about(&root)),
        table("option", &root.get_arguments().filter(everywhere).collect::<Vec<_>>(), &root)
    );
    let commands = commands(&root);
    for command in &commands {
        let name = name(command);
        let first = about(command).split("\n\n").next().unwrap_or_default().to_owned();
        page += &format!("| [`{name}`](#{}) | {} |\n", name.replace(' ', "-"), cell(&sentence(&first)));
    }
    for command in &commands {
        page += &section(command);
    }
    page + "\n## Exit status\n\nAll commands use these exit statuses.\n\n| status | meaning |\n|---|---|\n"
        + &statuses()
}

/// Returns all commands below a command, each before those below it.
fn commands(above: &Command) -> Vec<&Command> {
    let below = above.get_subcommands().filter(|command| command.get_name() != "help");
    below.flat_map(|command| [vec![command], commands(command)].concat()).collect()
}

fn section(command: &Command) -> String {
    let is_group = command.has_subcommands();
    let depth = if name(command).split(' ').count() > 2 { "###" } else { "##" };
    let mut section = format!("\n{depth} {}\n\n{}\n", name(command), sentence(&about(command)));
    if !is_group {
        let usage = command.clone().render_usage().to_string();
        section += &format!("\n```text\n{}\n```\n", usage.trim_start_matches("Usage: "));
    }
    let shown = |arg: &&Arg| !arg.is_hide_set() && arg.get_id() != "help" && (is_group || !arg.is_global_set());
    let (positional, options): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(shown).partition(|arg| arg.is_positional());
    section += &table("argument", &positional, command);
    let mut headings: Vec<Option<&str>> = options.iter().map(|arg| arg.get_help_heading()).collect();
    headings.dedup();
    for heading in headings {
        if is_group {
            section += &format!("\nEvery command below `{}` takes these options.\n", name(command));
        } else if let Some(heading) = heading {
            section += &format!("\n{heading}:\n");
        }
        let options: Vec<&Arg> = options.iter().copied().filter(|arg| arg.get_help_heading() == heading).collect();
        section += &table("option", &options, command);
    }
    if let Some(group) = group_of(command) {
        section += &format!("\nThe options of [`{group}`](#{}) apply too.\n", group.replace(' ', "-"));
    }
    section
}

/// Returns the name of the command above a command, if that has options for all commands below it.
fn group_of(command: &Command) -> Option<String> {
    let has_global = command.get_arguments().any(|arg| arg.is_global_set());
    let name = name(command);
    let above = name.rsplit_once(' ')?.0;
    (has_global && above.contains(' ')).then(|| above.to_owned())
}

fn table(title: &str, args: &[&Arg], command: &Command) -> String {
    if args.is_empty() {
        return String::new();
    }
    let row = |arg: &&Arg| format!("| {} | {} |\n", cell(&format!("`{arg}`")), cell(&meaning(arg, command)));
    let rows: String = args.iter().map(row).collect();
    format!("\n| {title} | meaning |\n|---|---|\n{rows}")
}

fn meaning(arg: &Arg, command: &Command) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut parts = vec![sentence(&help)];
    let values = arg.get_possible_values();
    if arg.get_action().takes_values() && !values.is_empty() {
        let values = values.iter().map(|value| {
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            if help.is_empty() { format!("`{}`", value.get_name()) } else { format!("`{}` ({help})", value.get_name()) }
        });
        parts.push(format!("One of {}.", values.collect::<Vec<_>>().join(", ")));
    }
    let defaults = arg.get_default_values();
    if arg.get_action().takes_values() && !defaults.is_empty() {
        let defaults = defaults.iter().filter(|value| !value.is_empty());
        let defaults: Vec<String> = defaults.map(|value| format!("`{}`", value.to_string_lossy())).collect();
        if !defaults.is_empty() {
            parts.push(format!("Default: {}.", defaults.join(" ")));
        }
    }
    let others = command.get_arg_conflicts_with(arg);
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(|other| format!("`{other}`")).collect();
        parts.push(format!("Not with {}.", others.join(", ")));
    }
    parts.join(" ")
}

/// Returns the rows of the table of exit statuses, from the section of `--help`.
fn statuses() -> String {
    let lines = HELP.lines().skip(1).filter_map(|line| line.trim().split_once("  "));
    lines.map(|(status, meaning)| format!("| {status} | {} |\n", cell(meaning))).collect()
}

fn about(command: &Command) -> String {
    command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default()
}

fn name(command: &Command) -> String {
    command.get_bin_name().unwrap_or(command.get_name()).to_owned()
}

/// Returns a help text as sentences. The default that some texts end with becomes a sentence of its own.
fn sentence(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let paragraph = paragraph.trim().trim_end_matches('.');
        match paragraph.strip_suffix(']').and_then(|text| text.split_once(" [default: ")) {
            Some((meaning, default)) => format!("{meaning}. Default: {default}."),
            None if paragraph.ends_with('…') => paragraph.to_owned(),
            None => format!("{paragraph}."),
        }
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Returns a text for one cell of a table. A bar would end the cell in code, too; in code, everything else stands for itself.
fn cell(text: &str) -> String {
    let text = text.replace("\n\n", " ").replace('|', "\\|");
    let parts = text.split('`').enumerate();
    let parts: Vec<String> =
        parts.map(|(at, part)| if at % 2 == 0 { part.replace('<', "&lt;") } else { part.to_owned() }).collect();
    parts.join("`")
}
