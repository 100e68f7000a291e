//! Questions to a person at a terminal.

use std::process::{Command, Stdio};

use serde_json::json;

use super::crash::in_doubt;
use super::{Done, Folder, ONE, TWO};

/// Runs a command on a terminal. Types a text whenever the one before it was printed; prints what was to be seen. WORD in
/// what is typed is the word that the last question asked for. In place of the text TYPED, the file `typed` is written.
const TERMINAL: &str = "
import fcntl, json, os, pty, re, signal, struct, sys, termios
signal.alarm(120)
script = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', int(os.environ['TEST_ROWS']), int(os.environ['TEST_COLUMNS']), 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
seen = b''
printed = b''
while True:
    try:
        data = os.read(terminal, 4096)
    except OSError:
        break
    if not data:
        break
    sys.stdout.buffer.write(data)
    seen += data
    printed += data
    while script and script[0][0].encode() in seen:
        seen = seen.split(script[0][0].encode(), 1)[1]
        words = re.findall(rb'[Tt]ype ([a-z]{4}) ', printed)
        text = script.pop(0)[1].encode().replace(b'WORD', words[-1] if words else b'WORD')
        if text == b'TYPED':
            open('typed', 'w').close()
        else:
            os.write(terminal, text)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.exit(99 if script else status)
";

/// What is to be seen, and how it ended; 99 where not everything was asked that should have been.
pub(super) fn at_a_terminal(folder: &Folder, arguments: &[&str], script: &[(&str, &str)]) -> Done {
    seen(&mut terminal(folder, arguments, script))
}

/// The same on a terminal of 80 columns.
fn at_a_narrow_terminal(folder: &Folder, arguments: &[&str], script: &[(&str, &str)]) -> Done {
    seen(terminal(folder, arguments, script).env("TEST_COLUMNS", "80"))
}

fn seen(command: &mut Command) -> Done {
    let mut done = Done::of(&command.output().expect("python gives a terminal"));
    done.stdout = with_one_word(&done.stdout.replace("\r\n", "\n"));
    done
}

/// The command for that.
pub(crate) fn terminal(folder: &Folder, arguments: &[&str], script: &[(&str, &str)]) -> Command {
    let mut command = Command::new("python3");
    command.args(["-c", TERMINAL, &json!(script).to_string(), env!("CARGO_BIN_EXE_isobox")]).args(arguments);
    command.current_dir(&folder.0).stdin(Stdio::null()).env("NO_COLOR", "1").env("TERM", "xterm");
    command.env("ISOBOX_DECIDE_KEY_FILE", folder.0.join("ada.key")).env("TEST_COLUMNS", "200");
    command.env("XDG_STATE_HOME", folder.0.join("state")).env("TEST_ROWS", "24");
    command
}

/// The text with WORD in the place of the words that its questions ask for.
fn with_one_word(text: &str) -> String {
    let mut shown = text.to_owned();
    for (at, _) in text.match_indices("ype ") {
        let word: String = text[at + 4..].chars().take(4).collect();
        if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            shown = shown.replace(&word, "WORD");
        }
    }
    shown
}

#[test]
fn deciding_about_nothing_is_told_and_exits_with_1() {
    let folder = Folder::new("terminal-nothing");
    let done = at_a_terminal(&folder, &["executions", "decide"], &[]);
    assert_eq!((done.status, done.stdout.as_str()), (1, "no calls are pending\n"), "{done:?}");
}

#[test]
fn a_person_sees_the_call_and_approves_it() {
    let folder = Folder::new("asked");
    folder.file("program.ts", ONE);
    let script = [("eave it paused: ", "\n"), ("eave it paused: ", "y\n"), ("eave it paused: ", "WORD\n")];
    let done = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &script);
    assert_eq!(done.status, 0, "{done:?}");
    insta::assert_snapshot!(done.stdout.replace(" \n", "\n"), @r#"
    log │ before

    call 0 (mail.send) needs approval: rule 1 (`mail.*`) asks for approval
      --> program.ts:2:31
       1 | console.log('before');
       2 | const sent = await tools.mail.send({ to: 'ada', subject: 'hi' });
         |                               ^
       3 | console.log('after');
       4 | return sent.to;
      input: {
        "to": "ada",
        "subject": "hi"
      }
    Approve call 0 (mail.send)? Type WORD to approve, n or n REASON to deny, l to leave it paused:
    Approve call 0 (mail.send)? Type WORD to approve, n or n REASON to deny, l to leave it paused: y
    Approve call 0 (mail.send)? Type WORD to approve, n or n REASON to deny, l to leave it paused: WORD
    log │ after
    "ada"
    "#);
    let shown = folder.isobox(&["executions", "show", folder.listed()[0]["id"].as_str().expect("a name")]).stdout;
    assert!(shown.contains("ada approved call 0"), "{shown}");
}

