//! Everything of a server that is not a tool: resources, prompts, pictures, logs, and changes of its lists.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{Fake, call};
use isobox_connect::McpConnector;
use isobox_core::connector::{ServiceLevel, ServiceLog};
use isobox_core::policy::Policy;
use isobox_core::{Catalogue, Connector, ConnectorSettings, Offer, OfferedTool, ToolHints};
use serde_json::{Value, json};

fn tool<'o>(offer: &'o Offer, name: &str) -> &'o OfferedTool {
    offer.tools.iter().find(|tool| tool.name == name).unwrap_or_else(|| panic!("there is no {name}"))
}

fn catalogue(connector: McpConnector, offer: Offer) -> Catalogue {
    let connector: Arc<dyn Connector> = Arc::new(connector);
    let mut builder = Catalogue::builder();
    builder.connector(&connector, offer, &ConnectorSettings::default());
    builder.build()
}

#[tokio::test]
async fn resources_and_prompts_are_functions_of_the_namespace_beside_tools_of_the_same_names() {
    for era in ["handshake", "discovery"] {
        let connector = Fake::content(&["--era", era]).connector();
        let offer = connector.offer().await.unwrap();
        assert_eq!(offer.warnings, ["a second prompt with the name `list` is left out: it could not be called"]);
        for name in
            ["resources/list", "resources/templates", "resources/read", "prompts/list", "prompts/use/code-review"]
        {
            assert_eq!(tool(&offer, name).hints, ToolHints::default().read_only(true));
        }
        let catalogue = catalogue(connector, offer);
        let paths: Vec<&str> = catalogue.iter().map(|tool| tool.path().as_str()).collect();
        let expected = [
            "fake.announce",
            "fake.chart",
            "fake.log",
            "fake.prompts.code_review",
            "fake.prompts.list",
            "fake.prompts.list_2",
            "fake.resources",
            "fake.resources.list",
            "fake.resources.read",
            "fake.resources.templates",
            "fake.resourcesread",
        ];
        assert_eq!(paths, expected, "{era}");
        let types = catalogue.declarations(&Policy::default(), &[]);
        for part in [
            "read(input: { uri: string }): Promise<{",
            "code_review(input: {\n      /** The code. */\n      code: string;\n      tone?: string;\n    }): Promise<{",
            "list(input?: { cursor?: string }): Promise<{",
        ] {
            assert!(types.contains(part), "{part} in\n{types}");
        }
    }
}

