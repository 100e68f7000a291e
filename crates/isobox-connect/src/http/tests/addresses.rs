//! Names whose addresses change, are private, or do not exist.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use tokio::net::TcpStream;

use super::{BOUNDS, answer, get, server};
use crate::http::dial::Network;
use crate::http::{AddressPolicy, HttpClient, HttpErrorKind};

/// A network in which each lookup of a name has the next of these answers. Every connection goes to one server, wherever
/// its address is.
struct Changing {
    answers: Mutex<VecDeque<Vec<IpAddr>>>,
    server: SocketAddr,
    connected: Arc<Mutex<Vec<IpAddr>>>,
}

impl Network for Changing {
    fn resolve<'n>(&'n self, _: &'n str, port: u16) -> BoxFuture<'n, io::Result<Vec<SocketAddr>>> {
        let next = self.answers.lock().unwrap().pop_front();
        let found = next.ok_or_else(|| io::Error::other("the name was looked up too often"));
        Box::pin(async move { Ok(found?.into_iter().map(|address| SocketAddr::new(address, port)).collect()) })
    }

    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<TcpStream>> {
        self.connected.lock().unwrap().push(address.ip());
        Box::pin(TcpStream::connect(self.server))
    }
}

/// Returns a client in such a network, and the addresses that it connects to.
fn client(answers: &[&[&str]], server: SocketAddr) -> (HttpClient, Arc<Mutex<Vec<IpAddr>>>) {
    let answers = answers.iter().map(|one| one.iter().map(|address| address.parse().unwrap()).collect());
    let connected: Arc<Mutex<Vec<IpAddr>>> = Arc::default();
    let network = Changing { answers: Mutex::new(answers.collect()), server, connected: Arc::clone(&connected) };
    (HttpClient::new(AddressPolicy::default(), BOUNDS.timeout).through(Arc::new(network)), connected)
}

#[tokio::test]
async fn a_name_that_turns_private_after_its_first_address_is_refused() {
    for private in ["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "::ffff:10.0.0.7"] {
        let (address, _requests) = server(vec![answer("200 OK", "public"); 2]).await;
        let (client, connected) = client(&[&["8.8.8.8"], &[private], &["8.8.4.4"]], address);
        let first = client.send(get("http://rebinding.example/"), BOUNDS).await.unwrap();
        assert_eq!(&first.body[..], b"public");
        let error = client.send(get("http://rebinding.example/"), BOUNDS).await.unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::ForbiddenAddress, "{private}: {error}");
        client.send(get("http://rebinding.example/"), BOUNDS).await.unwrap();
        let public = ["8.8.8.8", "8.8.4.4"].map(|address| address.parse::<IpAddr>().unwrap());
        assert_eq!(*connected.lock().unwrap(), public, "{private} was never connected to");
    }
}

#[tokio::test]
async fn the_address_that_was_checked_is_the_one_that_is_connected_to() {
    // Another lookup between the check and the connection would get the private address.
    let (address, _requests) = server(vec![answer("200 OK", "public")]).await;
    let (client, connected) = client(&[&["10.0.0.7", "8.8.8.8", "127.0.0.1"], &["10.0.0.7"]], address);
    client.send(get("http://mixed.example/"), BOUNDS).await.unwrap();
    assert_eq!(*connected.lock().unwrap(), ["8.8.8.8".parse::<IpAddr>().unwrap()]);
}

#[tokio::test]
async fn a_redirect_to_a_name_that_is_private_is_refused() {
    let (address, _requests) = server(vec![answer("302 Found\r\nlocation: http://inside.example/", "")]).await;
    let (client, connected) = client(&[&["8.8.8.8"], &["192.168.1.1"]], address);
    let bounds = super::RequestBounds { redirects: 1, ..BOUNDS };
    let error = client.send(get("http://outside.example/"), bounds).await.unwrap_err();
    assert_eq!(error.kind, HttpErrorKind::ForbiddenAddress, "{error}");
    assert_eq!(connected.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn errors_of_addresses_say_what_to_do() {
    let (address, _requests) = server(Vec::new()).await;
    let (none, _) = client(&[&[]], address);
    let (private, _) = client(&[&["10.0.0.7"]], address);
    let (link_local, _) = client(&[&["169.254.169.254"]], address);
    let unused = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (refused, _) = client(&[&["8.8.8.8"]], unused);
    for (client, expected) in [
        (none, "the host of http://a.example is not found: "),
        (private, "which is not public (the operator can allow it by naming the host in the configuration)"),
        (
            link_local,
            "which is not public (such an address is used only if the configuration has it in place of a name)",
        ),
        (refused, "(check that the service runs, and its port)"),
    ] {
        let error = client.send(get("http://a.example/"), BOUNDS).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