#[test]
fn without_a_store_a_person_is_asked_all_the_same() {
    let folder =
        Folder::with("unkept", r#"{ "policy": [{ "tools": "mail.*", "require": "approval" }], "store": "none" }"#);
    folder.file("program.ts", TWO);
    let script =
        [("Approve call 0 (mail.send)? Type ", "n not today\n"), ("Approve call 1 (mail.send)? Type ", "WORD\n")];
    let done = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &script);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.stdout.contains("\"a person denied the call of `mail.send`: not today\",\n  \"bob\""), "{done:?}");
    let all = at_a_terminal(
        &folder,
        &["run", "--demo", "program.ts"],
        &[("Approve call 0 (mail.send)? Type ", "WORD all\n"), ("Approve this call too? Type ", "WORD\n")],
    );
    assert!(all.status == 0 && all.stdout.contains("\"ada\",\n  \"bob\""), "{all:?}");
    let left = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &[("eave it paused: ", "\u{4}")]);
    assert_eq!(left.status, 3, "{left:?}");
    assert!(left.stdout.contains("This execution ends with this process"), "{left:?}");
    let large = "return (await tools.demo.text({ letters: 3000000 })).length";
    folder.file("large.ts", large);
    assert_eq!(
        at_a_terminal(&folder, &["run", "--demo", "large.ts"], &[]).stdout,
        "3000000\n",
        "as it is without a person"
    );
}

#[test]
fn each_call_is_shown_just_above_its_question() {
    let folder = Folder::new("one-by-one");
    folder.file("program.ts", TWO);
    let script = [
        ("Approve call 0 (mail.send)? Type ", "WORD all\n"),
        ("Approve this call too? Type ", "WORD no\n"),
        ("Approve call 0 (mail.send)? Type ", "n\n"),
        ("Approve call 1 (mail.send)? Type ", "WORD\n"),
    ];
    let done = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &script);
    assert_eq!(done.status, 0, "{done:?}");
    let text = &done.stdout;
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("`{part}` is missing: {text}"));
    assert!(at("2 calls are waiting for a decision.") < at("call 0 (mail.send) needs approval"), "{text}");
    assert!(at("Approve call 0") < at("call 1 (mail.send) needs approval"), "{text}");
    assert!(text.contains("a person denied the call of `mail.send`\",\n  \"bob\""), "{text}");
}

#[test]
fn what_is_left_stays_paused_and_is_decided_later_at_a_terminal() {
    let folder = Folder::new("left");
    folder.file("program.ts", TWO);
    let script = [("Approve call 0 (mail.send)? Type ", "l\n"), ("Approve call 1 (mail.send)? Type ", "WORD\n")];
    let left = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &script);
    assert_eq!(left.status, 3, "{left:?}");
    let id = folder.listed()[0]["id"].as_str().expect("a name").to_owned();
    let how = format!("approve: isobox executions approve {id} 0 --revision 3 --demo");
    assert!(left.stdout.contains(&how), "{left:?}");
    assert_eq!(left.stdout.matches("Approve call 0").count(), 1, "it is asked once: {left:?}");

    for give_up in ["\u{3}", "\u{4}"] {
        let given_up =
            at_a_terminal(&folder, &["executions", "resume", &id, "--demo"], &[("eave it paused: ", give_up)]);
        assert_eq!(given_up.status, 3, "{given_up:?}");
        assert!(given_up.stdout.contains(&format!("isobox executions approve {id} 0 --revision ")), "{given_up:?}");
    }
    let done = at_a_terminal(
        &folder,
        &["executions", "resume", &id, "--demo"],
        &[("Approve call 0 (mail.send)? Type ", "WORD\n")],
    );
    assert!(done.status == 0 && done.stdout.contains("\"ada\",\n  \"bob\""), "{done:?}");
    let shown = folder.isobox(&["executions", "show", &id]).stdout;
    assert!(shown.contains("ada approved call 1") && shown.contains("ada approved call 0"), "{shown}");
}

