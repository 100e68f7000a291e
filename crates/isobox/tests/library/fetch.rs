//! The `fetch` of programs: what it requests, what the host refuses, and what programs see of secrets.

use std::sync::Arc;
use std::time::Duration;

use isobox::config::Config;
use isobox::connector::{ConnectorSettings, WebConnector, WebOptions, WebSecret};
use isobox::rollback::Rollback;
use isobox::store::memory_store;
use isobox::{ByteSize, Isobox, Outcome, Run, Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A server: `/echo` returns the request, `/to/URL` redirects, `/bytes` returns every byte once, `/large` a megabyte.
async fn server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = Vec::new();
                let (head, body) = loop {
                    if stream.read_buf(&mut request).await.unwrap_or(0) == 0 {
                        return;
                    }
                    let text = String::from_utf8_lossy(&request).into_owned();
                    let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                    let length = head.to_lowercase().split("content-length: ").nth(1).map_or(0, |rest| {
                        rest.lines().next().and_then(|number| number.trim().parse().ok()).unwrap_or(0)
                    });
                    if body.len() >= length {
                        break (head.to_owned(), body.to_owned());
                    }
                };
                let path = head.split(' ').nth(1).unwrap_or_default();
                let (status, headers, content): (&str, String, Vec<u8>) =
                    match path.split('?').next().unwrap_or_default() {
                        "/bytes" => {
                            ("200 OK", "content-type: application/octet-stream\r\n".to_owned(), (0..=255).collect())
                        }
                        "/large" => ("200 OK", String::new(), vec![b'x'; 1 << 20]),
                        "/echo" => {
                            let echo = json!({ "head": head, "body": body }).to_string();
                            (
                                "200 OK",
                                "content-type: application/json\r\nset-cookie: a=b\r\n".to_owned(),
                                echo.into_bytes(),
                            )
                        }
                        "/nothing" => ("204 No Content", String::new(), Vec::new()),
                        other => match other.strip_prefix("/to/") {
                            Some(target) => ("302 Found", format!("location: {target}\r\n"), Vec::new()),
                            None => ("404 Not Found", String::new(), b"no such page".to_vec()),
                        },
                    };
                let head = format!(
                    "HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n",
                    content.len()
                );
                let mut answer = head.into_bytes();
                answer.extend(content);
                let _ = stream.write_all(&answer).await;
            });
        }
    });
    port
}

fn options(port: u16) -> WebOptions {
    let mut options = WebOptions::for_output(ByteSize::kib(64));
    options.allow = vec![format!("http://127.0.0.1:{port}/")];
    let secret = |origin: String| WebSecret { origin, value: "s3cr3t-t0ken".to_owned() };
    options.secrets = [
        ("hub".to_owned(), secret(format!("http://127.0.0.1:{port}"))),
        ("other".to_owned(), secret("https://api.example.com".to_owned())),
    ]
    .into();
    options
}

async fn runtime(options: WebOptions) -> Isobox {
    let settings = ConnectorSettings::default().is_trusted(true);
    let builder = Isobox::builder().connector(Arc::new(WebConnector::new(options)), settings).store(memory_store());
    let connected = builder.build_connected().expect("the runtime is well defined");
    connected.ready().await.expect("it is ready").isobox
}

