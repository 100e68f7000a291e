//! Who may decide, and who may not.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use isobox::config::Config;
use isobox::journal::Verdict;
use isobox::workspace::{Workspace, WorkspaceOptions};
use isobox::{CallSeq, Code, Decisions};
use serde_json::json;

use super::{Folder, ONE, TWO, user};

#[test]
fn a_store_belongs_to_the_first_credential_that_decides() {
    let folder = Folder::new("rights");
    let id = folder.pause(TWO);
    let done = folder.isobox(&["executions", "approve", &id, "0", "--revision", "2", "--demo"]);
    assert_eq!(done.status, 3, "{done:?}");

    folder.credential("eve.key", &"e".repeat(64), "ada");
    folder.credential("renamed.key", &"a".repeat(64), "eve");
    for key in ["eve.key", "renamed.key", "new.key"] {
        for arguments in [
            &["approve", &id, "1", "--revision", "2"][..],
            &["deny", &id, "1"],
            &["resolve", &id, "1", "1", "--revision", "2"],
            &["reject", &id],
            &["cancel", &id],
            &["delete", &id],
            &["prune", "--keep", "0"],
            &["expire", "--older-than", "0s"],
        ] {
            if (key, arguments[0]) == ("new.key", "cancel") {
                // It has the name of the user who runs the program, and owners may cancel.
                continue;
            }
            let arguments = [&["executions"], arguments, &["--demo", "--json"]].concat();
            let mut command = folder.command(&arguments);
            command.env("ISOBOX_DECIDE_KEY_FILE", folder.0.join(key));
            let refused = super::Done::of(&command.output().expect("it starts"));
            assert_eq!((refused.status, &refused.json()["error"]["code"]), (4, &json!("FORBIDDEN")), "{refused:?}");
        }
    }
    assert!(folder.0.join("new.key").exists(), "a missing credential is created");
    assert_eq!(folder.listed()[0]["status"], "paused");

    // Nor does a host that opens the store without it.
    let config = Config::read(&folder.0.join("isobox.json"), &|_| None).expect("it is read");
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let refused = executor.block_on(async {
        let workspace = Workspace::new(config, WorkspaceOptions::default()).expect("a workspace");
        let archive = workspace.archive().await.expect("the store opens");
        let decisions = Decisions::new("ada", [(CallSeq::new(1), Verdict::Approve)]);
        archive.decide(&id.parse().expect("a name"), decisions).await.expect_err("it has no credential")
    });
    assert_eq!(refused.code, Code::Forbidden);

    let done = folder.isobox(&["executions", "approve", &id, "1", "--revision", "2", "--demo"]);
    assert_eq!(done.status, 0, "{done:?}");
    let pruned = folder.isobox(&["executions", "prune", "--keep", "0"]);
    assert_eq!((pruned.status, pruned.stdout), (0, format!("deleted {id}\n")));
}

#[test]
fn the_retention_of_the_host_needs_no_credential() {
    let config = r#"{ "policy": [{ "tools": "mail.*", "require": "approval" }], "retention": { "keep": 0 } }"#;
    let folder = Folder::with("rights-retention", config);
    let id = folder.pause(ONE);
    assert_eq!(folder.isobox(&["executions", "approve", &id, "0", "--revision", "1", "--demo"]).status, 0);
    folder.file("program.ts", "return 1");
    let done = folder.isobox(&["run", "--demo", "program.ts"]);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "a warning would say that nothing was removed");
    assert!(folder.listed().is_empty());
}

#[test]
fn a_credential_is_created_with_the_first_decision_and_carries_the_name_of_the_user() {
    let folder = Folder::new("rights-made");
    let id = folder.pause(ONE);
    let key = folder.0.join("state/isobox/decide.key");
    let mut command = folder.command(&["executions", "approve", &id, "--revision", "1", "--demo"]);
    command.env_remove("ISOBOX_DECIDE_KEY_FILE").env("XDG_STATE_HOME", folder.0.join("state"));
    assert!(command.output().expect("it starts").status.success());
    let metadata = fs::metadata(&key).expect("it is there");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    let shown = folder.isobox(&["executions", "show", &id]).stdout;
    assert!(shown.contains(&format!("{} approved call 0", user())), "the user, whatever the environment says: {shown}");
}