#[test]
fn an_interrupt_after_the_answer_ends_ones_own_program_and_leaves_one_that_is_only_watched() {
    let folder = Folder::new("interrupted");
    folder.file(
        "program.ts",
        "await tools.mail.send({ to: 'ada', subject: 'hi' }); console.log('was sent'); await tools.demo.wait({ ms: 600000 })",
    );
    let script = [("eave it paused: ", "WORD\n"), ("was sent", "\u{3}")];
    let ended = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &script);
    assert!(ended.status == 1 && ended.stdout.contains("error[ABORTED]"), "{ended:?}");
    assert_eq!(folder.listed()[0]["status"], "failed");

    assert_eq!(folder.isobox(&["run", "--demo", "program.ts"]).status, 3);
    let id = folder.listed()[0]["id"].as_str().expect("a name").to_owned();
    let left = at_a_terminal(&folder, &["executions", "resume", &id, "--demo"], &script);
    let told = format!("resume: isobox executions resume {id} --demo\n");
    assert!(left.status == 130 && left.stdout.ends_with(&told), "{left:?}");
    assert_eq!(folder.listed()[0]["status"], "orphaned", "the process has let go of it");
}

#[test]
fn giving_up_between_two_questions_decides_nothing_and_says_so() {
    let folder = Folder::new("given-up");
    folder.file("program.ts", TWO);
    let told = "Nothing was decided: your answers so far are discarded.\n";
    for give_up in ["\u{3}", "\u{4}"] {
        let script = [("Approve call 0 (mail.send)? Type ", "WORD\n"), ("Approve call 1 (mail.send)? Type ", give_up)];
        let given_up = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &script);
        assert_eq!(given_up.status, 3, "{given_up:?}");
        assert!(given_up.stdout.contains(told), "{given_up:?}");
        let id = folder.listed()[0]["id"].as_str().expect("a name").to_owned();
        let shown = folder.isobox(&["executions", "show", &id]).stdout;
        assert!(shown.contains(&format!("approve {id} 0")) && !shown.contains("ada approved"), "{shown}");
    }
    let at_once = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &[("eave it paused: ", "\u{3}")]);
    assert!(!at_once.stdout.contains(told), "{at_once:?}");
}

#[test]
fn escape_sequences_of_a_program_do_not_reach_the_terminal_of_a_person() {
    let folder = Folder::new("escapes");
    folder.file(
        "program.ts",
        "return (await tools.mail.send({ to: '\\x1b[2J\\u202e', subject: 'x' })).to.length // \u{1b}[2J",
    );
    let done = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &[("eave it paused: ", "WORD\n")]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(!done.stdout.contains(['\u{1b}', '\u{202e}']), "{done:?}");
}

#[test]
fn a_person_answers_a_tool_and_says_what_happened() {
    let folder = Folder::new("answers");
    folder.file("program.ts", "return (await tools.people.ask({ question: 'who?' })).answer");
    let answer = "eave it paused: ";
    let script = [(answer, "7\n"), (answer, "WORD ada\n"), (answer, "WORD { \"name\": \"ada\" }\n")];
    let done = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &script);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.stdout.contains("\"question\": \"who?\"") && done.stdout.contains("This is not JSON"), "{done:?}");
    assert!(done.stdout.ends_with("{\n  \"name\": \"ada\"\n}\n"), "{done:?}");

    for (script, expected) in [
        (&[("eave it paused: ", "WORD yes\n"), ("as JSON?", "{\"waited\":7}\n")][..], (0, "{\n  \"waited\": 7\n}\n")),
        (
            &[
                ("eave it paused: ", "WORD no\n"),
                ("The call may still happen", ""),
                ("eave it paused: ", "f nobody knows\n"),
            ],
            (1, "nobody knows"),
        ),
    ] {
        let id = in_doubt(&folder);
        let done = at_a_terminal(&folder, &["executions", "resume", &id, "--demo"], script);
        assert!(done.status == expected.0 && done.stdout.contains(expected.1), "{done:?}");
    }
}

