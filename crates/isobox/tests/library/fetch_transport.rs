//! A transport of the host for the `fetch` of programs, and the checks that come before it.

use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use isobox::config::Config;
use isobox::connector::{
    ConnectorSettings, WebBounds, WebConnector, WebOptions, WebRequest, WebResponse, WebSecret, WebTransport,
};
use isobox::policy::{Action, Policy, Rule};
use isobox::store::memory_store;
use isobox::workspace::{Workspace, WorkspaceOptions};
use isobox::{BoxFuture, ByteSize, Isobox, Outcome, Run, Value, json};

/// A double that keeps the requests, and answers by the path: `/to/URL` redirects, `/large` is too large, `/mebibytes/N`
/// has as many, `/broken` fails, `/silent` never answers, and everything else is an echo of the headers.
#[derive(Default)]
struct Double {
    requests: Mutex<Vec<String>>,
    bounds: Mutex<Option<WebBounds>>,
}

impl WebTransport for Double {
    fn send(
        &self,
        request: WebRequest,
        bounds: WebBounds,
    ) -> BoxFuture<'_, Result<WebResponse, Box<dyn Error + Send + Sync>>> {
        let line = format!("{} {} {}", request.method(), request.uri(), String::from_utf8_lossy(request.body()));
        self.requests.lock().expect("no thread panicked").push(line.trim_end().to_owned());
        *self.bounds.lock().expect("no thread panicked") = Some(bounds);
        Box::pin(async move {
            let header = |name: &str| {
                request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
            };
            let path = request.uri().path();
            let mut response = WebResponse::new(format!("{} {path}", header("authorization")).into());
            match path.split('/').nth(1) {
                Some("to") => {
                    *response.status_mut() = 302.try_into()?;
                    response.headers_mut().insert("location", path["/to/".len()..].parse()?);
                }
                Some("large") => *response.body_mut() = vec![b'x'; (64 << 10) + 1].into(),
                Some("mebibytes") => {
                    *response.body_mut() = vec![b'x'; path["/mebibytes/".len()..].parse::<usize>()? << 20].into()
                }
                Some("broken") => return Err(format!("the proxy refused `{}`", header("authorization")).into()),
                Some("silent") => std::future::pending().await,
                _ => {}
            }
            Ok(response)
        })
    }
}

impl Double {
    fn requests(&self) -> Vec<String> {
        std::mem::take(&mut *self.requests.lock().expect("no thread panicked"))
    }
}

fn options() -> WebOptions {
    let mut options = WebOptions::for_output(ByteSize::kib(64));
    options.allow = vec!["https://api.example.com/".to_owned()];
    options.methods.push("POST".to_owned());
    options.redirects = 1;
    let secret = WebSecret { origin: "https://api.example.com".to_owned(), value: "s3cr3t-t0ken".to_owned() };
    options.secrets = [("hub".to_owned(), secret)].into();
    options
}

/// Runs a program whose requests go to the double. Returns its result, or the message of its error.
async fn run_with(options: WebOptions, policy: Policy, double: &Arc<Double>, program: &str) -> Value {
    let transport = Arc::clone(double) as Arc<dyn WebTransport>;
    let web = WebConnector::new(options).transport(transport);
    let settings = ConnectorSettings::default().is_trusted(true);
    let builder = Isobox::builder().connector(Arc::new(web), settings).policy(policy).store(memory_store());
    let connected = builder.build_connected().expect("the runtime is well defined");
    let isobox = connected.ready().await.expect("it is ready").isobox;
    match isobox.run(Run::from(program).durable()).await {
        Outcome::Completed(completed) => completed.result,
        Outcome::Failed(failed) => json!(failed.error.message),
        other => panic!("{other:?}"),
    }
}

async fn run(double: &Arc<Double>, program: &str) -> Value {
    run_with(options(), Policy::default(), double, program).await
}

#[tokio::test]
async fn requests_go_by_the_transport_of_the_host_with_their_secrets() {
    let double = Arc::new(Double::default());
    let program = "
        const response = await fetch('https://api.example.com/v1/pets?x=1', {
          method: 'POST', body: 'hello', headers: { authorization: `Bearer ${secret('hub')}` },
        });
        return [response.status, response.url, await response.text()];";
    let expected = json!([200, "https://api.example.com/v1/pets?x=1", "Bearer *** /v1/pets"]);
    assert_eq!(run(&double, program).await, expected);
    assert_eq!(double.requests(), ["POST https://api.example.com/v1/pets?x=1 hello"]);
    let bounds = double.bounds.lock().expect("no thread panicked").expect("there was a request");
    assert_eq!(bounds.max_response, ByteSize::kib(64));
    assert!(bounds.timeout <= Duration::from_secs(60) && bounds.timeout > Duration::ZERO, "{bounds:?}");
}

