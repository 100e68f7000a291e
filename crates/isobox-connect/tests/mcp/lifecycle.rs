//! How servers start, end and fail.

use std::error::Error;
use std::time::Duration;

use crate::support::{Fake, call, eventually, gone, process_of};
use isobox_core::connector::{Error as ConnectorError, ErrorKind, ServiceStatus};
use isobox_core::{Code, Connector, Failure};
use serde_json::{Value, json};

#[tokio::test]
async fn a_server_is_started_by_the_first_who_needs_it_and_once_for_many() {
    let fake = Fake::new(&[]);
    let connector = fake.connector();
    assert!(fake.journal().entries().is_empty());
    let calls = (0..20).map(|number| call(&connector, "echo", json!({ "a": number })));
    let (results, offer) = futures_util::join!(futures_util::future::join_all(calls), connector.offer());
    let results: Vec<Value> = results.into_iter().map(Result::unwrap).collect();
    assert_eq!(results, (0..20).map(|number| json!({ "a": number })).collect::<Vec<_>>());
    assert_eq!(offer.unwrap().tools.len(), 2);
    assert_eq!(fake.journal().starts().len(), 1);
    assert_eq!(fake.journal().messages("initialize").len(), 1);
}

#[tokio::test]
async fn a_server_that_speaks_an_older_version_is_used() {
    for version in ["2025-06-18", "2025-03-26", "2024-11-05"] {
        let fake = Fake::new(&["--version", version]);
        let connector = fake.connector();
        assert_eq!(connector.offer().await.unwrap().tools.len(), 2, "{version}");
        assert_eq!(call(&connector, "echo", json!({ "a": 1 })).await.unwrap(), json!({ "a": 1 }), "{version}");
        let asked = fake.journal().message("initialize").await["params"]["protocolVersion"].clone();
        assert_ne!(asked, version, "the server chose the older one");
        fake.journal().message("notifications/initialized").await;
        assert_eq!(fake.journal().starts().len(), 1, "{version}");
    }
}

#[tokio::test]
async fn a_start_goes_on_when_those_who_wait_for_it_give_up() {
    let fake = Fake::new(&[]);
    let connector = fake.connector();
    {
        let mut first = std::pin::pin!(connector.offer());
        assert!(futures_util::poll!(&mut first).is_pending());
    }
    eventually(|| fake.journal().messages("notifications/initialized").pop()).await;
    connector.offer().await.unwrap();
    assert_eq!(fake.journal().starts().len(), 1);
}

#[tokio::test]
async fn a_server_has_an_environment_of_its_own() {
    // Cargo sets this one for every test, and no server is to know it.
    assert!(std::env::vars_os().any(|(name, _)| name == "CARGO_MANIFEST_DIR"));
    let mut fake = Fake::new(&[]);
    fake.server.env.insert("TOKEN".to_owned(), "secret".to_owned());
    fake.server.cwd = Some(std::env::temp_dir().canonicalize().unwrap());
    let connector = fake.connector();
    connector.offer().await.unwrap();

    let start = fake.journal().starts().remove(0);
    let environment = start["environment"].as_object().unwrap();
    assert_eq!(environment["TOKEN"], "secret");
    assert!(environment.contains_key("PATH"));
    assert!(!environment.keys().any(|name| name.starts_with("CARGO")), "{:?}", environment.keys());
    assert_eq!(start["cwd"], fake.server.cwd.as_ref().unwrap().to_str().unwrap());
}

#[tokio::test]
async fn a_command_that_is_not_there_is_named() {
    let mut fake = Fake::new(&[]);
    fake.server.command = "no-such-command-anywhere".to_owned();
    let error = fake.connector().offer().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.source().unwrap().is::<std::io::Error>());
    let failure = Failure::from(error);
    assert_eq!(failure.code, Code::Config);
    assert_eq!(
        failure.message,
        "the MCP server `fake` (`no-such-command-anywhere`) could not be started: the command was not found"
    );
    assert!(failure.hint.unwrap().contains("install it"));

    let mut fake = Fake::new(&[]);
    fake.server.cwd = Some("/no/such/folder".into());
    let error = fake.connector().offer().await.unwrap_err();
    assert!(error.message().ends_with("could not be started: there is no folder `/no/such/folder`"), "{error}");
}