/// Runs a program, with `base` as the address of the server. Returns its result, or the message of its error.
async fn run(options: WebOptions, port: u16, program: &str) -> Value {
    let source = format!("const base = \"http://127.0.0.1:{port}\";\n{program}");
    match runtime(options).await.run(Run::from(source.as_str()).durable()).await {
        Outcome::Completed(completed) => completed.result,
        Outcome::Failed(failed) => json!(failed.error.message),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_response_has_status_headers_and_exact_bytes() {
    let port = server().await;
    let program = "
        const response = await fetch(`${base}/echo?x=1`, { headers: { accept: 'text/x' } });
        const { head } = await response.json();
        const bytes = await (await fetch(new URL('/bytes', base))).bytes();
        const missing = await fetch(new Request(`${base}/missing`));
        return {
          status: response.status, ok: response.ok, type: response.headers.get('content-type'), cookie: response.headers.get('set-cookie'),
          line: head.split('\\r\\n')[0], accept: /accept: text\\/x/i.test(head), url: response.url === `${base}/echo?x=1`,
          exact: bytes.length === 256 && bytes.every((byte, index) => byte === index),
          missing: [missing.status, missing.ok, await missing.text()], empty: (await fetch(`${base}/nothing`)).status,
        };";
    let expected = json!({
        "status": 200, "ok": true, "type": "application/json", "cookie": null, "line": "GET /echo?x=1 HTTP/1.1", "accept": true,
        "url": true, "exact": true, "missing": [404, false, "no such page"], "empty": 204,
    });
    assert_eq!(run(options(port), port, program).await, expected);
}

#[tokio::test]
async fn bodies_are_sent_where_the_host_allows_the_method() {
    let port = server().await;
    let program = "
        const echo = async (body) => (await (await fetch(`${base}/echo`, { method: 'POST', body })).json());
        const form = await echo(new URLSearchParams({ a: 'ü' })), text = await echo('héllo');
        return [form.body, /content-type: application\\/x-www-form-urlencoded/i.test(form.head), text.body];";
    let allowed = || {
        let mut allowed = options(port);
        allowed.methods.push("POST".to_owned());
        allowed
    };
    assert_eq!(run(allowed(), port, program).await, json!(["a=%C3%BC", true, "héllo"]));
    let once = "
        const request = new Request(`${base}/echo`, { method: 'POST', body: 'x' });
        const { body } = await (await fetch(request)).json();
        const again = await fetch(request).catch((error) => error instanceof TypeError);
        return [body, request.bodyUsed, again];";
    assert_eq!(run(allowed(), port, once).await, json!(["x", true, true]));
    let refused = run(allowed(), port, "await fetch(base, { method: 'DELETE' })").await;
    assert_eq!(refused, json!("invalid input for tool `web.send`: at /method: \"DELETE\" is not one of \"POST\""));
    let reading = run(
        options(port),
        port,
        "try { await fetch(base, { method: 'POST' }) } catch (error) { return [error.code, error.message] }",
    );
    let expected = "the host does not allow this method: requests of programs may only read: GET and HEAD";
    assert_eq!(reading.await, json!(["FORBIDDEN", expected]));
}

#[tokio::test]
async fn what_is_not_allowed_is_refused_before_anything_is_sent() {
    let port = server().await;
    let elsewhere = run(options(port), port, "await fetch('https://example.com/x')").await;
    let expected =
        format!("web: programs may not request https://example.com/x: the host allows http://127.0.0.1:{port}/");
    assert_eq!(elsewhere, json!(expected));
    let caught = "try { await fetch('https://example.com') } catch (error) { return [error.code, error.name] }";
    assert_eq!(run(options(port), port, caught).await, json!(["FETCH", "FetchError"]));
    let header = run(options(port), port, "await fetch(base, { headers: { 'x-own': '1' } })").await;
    let expected = "web: programs may not set the header `x-own`; the host can allow it with `headers`";
    assert_eq!(header, json!(expected));
    let mut everything = options(port);
    everything.allow = vec!["*".to_owned()];
    for host in ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "2130706433"] {
        let private = run(everything.clone(), port, &format!("await fetch('http://{host}:{port}/echo')")).await;
        let message = private.as_str().unwrap_or_default();
        assert!(message.contains("address"), "{host}: {message}");
    }
    let metadata = run(everything, port, "await fetch('http://169.254.169.254/latest/meta-data/')").await;
    assert!(metadata.as_str().unwrap_or_default().contains("address"), "{metadata}");
}

#[tokio::test]
async fn a_host_may_have_a_private_address_where_the_configuration_names_it() {
    let port = server().await;
    let configured = |fetch: Value| {
        let text = json!({ "fetch": fetch }).to_string();
        let config = Config::parse(&text, &|_| None).expect("it can be used");
        config.fetch.expect("programs have `fetch`")
    };
    let program = format!("return (await fetch('http://localhost:{port}/echo')).status");
    let without = configured(json!({ "allow": ["*"] }));
    let refused = run(without, port, &program).await;
    assert!(
        refused
            .as_str()
            .unwrap_or_default()
            .contains("is not public (the operator can allow it with `privateHosts` of `fetch`)"),
        "{refused}"
    );
    let other = configured(json!({ "allow": ["*"], "privateHosts": ["intranet.example"] }));
    let refused = run(other, port, &program).await;
    assert!(refused.as_str().unwrap_or_default().contains("is not public"), "{refused}");
    let named = configured(json!({ "allow": ["*"], "privateHosts": ["localhost"] }));
    assert_eq!(run(named.clone(), port, &program).await, json!(200));
    let refused = run(named, port, "await fetch(`${base}/echo`)").await;
    assert!(refused.as_str().unwrap_or_default().contains("is not public"), "the name, not the address: {refused}");
}

#[tokio::test]
async fn redirects_are_followed_as_far_as_the_host_allows_and_checked_again() {
    let port = server().await;
    let program = "
        const response = await fetch(`${base}/to//echo`);
        return [response.status, response.redirected, response.url.replace(base, '')];";
    assert_eq!(run(options(port), port, program).await, json!([302, false, "/to//echo"]));
    let mut following = options(port);
    following.redirects = 2;
    assert_eq!(run(following.clone(), port, program).await, json!([200, true, "/echo"]));
    let elsewhere = run(following.clone(), port, "await fetch(`${base}/to/https://example.com/`)").await;
    assert!(
        elsewhere.as_str().unwrap_or_default().starts_with("web: programs may not request https://example.com/"),
        "{elsewhere}"
    );
    let refused = run(following, port, "await fetch(`${base}/to//echo`, { redirect: 'error' })").await;
    assert_eq!(refused, json!(format!("web: http://127.0.0.1:{port} redirects, and the request does not allow that")));
}

#[tokio::test]
async fn a_secret_is_put_in_for_its_origin_and_never_seen_by_the_program() {
    let port = server().await;
    let program = "
        const response = await fetch(`${base}/echo`, { headers: { authorization: `Bearer ${secret('hub')}` } });
        return [secret('hub'), /authorization: Bearer (.*)/i.exec((await response.json()).head)[1].trim()];";
    assert_eq!(run(options(port), port, program).await, json!(["{{secret:hub}}", "***"]));
    let other = run(options(port), port, "await fetch(base, { headers: { authorization: secret('other') } })").await;
    let expected =
        format!("web: the secret `other` is for https://api.example.com, and is not sent to http://127.0.0.1:{port}");
    assert_eq!(other, json!(expected));
}

#[tokio::test]
async fn a_response_that_is_too_large_is_an_error() {
    let port = server().await;
    let large = run(options(port), port, "await fetch(`${base}/large`)").await;
    assert_eq!(large, json!("web: the response is larger than 65536 bytes; ask for less"));
}

#[tokio::test]
async fn a_request_that_was_sent_and_failed_is_left_by_a_rollback_unless_it_only_reads() {
    let port = server().await;
    let mut allowed = options(port);
    allowed.methods.push("POST".to_owned());
    let isobox = runtime(allowed).await;
    let source = format!(
        "const url = 'http://127.0.0.1:{port}/large';
         await fetch(url).catch(() => 0);
         await fetch('http://127.0.0.1:1/', {{ method: 'POST' }}).catch(() => 0);
         await fetch(url, {{ method: 'POST' }}).catch(() => 0);
         return 1;"
    );
    let outcome = isobox.run(Run::from(source.as_str()).durable()).await;
    assert!(matches!(outcome, Outcome::Completed(_)), "{outcome:?}");
    let plan = isobox.rollback_plan(outcome.execution_id(), &Rollback::default()).await.expect("a plan");
    let left: Vec<_> = plan.left.iter().map(|left| (left.seq.number(), &*left.path, &*left.reason)).collect();
    assert_eq!(left, [(2, "web.send", "it is unknown whether the call took effect")]);
}

#[tokio::test]
async fn a_response_that_never_ends_is_given_up_at_the_limit() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    let sending = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            assert_ne!(stream.read_buf(&mut request).await.expect("a request"), 0, "the request is whole");
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n").await.expect("it is read");
        while stream.write_all(&[b'x'; 4096]).await.is_ok() {}
    });
    let endless = run(options(port), port, "await fetch(base)").await;
    assert_eq!(endless, json!("web: the response is larger than 65536 bytes; ask for less"));
    let closed = tokio::time::timeout(Duration::from_secs(10), sending).await;
    closed.expect("the connection is closed").expect("the server has not failed");
}