#[test]
fn a_credential_that_others_can_read_decides_nothing() {
    let folder = Folder::new("rights-open");
    let id = folder.pause(ONE);
    fs::set_permissions(folder.0.join("ada.key"), fs::Permissions::from_mode(0o644)).expect("it is changed");
    let refused = folder.isobox(&["executions", "approve", &id, "--revision", "1", "--demo"]);
    assert!(refused.status == 2 && refused.stderr.contains("chmod 600"), "{refused:?}");
    assert_eq!(folder.listed()[0]["status"], "paused");
}

#[test]
fn nobody_decides_about_their_own_execution_where_the_configuration_says_so() {
    let config = r#"{ "ownDecisions": "deny", "policy": [{ "tools": "mail.*", "require": "approval" }] }"#;
    let folder = Folder::with("rights-own", config);
    folder.credential("own.key", &"b".repeat(64), &user());
    folder.file("program.ts", ONE);
    let not_approved = folder.isobox(&["run", "--demo", "--approve-all", "program.ts"]);
    assert_eq!(not_approved.status, 3, "the approval would be the owner's: {not_approved:?}");
    let id = folder.listed()[0]["id"].as_str().expect("a name").to_owned();
    let own = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        command.env("ISOBOX_DECIDE_KEY_FILE", folder.0.join("own.key"));
        super::Done::of(&command.output().expect("it starts"))
    };
    let approve = ["executions", "approve", &id, "--revision", "1", "--demo"];
    for arguments in [&approve[..], &["executions", "reject", &id]] {
        let refused = own(arguments);
        assert!(refused.status == 4 && refused.stderr.contains("it is their own"), "{refused:?}");
    }
    let cancelled = own(&["executions", "cancel", &id]);
    assert_eq!((cancelled.status, cancelled.stderr), (0, format!("{} cancelled the execution\n", user())));
}

#[test]
fn nobody_decides_under_another_name() {
    let folder = Folder::new("rights-by");
    let id = folder.pause(ONE);
    for arguments in [&["executions", "approve", &id, "--by", "boss"][..], &["run", "--by", "boss", "program.ts"]] {
        let refused = folder.isobox(arguments);
        assert!(refused.status == 2 && refused.stderr.contains("--by"), "{refused:?}");
    }
}

#[test]
fn a_redacted_value_that_stands_in_the_program_is_shown_to_nobody() {
    let config = r#"{ "policy": [{ "tools": "mail.*", "require": "approval" }, { "tools": "mail.*", "redact": ["/subject"] }] }"#;
    let folder = Folder::with("redacted", config);
    let program = "// hunter2\nconst sent = await tools.mail.send({ to: 'ada', subject: 'hun' + \"ter2\" });\nthrow new Error('x')";
    folder.file("program.ts", program);
    let paused = folder.isobox(&["run", "--demo", "program.ts"]);
    assert_eq!(paused.status, 3, "{paused:?}");
    let excerpt = "const sent = await tools.mail.send({ to: '***', subject: '***' + \"****\" });";
    assert!(paused.stderr.contains(excerpt) && paused.stderr.contains("[redacted]"), "{paused:?}");
    let id = folder.listed()[0]["id"].as_str().expect("a name").to_owned();
    let shown = folder.isobox(&["executions", "show", &id]).stdout;
    assert!(shown.contains(excerpt), "{shown}");
    let record = folder.isobox(&["executions", "show", &id, "--json"]).stdout;
    let failed = folder.isobox(&["executions", "approve", &id, "--revision", "1", "--demo"]).stderr;
    assert!(failed.contains("error[THROWN]"), "{failed}");
    for text in [paused.stderr, shown, record, failed] {
        assert!(!text.contains("hunter2") && !text.contains("ter2") && !text.contains("'hun'"), "{text}");
    }
}