#[tokio::test]
async fn a_server_that_ends_at_once_is_reported_with_its_status_and_last_words_but_not_its_secrets() {
    let mut fake = Fake::new(&["--exit-at-start", "7"]);
    fake.server.env.insert("TOKEN".to_owned(), "hunter2-hunter2".to_owned());
    let connector = fake.connector();
    let error = connector.offer().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    let failure = Failure::from(error);
    assert_eq!(failure.code, Code::Config);
    assert_eq!(
        failure.message,
        "the MCP server `fake` (`python3`) ended (exit status: 7) before it was ready; its last output:\n\
         \\u{1b}[31mstarting\\u{1b}[0m ***"
    );
    let details: Vec<&str> = failure.details.keys().map(String::as_str).collect();
    assert_eq!(details, ["server", "command", "exit", "output"]);
    assert_eq!(failure.details["exit"], "exit status: 7");
    assert!(failure.hint.is_some());

    let error = call(&connector, "echo", json!({})).await.unwrap_err();
    assert_eq!(error.message(), "the MCP server `fake` is not available");
    let cause = error.source().unwrap().downcast_ref::<ConnectorError>().unwrap();
    assert!(cause.message().contains("exit status: 7"));
    assert!(!format!("{connector:?}{:?}", fake.server).contains("hunter2"));
}

#[tokio::test]
async fn a_server_that_is_never_ready_is_given_up_and_killed() {
    let mut fake = Fake::new(&["--silent", "--stubborn"]);
    fake.options.start_timeout = Duration::from_secs(1);
    let error = fake.connector().offer().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    let failure = Failure::from(error);
    assert_eq!(failure.code, Code::Config);
    assert!(failure.message.starts_with("the MCP server `fake` (`python3`) was not ready within 1s"), "{failure}");
    assert!(failure.hint.unwrap().contains("time-out"));
    eventually(|| (!fake.is_running()).then_some(())).await;
}

#[tokio::test]
async fn a_server_that_refuses_both_eras_is_reported_with_its_words() {
    let error = Fake::new(&["--era", "none"]).connector().offer().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert!(
        error.message().starts_with(
            "the MCP server `fake` (`python3`) refused the connection: Method not found: initialize; its last output:"
        ),
        "{error}"
    );
}

#[tokio::test]
async fn a_server_that_dies_fails_the_calls_under_way_and_is_started_again_by_the_next() {
    let mut fake = Fake::new(&[]);
    fake.server.env.insert("TOKEN".to_owned(), "hunter2-hunter2".to_owned());
    let connector = fake.connector();
    let first = process_of(&connector).await;
    let generation = connector.generation();

    let (hanging, dying) = futures_util::join!(call(&connector, "hang", json!({})), call(&connector, "die", json!({})));
    for error in [hanging.unwrap_err(), dying.unwrap_err()] {
        assert_eq!(
            error.message(),
            "the MCP server `fake` ended (exit status: 3) during the call; it is unknown whether the call had an effect"
        );
        assert!(error.has_unknown_effect());
        let cause = error.source().unwrap().downcast_ref::<ConnectorError>().unwrap();
        assert!(cause.message().ends_with("dying of \\u{1b}[1mshame, with ***"), "{cause}");
    }
    gone(first).await;

    assert_eq!(call(&connector, "echo", json!({ "a": 1 })).await.unwrap(), json!({ "a": 1 }));
    assert_ne!(process_of(&connector).await, first);
    assert_ne!(connector.generation(), generation);
    assert_eq!(fake.journal().starts().len(), 2);
}

#[tokio::test]
async fn a_server_that_keeps_dying_is_started_once_for_every_call_and_recovers() {
    let fake = Fake::new(&[]);
    let connector = fake.connector();
    for _ in 0..3 {
        call(&connector, "die", json!({})).await.unwrap_err();
    }
    let (one, other) =
        futures_util::join!(call(&connector, "echo", json!({ "a": 1 })), call(&connector, "echo", json!({ "a": 2 })));
    assert_eq!((one.unwrap(), other.unwrap()), (json!({ "a": 1 }), json!({ "a": 2 })));
    assert_eq!(fake.journal().starts().len(), 4);
}

