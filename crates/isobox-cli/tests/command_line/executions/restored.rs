//! A store that was restored from a backup runs nothing by itself.

use std::fs;

use serde_json::json;

use super::mcp::Client;
use super::{Folder, ONE, TWO};

#[test]
fn an_old_copy_of_a_store_is_held_until_a_person_releases_each_execution() {
    let folder = Folder::new("restored");
    let (first, second) = (folder.pause(ONE), folder.pause(TWO));
    let store = folder.0.join(".isobox");
    let backup = folder.0.join("backup");
    fs::create_dir(&backup).expect("a folder");
    let copy = |from: &std::path::Path, to: &std::path::Path| {
        for file in fs::read_dir(from).expect("a folder") {
            let file = file.expect("a file");
            fs::copy(file.path(), to.join(file.file_name())).expect("copied");
        }
    };
    copy(&store, &backup);
    // The original goes on.
    assert_eq!(folder.isobox(&["executions", "approve", &first, "--revision", "1", "--demo"]).status, 0);
    // The backup is restored over it, and marked.
    copy(&backup, &store);
    let marked = folder.isobox(&["executions", "restored", "--json"]);
    assert_eq!((marked.status, marked.json()["held"].as_array().map(Vec::len)), (0, Some(2)), "{marked:?}");
    let again = folder.isobox(&["executions", "restored"]);
    assert_eq!(again.status, 0, "{again:?}");
    assert!(again.stderr.contains("2 executions were held before"), "{again:?}");
    // Neither resuming nor an old decision makes the call again.
    let shown = folder.isobox(&["executions", "show", &first]);
    assert!(shown.stdout.contains("the store was restored from a backup"), "{shown:?}");
    assert!(shown.stdout.contains("is in doubt") && shown.stdout.contains("--restored"), "{shown:?}");
    let resumed = folder.isobox(&["executions", "resume", &first, "--demo", "--json"]);
    assert_eq!((resumed.status, resumed.json()["restored"].as_bool()), (3, Some(true)), "{resumed:?}");
    let revision = folder.revision(&first);
    let approved = folder.isobox(&["executions", "approve", &first, "0", "--revision", &revision, "--demo"]);
    assert_eq!(approved.status, 4, "{approved:?}");
    let happened = ["executions", "resolve", &first, "0", "--happened", r#"{ "to": "ada" }"#, "--demo"];
    let resolved = folder.isobox(&[&happened[..], &["--revision", &revision]].concat());
    let commands = format!(
        "isobox executions reject {first} --demo, or resume it: isobox executions resume {first} --demo --restored"
    );
    assert!(resolved.status == 4 && resolved.stderr.contains("restored from a backup"), "{resolved:?}");
    assert!(resolved.stderr.contains(&commands), "{resolved:?}");
    // A model that collects it is told neither.
    let mut client = Client::start(&folder, &[]);
    let told = client.call("resume", json!({ "executionId": first })).to_string();
    assert!(told.contains(&first) && !told.contains("isobox executions"), "{told}");
    client.close();
    let released = folder.isobox(&["executions", "resume", &first, "--restored", "--demo"]);
    assert_eq!((released.status, released.stdout.as_str()), (0, "\"ada\"\n"), "{released:?}");
    let rejected = folder.isobox(&["executions", "reject", &second]);
    assert_eq!(rejected.status, 0, "{rejected:?}");
}
