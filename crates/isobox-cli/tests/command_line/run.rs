//! `isobox run` as a person meets it: wrong flags, odd files, pipes that close, interrupts, terminals.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A folder of its own for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("isobox-cli-test-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder can be made");
        fs::write(&path, content).expect("a file can be written");
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn isobox() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobox"));
    command.env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    isobox().args(arguments).output().expect("the binary starts")
}

fn run_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = isobox();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    child.stdin.take().expect("it has an input").write_all(input).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("it is text")
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

#[test]
fn the_result_goes_to_standard_output_and_logs_to_standard_error() {
    let output =
        run_input(&["run", "-"], b"console.log('a log', { n: 1 }); console.warn('careful'); return { b: [1, 2] }");
    assert_eq!((status(&output), text(&output.stdout).as_str()), (0, "{\"b\":[1,2]}\n"));
    assert_eq!(text(&output.stderr), "log │ a log {\"n\":1}\nwarn │ careful\n");
}

#[test]
fn mistakes_stop_a_program_or_are_warnings_or_are_not_looked_for() {
    let outcome = |effect: &str, program: &str| -> serde_json::Value {
        let output = run_input(&["run", "--demo", "--json", "--checks", effect], program.as_bytes());
        serde_json::from_slice(&output.stdout).expect("it is JSON")
    };
    let certain = "const result = tools.demo.echo(1); return result.x ?? 'none'";
    let possible = "if (Math.max(1, 2) > 5) await tools.no.tool({}); return 1";
    for (effect, code, warnings) in
        [("errors", "CHECK", 1), ("warnings", "DETACHED_CALL", 1), ("off", "DETACHED_CALL", 0)]
    {
        let failed = outcome(effect, certain);
        assert_eq!(failed["error"]["code"], code, "{effect}: {failed}");
        let completed = outcome(effect, possible);
        assert_eq!(completed["warnings"].as_array().map_or(0, Vec::len), warnings, "{effect}: {completed}");
    }
    let wrong = run_input(&["run", "--checks", "maybe"], b"return 1");
    assert_eq!(status(&wrong), 2);
}

#[test]
fn without_a_file_the_program_is_read_from_standard_input() {
    let output = run_input(&["run"], b"return 1");
    assert_eq!((status(&output), text(&output.stdout).as_str()), (0, "1\n"));
}