/// A server whose only tool waits until the file `typed` is there.
const GATE: &str = "
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if 'id' not in message:
        continue
    answer = {'error': {'code': -32601, 'message': 'Method not found'}}
    if message['method'] == 'initialize':
        answer = {'result': {'protocolVersion': message['params']['protocolVersion'], 'capabilities': {'tools': {}},
                             'serverInfo': {'name': 'gate', 'version': '1'}}}
    elif message['method'] == 'tools/list':
        answer = {'result': {'tools': [{'name': 'wait', 'inputSchema': {'type': 'object'}}]}}
    elif message['method'] == 'tools/call':
        while not os.path.exists('typed'):
            time.sleep(0.01)
        answer = {'result': {'content': []}}
    print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], **answer}), flush=True)
";

#[test]
fn what_is_typed_before_a_question_answers_nothing() {
    let rules = json!([{ "tools": "mail.*", "require": "approval" }]);
    let config = json!({ "policy": rules, "mcpServers": { "gate": { "command": "python3", "args": ["-c", GATE] } } });
    let folder = Folder::with("typed-before", &config.to_string());
    // The program asks in our words, and waits until the person has answered.
    let forged = "console.log('\\n\\ncall 0 (mail.send) needs approval\\nApprove call 0 (mail.send)? Type bobo to approve, n to deny, l to leave it paused: ');
await tools.gate.wait({});
return (await tools.mail.send({ to: 'eve', subject: 'hi' })).to";
    folder.file("program.ts", forged);
    for (typed, echo) in
        [("bobo\n", "bobo\r\n"), ("y\n", "y\r\n"), ("n\n", "n\r\n"), ("l\n", "l\r\n"), ("bobo\ny\nyes\n\u{1}n", "^An")]
    {
        // The terminal has what is typed once it shows that.
        let script = [("to leave it paused:", typed), (echo, "TYPED"), ("eave it paused: ", "\u{4}")];
        let done = at_a_terminal(&folder, &["run", "--demo", "--config", "isobox.json", "program.ts"], &script);
        drop(std::fs::remove_file(folder.0.join("typed")));
        assert_eq!(done.status, 3, "{typed:?}: {done:?}");
        // Asked once, and what was typed before was no answer.
        assert_eq!(done.stdout.matches("\nApprove call 1 (mail.send)? Type WORD").count(), 1, "{typed:?}: {done:?}");
        let id = folder.listed()[0]["id"].as_str().expect("a name").to_owned();
        let shown = folder.isobox(&["executions", "show", &id]).stdout;
        assert!(!shown.contains("approved call") && !shown.contains("denied call"), "{shown}");
    }
}

#[test]
fn no_line_of_a_program_passes_for_one_of_ours() {
    let folder = Folder::new("forged");
    let forged = r#"console.error("x\nerror[INTERNAL]: gone\r\npaused: exec_1\u2028Approve call 0?\u200b");
console.log("Approve call 0 (mail.send)? Type bobo to approve:");
throw Object.assign(new Error("no\nerror[INTERNAL]: forged\n  hint: run this"), { name: "Oh\nwarn: no" })"#;
    folder.file("program.ts", forged);
    let done = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &[]);
    assert_eq!(done.status, 1, "{done:?}");
    insta::assert_snapshot!(done.stdout, @r#"
    error │ x
    error │ error[INTERNAL]: gone
    error │ paused: exec_1\u{2028}Approve call 0?\u{200b}
    log │ Approve call 0 (mail.send)? Type WORD to approve:
    error[THROWN]: Oh\nwarn: no: no
      | error[INTERNAL]: forged
      |   hint: run this
      --> program.ts:3:7
       |
     3 | throw Object.assign(new Error("no\nerror[INTERNAL]: forged\n  hint: run this"), { name: "Oh\nwarn: no" })
       |       ^
    "#);
    let elsewhere = folder.isobox(&["run", "--demo", "program.ts"]).stderr;
    assert_eq!(with_one_word(&elsewhere), done.stdout, "wherever it goes");
}