#[tokio::test]
async fn a_start_that_failed_is_tried_again() {
    let fake = Fake::new(&[]);
    let flag = fake.file("broken");
    std::fs::write(&flag, "").unwrap();
    let mut server = fake.server.clone();
    server.args.extend(["--exit-at-start-while".to_owned(), flag.display().to_string()]);
    let connector = isobox_connect::McpConnector::new("fake", server, fake.options.clone());
    connector.offer().await.unwrap_err();
    std::fs::remove_file(&flag).unwrap();
    assert_eq!(connector.offer().await.unwrap().tools.len(), 2);
}

#[tokio::test]
async fn a_server_that_closes_its_output_is_ended_and_started_again() {
    let fake = Fake::new(&[]);
    let connector = fake.connector();
    let first = process_of(&connector).await;
    let error = call(&connector, "close", json!({})).await.unwrap_err();
    assert!(error.message().starts_with("the MCP server `fake` ended ("), "{error}");
    gone(first).await;
    assert_ne!(process_of(&connector).await, first);
}

#[tokio::test]
async fn dropping_the_connector_ends_the_server_and_everything_it_started() {
    for args in [[].as_slice(), &["--stubborn"]] {
        let connector = Fake::new(args).connector();
        let server = process_of(&connector).await;
        let child = call(&connector, "child", json!({})).await.unwrap()["pid"].as_u64().unwrap();
        drop(connector);
        gone(server).await;
        // Whose parent is gone belongs to another process, which may take its time to notice.
        eventually(|| is_dead(child).then_some(())).await;
    }
}

#[tokio::test]
async fn closing_waits_until_the_server_is_gone_and_nothing_can_be_called_afterwards() {
    let fake = Fake::new(&[]);
    let connector = fake.connector();
    let server = process_of(&connector).await;
    connector.close().await;
    assert!(is_dead(server));
    let error = call(&connector, "echo", json!({})).await.unwrap_err();
    assert_eq!(error.message(), "the MCP server `fake` is not available");
    let error = connector.offer().await.unwrap_err();
    assert_eq!((error.kind(), Failure::from(error).code), (ErrorKind::Closed, Code::Aborted));
    assert_eq!(fake.journal().starts().len(), 1);
    Fake::new(&[]).connector().close().await;
}

#[tokio::test]
async fn the_status_says_where_the_server_is_without_starting_it() {
    let fake = Fake::new(&[]);
    let connector = fake.connector();
    assert!(matches!(connector.status(), ServiceStatus::NotStarted));
    assert!(fake.journal().starts().is_empty());
    {
        let mut offer = std::pin::pin!(connector.offer());
        assert!(futures_util::poll!(&mut offer).is_pending());
        assert!(matches!(connector.status(), ServiceStatus::Starting));
    }
    // Nobody waits for the start any more, and yet it is seen to succeed.
    eventually(|| matches!(connector.status(), ServiceStatus::Running).then_some(())).await;
    call(&connector, "die", json!({})).await.unwrap_err();
    let ServiceStatus::Failed(error) = connector.status() else { panic!("it has ended") };
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.message().starts_with("the MCP server `fake` (`python3`) ended (exit status: 3); it"), "{error}");
    call(&connector, "echo", json!({})).await.unwrap();
    assert!(matches!(connector.status(), ServiceStatus::Running));
    connector.close().await;
    assert!(matches!(connector.status(), ServiceStatus::Closed));
}

#[tokio::test]
async fn the_status_of_a_server_that_did_not_start_says_why() {
    let connector = Fake::new(&["--exit-at-start", "7"]).connector();
    let error = connector.offer().await.unwrap_err();
    let ServiceStatus::Failed(reason) = connector.status() else { panic!("it did not start") };
    assert_eq!(reason.message(), error.message());
}

#[test]
fn a_runtime_that_ends_takes_the_server_with_it() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let fake = Fake::new(&["--stubborn"]);
    let connector = fake.connector();
    let server = runtime.block_on(process_of(&connector));
    drop(runtime);
    while !is_dead(server) {
        std::thread::yield_now();
    }
}

/// Whether a process is gone, or waits only for its parent to notice.
fn is_dead(process: u64) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with(['Z', 'X']))
}
