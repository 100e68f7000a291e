//! What connectors tell of their services by themselves: changes, log messages, and what a tool can be used with now.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use isobox::connector::{
    Connector, ConnectorSettings, Error, ErrorKind, Offer, OfferedTool, ServiceLevel, ServiceLog, ServiceLogSink,
};
use isobox::events::{Content, Contents, Event, Observer};
use isobox::policy::Policy;
use isobox::tools::Catalogue;
use isobox::{BoxFuture, Isobox, ToolCall, ToolError, Value, json};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

/// Offers one tool with the number of its generation, and logs when it is told to.
struct Changing {
    generation: watch::Sender<u64>,
    is_broken: Mutex<bool>,
    sink: Mutex<Option<Arc<ServiceLogSink>>>,
}

impl Changing {
    fn new() -> Arc<Self> {
        Arc::new(Self { generation: watch::Sender::new(0), is_broken: Mutex::default(), sink: Mutex::default() })
    }

    fn change(&self) {
        self.generation.send_modify(|generation| *generation += 1);
    }

    fn log(&self, data: Value) {
        let sink = self.sink.lock().expect("no thread panicked").clone().expect("there is an observer");
        let data = Content { bytes: Some(data.to_string().len()), value: Some(data) };
        sink(ServiceLog::new("changing", ServiceLevel::Warning, data).logger("worker".to_owned()));
    }
}

impl Connector for Changing {
    fn name(&self) -> &str {
        "changing"
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
        Box::pin(async {
            if *self.is_broken.lock().expect("no thread panicked") {
                return Err(Error::new(ErrorKind::Unavailable, "it is down"));
            }
            let name = format!("tool_{}", self.generation());
            Ok(Offer::default().tools(vec![OfferedTool::new(name)]))
        })
    }

    fn call<'a>(&'a self, _: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move { Ok(call.input) })
    }

    fn generation(&self) -> u64 {
        *self.generation.borrow()
    }

    fn changed(&self, generation: u64) -> BoxFuture<'_, ()> {
        let mut current = self.generation.subscribe();
        Box::pin(async move { drop(current.wait_for(|current| *current != generation).await) })
    }

    fn log_to(&self, sink: Arc<ServiceLogSink>) {
        *self.sink.lock().expect("no thread panicked") = Some(sink);
    }
}

#[derive(Clone, Default)]
struct Diary(Arc<Mutex<Vec<ServiceLog>>>);

impl Observer for Diary {
    fn observe(&self, _: &Event) {}

    fn service_logged(&self, log: &ServiceLog) {
        assert_ne!(log.data.value, Some(json!("panic")), "on purpose");
        self.0.lock().expect("no thread panicked").push(log.clone());
    }
}

#[tokio::test]
async fn log_messages_of_services_reach_the_observer_with_as_much_content_as_it_gets() {
    for (contents, expected) in [
        (Contents::Nothing, json!({})),
        (Contents::Sizes, json!({ "bytes": 6 })),
        (Contents::Progress, json!({ "bytes": 6, "value": "slow" })),
        (Contents::Values, json!({ "bytes": 6, "value": "slow" })),
    ] {
        let (connector, diary) = (Changing::new(), Diary::default());
        let _connected = Isobox::builder()
            .observer(diary.clone())
            .contents(contents)
            .connector(Arc::clone(&connector) as Arc<dyn Connector>, ConnectorSettings::default())
            .build_connected()
            .unwrap();
        if contents == Contents::Values {
            // It concerns neither the connector nor what it logs later.
            connector.log(json!("panic"));
        }
        connector.log(json!("slow"));
        let logged = serde_json::to_value(diary.0.lock().expect("no thread panicked").as_slice()).unwrap();
        let expected = json!([{ "connector": "changing", "level": "warning", "logger": "worker", "data": expected }]);
        assert_eq!(logged, expected, "{contents:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_host_can_wait_for_other_tools() {
    let connector = Changing::new();
    let connected = Isobox::builder()
        .connector(Arc::clone(&connector) as Arc<dyn Connector>, ConnectorSettings::default())
        .build_connected()
        .unwrap();
    let tool = async || {
        let ready = connected.ready().await.unwrap();
        ready.isobox.catalogue().iter().next().map(|tool| tool.path().to_string())
    };
    assert_eq!(tool().await.as_deref(), Some("changing.tool_0"));
    let day = Duration::from_secs(24 * 60 * 60);
    assert!(timeout(day, connected.changed()).await.is_err(), "nothing has changed");
    // A change before the wait is not missed.
    connector.change();
    connected.changed().await;
    assert_eq!(tool().await.as_deref(), Some("changing.tool_1"));
    *connector.is_broken.lock().expect("no thread panicked") = true;
    connector.change();
    connected.changed().await;
    assert_eq!(tool().await, None);
    // It is worth another look after a while, although it says nothing itself.
    *connector.is_broken.lock().expect("no thread panicked") = false;
    let before = now();
    while tool().await.is_none() {
        connected.changed().await;
    }
    let waited = before.elapsed();
    assert!((Duration::from_secs(300)..Duration::from_secs(400)).contains(&waited), "{waited:?}");
}

#[tokio::test]
async fn a_runtime_without_connectors_never_changes() {
    let connected = Isobox::builder().build_connected().unwrap();
    assert!(timeout(Duration::from_millis(10), connected.changed()).await.is_err());
}

#[test]
fn an_inventory_is_found_and_shown_and_is_not_part_of_the_tool() {
    let connector: Arc<dyn Connector> = Changing::new();
    let catalogue = |inventory: &str| {
        let read = OfferedTool::new("read").description("Reads a document.").inventory(inventory);
        let others = ["write", "delete"].map(|name| OfferedTool::new(name).description("Changes a document."));
        let mut builder = Catalogue::builder();
        let tools = [read].into_iter().chain(others).collect();
        builder.connector(&connector, Offer::default().tools(tools), &ConnectorSettings::default());
        builder.build()
    };
    let (none, handbook) = (catalogue(""), catalogue("Documents now:\n- qzx7.md"));
    let read = |catalogue: &Catalogue| catalogue.get("changing.read").expect("it is offered").clone();
    assert_eq!(read(&none).description_text(), "Reads a document.");
    assert_eq!(read(&handbook).description_text(), "Reads a document.\n\nDocuments now:\n- qzx7.md");
    assert_eq!(read(&none).definition_hash(), read(&handbook).definition_hash(), "approvals stay valid");
    assert_ne!(read(&none).definition_hash(), none.get("changing.write").expect("offered").definition_hash());
    let found = |catalogue: &Catalogue| catalogue.search("qzx7", 10, &Policy::default(), &[]).results.len();
    assert_eq!((found(&none), found(&handbook)), (0, 1));
    let endless = catalogue(&"x".repeat(1 << 20));
    assert!(read(&endless).description_text().len() < 5_000);
}

#[expect(clippy::disallowed_methods, reason = "the clock of the test")]
fn now() -> Instant {
    Instant::now()
}
