//! The host of a request: exactly one, stated once.
//!
//! Invariants: inner layers find one `Host` field, whatever the version of HTTP, and never have to choose between two
//! values. Otherwise a proxy that reads the one and a server that reads the other could be played against each other.

use std::sync::Arc;

use poem::http::uri::Scheme;
use poem::http::{HeaderMap, HeaderValue, Uri, Version, header};
use poem::{Endpoint, IntoResponse, Request, Response, Result};
use svc_core::principals::normal_authority;

use crate::error::Problem;

/// Rejects requests whose host is missing or ambiguous.
pub(crate) async fn check<E: Endpoint>(next: Arc<E>, mut request: Request) -> Result<Response> {
    if let Err(detail) = settle(request.version(), &request.uri().clone(), request.headers_mut()) {
        return Ok(Problem::invalid_host(detail).into_response());
    }
    next.call(request).await.map(IntoResponse::into_response)
}

/// Makes the `Host` field the only source of the host, or returns the error message.
fn settle(version: Version, uri: &Uri, headers: &mut HeaderMap) -> Result<(), &'static str> {
    let mut fields = headers.get_all(header::HOST).iter();
    let (host, another) = (fields.next(), fields.next());
    if another.is_some() {
        return Err("The header Host is sent twice: send it once.");
    }
    match (host, uri.authority()) {
        (Some(host), Some(authority)) => {
            let said = host.to_str().map_err(|_| "The header Host is not a valid host.")?;
            let over_tls = uri.scheme() == Some(&Scheme::HTTPS);
            if normal_authority(said, over_tls) == normal_authority(authority.as_str(), over_tls) {
                Ok(())
            } else {
                Err("The header Host differs from the host of the request URL: send the same host.")
            }
        }
        (None, Some(authority)) => {
            let host = HeaderValue::from_str(authority.as_str()).map_err(|_| "The request URL has no valid host.")?;
            headers.insert(header::HOST, host);
            Ok(())
        }
        (None, None) if version == Version::HTTP_11 => Err("The header Host is missing: send the host's name in it."),
        (_, None) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(version: Version, uri: &str, hosts: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(header::HOST, host.parse().unwrap());
        }
        settle(version, &uri.parse().unwrap(), &mut headers).ok()?;
        Some(headers.get(header::HOST).map(|host| host.to_str().unwrap().to_owned()).unwrap_or_default())
    }

    #[test]
    fn a_request_has_exactly_one_host() {
        let one = |uri, hosts: &[&str]| settled(Version::HTTP_11, uri, hosts);
        assert_eq!(one("/x", &["hub.example"]).as_deref(), Some("hub.example"));
        assert_eq!(one("http://hub.example/x", &["Hub.example:80"]).as_deref(), Some("Hub.example:80"));
        assert_eq!(one("/x", &["hub.example", "hub.example"]), None);
        assert_eq!(one("/x", &["hub.example", "evil.example"]), None);
        assert_eq!(one("http://hub.example/x", &["evil.example"]), None);
        assert_eq!(one("http://hub.example/x", &["hub.example:443"]), None);
        assert_eq!(one("/x", &[]), None);
        assert_eq!(settled(Version::HTTP_10, "/x", &[]).as_deref(), Some(""));
        let two = |uri, hosts: &[&str]| settled(Version::HTTP_2, uri, hosts);
        assert_eq!(two("http://hub.example:8080/x", &[]).as_deref(), Some("hub.example:8080"));
        assert_eq!(two("https://hub.example/x", &["hub.example:443"]).as_deref(), Some("hub.example:443"));
        assert_eq!(two("http://hub.example:8080/x", &["hub.example:9090"]), None);
        assert_eq!(two("http://hub.example/x", &["evil.example"]), None);
    }
}
