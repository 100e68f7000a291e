//! Says why a TLS connection failed, and what to do about it. Decisions only; no I/O.

use isobox_core::brief;
use rustls::{AlertDescription, CertificateError, Error};

/// The maximum number of names of a certificate that are shown.
const MAX_NAMES: usize = 3;

/// Returns the reason for a failure of TLS, with what to do about it where that is known.
pub(super) fn reason(error: &Error) -> String {
    match error {
        Error::InvalidCertificate(certificate) => of_certificate(certificate),
        Error::InvalidMessage(_) => {
            "what answers there does not speak TLS (check the port, or use `http://` if the service has no TLS)"
                .to_owned()
        }
        Error::PeerIncompatible(_)
        | Error::AlertReceived(AlertDescription::ProtocolVersion | AlertDescription::HandshakeFailure) => {
            format!("{} (the service has to support TLS 1.2 or 1.3)", shown(error))
        }
        Error::NoCertificatesPresented => "the service has no certificate".to_owned(),
        // The enumeration grows with the library.
        other => shown(other),
    }
}

fn of_certificate(error: &CertificateError) -> String {
    match error {
        CertificateError::UnknownIssuer => {
            "its certificate is self-signed, or of an authority that this machine does not trust (if it is the right \
             service, the operator adds the certificate to those that the operating system trusts, or names a file \
             with all trusted ones in SSL_CERT_FILE)"
                .to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has expired (the service needs a new one, unless the clock of this machine is wrong)"
                .to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate is not valid yet (check the clock of this machine)".to_owned()
        }
        CertificateError::NotValidForName => {
            "its certificate is for another host (use a name that the certificate has)".to_owned()
        }
        CertificateError::NotValidForNameContext { presented, .. } => {
            format!("its certificate is for {} (use a name that the certificate has)", names(presented))
        }
        CertificateError::Revoked => {
            "its certificate was revoked (do not use the service before it has a new one)".to_owned()
        }
        // The library has no kind for it.
        CertificateError::Other(other) if format!("{other:?}").contains("CaUsedAsEndEntity") => {
            "its certificate is that of an authority (the service needs one of its own, which that authority has signed)"
                .to_owned()
        }
        // The enumeration grows with the library.
        other => format!("its certificate is not accepted: {}", brief(&format!("{other:?}"), 200)),
    }
}

fn shown(error: &Error) -> String {
    brief(&error.to_string(), 200)
}

/// Lists the names of a certificate, which the library gives as `DnsName("a.example")`.
fn names(presented: &[String]) -> String {
    let plain = |name: &String| {
        let inside = name.split_once("(\"").and_then(|(_, rest)| rest.strip_suffix("\")"));
        brief(inside.unwrap_or(name), 80)
    };
    let shown: Vec<String> = presented.iter().take(MAX_NAMES).map(plain).collect();
    match presented.len() {
        0 => "no host".to_owned(),
        count if count > MAX_NAMES => format!("{} and {} more", shown.join(", "), count - MAX_NAMES),
        _ => shown.join(", "),
    }
}
