//! Content other than text, and news of changed tools, for clients of either era.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use isobox_server::{CodeMode, Executed, ProgressSender, serve, take_blocks};
use rmcp::model::{CallToolRequestParams, ClientConfig, ProtocolVersion, SubscriptionFilter};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Runs no programs: the code is the result, as JSON.
#[derive(Clone)]
struct Echo {
    description: watch::Sender<String>,
    described: Arc<Mutex<String>>,
    looks: watch::Sender<u32>,
}

impl Echo {
    fn new() -> Self {
        Self {
            description: watch::Sender::new("first".to_owned()),
            described: Arc::default(),
            looks: watch::Sender::new(0),
        }
    }
}

impl CodeMode for Echo {
    async fn describe(&self) -> String {
        let description = self.description.borrow().clone();
        self.described.lock().expect("no thread panicked").clone_from(&description);
        self.looks.send_modify(|looks| *looks += 1);
        // What follows `#` is not shown.
        description.split('#').next().unwrap_or_default().to_owned()
    }

    async fn changed(&self) {
        let mut description = self.description.subscribe();
        let described = Arc::clone(&self.described);
        drop(description.wait_for(|now| *now != *described.lock().expect("no thread panicked")).await);
    }

    async fn plan(&self, code: String, _: CancellationToken) -> Executed {
        Executed { text: format!("the plan of {code}"), ..Executed::default() }
    }

    async fn execute(&self, code: String, _: CancellationToken, _: Option<ProgressSender>) -> Executed {
        let mut result: Value = serde_json::from_str(&code).expect("it is JSON");
        let blocks = take_blocks(&mut result);
        Executed { text: result.to_string(), outcome: json!({ "result": result }), blocks, ..Executed::default() }
    }

    async fn search(&self, _: String, _: Option<usize>) -> Value {
        Value::Null
    }

    fn can_pause(&self) -> bool {
        false
    }

    async fn resume(&self, _: String, _: CancellationToken, _: Option<ProgressSender>) -> Executed {
        unreachable!("nothing pauses")
    }
}

/// A client that counts what it is told.
struct Listening {
    version: ProtocolVersion,
    told: watch::Sender<u32>,
}

impl ClientHandler for Listening {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::default().with_protocol_version(self.version.clone())
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.told.send_modify(|told| *told += 1);
    }
}

async fn connect(
    echo: &Echo,
    version: ProtocolVersion,
) -> (RunningService<RoleClient, Listening>, watch::Receiver<u32>) {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (reader, writer) = tokio::io::split(theirs);
    tokio::spawn(serve(echo.clone(), reader, writer));
    let told = watch::Sender::new(0);
    let receiver = told.subscribe();
    let era = match version.has_initialize() {
        true => ClientLifecycleMode::Initialize,
        false => ClientLifecycleMode::Discover { preferred_versions: vec![version.clone()] },
    };
    let client = Listening { version, told }.serve_with_lifecycle(tokio::io::split(ours), era).await;
    (client.expect("the server is ready"), receiver)
}

#[tokio::test(start_paused = true)]
async fn a_client_is_told_when_the_bytes_of_its_list_have_changed_and_only_then() {
    let echo = Echo::new();
    let (client, mut told) = connect(&echo, ProtocolVersion::V_2025_11_25).await;
    let mut looks = echo.looks.subscribe();
    echo.description.send_replace("before it asked".to_owned());
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!((*looks.borrow(), *told.borrow()), (0, 0), "there is nothing that it could know");
    client.list_all_tools().await.unwrap();

    echo.description.send_replace("second".to_owned());
    told.wait_for(|told| *told == 1).await.unwrap();
    assert_eq!(client.list_all_tools().await.unwrap()[0].description.as_deref(), Some("second"));

    // A change that does not show is noticed, and not told.
    let before = *looks.borrow_and_update();
    echo.description.send_replace("second# of something else".to_owned());
    looks.wait_for(|looks| *looks > before).await.unwrap();
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(*told.borrow(), 1);

    // Many changes at once are one.
    for number in 0..1_000 {
        echo.description.send_replace(format!("third {number}"));
    }
    told.wait_for(|told| *told == 2).await.unwrap();
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(*told.borrow(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_client_of_the_newer_era_is_told_only_if_it_has_subscribed() {
    let echo = Echo::new();
    let (client, told) = connect(&echo, ProtocolVersion::V_2026_07_28).await;
    client.list_all_tools().await.unwrap();
    let filter = SubscriptionFilter::builder().tools_list_changed().prompts_list_changed().build();
    let mut subscription = client.peer().listen(filter).await.unwrap();
    assert_eq!(*subscription.acknowledged(), SubscriptionFilter::builder().tools_list_changed().build());
    for description in ["second", "third"] {
        echo.description.send_replace(description.to_owned());
        let news = timeout(Duration::from_secs(60), subscription.next()).await.expect("it is told");
        assert!(format!("{news:?}").contains("ToolListChanged"), "{news:?}");
    }
    drop(subscription);
    echo.description.send_replace("fourth".to_owned());
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(*told.borrow(), 0, "nothing outside of a subscription");
}

#[tokio::test]
async fn images_audio_files_and_links_are_blocks_for_the_model_and_small_in_the_text() {
    let image = json!({ "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" });
    let sound = json!({ "type": "audio", "data": "aGkh", "mimeType": "audio/wav" });
    let file =
        json!({ "type": "resource", "resource": { "uri": "a:b", "mimeType": "application/gzip", "blob": "aGkh" } });
    let link = json!({ "type": "resource_link", "uri": "docs://1", "name": "one" });
    let code = json!({ "title": "all", "content": [image, sound, file, link] }).to_string();
    for (version, expected) in [
        (ProtocolVersion::V_2026_07_28, vec![&image, &sound, &file, &link]),
        (ProtocolVersion::V_2025_11_25, vec![&image, &sound, &file, &link]),
        (ProtocolVersion::V_2025_03_26, vec![&image, &sound, &file]),
        (ProtocolVersion::V_2024_11_05, vec![&image, &file]),
    ] {
        let (client, _) = connect(&Echo::new(), version.clone()).await;
        let arguments = json!({ "code": code }).as_object().cloned().unwrap();
        let answer = client.call_tool(CallToolRequestParams::new("execute").with_arguments(arguments)).await.unwrap();
        let answer = serde_json::to_value(answer).unwrap();
        let blocks: Vec<&Value> = answer["content"].as_array().unwrap().iter().skip(1).collect();
        assert_eq!(blocks, expected, "{version}");
        let result = json!({ "title": "all", "content": [
            "[image: image/png, 8 bytes]", "[audio: audio/wav, 3 bytes]", "[resource: a:b, application/gzip, 3 bytes]", link,
        ] });
        assert_eq!(answer["structuredContent"], json!({ "result": result }));
        assert_eq!(answer["content"][0]["text"], result.to_string());
    }
}
