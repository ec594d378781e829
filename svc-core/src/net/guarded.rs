//! An HTTP client for URLs of untrusted origin: it connects to the public internet, and to the networks that the
//! operator allows.
//!
//! Invariants: names are resolved once, by this client, and only permitted addresses are passed to the
//! connector, so a name cannot resolve differently between the check and the connection; an IP address in the
//! URL is checked too; redirects are not followed and no proxy is used, because either would bypass the
//! check.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use tokio::sync::OnceCell;
use url::{Host, Url};

use super::networks::AllowedNetworks;
use crate::error::{Error, Result};

/// The client. It is created on first use, because it reads the system's certificates.
#[derive(Debug, Default)]
pub(crate) struct GuardedClient {
    client: OnceCell<Client>,
    allowed: Arc<AllowedNetworks>,
}

/// The limits of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) bytes: usize,
    pub(crate) time: Duration,
}

impl GuardedClient {
    /// A client that may also connect to these networks.
    pub(crate) fn new(allowed: AllowedNetworks) -> Self {
        Self { client: OnceCell::new(), allowed: Arc::new(allowed) }
    }

    pub(super) fn allowed(&self) -> &AllowedNetworks {
        &self.allowed
    }

    pub(super) async fn client(&self) -> Result<&Client> {
        self.client.get_or_try_init(async || build(self.allowed.clone())).await
    }

    /// Fails with `address_refused` when the host of a URL has no address that this client would connect to. A
    /// name that cannot be resolved at the moment is accepted, because every request checks it again.
    pub(crate) async fn check_host(&self, url: &Url, time: Duration) -> Result<()> {
        check_address(url, &self.allowed)?;
        let Some(Host::Domain(name)) = url.host() else { return Ok(()) };
        let Ok(Ok(found)) = tokio::time::timeout(time, tokio::net::lookup_host((name, 0))).await else {
            return Ok(());
        };
        let found: Vec<SocketAddr> = found.collect();
        if !found.is_empty() && !found.iter().any(|address| self.allowed.permit(address.ip())) {
            return Err(refused());
        }
        Ok(())
    }

    /// Fetches the body of an https URL, within the limits.
    pub(crate) async fn get(&self, url: &Url, bounds: Bounds) -> Result<Vec<u8>> {
        if url.scheme() != "https" {
            return Err(refused());
        }
        check_address(url, &self.allowed)?;
        let client = self.client().await?;
        let sent = client.get(url.clone()).header("Accept", "application/json").timeout(bounds.time).send();
        let mut response = sent.await.map_err(out_of_reach)?;
        if response.status() != reqwest::StatusCode::OK {
            return Err(Error::unavailable("fetch_failed", "The server did not respond with status 200."));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(out_of_reach)? {
            if body.len() + chunk.len() > bounds.bytes {
                return Err(Error::unavailable("fetch_failed", "The response is too large."));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}

/// Installs the TLS provider, unless the program has installed another one.
pub(crate) fn install_tls_provider() {
    rustls::crypto::ring::default_provider().install_default().ok();
}

#[expect(clippy::disallowed_methods, reason = "this is the client that checks addresses")]
fn build(allowed: Arc<AllowedNetworks>) -> Result<Client> {
    install_tls_provider();
    Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        .connect_timeout(Duration::from_secs(5))
        .pool_idle_timeout(Duration::from_secs(15))
        .dns_resolver(Arc::new(PermittedOnly(allowed)))
        .build()
        .map_err(|error| Error::internal("the HTTP client cannot be created").with_source(error))
}

/// Checks the host of a URL if it is an IP address, about which the connector does not ask the resolver.
pub(super) fn check_address(url: &Url, allowed: &AllowedNetworks) -> Result<()> {
    let literal = match url.host() {
        Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
        Some(Host::Domain(_)) => None,
        None => return Err(refused()),
    };
    if literal.is_some_and(|address| !allowed.permit(address)) {
        return Err(refused());
    }
    Ok(())
}

/// The system's resolver, restricted to permitted addresses.
struct PermittedOnly(Arc<AllowedNetworks>);

impl Resolve for PermittedOnly {
    fn resolve(&self, name: Name) -> Resolving {
        let allowed = self.0.clone();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let permitted: Vec<SocketAddr> = found.filter(|address| allowed.permit(address.ip())).collect();
            if permitted.is_empty() {
                return Err(refused().into());
            }
            Ok(Box::new(permitted.into_iter()) as Addrs)
        })
    }
}

pub(super) fn refused() -> Error {
    Error::unavailable("address_refused", "The address is not on the public internet.")
}

/// The reason is only logged: shown to a stranger it would reveal the internal network.
fn out_of_reach(error: reqwest::Error) -> Error {
    Error::unavailable("fetch_failed", "The URL could not be fetched.").with_source(error.without_url())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { bytes: 1024, time: Duration::from_secs(5) };

    async fn code(address: &str) -> &'static str {
        GuardedClient::default().get(&address.parse().unwrap(), BOUNDS).await.unwrap_err().code()
    }

    #[tokio::test]
    async fn private_addresses_are_blocked_in_any_notation() {
        for address in [
            "https://127.0.0.1/client",
            "https://[::1]/client",
            "https://[::ffff:127.0.0.1]/client",
            "https://169.254.169.254/latest/meta-data",
            "https://2130706433/client",
            "https://0x7f000001/client",
            "https://0x7f.1/client",
            "https://0177.0.0.1/client",
            "https://127.1/client",
            "https://10.0.0.1:8443/client",
            "http://example.com/client",
        ] {
            assert_eq!(code(address).await, "address_refused", "{address}");
        }
    }

    #[tokio::test]
    async fn names_of_private_addresses_are_blocked_by_the_resolver() {
        // Every system resolves this name to its own loopback address.
        assert_eq!(code("https://localhost/client").await, "fetch_failed");
        // A listener is there, and must get no connection.
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        assert_eq!(code(&format!("https://localhost:{port}/client")).await, "fetch_failed");
        assert!(futures_util::FutureExt::now_or_never(listener.accept()).is_none(), "a connection was made");
        let name = "localhost".parse().unwrap();
        let Err(refusal) = PermittedOnly(Arc::default()).resolve(name).await else { panic!("localhost is not public") };
        assert!(refusal.to_string().contains("public internet"));
    }
}