#[tokio::test]
async fn what_is_not_allowed_never_reaches_the_transport() {
    let double = Arc::new(Double::default());
    let mut everything = options();
    everything.allow = vec!["*".to_owned()];
    for (options, program, expected) in [
        (options(), "await fetch('https://elsewhere.example/')", "programs may not request https://elsewhere.example/"),
        (options(), "await fetch('https://api.example.com/', { method: 'PUT' })", "is not one of \"POST\""),
        (options(), "await fetch('https://api.example.com/', { headers: { 'x-own': '1' } })", "may not set the header"),
        (everything.clone(), "await fetch('http://10.0.0.1/')", "has the address 10.0.0.1, which is not public"),
        (everything.clone(), "await fetch('http://localhost/')", "which is not public"),
        (everything.clone(), "await fetch('http://2130706433/')", "has the address 127.0.0.1, which is not public"),
        (everything, "await tools.web.get({ url: 'http://2130706433/' })", "its host is a number"),
    ] {
        let refused = run_with(options, Policy::default(), &double, program).await;
        assert!(refused.as_str().unwrap_or_default().contains(expected), "{program}: {refused}");
    }
    let closed = Rule::new(vec!["web.send".parse().expect("a pattern")], Action::Deny(Some("closed".to_owned())));
    let program = "await fetch('https://api.example.com/', { method: 'POST' })";
    let denied = run_with(options(), Policy::new(vec![closed]), &double, program).await;
    assert!(denied.as_str().unwrap_or_default().contains("closed"), "{denied}");
    assert_eq!(double.requests(), Vec::<String>::new());
}

#[tokio::test]
async fn redirects_sizes_times_and_failures_are_those_of_every_request() {
    let double = Arc::new(Double::default());
    let followed = run(&double, "return (await fetch('https://api.example.com/to//v1/x')).url").await;
    assert_eq!(followed, json!("https://api.example.com/v1/x"));
    assert_eq!(double.requests(), ["GET https://api.example.com/to//v1/x", "GET https://api.example.com/v1/x"]);
    let elsewhere = run(&double, "await fetch('https://api.example.com/to/http://169.254.169.254/')").await;
    assert!(elsewhere.as_str().unwrap_or_default().contains("is not followed: it is not encrypted"), "{elsewhere}");
    assert_eq!(double.requests().len(), 1);
    let large = run(&double, "await fetch('https://api.example.com/large')").await;
    assert_eq!(large, json!("web: the response is larger than 65536 bytes; ask for less"));
    let broken = "await fetch('https://api.example.com/broken', { headers: { authorization: secret('hub') } })";
    let expected = "web: the transport of the host got no response of https://api.example.com: the proxy refused `***`";
    assert_eq!(run(&double, broken).await, json!(expected));
    let mut hasty = options();
    hasty.timeout = Duration::from_millis(20);
    let silent = run_with(hasty, Policy::default(), &double, "await fetch('https://api.example.com/silent')").await;
    assert_eq!(silent, json!("web: https://api.example.com did not answer within 20ms"));
}

#[tokio::test]
async fn a_workspace_gives_its_transport_to_the_configured_fetch() {
    let double = Arc::new(Double::default());
    let config = r#"{ "fetch": { "allow": ["https://api.example.com/"] } }"#;
    let config = Config::parse(config, &|_| None).expect("it can be used");
    let options = WorkspaceOptions::default().fetch_transport(Arc::clone(&double) as Arc<dyn WebTransport>);
    let workspace = Workspace::new(config, options).expect("the runtime starts");
    let ready = workspace.ready().await.expect("it is ready");
    let outcome = ready.isobox.run("return (await fetch('https://api.example.com/x')).status").await;
    assert_eq!(outcome.into_result().expect("it completes"), json!(200));
    assert_eq!(double.requests(), ["GET https://api.example.com/x"]);
}

#[tokio::test]
async fn a_response_has_a_mebibyte_at_most_unless_the_configuration_allows_more() {
    let refused = |bytes: u64| json!(format!("web: the response is larger than {bytes} bytes; ask for less"));
    for (more, output, mebibytes, expected) in [
        (json!({}), "4MiB", 1, json!(200)),
        (json!({}), "4MiB", 2, refused(1 << 20)),
        (json!({ "maxResponse": "3MiB" }), "4MiB", 2, json!(200)),
        (json!({ "maxResponse": "3MiB" }), "100KiB", 2, refused(100 << 10)),
    ] {
        let mut config = json!({ "fetch": { "allow": ["https://api.example.com/"] }, "limits": { "output": output } });
        config["fetch"].as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let config = Config::parse(&config.to_string(), &|_| None).expect("it can be used");
        let double: Arc<dyn WebTransport> = Arc::new(Double::default());
        let options = WorkspaceOptions::default().fetch_transport(double);
        let workspace = Workspace::new(config, options).expect("the runtime starts");
        let ready = workspace.ready().await.expect("it is ready");
        let program = format!("return (await fetch('https://api.example.com/mebibytes/{mebibytes}')).status");
        let told = match ready.isobox.run(program.as_str()).await {
            Outcome::Completed(completed) => completed.result,
            Outcome::Failed(failed) => json!(failed.error.message),
            other => panic!("{other:?}"),
        };
        assert_eq!(told, expected, "{mebibytes} MiB with {more} and {output}");
    }
}
