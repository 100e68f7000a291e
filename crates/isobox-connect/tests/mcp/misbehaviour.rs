//! What slow, broken and hostile servers can do to us: little.

use std::time::Duration;

use crate::support::{Fake, call, eventually, process_of};
use isobox_core::{ByteSize, Connector};
use serde_json::json;

/// Returns the message of a call whose answer cannot be used.
fn lost(problem: &str) -> String {
    format!("the MCP server `fake` {problem}; it is unknown whether the call had an effect")
}

#[tokio::test]
async fn what_is_no_message_is_passed_over() {
    let connector = Fake::new(&["--chatty"]).connector();
    assert_eq!(connector.offer().await.unwrap().tools.len(), 2);
    assert_eq!(call(&connector, "garbage", json!({ "a": 1 })).await.unwrap(), json!({ "a": 1 }));
    assert_eq!(call(&connector, "echo", json!({ "a": 2 })).await.unwrap(), json!({ "a": 2 }));
}

#[tokio::test]
async fn a_flood_on_standard_error_does_not_block_the_server() {
    let connector = Fake::new(&[]).connector();
    let input = json!({ "kilobytes": 10_000 });
    assert_eq!(call(&connector, "flood", input.clone()).await.unwrap(), input);
}

#[tokio::test]
async fn an_answer_that_is_too_long_fails_its_own_call_and_no_other() {
    let mut fake = Fake::new(&[]);
    fake.options.max_message = ByteSize::mib(1);
    let connector = fake.connector();
    let process = process_of(&connector).await;
    for place in ["first", "last"] {
        let (huge, other) = futures_util::join!(
            call(&connector, "huge", json!({ "bytes": 100 << 20, "id": place })),
            call(&connector, "echo", json!({ "a": 1 })),
        );
        let error = huge.unwrap_err();
        assert_eq!(error.message(), lost("sent a message of more than 1 MiB"));
        assert!(error.has_unknown_effect(), "the server has answered");
        assert_eq!(other.unwrap(), json!({ "a": 1 }));
    }
    let fits = call(&connector, "huge", json!({ "bytes": 1_000_000, "id": "first" })).await.unwrap();
    assert_eq!(fits.as_str().map(str::len), Some(1_000_000));
    assert_eq!(process_of(&connector).await, process);
}

#[tokio::test]
async fn a_message_that_is_too_long_and_answers_nothing_ends_the_server() {
    let mut fake = Fake::new(&[]);
    fake.options.max_message = ByteSize::mib(1);
    let connector = fake.connector();
    let error = call(&connector, "huge", json!({ "bytes": 2 << 20, "id": "none" })).await.unwrap_err();
    assert_eq!(
        error.message(),
        "the MCP server `fake` was stopped: it sent a message of more than 1 MiB during the call; it is unknown \
         whether the call had an effect"
    );
    assert_eq!(call(&connector, "echo", json!({ "a": 1 })).await.unwrap(), json!({ "a": 1 }));
    assert_eq!(fake.journal().starts().len(), 2);
}

#[tokio::test]
async fn an_answer_that_is_nested_too_deep_fails_its_call() {
    let connector = Fake::new(&[]).connector();
    let error = call(&connector, "deep", json!({ "depth": 100_000 })).await.unwrap_err();
    assert_eq!(error.message(), lost("sent a message that cannot be read"));
    assert!(error.has_unknown_effect());
    assert_eq!(call(&connector, "echo", json!({ "a": 1 })).await.unwrap(), json!({ "a": 1 }));
}

#[tokio::test]
async fn a_call_that_is_given_up_is_cancelled_at_the_server() {
    let fake = Fake::new(&[]);
    let connector = fake.connector();
    let requested = tokio::select! {
        _ = call(&connector, "hang", json!({})) => panic!("it never answers"),
        request = async { fake.journal().message("tools/call").await } => request,
    };
    let cancelled = fake.journal().message("notifications/cancelled").await;
    assert_eq!(cancelled["params"]["requestId"], requested["id"]);
    assert_eq!(call(&connector, "echo", json!({ "a": 1 })).await.unwrap(), json!({ "a": 1 }));
}