#[tokio::test]
async fn a_program_reads_resources_and_uses_prompts() {
    for era in ["handshake", "discovery"] {
        let fake = Fake::content(&["--era", era, "--resources", "12"]);
        let connector = fake.connector();
        let call = async |name: &str, input: Value| {
            call(&connector, name, input).await.map_err(|error| error.message().to_owned())
        };
        let page = call("resources/list", json!({})).await.unwrap();
        assert_eq!((page["resources"].as_array().map(Vec::len), &page["nextCursor"]), (Some(10), &json!("1")));
        let page = call("resources/list", json!({ "cursor": "1" })).await.unwrap();
        assert_eq!(page["resources"][1], json!({ "uri": "docs://11", "name": "document-11", "title": "Handbook 11" }));
        let templates = call("resources/templates", Value::Null).await.unwrap();
        assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], "docs://{number}");
        let read = call("resources/read", json!({ "uri": "docs://7" })).await.unwrap();
        let contents = [
            json!({ "uri": "docs://7", "mimeType": "text/plain", "text": "hello" }),
            json!({ "uri": "docs://7", "blob": "aGk=" }),
        ];
        assert_eq!(read, json!({ "contents": contents }), "the bytes are there, and nothing of the protocol");
        let missing = call("resources/read", json!({ "uri": "docs://missing" })).await;
        assert_eq!(missing.unwrap_err(), "Resource not found: docs://missing");

        assert_eq!(call("prompts/list", json!({})).await.unwrap()["prompts"][0]["title"], "Review");
        let text = |result: &Value| result["messages"][0]["content"]["text"].as_str().map(str::to_owned);
        let review = call("prompts/use/code-review", json!({ "code": "1 + 1" })).await.unwrap();
        assert_eq!(text(&review).as_deref(), Some(r#"{"name": "code-review", "arguments": {"code": "1 + 1"}}"#));
        let plain = call("prompts/use/list", json!({})).await.unwrap();
        assert_eq!(text(&plain).as_deref(), Some(r#"{"name": "list", "arguments": null}"#));
        // A tool of the server with the name of a function is still a tool.
        assert_eq!(call("tools/call/resources/read", json!({})).await.unwrap(), json!({ "tool": "resources/read" }));
    }
}

#[tokio::test]
async fn a_search_finds_the_resources_and_prompts_of_a_server() {
    let connector = Fake::content(&["--resources", "2"]).connector();
    let offer = connector.offer().await.unwrap();
    let expected = "Resources now:\n- docs://0 (Handbook 0)\n- docs://1 (Handbook 1)\n\nTemplates of URIs:\n- docs://{number} (document)";
    assert_eq!(tool(&offer, "resources/read").inventory, expected);
    let catalogue = catalogue(connector, offer);
    let first = |query: &str| {
        let found = catalogue.search(query, 3, &Policy::default(), &[]);
        found.results.first().map(|hit| hit.path.clone()).unwrap_or_default()
    };
    assert_eq!(first("the handbook"), "fake.resources.read");
    assert_eq!(first("review some code"), "fake.prompts.code_review");
    assert_eq!(first("list the resources"), "fake.resources.list");
}

#[tokio::test]
async fn many_resources_are_not_all_asked_for_nor_named() {
    let fake = Fake::content(&["--resources", "100000"]);
    let offer = fake.connector().offer().await.unwrap();
    let inventory = &tool(&offer, "resources/read").inventory;
    assert!(inventory.contains("\n- docs://0 (Handbook 0)") && inventory.contains("\n- … and more\n"), "{inventory}");
    assert_eq!(offer.tools.len(), 11);
    assert_eq!(fake.journal().messages("resources/list").len(), 6);
}

#[tokio::test]
async fn lists_that_do_not_come_leave_the_tools_usable_and_no_secret_behind() {
    let mut fake = Fake::content(&["--broken"]);
    fake.server.env.insert("TOKEN".to_owned(), "hunter2-hunter2".to_owned());
    let offer = fake.connector().offer().await.unwrap();
    assert_eq!(offer.warnings, ["its prompts are left out: it did not list them: no prompts/list with ***"]);
    assert!(!offer.is_cut, "the list of tools is whole");
    assert_eq!(tool(&offer, "resources/read").inventory, "");

    let mut fake = Fake::content(&["--silent"]);
    fake.options.start_timeout = Duration::from_secs(2);
    let offer = fake.connector().offer().await.unwrap();
    assert_eq!(offer.warnings, ["it did not list all its prompts within 2s; the first 0 are used"]);
    assert_eq!(offer.tools.len(), 9);
}

#[tokio::test]
async fn a_picture_beside_structured_content_reaches_the_program_and_fits_its_schema() {
    let connector = Fake::content(&[]).connector();
    let offer = connector.offer().await.unwrap();
    let image = json!({ "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" });
    let value = call(&connector, "chart", json!({})).await.unwrap();
    assert_eq!(value, json!({ "width": 7, "_content": [image] }));
    let schema = tool(&offer, "chart").output_schema.clone().unwrap();
    assert_eq!(schema["additionalProperties"], json!(false));
    let catalogue = catalogue(connector, offer);
    let types = catalogue.describe("fake.chart", 1_000, &Policy::default(), &[]).unwrap().types;
    assert!(types.contains("{ width: number; _content?: { type: string }[] }"), "{types}");
}

#[tokio::test]
async fn audio_reaches_the_program_as_a_block_with_its_type_and_its_bytes() {
    let audio = json!({ "type": "audio", "data": "UklGRgAAAABXQVZF", "mimeType": "audio/wav" });
    for era in ["handshake", "discovery"] {
        let connector = Fake::content(&["--era", era]).connector();
        let alone = call(&connector, "speak", json!({ "beside": null })).await.unwrap();
        assert_eq!(alone["content"], json!([{ "type": "text", "text": "spoken" }, audio]), "{era}");
        let beside = call(&connector, "speak", json!({ "beside": { "seconds": 2 } })).await.unwrap();
        assert_eq!(beside, json!({ "seconds": 2, "_content": [audio] }), "{era}");
    }
}

#[tokio::test]
async fn a_change_of_any_list_changes_the_generation_and_wakes_who_waits_for_it() {
    for era in ["handshake", "discovery"] {
        let connector = Fake::content(&["--era", era]).connector();
        connector.offer().await.unwrap();
        for list in ["tools", "prompts", "resources"] {
            let before = connector.generation();
            call(&connector, "announce", json!({ "list": list })).await.unwrap();
            connector.changed(before).await;
            assert_ne!(connector.generation(), before, "{era} {list}");
        }
    }
}

#[tokio::test]
async fn log_messages_are_passed_on_in_order_and_without_secrets() {
    let mut fake = Fake::content(&[]);
    fake.server.env.insert("TOKEN".to_owned(), "hunter2-hunter2".to_owned());
    let connector = fake.connector();
    let received: Arc<Mutex<Vec<ServiceLog>>> = Arc::default();
    let kept = Arc::clone(&received);
    connector.log_to(Arc::new(move |log| kept.lock().unwrap().push(log)));
    call(&connector, "log", json!({ "count": 100 })).await.unwrap();
    let logs = received.lock().unwrap().clone();
    let numbers: Vec<Value> = logs.iter().filter_map(|log| Some(log.data.value.as_ref()?["number"].clone())).collect();
    assert_eq!(numbers, (0..100).map(Value::from).collect::<Vec<_>>());
    let first = &logs[0];
    assert_eq!(
        (&*first.connector, first.level, first.logger.as_deref()),
        ("fake", ServiceLevel::Warning, Some("worker"))
    );
    assert_eq!(first.data.value, Some(json!({ "number": 0, "token": "***" })));
    assert!(fake.journal().messages("logging/setLevel").is_empty(), "nothing is asked for unless the host wants it");
}

#[tokio::test]
async fn a_server_is_asked_for_the_level_that_the_host_wants() {
    let mut fake = Fake::content(&[]);
    fake.options = fake.options.clone().log_level(ServiceLevel::Notice);
    fake.connector().offer().await.unwrap();
    assert_eq!(fake.journal().message("logging/setLevel").await["params"]["level"], "notice");

    let mut fake = Fake::content(&["--era", "discovery"]);
    fake.options = fake.options.clone().log_level(ServiceLevel::Notice);
    let answer = call(&fake.connector(), "log", json!({ "count": 0 })).await.unwrap();
    assert_eq!(answer["meta"]["io.modelcontextprotocol/logLevel"], "notice");
    assert!(fake.journal().messages("logging/setLevel").is_empty(), "that era has no such request");
}