#[test]
fn a_failure_is_drawn_with_a_caret_under_the_authors_column() {
    let folder = Folder::new("caret");
    let file = folder.file("program.ts", "const n: number = 1;\nawait tools.weather.curent({ city: 'Oslo' });\n");
    let output = run(&["run", "--demo", &file]);
    assert_eq!((status(&output), text(&output.stdout).as_str()), (1, ""));
    insta::assert_snapshot!(text(&output.stderr).replace(&file, "program.ts"), @r"
    error[CHECK]: unknown tool: `weather.curent`; did you mean `weather.current`?
      --> program.ts:2:21
       |
     2 | await tools.weather.curent({ city: 'Oslo' });
       |                     ^
    ");
}

#[test]
fn every_finding_is_drawn_with_a_caret_in_its_own_file() {
    let folder = Folder::new("carets");
    let main = "import './other.ts';\nconst größe = await tools.demo.echo(1); await tools.weather.curent({ größe });\n\t\
                tools.mail.send({ to: 'ada', subject: 'x' });\nexport default größe;\n";
    let main = folder.file("main.ts", main);
    let other = folder.file("other.ts", "export const one = await tools.mail.send({ to: 1 });\n");
    let output = run(&["run", "--demo", &main, &other]);
    assert_eq!((status(&output), text(&output.stdout).as_str()), (1, ""));
    insta::assert_snapshot!(text(&output.stderr).replace(&main, "main.ts").replace(&other, "other.ts"), @r#"
    error[CHECK]: UNKNOWN_TOOL: unknown tool: `weather.curent`; did you mean `weather.current`?
      --> main.ts:2:61
       |
     2 | const größe = await tools.demo.echo(1); await tools.weather.curent({ größe });
       |                                                             ^
    error[CHECK]: DETACHED_CALL: the call of `mail.send` is never awaited
      --> main.ts:3:13
       |
     3 |  tools.mail.send({ to: 'ada', subject: 'x' });
       |             ^
      hint: await it, or collect several in `await Promise.all([…])`
    error[CHECK]: INVALID_INPUT: invalid input for tool `mail.send`: "subject" is a required property; at /to: 1 is not of type "string"
      --> other.ts:1:37
       |
     1 | export const one = await tools.mail.send({ to: 1 });
       |                                     ^
      hint: call it as tools.mail.send(input: { to: string; subject: string; body?: string }): Promise<unknown>
    "#);
}

#[test]
fn json_is_one_line_of_the_whole_outcome_whatever_the_outcome() {
    for (program, expected, ok) in
        [("return 1", "completed", 0), ("throw new Error('x')", "failed", 1), ("1 +", "failed", 1)]
    {
        let output = run_input(&["run", "--json"], program.as_bytes());
        let stdout = text(&output.stdout);
        assert_eq!((status(&output), stdout.lines().count()), (ok, 1), "{program}");
        let outcome: serde_json::Value = serde_json::from_str(&stdout).expect("it is JSON");
        assert_eq!(outcome["status"], expected, "{program}");
        assert!(outcome["executionId"].as_str().is_some_and(|id| id.starts_with("exec_")), "{program}");
    }
}

#[test]
fn wrong_requests_say_what_is_wrong_and_exit_with_two() {
    let folder = Folder::new("wrong");
    let binary = folder.file("binary.ts", b"return '\xff\xfe'");
    let folder_name = folder.0.display().to_string();
    for (arguments, expected) in [
        (vec!["run", "no-such-file.ts"], "cannot read no-such-file.ts"),
        (vec!["run", &folder_name], "is a folder; name the files of the program, the entry file first"),
        (vec!["run", &binary], "is not text: byte 9 is not UTF-8"),
        (vec!["run", "--timeout", "5"], "a duration like 5s"),
        (vec!["run", "--timeout", "0"], "a duration like 5s"),
        (vec!["run", "--timeout", "0s"], "a time limit of zero would stop every program"),
        (vec!["run", "--cpu", "0ms"], "a time limit of zero would stop every program"),
        (vec!["run", "--timeout", "-5s"], "`-5s` is not a duration like 5s"),
        (vec!["run", "--timeout", "99999999999999999999h"], "is not a duration like 5s"),
        (vec!["run", "--memory", "lots"], "a size like 64MiB"),
        (vec!["run", "--memory", "-1"], "`-1` is not a size like 64MiB"),
        (vec!["run", "--memory", "64XB"], "`64XB` is not a size like 64MiB"),
        (vec!["run", "--stack", "2MiB"], "the stack limit is 2 MiB, but it has to be from 32 KiB to 1 MiB"),
        (vec!["run", "--max-in-flight", "0"], "the limit of calls in flight is 0"),
        (vec!["run", "--max-calls", "-1"], "invalid value '-1' for '--max-calls <NUMBER>'"),
        (vec!["run", "--seed", "x"], "invalid value 'x' for '--seed <NUMBER>'"),
        (vec!["run", ""], "a value is required for '[FILE]...'"),
        (vec!["run", "--memory", "1KiB"], "the memory limit is 1 KiB, but it has to be from 4 MiB to 4 GiB"),
        (vec!["run", "--no-such-flag"], "--no-such-flag"),
        (vec!["runn"], "unrecognized subcommand 'runn'"),
    ] {
        let output = run(&arguments);
        let stderr = text(&output.stderr);
        assert_eq!((status(&output), text(&output.stdout).as_str()), (2, ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    }
}

#[test]
fn further_files_are_those_that_the_first_one_imports() {
    let folder = Folder::new("several");
    let main = folder.file("src/main.ts", "import { twice } from '../lib/twice';\nreturn twice(21);");
    let twice = folder.file("lib/twice.ts", "import { two } from './two.js';\nexport const twice = (n) => n * two;");
    let two = folder.file("lib/two.ts", "export const two = 2;");
    let output = run(&["run", &main, &twice, "--json", &two]);
    let outcome: serde_json::Value = serde_json::from_str(&text(&output.stdout)).expect("it is JSON");
    assert_eq!((status(&output), &outcome["result"]), (0, &serde_json::json!(42)));

    let mut command = isobox();
    let output = command.current_dir(&folder.0).args(["run", "src/../src/main.ts", "./lib/two.ts", "lib/twice.ts"]);
    assert_eq!(text(&output.output().expect("the binary starts").stdout), "42\n");

    let output = run(&["run", &main, &twice]);
    assert_eq!(status(&output), 1, "a file that is there and was not named is not read");
    insta::assert_snapshot!(text(&output.stderr).replace(&twice, "lib/twice.ts"), @r"
    error[SYNTAX]: there is no file `./two.js` in the program
      --> lib/twice.ts:1:21
       |
     1 | import { two } from './two.js';
       |                     ^
      hint: only the program's own files can be imported; the tools are in `tools.…`
      hint: name every file of the program on the command line, the entry file first
    ");
}

#[test]
fn a_failure_in_another_file_shows_that_file() {
    let folder = Folder::new("failure-in-another");
    let main = folder.file("main.ts", "import { check } from './check';\ncheck(1);");
    for (content, place, row) in [
        ("\nexport const check = (n) => { throw new Error('no') };", "2:37", " 2 | export const check"),
        ("export const check = ;", "1:22", " 1 | export const check"),
    ] {
        let check = folder.file("check.ts", content);
        let output = run(&["run", &main, &check]);
        let stderr = text(&output.stderr);
        assert_eq!(status(&output), 1, "{stderr}");
        assert!(stderr.contains(&format!("--> {check}:{place}")) && stderr.contains(row), "{stderr}");
    }
}

#[test]
fn files_that_do_not_go_together_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("several-wrong");
    let main = folder.file("main.ts", "return 1");
    let again = folder.0.join("sub/../main.ts").display().to_string();
    let binary = folder.file("binary.ts", b"export const a = '\xff'");
    let missing = folder.0.join("missing.ts").display().to_string();
    let folder_name = folder.0.display().to_string();
    for (arguments, expected) in [
        (vec!["run", &main, &missing], format!("error: cannot read {missing}: No such file")),
        (vec!["run", &main, &main], format!("error: {main} and {main} are the same file")),
        (vec!["run", &main, &again], format!("error: {main} and {again} are the same file")),
        (vec!["run", &main, &binary], format!("error: {binary} is not text: byte 19 is not UTF-8")),
        (vec!["run", &main, &folder_name], format!("error: {folder_name} is a folder")),
        (vec!["run", &main, "-"], "error: `-` cannot be combined with files".to_owned()),
        (vec!["run", "-", &main], "error: `-` cannot be combined with files".to_owned()),
        (vec!["run", "-", "-"], "error: `-` cannot be combined with files".to_owned()),
    ] {
        let output = run(&arguments);
        let stderr = text(&output.stderr);
        assert_eq!((status(&output), text(&output.stdout).as_str()), (2, ""), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with(&expected), "{arguments:?}: {stderr}");
    }
    let odd = folder.0.join(std::ffi::OsStr::from_bytes(b"odd-\xff.ts"));
    fs::write(&odd, "return 2").expect("a file can be written");
    let output = isobox().args(["run", &main]).arg(&odd).output().expect("the binary starts");
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).ends_with(".ts is not UTF-8\n"), "{}", text(&output.stderr));
    let output = isobox().arg("run").arg(&odd).output().expect("the binary starts");
    assert_eq!(text(&output.stdout), "2\n", "one file may be called whatever it likes");
}

#[test]
fn the_limit_of_the_source_is_on_all_files_together_and_the_error_says_how_large_they_are() {
    let folder = Folder::new("several-large");
    let main = folder.file("main.ts", format!("import './other';\nreturn 1 //{}", "x".repeat(971)));
    let other = folder.file("other.ts", "x".repeat(3000));
    let output = run(&["run", "--max-source", "3999", &main, &other]);
    assert_eq!(status(&output), 1);
    let stderr = text(&output.stderr);
    assert!(stderr.contains("error[SOURCE_TOO_LARGE]: the program is 4000 bytes"), "{stderr}");
    assert!(!text(&run(&["run", "--max-source", "4000", &main, &other]).stderr).contains("SOURCE_TOO_LARGE"));
}

#[test]
fn an_empty_program_is_one_that_returns_nothing() {
    let output = run_input(&["run"], b"");
    assert_eq!((status(&output), text(&output.stdout).as_str()), (0, "null\n"));
}

#[test]
fn a_program_may_be_empty_or_come_from_no_input_at_all_and_zeros_are_named() {
    let folder = Folder::new("odd");
    let empty = folder.file("empty.ts", "");
    assert_eq!(text(&run(&["run", &empty]).stdout), "null\n");
    assert_eq!(text(&run(&["run"]).stdout), "null\n");
    let zero = folder.file("zero.ts", "return 1\0");
    let output = run(&["run", &zero]);
    insta::assert_snapshot!(text(&output.stderr).replace(&zero, "zero.ts"), @r"
    error[SYNTAX]: invalid character `\u{0}`
      --> zero.ts:1:9
       |
     1 | return 1\u{0}
       |         ^
    ");
}

#[test]
fn a_syntax_error_is_drawn_with_its_line_a_caret_and_a_hint() {
    let output = run_input(&["run"], b"```ts\nconst a = 1;\nreturn a;\n");
    assert_eq!((status(&output), text(&output.stdout).as_str()), (1, ""));
    insta::assert_snapshot!(text(&output.stderr), @r"
    error[SYNTAX]: the fence around the program is not closed
      --> <stdin>:1:1
       |
     1 | ```ts
       | ^
      hint: end the program with a line that holds ``` alone
    ");
}

#[test]
fn a_program_that_is_too_large_is_not_read_to_its_end() {
    let mut command = isobox();
    let child = command.args(["run", "/dev/zero", "--max-source", "1KiB"]).output().expect("the binary starts");
    assert_eq!(status(&child), 1);
    assert!(text(&child.stderr).contains("error[SOURCE_TOO_LARGE]"), "{}", text(&child.stderr));
}

#[test]
fn escape_sequences_of_a_program_do_not_reach_the_terminal() {
    let program = "console.log('\\x1b[2Jlog\\x9b1m\\u202e'); if (1) throw new Error('\\x1b]0;title\\x07'); return 1";
    let output = run_input(&["run"], program.as_bytes());
    let stderr = text(&output.stderr);
    assert!(stderr.contains("\\u{1b}[2Jlog\\u{9b}1m\\u{202e}") && stderr.contains("\\u{1b}]0;title\\u{7}"), "{stderr}");
    assert!(!stderr.contains(['\u{1b}', '\u{9b}', '\u{202e}', '\u{7}']), "{stderr}");
    let output = run_input(&["run"], b"return ['\\x1b[31m', '\\x9b', '\\u202e']");
    assert_eq!(text(&output.stdout), "[\"\\u001b[31m\",\"\\u009b\",\"\\u202e\"]\n");
}

#[test]
fn a_reader_that_goes_away_is_no_error_and_a_full_disk_is() {
    let mut command = isobox();
    command.args(["run", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    drop(child.stdout.take());
    child.stdin.take().expect("it has an input").write_all(b"return 'x'.repeat(500000)").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((status(&output), text(&output.stderr).as_str()), (0, ""));

    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("there is a full device");
    let folder = Folder::new("full");
    let file = folder.file("program.ts", "return 1");
    let output = isobox().args(["run", &file]).stdout(full).stderr(Stdio::piped()).output().expect("the binary starts");
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("cannot write the result"), "{}", text(&output.stderr));
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("there is a full device");
    let output = isobox().args(["run", "--json", &file]).stdout(full).stderr(Stdio::piped()).output();
    let output = output.expect("the binary starts");
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("cannot write the outcome"), "{}", text(&output.stderr));
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("there is a full device");
    let logs = folder.file("logs.ts", "console.log('lost'); return 1");
    let output = isobox().args(["run", &logs]).stdout(Stdio::piped()).stderr(full).output().expect("the binary starts");
    assert_eq!((status(&output), text(&output.stdout).as_str()), (0, "1\n"), "a log that cannot be written is lost");
}

/// Waits until the process has its sandbox and has had time to start the program.
fn wait_until_running(process: u32) {
    let has_sandbox = || {
        let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        let name = |task: fs::DirEntry| fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        tasks.map(name).any(|name| name.trim() == "isobox-sandbox")
    };
    for _ in 0..1000 {
        if has_sandbox() {
            return std::thread::sleep(Duration::from_millis(300));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it does not start");
}

#[test]
fn an_interrupt_stops_the_program_cleanly() {
    let folder = Folder::new("interrupt");
    for (name, program) in
        [("spin.ts", "console.log('started'); for (;;) {}"), ("wait.ts", "await tools.demo.wait({ ms: 20000 })")]
    {
        let file = folder.file(name, program);
        let output = interrupted(&["run", "--demo", &file]);
        let stderr = text(&output.stderr);
        assert_eq!(status(&output), 1, "{name}: {stderr}");
        assert!(stderr.contains("error[ABORTED]"), "{name}: {stderr}");
        let output = interrupted(&["run", "--demo", "--json", &file]);
        assert_eq!((status(&output), text(&output.stderr).as_str()), (1, ""), "{name}");
        let outcome: serde_json::Value = serde_json::from_str(&text(&output.stdout)).expect("it is JSON");
        assert_eq!((&outcome["status"], &outcome["error"]["code"]), (&"failed".into(), &"ABORTED".into()), "{name}");
    }
}

/// What comes of a process that is interrupted in the middle of its program.
fn interrupted(arguments: &[&str]) -> Output {
    let child = isobox().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the binary starts");
    wait_until_running(child.id());
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    child.wait_with_output().expect("it ends")
}

#[test]
fn on_a_terminal_there_are_colours_and_readable_results() {
    let folder = Folder::new("terminal");
    let file = folder.file("program.ts", "console.warn('w'); return { a: [1] }");
    let shell = format!("{} run {file}", env!("CARGO_BIN_EXE_isobox"));
    let terminal = |variables: &[(&str, &str)]| {
        let mut command = Command::new("script");
        command.args(["-qec", &shell, "/dev/null"]).stdin(Stdio::null()).env_remove("NO_COLOR").env("TERM", "xterm");
        let output = command.envs(variables.iter().copied()).output().expect("`script` gives a terminal");
        text(&output.stdout).replace("\r\n", "\n")
    };
    assert_eq!(terminal(&[]), "\u{1b}[33mwarn │\u{1b}[0m w\n{\n  \"a\": [\n    1\n  ]\n}\n");
    for plain in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        assert_eq!(terminal(&[plain]), "warn │ w\n{\n  \"a\": [\n    1\n  ]\n}\n", "{plain:?}");
    }
}

#[test]
fn the_help_names_the_defaults_that_are_in_force() {
    let help = text(&run(&["run", "--help"]).stdout);
    let default = |flag: &str| {
        let (_, rest) = help.split_once(&format!("--{flag} <")).expect("the help has the flag");
        let (_, rest) = rest.split_once("[default: ").expect("it has a default");
        rest.split_once(']').expect("which ends").0.to_owned()
    };
    let time = |flag: &str| isobox::limits::parse_duration(&default(flag)).expect("it is a duration");
    let size = |flag: &str| default(flag).parse::<isobox::ByteSize>().expect("it is a size");
    let count = |flag: &str| default(flag).parse::<u32>().expect("it is a number");
    let documented = isobox::Limits::default()
        .timeout(time("timeout"))
        .cpu(time("cpu"))
        .memory(size("memory"))
        .stack(size("stack"))
        .source(size("max-source"))
        .result(size("max-result"))
        .input(size("max-input"))
        .output(size("max-output"))
        .logs(size("max-logs"))
        .facts(size("max-facts"))
        .calls(count("max-calls"))
        .in_flight(count("max-in-flight"))
        .in_flight_excess(isobox::limits::InFlightExcess::Wait)
        .durable_value(size("max-durable-value"))
        .journal(size("max-journal"))
        .snapshot(size("max-snapshot"));
    assert_eq!(documented, isobox::Limits::default());
}

#[test]
fn the_same_seed_gives_the_same_numbers() {
    let numbers = |seed: &str| text(&run_input(&["run", "--seed", seed], b"return Math.random()").stdout);
    assert_eq!(numbers("5"), numbers("5"));
    assert_ne!(numbers("5"), numbers("6"));
}

#[test]
fn the_tour_of_the_readme_shows_tools_concurrency_and_an_error() {
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/tour.ts");
    let output = run(&["run", "--demo", tour]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("warn │ Atlantis: no weather station in Atlantis (TOOL)"));
    assert!(text(&output.stdout).contains("\"warmest\":\"Rome, 21 °C\""));
}