#[tokio::test]
async fn a_call_that_takes_too_long_fails_and_is_cancelled_at_the_server() {
    let mut fake = Fake::new(&[]);
    fake.options.call_timeout = Some(Duration::from_secs(1));
    let connector = fake.connector();
    let error = call(&connector, "hang", json!({})).await.unwrap_err();
    assert_eq!(error.message(), "the MCP server `fake` did not answer within 1s");
    assert!(error.has_unknown_effect());
    fake.journal().message("notifications/cancelled").await;
}

#[tokio::test]
async fn a_request_is_never_overtaken_by_its_cancellation() {
    let fake = Fake::new(&[]);
    let connector = fake.connector();
    connector.offer().await.unwrap();
    for _ in 0..100 {
        let mut call = std::pin::pin!(call(&connector, "hang", json!({})));
        assert!(futures_util::poll!(&mut call).is_pending());
        // A task that does not yield may not send for ever.
        tokio::task::yield_now().await;
    }
    eventually(|| (fake.journal().messages("notifications/cancelled").len() == 100).then_some(())).await;
    let mut requested = std::collections::HashSet::new();
    for entry in fake.journal().entries() {
        let message = &entry["message"];
        if message["method"] == "tools/call" {
            requested.insert(message["id"].as_u64().unwrap());
        }
        if message["method"] == "notifications/cancelled" {
            assert!(requested.remove(&message["params"]["requestId"].as_u64().unwrap()), "{message}");
        }
    }
    assert!(requested.is_empty());
}

#[tokio::test]
async fn a_server_that_asks_for_what_is_not_offered_is_told_so() {
    let connector = Fake::new(&[]).connector();
    let reply = call(&connector, "ask", json!({})).await.unwrap();
    assert_eq!(reply["id"], "question");
    assert_eq!(reply["error"]["code"], -32601);
}

#[tokio::test]
async fn a_server_that_asks_without_reading_the_answers_comes_no_further() {
    let connector = Fake::new(&[]).connector();
    let input = json!({ "count": 20_000 });
    assert_eq!(call(&connector, "pings", input.clone()).await.unwrap(), input);
    assert_eq!(call(&connector, "echo", json!({ "a": 1 })).await.unwrap(), json!({ "a": 1 }));
}

#[tokio::test]
async fn an_answer_of_too_many_small_values_fails_its_own_call() {
    let mut fake = Fake::new(&[]);
    fake.options.max_message = ByteSize::mib(1);
    let connector = fake.connector();
    let error = call(&connector, "many", json!({ "count": 300_000 })).await.unwrap_err();
    assert_eq!(error.message(), lost("sent a message of too many small values"));
    let fits = call(&connector, "many", json!({ "count": 50_000 })).await.unwrap();
    assert_eq!(fits.as_array().map(Vec::len), Some(50_000));
}

#[tokio::test]
async fn a_flood_of_notifications_does_no_harm() {
    let connector = Fake::new(&[]).connector();
    let input = json!({ "count": 50_000 });
    assert_eq!(call(&connector, "notifications", input.clone()).await.unwrap(), input);
    assert_eq!(call(&connector, "echo", json!({ "a": 1 })).await.unwrap(), json!({ "a": 1 }));
}

#[tokio::test]
async fn a_list_with_a_description_of_megabytes_is_read() {
    let offer = Fake::new(&["--list", "large"]).connector().offer().await.unwrap();
    assert_eq!(offer.tools[0].description.len(), 10_000_000);
    let mut fake = Fake::new(&["--list", "large"]);
    fake.options.max_message = ByteSize::mib(1);
    let error = fake.connector().offer().await.unwrap_err();
    assert!(
        error.message().ends_with("did not list its tools: the server sent a message of more than 1 MiB"),
        "{error}"
    );
}

#[tokio::test]
async fn a_secret_of_the_server_does_not_reach_the_program_in_an_error_or_a_result() {
    let mut fake = Fake::new(&[]);
    fake.server.env.insert("TOKEN".to_owned(), "abcd".to_owned());
    fake.server.secrets = vec!["abcd".to_owned()];
    let connector = fake.connector();
    for protocol in [true, false] {
        let error = call(&connector, "leak", json!({ "protocol": protocol })).await.unwrap_err();
        assert_eq!(error.message(), "bad token ***");
    }
    let repeated = call(&connector, "echo", json!({ "abcd": ["an abcd", "abc"] })).await.unwrap();
    assert_eq!(repeated, json!({ "***": ["an ***", "abc"] }));
}