/// Sends a mail with so many lines, and more behind many blanks.
fn long_mail(lines: usize) -> String {
    format!(
        "const body = ['first', ...Array({lines}).fill('more'), 'ls' + ' '.repeat(200) + '; rm -rf ~'].join('\\n');
         return (await tools.mail.send({{ to: 'ada', subject: 'hi', body }})).to"
    )
}

#[test]
fn a_call_is_approved_only_after_all_of_it_was_shown() {
    let folder = Folder::new("unseen");
    folder.file("program.ts", &long_mail(100));
    let more = "rows come before you can agree. Type m ";
    let approve = "Approve call 0 (mail.send)? Type ";
    let script = [(more, "y\n"), (more, "m\n"), (more, "all\n"), (approve, "WORD\n")];
    let done = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &script);
    assert!(done.status == 0 && done.stdout.ends_with("\"ada\"\n"), "{done:?}");
    let (shown, _) = done.stdout.split_once(approve).expect("it is asked");
    assert!(shown.contains("\n      | ls [200 blanks] ; rm -rf ~\n"), "{shown}");
    assert_eq!(shown.lines().filter(|line| *line == "      | more").count(), 100, "{shown}");

    // Before the end, a call can be refused and left.
    for (answer, status, expected) in [("n not this\n", 1, "not this"), ("l\n", 3, "paused: ")] {
        let done = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &[(more, answer)]);
        assert!(done.status == status && done.stdout.contains(expected), "{done:?}");
        assert!(!done.stdout.contains(approve) && !done.stdout.contains("executions approve"), "{done:?}");
    }
    // Where nobody is asked, a call that was cut is not offered for approval.
    let id = folder.pause(&long_mail(100));
    for arguments in [&["executions", "show", &id][..], &["executions", "pending"]] {
        let told = folder.isobox(arguments).stdout;
        assert!(told.contains(&format!("see all of it, and decide: isobox executions resume {id}\n")), "{told}");
        assert!(told.contains(&format!("isobox executions show {id} --whole\n")), "{told}");
        assert!(!told.contains(&format!("approve {id}")) && told.contains(&format!("deny {id}")), "{told}");
    }
}

#[test]
fn a_page_and_the_question_below_it_fit_the_terminal() {
    let folder = Folder::new("pages");
    folder.file("program.ts", &long_mail(100));
    let more = "rows come before you can agree. Type m ";
    for (rows, least) in [(12, 6), (24, 16), (100, 40)] {
        let mut command = terminal(&folder, &["run", "--demo", "program.ts"], &[(more, "m\n"), (more, "l\n")]);
        let done = seen(command.env("TEST_ROWS", rows.to_string()));
        let questions = done.stdout.lines().enumerate().filter(|(_, line)| line.contains(more));
        let [first, second] = questions.map(|(at, _)| at).collect::<Vec<_>>()[..] else { panic!("{done:?}") };
        for shown in [first + 1, second - first] {
            assert!((least..=rows).contains(&shown), "{shown} of {rows}: {done:?}");
        }
    }
}

#[test]
fn calls_are_approved_together_only_after_all_of_them_were_shown() {
    let folder = Folder::new("unseen-all");
    folder.file(
        "program.ts",
        "const body = Array(100).fill('more').join('\\n') + '\\nthe end';
         const sent = [tools.mail.send({ to: 'ada', subject: 'hi' }), tools.mail.send({ to: 'bob', subject: 'hi', body })];
         return (await Promise.all(sent)).length",
    );
    let more = "rows come before you can agree. Type m ";
    let script = [
        ("Approve call 0 (mail.send)? Type ", "WORD all\n"),
        (more, "WORD\n"),
        (more, "all\n"),
        ("Approve this call too? Type ", "WORD\n"),
    ];
    let done = at_a_terminal(&folder, &["run", "--demo", "program.ts"], &script);
    assert!(done.status == 0 && done.stdout.ends_with("\n2\n"), "{done:?}");
    let (shown, _) = done.stdout.split_once("Approve this call too?").expect("it is asked");
    assert!(shown.contains("\n      | the end\n"), "{shown}");
}

