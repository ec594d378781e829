//! The certificate of an endpoint: a TLS handshake that sends no request, and the end of the validity.
//!
//! Invariants: the address is checked like that of a request, and the connection goes to the checked address. Whether
//! the certificate is trusted is not asked, because an expired one has to be seen too; therefore nothing is sent over
//! the connection.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, SignatureScheme};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use url::{Host, Url};

use super::guarded::{GuardedClient, check_address, refused};
use crate::error::{Error, Result};
use crate::timestamp::Timestamp;

/// Tags of the encoding of certificates.
const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;
const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// The last year that every time of the hub can be in. Certificates without an end have the year 9999.
const YEAR_MAX: u32 = 9_998;

impl GuardedClient {
    /// The end of the validity of the certificate that the host of an https URL shows. The time limit covers
    /// everything.
    pub(crate) async fn certificate_end(&self, url: &Url, time: Duration) -> Result<Timestamp> {
        check_address(url, self.allowed())?;
        match tokio::time::timeout(time, self.look(url)).await {
            Ok(Ok(certificate)) => not_after(&certificate).ok_or_else(|| failed("The certificate cannot be read.")),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(failed("The host did not answer in time.")),
        }
    }

    async fn look(&self, url: &Url) -> Result<CertificateDer<'static>> {
        let port = url.port_or_known_default().unwrap_or(443);
        let (addresses, name) = match url.host() {
            Some(Host::Ipv4(address)) => literal(address.into(), port),
            Some(Host::Ipv6(address)) => literal(address.into(), port),
            Some(Host::Domain(name)) => {
                let found = tokio::net::lookup_host((name, port)).await;
                let found = found.map_err(|error| failed("The name of the host was not found.").with_source(error))?;
                let permitted: Vec<_> = found.filter(|address| self.allowed().permit(address.ip())).collect();
                let name = ServerName::try_from(name.to_owned());
                (permitted, name.map_err(|error| failed("The name of the host is not valid.").with_source(error))?)
            }
            None => return Err(refused()),
        };
        if addresses.is_empty() {
            return Err(refused());
        }
        let stream = TcpStream::connect(addresses.as_slice()).await;
        let stream = stream.map_err(|error| failed("No connection could be made.").with_source(error))?;
        let shown = shake_hands(stream, name).await;
        let shown = shown.map_err(|error| failed("The host does not speak TLS as expected.").with_source(error))?;
        shown.ok_or_else(|| failed("The host shows no certificate."))
    }
}

fn literal(address: IpAddr, port: u16) -> (Vec<SocketAddr>, ServerName<'static>) {
    (vec![SocketAddr::new(address, port)], ServerName::from(address))
}

fn failed(sentence: &str) -> Error {
    Error::unavailable("certificate_unknown", sentence)
}

/// Does the handshake, and ends the connection. Returns the certificate of the server.
async fn shake_hands(mut stream: TcpStream, name: ServerName<'static>) -> io::Result<Option<CertificateDer<'static>>> {
    let mut tls = ClientConnection::new(Arc::new(client_config()?), name).map_err(io::Error::other)?;
    let mut received = [0; 4096];
    while tls.is_handshaking() {
        flush(&mut tls, &mut stream).await?;
        let count = stream.read(&mut received).await?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut rest = &received[..count];
        while !rest.is_empty() {
            // Nothing is read after the host has ended the connection.
            if tls.read_tls(&mut rest)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            tls.process_new_packets().map_err(io::Error::other)?;
        }
    }
    tls.send_close_notify();
    // What the host makes of the end does not matter: its certificate is known.
    drop(flush(&mut tls, &mut stream).await);
    let shown = tls.peer_certificates().and_then(|chain| chain.first());
    Ok(shown.cloned())
}

async fn flush(tls: &mut ClientConnection, stream: &mut TcpStream) -> io::Result<()> {
    let mut text = Vec::new();
    while tls.wants_write() {
        tls.write_tls(&mut text)?;
    }
    stream.write_all(&text).await
}

fn client_config() -> io::Result<ClientConfig> {
    let provider = Arc::new(ring::default_provider());
    let verifier = Arc::new(AnyCertificate(provider.signature_verification_algorithms));
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(io::Error::other)?;
    Ok(config.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

/// Accepts every certificate whose key the host has, also one that has expired.
#[derive(Debug)]
struct AnyCertificate(WebPkiSupportedAlgorithms);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.0)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.0)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }
}

/// The end of the validity in an encoded certificate (RFC 5280, section 4.1).
fn not_after(certificate: &[u8]) -> Option<Timestamp> {
    let (certificate, _) = content(certificate, SEQUENCE)?;
    let (signed, _) = content(certificate, SEQUENCE)?;
    // The version may be absent.
    let rest = content(signed, VERSION).map_or(signed, |(_, rest)| rest);
    let (_serial_number, rest) = content(rest, INTEGER)?;
    let (_algorithm, rest) = content(rest, SEQUENCE)?;
    let (_issuer, rest) = content(rest, SEQUENCE)?;
    let (validity, _) = content(rest, SEQUENCE)?;
    let (_, _not_before, rest) = element(validity)?;
    let (tag, text, _) = element(rest)?;
    moment(tag, text)
}

