//! Executions are exported, replayed elsewhere without tools, and forked.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use super::{Folder, ONE};

const READS: &str = "console.log('reads');
const cities = await tools.cities.list({ country: 'Italy' });
const echoed = await tools.demo.echo({ first: cities[0] });
return echoed.first;";

/// Runs a program to its end; its name.
fn run(folder: &Folder, program: &str) -> String {
    folder.file("program.ts", program);
    let done = folder.isobox(&["run", "--demo", "--json", "program.ts"]);
    assert_eq!(done.status, 0, "{done:?}");
    done.json()["executionId"].as_str().expect("it has a name").to_owned()
}

#[test]
fn a_transcript_replays_in_another_folder_without_store_configuration_or_tools() {
    let folder = Folder::new("transcript");
    let id = run(&folder, READS);
    let done = folder.isobox(&["executions", "export", &id, "--output", "bug.json"]);
    assert_eq!((done.status, done.stdout.as_str(), done.stderr.as_str()), (0, "", ""), "{done:?}");
    let mode = fs::metadata(folder.0.join("bug.json")).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    let told = folder.isobox(&["executions", "export", &id, "--output", "again.json", "--json"]).json();
    assert_eq!((told["executionId"].as_str(), told["file"].as_str()), (Some(id.as_str()), Some("again.json")));
    let other = Folder::with("transcript-elsewhere", "{}");
    fs::remove_file(other.0.join("isobox.json")).expect("removed");
    fs::copy(folder.0.join("bug.json"), other.0.join("bug.json")).expect("copied");
    let replayed = other.isobox(&["executions", "replay", "bug.json"]);
    assert_eq!(replayed.status, 0, "{replayed:?}");
    assert!(replayed.stdout.contains("the same outcome, without any tool"), "{replayed:?}");
    assert!(replayed.stdout.contains("log │ reads") && replayed.stdout.contains("result: \"Rome\""), "{replayed:?}");
    assert!(!other.0.join(".isobox").exists(), "nothing is stored");
    let json = other.isobox(&["executions", "replay", "bug.json", "--json"]).json();
    assert_eq!((json["replay"].as_str(), json["outcome"]["result"].as_str()), (Some("same"), Some("Rome")), "{json}");
    // A configuration beside it may name a store that needs trust, which is not used.
    other.file("isobox.json", r#"{ "store": "sqlite:elsewhere/isobox.db" }"#);
    let replayed = other.isobox(&["executions", "replay", "bug.json"]);
    assert_eq!((replayed.status, other.0.join("elsewhere").exists()), (0, false), "{replayed:?}");
    // It stops before any call, and from standard input as well.
    let mut command = other.command(&["executions", "replay", "-", "--until", "1"]);
    command.stdin(Stdio::from(fs::File::open(other.0.join("bug.json")).expect("it is there")));
    let stopped = super::Done::of(&command.output().expect("the binary starts"));
    assert_eq!(stopped.status, 0, "{stopped:?}");
    assert!(stopped.stdout.contains("stopped before call 1\ncall 0 cities.list applied"), "{stopped:?}");
    assert!(stopped.stdout.contains("about to call 1 demo.echo (line 3,"), "{stopped:?}");
    assert!(stopped.stdout.contains(r#"{"first":"Rome"}"#), "{stopped:?}");
    // The store itself replays by ID.
    assert_eq!(folder.isobox(&["executions", "replay", &id]).status, 0);
    assert_eq!(folder.isobox(&["executions", "replay", "last", "--until", "9"]).status, 4);
}

#[test]
fn what_is_no_transcript_or_differs_from_what_the_program_does_is_refused() {
    let folder = Folder::new("transcript-bad");
    let id = run(&folder, READS);
    folder.isobox(&["executions", "export", &id, "--output", "bug.json"]);
    let whole = fs::read_to_string(folder.0.join("bug.json")).expect("it is there");
    let cases = [
        ("{", 2, "SERIALIZATION"),
        ("[1]", 2, "SERIALIZATION"),
        (&whole[..whole.len() / 2], 2, "SERIALIZATION"),
        (&whole.replace("transcript/1", "transcript/9"), 2, "SERIALIZATION"),
        (&whole.replace(r#""exported":"#, r#""more":1,"exported":"#), 2, "SERIALIZATION"),
        (&whole.replace("Rome", "Oslo").replacen("Oslo", "Rome", 1), 1, "DIVERGED"),
    ];
    for (text, status, code) in cases {
        folder.file("bad.json", text);
        let done = folder.isobox(&["executions", "replay", "bad.json", "--json"]);
        assert_eq!((done.status, done.json()["error"]["code"].as_str()), (status, Some(code)), "{done:?}");
    }
    let missing = folder.isobox(&["executions", "replay", "missing.json"]);
    assert!(missing.status == 2 && missing.stderr.contains("missing.json"), "{missing:?}");
}

#[test]
fn a_report_shows_everything_and_nothing_breaks_out_of_it() {
    let folder = Folder::new("report");
    let hostile = "// </pre><script>alert(1)</script>\n// ``````\n// # Forged heading\n\
                   console.log('</pre><img src=x onerror=alert(1)>\\n``````\\n# Forged');\n\
                   const sent = await tools.mail.send({ to: '<b>ada</b>', subject: '`````` | x' });\n\
                   return { '</script>': sent.to };";
    let id = folder.pause(hostile);
    assert_eq!(
        folder
            .isobox(&["executions", "approve", &id, "0", "--revision", "1", "--demo", "--reason", "<i>fine</i>"])
            .status,
        0
    );
    let html = folder.isobox(&["executions", "export", &id, "--format", "html"]);
    assert_eq!(html.status, 0, "{html:?}");
    for piece in
        ["<svg", "class=\"waiting\"", "approved call 0", "&lt;i&gt;fine&lt;/i&gt;", "CPU time", "script-src 'none'"]
    {
        assert!(html.stdout.contains(piece), "{piece}: {}", html.stdout);
    }
    for tag in ["<script", "<img", "<b>", "<i>", "onerror=alert(1)>"] {
        assert!(!html.stdout.contains(tag), "{tag}: {}", html.stdout);
    }
    let markdown = folder.isobox(&["executions", "export", &id, "--format", "markdown"]).stdout;
    for piece in ["## Timeline", "░", "approved call 0", "## Program", "## Calls", "mail.send", "- CPU time:"] {
        assert!(markdown.contains(piece), "{piece}: {markdown}");
    }
    // Outside of fences there is no heading but ours.
    let mut fence: Option<usize> = None;
    for line in markdown.lines() {
        let ticks = line.chars().take_while(|character| *character == '`').count();
        match fence {
            Some(length) if ticks >= length && line.trim_matches('`').is_empty() => fence = None,
            Some(_) => {}
            None if ticks >= 3 && !line[ticks..].contains('`') => fence = Some(ticks),
            None => assert!(!line.contains("Forged") || line.starts_with("- "), "{line}"),
        }
    }
    assert_eq!(fence, None, "every fence is closed");
}

#[test]
fn redacted_values_do_not_leave_the_house_unless_asked_for() {
    let config = r#"{ "policy": [{ "tools": "mail.*", "redact": ["/subject"] }] }"#;
    let folder = Folder::with("redacted", config);
    let id =
        run(&folder, "console.log('about hunter22'); return await tools.mail.send({ to: 'ada', subject: 'hunter22' })");
    for format in ["json", "markdown", "html"] {
        let done = folder.isobox(&["executions", "export", &id, "--format", format]);
        assert!(done.status == 0 && !done.stdout.contains("hunter22"), "{format}: {done:?}");
    }
    folder.isobox(&["executions", "export", &id, "--output", "hidden.json"]);
    let refused = folder.isobox(&["executions", "replay", "hidden.json"]);
    assert!(refused.status == 2 && refused.stderr.contains("--with-secrets"), "{refused:?}");
    let whole = folder.isobox(&["executions", "export", &id, "--with-secrets", "--output", "whole.json"]);
    assert_eq!((whole.status, folder.isobox(&["executions", "replay", "whole.json"]).status), (0, 0), "{whole:?}");
}

#[test]
fn a_fork_goes_on_from_the_moment_before_a_call() {
    let folder = Folder::new("fork");
    let id = run(&folder, READS);
    let fork = |more: &[&str]| folder.isobox(&[&["executions", "fork", &id, "--before", "1", "--demo"], more].concat());
    let done = fork(&["--answer", r#"{ "first": "Oslo" }"#]);
    assert_eq!((done.status, done.stdout.as_str()), (0, "\"Oslo\"\n"), "{done:?}");
    assert!(done.stderr.contains("forked as exec_"), "{done:?}");
    let done = fork(&["--json"]).json();
    assert_eq!(done["result"], "Rome", "the call is made");
    let forked = folder.isobox(&["executions", "show", done["executionId"].as_str().expect("an id"), "--json"]).json();
    assert_eq!(
        (forked["forkedFrom"]["execution"].as_str(), forked["forkedFrom"]["before"].as_str()),
        (Some(&*id), Some("1"))
    );
    let done = fork(&["--fail", "no echo today"]);
    assert!(done.status == 1 && done.stderr.contains("no echo today"), "{done:?}");
    folder.file("other.ts", &READS.replace("return echoed.first", "return [echoed.first, 'and more']"));
    let done = fork(&["--program", "other.ts"]);
    assert_eq!((done.status, done.stdout.as_str()), (0, "[\"Rome\",\"and more\"]\n"), "{done:?}");
    folder.file("other.ts", "return await tools.cities.list({ country: 'France' })");
    let count = folder.listed().len();
    let done = fork(&["--program", "other.ts", "--json"]);
    assert_eq!((done.status, done.json()["error"]["code"].as_str()), (1, Some("DIVERGED")), "{done:?}");
    assert_eq!(folder.listed().len(), count, "nothing is stored");
    // A transcript from elsewhere can be forked; its approvals do not count.
    let paused = folder.pause(ONE);
    assert_eq!(folder.isobox(&["executions", "approve", &paused, "--revision", "1", "--demo"]).status, 0);
    folder.isobox(&["executions", "export", &paused, "--output", "sent.json"]);
    let done = folder.isobox(&["executions", "fork", "sent.json", "--before", "0", "--demo", "--json"]);
    assert_eq!((done.status, done.json()["status"].as_str()), (3, Some("paused")), "{done:?}");
}
