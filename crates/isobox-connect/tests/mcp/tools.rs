//! What a server offers, and what comes of calling it.

use std::sync::{Arc, Mutex};

use crate::support::{Fake, call, eventually, tool_call};
use isobox_core::connector::ErrorKind;
use isobox_core::{Connector, Offer, OfferedTool, Progress, ProgressSink, ToolHints};
use serde_json::{Value, json};

#[tokio::test]
async fn a_server_offers_its_tools_as_it_describes_them() {
    let connector = Fake::new(&[]).connector();
    let schema = json!({ "type": "object", "properties": { "a": { "type": "number" } } });
    let mut expected = Offer::default()
        .tools(vec![
            OfferedTool::new("echo")
                .description("Says it again.")
                .input_schema(schema.clone())
                .output_schema(schema.clone())
                .hints(ToolHints::default().read_only(true).open_world(false)),
            OfferedTool::new("fail")
                .title("Fails")
                .description("Fails")
                .input_schema(schema)
                .hints(ToolHints::default().destructive(true)),
        ])
        .instructions("Be gentle.")
        .warnings(vec!["a second tool with the name `echo` is left out: it could not be called".into()]);
    let mut offered = connector.offer().await.unwrap();
    // Declared for the blocks that may come beside a result: `content.rs`.
    let schema = offered.tools[0].output_schema.as_mut().unwrap();
    assert!(schema["properties"].as_object_mut().unwrap().remove("_content").is_some());
    // Bound to the command, so that an approval is void if it changes.
    assert_ne!(offered, expected);
    for offer in [&mut offered, &mut expected] {
        offer.tools = std::mem::take(&mut offer.tools).into_iter().map(|tool| tool.bound_to(["a server"])).collect();
    }
    assert_eq!(offered, expected);
    assert_eq!(connector.name(), "fake");
}

#[tokio::test]
async fn all_pages_of_a_list_are_read() {
    let connector = Fake::new(&["--list", "pages"]).connector();
    let names: Vec<String> = connector.offer().await.unwrap().tools.into_iter().map(|tool| tool.name).collect();
    let expected: Vec<String> = (0..5).flat_map(|page| (0..3).map(move |tool| format!("tool_{page}_{tool}"))).collect();
    assert_eq!(names, expected);
}

#[tokio::test]
async fn a_server_without_tools_offers_none() {
    let offer = Fake::new(&["--list", "none"]).connector().offer().await.unwrap();
    assert_eq!(offer, Offer::default().instructions("Be gentle."));
}

#[tokio::test]
async fn a_list_that_cannot_be_used_is_refused_by_name() {
    let error = Fake::new(&["--list", "error"]).connector().offer().await.unwrap_err();
    let expected = "the MCP server `fake` (`python3`) did not list its tools: The list is \\u{1b}[31mlost";
    assert_eq!((error.kind(), error.message()), (ErrorKind::Refused, expected));
}

#[tokio::test]
async fn a_list_without_end_is_cut_and_what_came_is_used() {
    for (list, tools, expected) in [
        ("endless", 0, "it lists its tools on more than 1000 pages; the first 0 are used"),
        ("circular", 0, "it lists the same page of tools again and again; the first 0 are used"),
        ("million", 20_000, "it lists more than 20000 tools; the first 20000 are used"),
    ] {
        let offer = Fake::new(&["--list", list]).connector().offer().await.unwrap();
        assert_eq!((offer.tools.len(), offer.warnings), (tools, vec![expected.to_owned()]));
    }
}

#[tokio::test]
async fn a_list_that_comes_slowly_is_cut_and_what_came_is_used() {
    let mut fake = Fake::new(&["--list", "slow"]);
    fake.options.start_timeout = std::time::Duration::from_secs(5);
    let offer = fake.connector().offer().await.unwrap();
    assert_eq!(offer.tools.len(), 1);
    assert_eq!(offer.warnings, ["it did not list all its tools within 5s; the first 1 are used"]);
}

#[tokio::test]
async fn a_list_that_never_comes_is_given_up() {
    let mut fake = Fake::new(&["--list", "silent"]);
    // Long enough for the server to be ready on a busy machine.
    fake.options.start_timeout = std::time::Duration::from_secs(10);
    let connector = fake.connector();
    let error = connector.offer().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert_eq!(error.message(), "the MCP server `fake` (`python3`) did not list its tools within 10s");
    assert_eq!(call(&connector, "echo", json!({})).await.unwrap(), json!({}));
}

#[tokio::test]
async fn results_are_unwrapped() {
    let connector = Fake::new(&[]).connector();
    let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
    let pictured = json!({ "content": [{ "type": "text", "text": "look" }, image], "_meta": { "kept": true } });
    assert_eq!(call(&connector, "echo", json!({ "a": 1 })).await.unwrap(), json!({ "a": 1 }));
    for (result, expected) in [
        (json!({ "toolResult": { "old": true } }), json!({ "old": true })),
        (json!({ "content": [{ "type": "text", "text": "[1, 2]" }] }), json!([1, 2])),
        (json!({ "content": [{ "type": "text", "text": "plain" }] }), json!("plain")),
        (pictured.clone(), pictured),
        (json!({ "tools": [], "content": 7 }), json!({ "tools": [], "content": 7 })),
    ] {
        assert_eq!(call(&connector, "raw", json!({ "result": result })).await.unwrap(), expected);
    }
    assert_eq!(call(&connector, "fail", json!({})).await.unwrap_err().message(), "No such\nthing.");
    assert_eq!(call(&connector, "error", json!({})).await.unwrap_err().message(), "Unknown tool: x");
}