/// The content of the first element, if it has this tag, and what follows it.
fn content(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (found, content, rest) = element(bytes)?;
    (found == tag).then_some((content, rest))
}

/// The tag and the content of the first element, and what follows it.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        ..=0x7f => (usize::from(first), rest),
        // A length in up to three bytes, which is more than any certificate has.
        0x81..=0x83 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x0f))?;
            (digits.iter().fold(0, |length, digit| length * 256 + usize::from(*digit)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// `YYMMDDHHMMSSZ` or `YYYYMMDDHHMMSSZ`.
fn moment(tag: u8, text: &[u8]) -> Option<Timestamp> {
    let text = std::str::from_utf8(text).ok()?.strip_suffix('Z')?;
    let (year, rest) = text.split_at_checked(match tag {
        UTC_TIME => 2,
        GENERALIZED_TIME => 4,
        _ => return None,
    })?;
    let year: u32 = year.parse().ok()?;
    let year = match tag {
        UTC_TIME if year < 50 => 2000 + year,
        UTC_TIME => 1900 + year,
        _ => year.min(YEAR_MAX),
    };
    if rest.len() != 10 || !rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let [month, day, hour, minute, second] = [0, 2, 4, 6, 8].map(|at| &rest[at..at + 2]);
    format!("{year:04}-{month}-{day}T{hour}:{minute}:{second}Z").parse().ok()
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;

    use super::*;

    /// Of `hooks.example.org`, for January 2026.
    const CERTIFICATE: &str = "MIIBNjCB6aADAgECAgEBMAUGAytlcDAcMRowGAYDVQQDDBFob29rcy5leGFtcGxlLm9yZzAeFw0yNjAxMDEwMDAw\
                               MDBaFw0yNjAyMDEwMDAwMDBaMBwxGjAYBgNVBAMMEWhvb2tzLmV4YW1wbGUub3JnMCowBQYDK2VwAyEA6xs7QDnB\
                               hkUhV4xXfmMJ1DP/kVaic4hQ9GMpvXTY7a6jUDBOMCIGA1UdEQQbMBmCEWhvb2tzLmV4YW1wbGUub3JnhwR/AAAB\
                               MAkGA1UdEwQCMAAwHQYDVR0OBBYEFJ1brcjKJQhS/QOcxK2XOyxVAdAtMAUGAytlcANBAHFiI6wrPPAVJXFFIRMl\
                               3fA80g2QdYV+Smh4ampFvCxi2WJ6n8RH1OqZue+m6N7lSX2njg4Teuel2qAp1tSqEQ4=";

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn the_end_of_a_certificate_is_found() {
        let certificate = STANDARD.decode(CERTIFICATE).unwrap();
        assert_eq!(not_after(&certificate), Some(at("2026-02-01T00:00:00Z")));
        for end in 0..certificate.len() {
            assert_eq!(not_after(&certificate[..end]), None, "{end} bytes are no certificate");
        }
    }

    #[test]
    fn both_forms_of_a_time_are_read() {
        assert_eq!(moment(UTC_TIME, b"491231235959Z"), Some(at("2049-12-31T23:59:59Z")));
        assert_eq!(moment(UTC_TIME, b"500101000000Z"), Some(at("1950-01-01T00:00:00Z")));
        assert_eq!(moment(GENERALIZED_TIME, b"20510203040506Z"), Some(at("2051-02-03T04:05:06Z")));
        assert_eq!(moment(GENERALIZED_TIME, b"99991231235959Z"), Some(at("9998-12-31T23:59:59Z")));
        for text in ["", "Z", "2601010000Z", "260101000000", "261301000000Z", "26010100000\u{e9}Z"] {
            assert_eq!(moment(UTC_TIME, text.as_bytes()), None, "{text}");
        }
        assert_eq!(moment(SEQUENCE, b"260101000000Z"), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = not_after(&bytes);
            let _ = moment(UTC_TIME, &bytes);
            let _ = moment(GENERALIZED_TIME, &bytes);
        }
    }

    #[tokio::test]
    async fn private_addresses_are_not_looked_at() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        for host in ["127.0.0.1", "localhost"] {
            let url = format!("https://{host}:{port}/").parse().unwrap();
            let error = GuardedClient::default().certificate_end(&url, Duration::from_secs(30)).await.unwrap_err();
            assert_eq!(error.code(), "address_refused", "{host}");
        }
        assert!(futures_util::FutureExt::now_or_never(listener.accept()).is_none(), "a connection was made");
    }
}
