mod addresses;
mod tls;

use std::net::SocketAddr;

use hyper::header::{AUTHORIZATION, COOKIE};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::*;

const BOUNDS: RequestBounds = RequestBounds { timeout: Duration::from_secs(5), max_body: 1_000, redirects: 0 };

/// Answers every connection with the next of these texts, and never if it is empty. Returns the address, and the requests.
async fn server(answers: Vec<String>) -> (SocketAddr, mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut open = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 10_000];
            let length = stream.read(&mut request).await.unwrap();
            sender.send(String::from_utf8_lossy(&request[..length]).into_owned()).unwrap();
            stream.write_all(answer.as_bytes()).await.unwrap();
            if answer.is_empty() {
                open.push(stream);
            }
        }
        std::future::pending::<()>().await;
    });
    (address, receiver)
}

fn client_for(hosts: &[&str]) -> HttpClient {
    HttpClient::new(AddressPolicy::for_hosts(hosts.iter().copied()), Duration::from_secs(5))
}

fn get(url: &str) -> HttpRequest {
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer secret"));
    headers.insert(COOKIE, HeaderValue::from_static("a=secret"));
    headers.insert(ACCEPT, HeaderValue::from_static("text/plain"));
    headers.insert("x-api-key", HeaderValue::from_static("secret"));
    HttpRequest { method: Method::GET, url: parse_url(url).unwrap(), headers, body: Bytes::new() }
}

fn answer(head: &str, body: &str) -> String {
    format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

#[tokio::test]
async fn a_response_is_read_up_to_its_bound() {
    let (address, _requests) =
        server(vec![answer("200 OK", &"x".repeat(1_000)), answer("200 OK", &"x".repeat(1_001))]).await;
    let client = client_for(&["127.0.0.1"]);
    let whole = client.send(get(&format!("http://{address}/")), BOUNDS).await.unwrap();
    assert_eq!((whole.body.len(), whole.is_cut), (1_000, false));
    let cut = client.send(get(&format!("http://{address}/")), BOUNDS).await.unwrap();
    assert_eq!((cut.body.len(), cut.is_cut), (1_000, true));
}

#[tokio::test]
async fn an_empty_body_has_a_length_where_a_method_has_bodies() {
    for (method, body, expected) in [
        (Method::POST, "", Some("content-length: 0")),
        (Method::PUT, "", Some("content-length: 0")),
        (Method::PATCH, "", Some("content-length: 0")),
        (Method::POST, "abc", Some("content-length: 3")),
        (Method::GET, "", None),
        (Method::HEAD, "", None),
        (Method::DELETE, "", None),
        (Method::OPTIONS, "", None),
    ] {
        let (address, mut requests) = server(vec![answer("204 No Content", "")]).await;
        let request = HttpRequest {
            method: method.clone(),
            body: Bytes::from_static(body.as_bytes()),
            ..get(&format!("http://{address}/"))
        };
        client_for(&["127.0.0.1"]).send(request, BOUNDS).await.unwrap();
        let sent = requests.recv().await.unwrap().to_lowercase();
        let stated: Vec<&str> = sent.lines().filter(|line| line.starts_with("content-length:")).collect();
        assert_eq!(stated, Vec::from_iter(expected), "{method} {body}");
        assert!(!sent.contains("transfer-encoding"), "{sent}");
    }
}

#[tokio::test]
async fn a_private_address_is_refused_unless_its_host_is_configured() {
    let (address, _requests) = server(Vec::new()).await;
    for url in [format!("http://{address}/?key=secret"), format!("http://localhost:{}/", address.port())] {
        let error = client_for(&[]).send(get(&url), BOUNDS).await.unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::ForbiddenAddress, "{error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_unless_asked_for() {
    let (address, _requests) = server(vec![answer("302 Found\r\nlocation: /there", "")]).await;
    let response = client_for(&["127.0.0.1"]).send(get(&format!("http://{address}/")), BOUNDS).await.unwrap();
    assert_eq!(response.status, StatusCode::FOUND);
}

#[tokio::test]
async fn credentials_stay_with_their_origin() {
    let (elsewhere, mut there) = server(vec![answer("200 OK", "there")]).await;
    let move_on = answer(&format!("302 Found\r\nlocation: http://{elsewhere}/there"), "");
    let (address, mut here) = server(vec![answer("301 Moved\r\nlocation: /again", ""), move_on]).await;
    let bounds = RequestBounds { redirects: 2, ..BOUNDS };
    let response = client_for(&["127.0.0.1"]).send(get(&format!("http://{address}/")), bounds).await.unwrap();
    assert_eq!(&response.body[..], b"there");
    for _ in 0..2 {
        let same = here.recv().await.unwrap();
        assert!(same.contains("Bearer secret") && same.contains("a=secret"), "{same}");
    }
    let other = there.recv().await.unwrap();
    assert!(!other.contains("secret") && other.contains("text/plain"), "{other}");
}

#[tokio::test]
async fn a_redirect_to_a_metadata_address_is_refused() {
    for target in ["http://169.254.169.254/latest/meta-data", "http://[fd00:ec2::254]/", "http://localhost:1/"] {
        let (address, _requests) = server(vec![answer(&format!("302 Found\r\nlocation: {target}"), "")]).await;
        let bounds = RequestBounds { redirects: 2, ..BOUNDS };
        let error = client_for(&["127.0.0.1"]).send(get(&format!("http://{address}/")), bounds).await.unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::ForbiddenAddress, "{error}");
    }
}

#[test]
fn an_encrypted_request_is_not_redirected_to_plain_text() {
    let request = get("https://a.example/");
    assert!(redirected(&request, "http://a.example/").unwrap_err().to_string().contains("not encrypted"));
    assert_eq!(redirected(&request, "/x?y").unwrap().url, "https://a.example/x?y");
}

#[tokio::test]
async fn failures_name_the_origin_and_nothing_secret() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closed = listener.local_addr().unwrap();
    drop(listener);
    let (silent, _silent) = server(vec![String::new()]).await;
    let (broken, _broken) = server(vec!["HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc".to_owned(); 2]).await;
    let client = client_for(&["127.0.0.1"]);
    let quick = RequestBounds { timeout: Duration::from_millis(300), ..BOUNDS };
    for (url, expected) in [
        (format!("http://{closed}/?key=secret"), HttpErrorKind::Unreachable),
        (format!("http://{silent}/?key=secret"), HttpErrorKind::TimedOut),
        (format!("https://{broken}/?key=secret"), HttpErrorKind::Insecure),
    ] {
        let error = client.send(get(&url), quick).await.unwrap_err();
        assert_eq!(error.kind, expected, "{error}");
        assert!(error.to_string().contains("127.0.0.1:") && !error.to_string().contains("secret"), "{error}");
    }
    assert!(HttpErrorKind::Unreachable.may_pass() && !HttpErrorKind::Insecure.may_pass());
}