#[tokio::test]
async fn an_input_that_is_no_object_is_refused_and_none_is_an_empty_one() {
    let fake = Fake::new(&[]);
    let connector = fake.connector();
    assert_eq!(call(&connector, "echo", Value::Null).await.unwrap(), json!({}));
    for input in [json!([]), json!("a"), json!(1), json!(true)] {
        let error = call(&connector, "echo", input).await.unwrap_err();
        assert_eq!(error.message(), "the input of this tool must be an object");
    }
    assert_eq!(fake.journal().messages("tools/call").len(), 1);
}

#[tokio::test]
async fn the_key_and_the_fencing_token_of_a_call_are_passed_on() {
    let connector = Fake::new(&[]).connector();
    let call = |fencing_token| {
        let mut call = tool_call(json!({}));
        call.context.fencing_token = fencing_token;
        call
    };
    let meta = connector.call("meta", call(None)).await.unwrap();
    assert_eq!(meta["isobox/idempotencyKey"], call(None).context.key());
    assert_eq!(meta.get("isobox/fencingToken"), None, "an execution that is not kept has none");
    let meta = connector.call("meta", call(Some(3))).await.unwrap();
    assert_eq!(meta["isobox/fencingToken"], 3);
}

#[tokio::test]
async fn what_a_server_tells_of_its_way_is_told_in_order_and_to_the_call_it_is_about() {
    for era in ["handshake", "discovery"] {
        let connector = Fake::new(&["--era", era]).connector();
        let told = |steps: Value| {
            let connector = &connector;
            async move {
                let reports = Arc::new(Mutex::new(Vec::new()));
                let kept = Arc::clone(&reports);
                let sink: Arc<ProgressSink> = Arc::new(move |report| kept.lock().unwrap().push(report));
                let input = json!({ "steps": steps });
                let mut call = tool_call(input.clone());
                call.progress = Progress::to(&sink);
                assert_eq!(connector.call("steps", call).await.unwrap(), input);
                // Progress after the answer is dropped, even if a listener is still there.
                super::support::call(connector, "late", json!({})).await.unwrap();
                drop(sink);
                Arc::clone(&reports).lock().unwrap().clone()
            }
        };
        let hundred: Vec<Value> = (0..100).map(|step| json!({ "progress": step })).collect();
        let (one, other) = futures_util::join!(
            told(json!(hundred)),
            told(json!([{ "progress": 0.5, "total": 2, "message": "half\u{1b}[0m" }]))
        );
        assert_eq!(one, hundred);
        assert_eq!(other, [json!({ "progress": 0.5, "total": 2, "message": "half\\u{1b}[0m" })]);
        let odd = json!([{}, { "progress": "1" }, { "progress": 1, "total": "2", "message": 3, "other": 4 }]);
        assert_eq!(told(odd).await, [json!({ "progress": 1 })]);
        let long = told(json!([{ "progress": 1, "message": "x".repeat(100_000) }])).await;
        assert_eq!(long[0]["message"].as_str().map(|message| message.chars().count()), Some(1_001));
    }
}

#[tokio::test]
async fn a_change_of_the_tools_changes_the_generation() {
    let connector = Fake::new(&[]).connector();
    let mut changes = connector.changes();
    connector.offer().await.unwrap();
    let before = connector.generation();
    assert!(!changes.has_changed().unwrap());
    call(&connector, "change", json!({})).await.unwrap();
    changes.changed().await.unwrap();
    assert_ne!(connector.generation(), before);
}

#[tokio::test]
async fn a_server_of_the_newer_era_is_used_without_a_handshake() {
    let fake = Fake::new(&["--era", "discovery"]);
    let connector = fake.connector();
    let before = connector.generation();
    let offer = connector.offer().await.unwrap();
    assert_eq!(offer.tools.len(), 2);
    assert_eq!(offer.instructions, "Be gentle.");
    assert_eq!(call(&connector, "echo", json!({ "a": 1 })).await.unwrap(), json!({ "a": 1 }));
    let meta = call(&connector, "meta", json!({})).await.unwrap();
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert_eq!(meta["isobox/idempotencyKey"], tool_call(json!({})).context.key());
    // It tells about changes only those who ask.
    eventually(|| (connector.generation() != before).then_some(())).await;
    // The era is remembered, so that it is not started twice again.
    assert_eq!(fake.journal().starts().len(), 2);
    call(&connector, "die", json!({})).await.unwrap_err();
    connector.offer().await.unwrap();
    assert_eq!(fake.journal().starts().len(), 3);
}

#[tokio::test]
async fn servers_are_asked_side_by_side() {
    let silent = Fake::new(&["--silent"]).connector();
    let connectors: Vec<_> = (0..3).map(|_| Fake::new(&[]).connector()).collect();
    let offers = futures_util::future::join_all(connectors.iter().map(|connector| connector.offer()));
    tokio::select! {
        _ = silent.offer() => panic!("it never answers"),
        offers = offers => assert!(offers.into_iter().all(|offer| offer.unwrap().tools.len() == 2)),
    }
}
