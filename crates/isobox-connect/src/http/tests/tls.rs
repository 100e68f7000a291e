//! Services whose certificates are not accepted. The certificates are described in `certificates/README.md`.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig, ServerConnection, Stream};

use super::{BOUNDS, get};
use crate::http::{AddressPolicy, HttpClient, HttpErrorKind};

macro_rules! certificate {
    ($name:literal) => {
        include_bytes!(concat!("certificates/", $name, ".pem"))
    };
}

/// Answers one connection over TLS with this certificate. Returns the port.
fn serve(certificate: &'static [u8]) -> u16 {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = PrivateKeyDer::from_pem_slice(certificate!("server_key")).unwrap();
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::from_pem_slice(certificate).unwrap()], key)
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let mut connection = ServerConnection::new(Arc::new(config)).unwrap();
        let mut stream = Stream::new(&mut connection, &mut socket);
        // A client that refuses the certificate ends the handshake.
        if stream.read(&mut [0; 4_096]).is_ok() {
            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi";
            stream.write_all(answer).unwrap();
            stream.flush().unwrap();
        }
    });
    port
}

/// Returns a client that trusts these certificates alone.
fn trusting(roots: &[&[u8]]) -> HttpClient {
    let mut store = RootCertStore::empty();
    for root in roots {
        store.add(CertificateDer::from_pem_slice(root).unwrap()).unwrap();
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(store)
        .with_no_client_auth();
    HttpClient::new(AddressPolicy::for_hosts(["localhost", "127.0.0.1"]), BOUNDS.timeout).trusting(config)
}

#[tokio::test]
async fn a_certificate_that_is_trusted_and_fits_is_accepted() {
    let url = format!("https://localhost:{}/", serve(certificate!("valid")));
    let response = trusting(&[certificate!("authority")]).send(get(&url), BOUNDS).await.unwrap();
    assert_eq!(&response.body[..], b"hi");
}

#[tokio::test]
async fn a_certificate_that_is_not_accepted_is_an_error_that_says_why_and_what_to_do() {
    let authority: &[&[u8]] = &[certificate!("authority")];
    for (certificate, roots, host, expected) in [
        (&certificate!("valid")[..], &[][..], "localhost", "names a file with all trusted ones in SSL_CERT_FILE"),
        (certificate!("self_signed"), authority, "localhost", "its certificate is self-signed, or of an authority"),
        (certificate!("of_an_authority"), authority, "localhost", "its certificate is that of an authority"),
        (certificate!("expired"), authority, "localhost", "its certificate has expired (the service needs a new one"),
        (certificate!("future"), authority, "localhost", "its certificate is not valid yet (check the clock"),
        (
            certificate!("valid"),
            authority,
            "127.0.0.1",
            "its certificate is for localhost, other.example (use a name that the certificate has)",
        ),
    ] {
        let url = format!("https://{host}:{}/?key=secret", serve(certificate));
        let error = trusting(roots).send(get(&url), BOUNDS).await.unwrap_err();
        let message = error.to_string();
        assert_eq!(error.kind, HttpErrorKind::Insecure, "{message}");
        let start = format!("the TLS connection to https://{host}:");
        assert!(message.starts_with(&start) && message.contains(expected), "{message}");
        assert!(!message.contains("secret"), "{message}");
    }
}

#[tokio::test]
async fn a_service_without_tls_is_named_as_such() {
    let (address, _requests) = super::server(vec!["HTTP/1.1 400 Bad Request\r\n\r\n".to_owned(); 2]).await;
    let error = trusting(&[]).send(get(&format!("https://{address}/")), BOUNDS).await.unwrap_err();
    assert_eq!(error.kind, HttpErrorKind::Insecure);
    assert!(error.to_string().contains("does not speak TLS (check the port, or use `http://`"), "{error}");
}
