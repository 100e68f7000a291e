//! Waits for the browser to come back from a login, at a port of this computer.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

/// The port that the browser is sent back to.
pub(super) struct Doorway {
    listener: TcpListener,
    pub(super) address: String,
}

/// The parameters that the browser brought back.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Returned {
    pub(super) code: Option<String>,
    pub(super) state: Option<String>,
    pub(super) issuer: Option<String>,
    pub(super) error: Option<String>,
}

const PATH: &str = "/callback";
/// The maximum size of a request, in bytes, and the maximum time to read it.
const MAX_REQUEST: usize = 16 << 10;
const READING: Duration = Duration::from_secs(5);

impl Doorway {
    /// Listens at a port of this computer, which others cannot reach.
    pub(super) async fn open(port: Option<u16>) -> io::Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or(0)));
        let listener = TcpListener::bind(address).await?;
        let address = format!("http://{}{PATH}", listener.local_addr()?);
        Ok(Self { listener, address })
    }

    /// Waits for the browser, and answers it by what `accept` makes of it. Other requests are refused.
    ///
    /// Returns with the first result of `accept` that is not `None`.
    pub(super) async fn wait<T>(
        &self,
        mut accept: impl FnMut(Returned) -> Option<Result<T, String>>,
    ) -> Result<T, String> {
        loop {
            let (mut stream, _) = match self.listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => return Err(format!("the browser cannot come back: {error}")),
            };
            let Ok(Some(returned)) = timeout(READING, read(&mut stream)).await else {
                answer(&mut stream, "404 Not Found", "There is nothing here.").await;
                continue;
            };
            match accept(returned) {
                Some(Ok(accepted)) => {
                    answer(&mut stream, "200 OK", "You are logged in. You can close this page.").await;
                    return Ok(accepted);
                }
                Some(Err(problem)) => {
                    answer(&mut stream, "400 Bad Request", "The login failed. See the program that asked for it.")
                        .await;
                    return Err(problem);
                }
                None => answer(&mut stream, "400 Bad Request", "This login was not asked for.").await,
            }
        }
    }
}

/// Reads the first line of a request. Returns none if it is not the browser that comes back.
async fn read(stream: &mut TcpStream) -> Option<Returned> {
    let mut request = Vec::new();
    let mut piece = [0; 2_048];
    while !request.windows(4).any(|window| window == b"\r\n\r\n") {
        let length = stream.read(&mut piece).await.ok().filter(|length| *length > 0)?;
        request.extend_from_slice(&piece[..length]);
        if request.len() > MAX_REQUEST {
            return None;
        }
    }
    let line = request.split(|byte| *byte == b'\r').next()?;
    parse(std::str::from_utf8(line).ok()?)
}

fn parse(line: &str) -> Option<Returned> {
    let target = line.strip_prefix("GET ")?.split(' ').next()?;
    let query = target.strip_prefix(PATH)?.strip_prefix('?')?;
    let mut returned = Returned::default();
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = percent_decode_str(&value.replace('+', " ")).decode_utf8().ok()?.into_owned();
        let field = match name {
            "code" => &mut returned.code,
            "state" => &mut returned.state,
            "iss" => &mut returned.issuer,
            "error" => &mut returned.error,
            _ => continue,
        };
        // Two values for one field are a trick.
        if field.replace(value).is_some() {
            return None;
        }
    }
    Some(returned)
}

async fn answer(stream: &mut TcpStream, status: &str, text: &str) {
    let page = format!("<!doctype html><meta charset=\"utf-8\"><title>Isobox</title><p>{text}</p>\n");
    let length = page.len();
    let response = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {length}\r\n\
         connection: close\r\ncache-control: no-store\r\nreferrer-policy: no-referrer\r\n\r\n{page}"
    );
    // A browser that does not wait for its page has still brought the code.
    let _ = timeout(READING, stream.write_all(response.as_bytes())).await;
    let _ = stream.shutdown().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_browser_that_comes_back_is_read() {
        let returned = parse("GET /callback?code=a%20b&state=s+t&x=1&iss=https%3A%2F%2Fa.example HTTP/1.1").unwrap();
        assert_eq!(returned.code.as_deref(), Some("a b"));
        assert_eq!(returned.state.as_deref(), Some("s t"));
        assert_eq!(returned.issuer.as_deref(), Some("https://a.example"));
        for line in [
            "POST /callback?code=a HTTP/1.1",
            "GET /favicon.ico HTTP/1.1",
            "GET /callback HTTP/1.1",
            "GET /callback?code=a&code=b HTTP/1.1",
            "GET /callback?code=%ff HTTP/1.1",
            "",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