#[tokio::test]
async fn an_aborted_request_rejects_and_a_program_without_the_web_has_no_fetch() {
    let port = server().await;
    let program = "
        const controller = new AbortController(), response = fetch(`${base}/echo`, { signal: controller.signal });
        controller.abort();
        return response.catch((error) => error.name);";
    assert_eq!(run(options(port), port, program).await, json!("AbortError"));
    let without = Isobox::builder().build().expect("the runtime is well defined");
    let Outcome::Completed(completed) = without.run("return [typeof fetch, typeof secret]").await else {
        panic!("it completes")
    };
    assert_eq!(completed.result, json!(["undefined", "undefined"]));
}

#[tokio::test]
async fn options_that_cannot_be_used_are_told() {
    let mut wrong = WebOptions::for_output(ByteSize::kib(1));
    wrong.allow = vec!["example.com".to_owned()];
    let settings = ConnectorSettings::default();
    let builder = Isobox::builder().connector(Arc::new(WebConnector::new(wrong)), settings);
    let ready = builder.build_connected().expect("the runtime is well defined").ready().await.expect("others go on");
    let error = ready.problems.first().map(ToString::to_string).unwrap_or_default();
    assert!(error.contains("programs have no `fetch`: `example.com` cannot be allowed"), "{error}");
}