#[test]
fn an_approval_without_a_revision_is_for_what_is_shown_now() {
    let folder = Folder::new("unshown");
    let id = folder.pause(TWO);
    for arguments in [&["approve", &id][..], &["approve", &id, "0"], &["resolve", &id, "0", "1"]] {
        let arguments = [&["executions"], arguments, &["--demo"]].concat();
        let told = folder.isobox(&arguments);
        let show = format!("  hint: the pending calls with their revision: isobox executions show {id} --demo\n");
        assert!(told.status == 2 && told.stderr.contains("--revision") && told.stderr.ends_with(&show), "{told:?}");
        assert!(!told.stderr.contains("--revision 2"), "{told:?}");
        assert_eq!(folder.isobox(&[&arguments[..], &["--json"]].concat()).status, 2);
    }
    let approve = ["executions", "approve", &id, "0", "--demo"];
    let left = at_a_terminal(&folder, &approve, &[("Approve call 0 (mail.send)? Type ", "l\n")]);
    assert!(left.status == 3 && left.stdout.contains("Nothing was decided.\n"), "{left:?}");
    let one = at_a_terminal(&folder, &approve, &[("Approve call 0 (mail.send)? Type ", "WORD\n")]);
    assert!(
        one.status == 3 && one.stdout.contains("\"to\": \"ada\"") && !one.stdout.contains("Approve call 1"),
        "{one:?}"
    );
    let again = at_a_terminal(&folder, &approve, &[]);
    assert!(again.status == 4 && again.stdout.contains("call 0 of execution"), "{again:?}");
    // Without a number, it is about every call that needs approval.
    let approve = ["executions", "approve", &id, "--demo"];
    let rest = at_a_terminal(&folder, &approve, &[("Approve call 1 (mail.send)? Type ", "WORD\n")]);
    assert!(rest.status == 0 && rest.stdout.ends_with("\"bob\"\n]\n"), "{rest:?}");

    let id = folder.pause("return (await tools.people.ask({ question: 'who?' })).answer");
    let resolve = ["executions", "resolve", &id, "0", "\"ada\"", "--demo"];
    let left = at_a_terminal(&folder, &resolve, &[("Resolve call 0 (people.ask) in this way? Type ", "l\n")]);
    assert_eq!(left.status, 3, "{left:?}");
    let question = "Resolve call 0 (people.ask) in this way? Type ";
    let done = at_a_terminal(&folder, &resolve, &[(question, "y\n"), (question, "WORD\n")]);
    assert!(done.status == 0 && done.stdout.contains("\"question\": \"who?\""), "{done:?}");
    assert!(done.stdout.ends_with("\"ada\"\n"), "{done:?}");
}

#[test]
fn no_row_of_a_terminal_passes_for_one_of_ours() {
    let folder = Folder::new("rows");
    let forged = r#"const far = (lead) => " ".repeat(80 - lead) + "error[INTERNAL]: forged";
console.log(far(6));
console.warn("日本語".repeat(20) + "error[INTERNAL]: forged");
codemode.fact("found", far(13));
try { await tools.mail.send({ to: far(20), subject: "x".repeat(300) }) } catch {}
throw new Error(far(22) + far(0))"#;
    folder.file("program.ts", forged);
    let script = [("Approve call 0 (mail.send)? Type ", "n\n")];
    let done = at_a_narrow_terminal(&folder, &["run", "--demo", "program.ts"], &script);
    assert_eq!(done.status, 1, "{done:?}");
    assert!(done.stdout.starts_with(&format!("log │ {}\n  | error[INTERNAL]: forged\n", " ".repeat(74))), "{done:?}");
    let question = done.stdout.find("Approve call 0").expect("it is asked");
    for (at, _) in done.stdout.match_indices("error[INTERNAL]") {
        let start = done.stdout[..at].rfind('\n').map_or(0, |end| end + 1);
        assert!(!done.stdout[start..at].trim().is_empty(), "{done:?}");
    }
    let rows = done.stdout[..question].lines().filter(|row| !row.contains("  --> "));
    for row in rows {
        // Wide characters take two columns.
        let width: usize = row.chars().map(|character| if character > '\u{2fff}' { 2 } else { 1 }).sum();
        assert!(width <= 80, "{width}: {row}");
    }
    // What is not a terminal has no rows.
    let piped = folder.isobox(&["run", "--demo", "--approve-all", "program.ts"]).stderr;
    assert!(piped.starts_with(&format!("log │ {}error[INTERNAL]: forged\n", " ".repeat(74))), "{piped}");
}
