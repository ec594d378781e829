//! Configuration of a server. Flags are converted to it; tests build it directly.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use poem::endpoint::BoxEndpoint;
use poem::http::Uri;
use poem::{EndpointExt, IntoEndpoint, Response};
use svc_core::startup::FirstAdmin;
use svc_core::{Error, HubBuilder, HubConfig, Result, limits};

use crate::middleware::client_address::TrustedProxies;
use crate::pages::BrandConfig;
use crate::telemetry::TelemetrySettings;

/// The settings of a [`Server`](crate::Server). Start from [`ServerConfig::at`].
pub struct ServerConfig {
    /// The hub's own settings.
    pub hub: HubConfig,
    /// Address to listen on, `host:port`; port 0 picks a free one.
    pub listen: String,
    /// Path of the admin socket; `None` is the default path of the command line.
    pub admin_socket: Option<PathBuf>,
    /// Path of the registry of machine principals, which is loaded at start and when it changes.
    pub machine_registry: Option<PathBuf>,
    /// Public URL of the server, if it differs from the listening address.
    pub base_url: Option<BaseUrl>,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: TrustedProxies,
    /// Rate limits per caller.
    pub rate_limits: RateLimits,
    /// Timeouts for clients.
    pub patience: Patience,
    /// Limits on concurrent connections.
    pub connections: ConnectionLimits,
    /// Branding of the server-rendered pages.
    pub brand: BrandConfig,
    /// Export of traces and metrics to a collector.
    pub telemetry: Option<TelemetrySettings>,
    pub(crate) assemble: Option<Box<dyn FnOnce(HubBuilder) -> HubBuilder + Send>>,
    /// Called with the first account as soon as it exists, because a later failure would lose its password.
    pub(crate) greet: Option<fn(&FirstAdmin)>,
    pub(crate) mounts: Vec<Mount>,
}

/// An endpoint of an embedding program.
pub(crate) struct Mount {
    pub(crate) path: String,
    pub(crate) endpoint: BoxEndpoint<'static, Response>,
    pub(crate) body_max: usize,
}

impl ServerConfig {
    /// A server with the default settings on this hub.
    pub fn at(hub: HubConfig) -> Self {
        Self {
            hub,
            listen: "127.0.0.1:8080".to_owned(),
            admin_socket: None,
            machine_registry: None,
            base_url: None,
            trusted_proxies: TrustedProxies::default(),
            rate_limits: RateLimits::default(),
            patience: Patience::default(),
            connections: ConnectionLimits::default(),
            brand: BrandConfig::default(),
            telemetry: None,
            assemble: None,
            greet: None,
            mounts: Vec::new(),
        }
    }

    /// Customizes the hub: its clock, its random source, additional workers.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use svc_core::clock::SystemClock;
    /// # use svc_core::HubConfig;
    /// let config = svc_http::ServerConfig::at(HubConfig::at("./data"))
    ///     .assemble_hub(|builder| builder.clock(Arc::new(SystemClock)));
    /// ```
    #[must_use]
    pub fn assemble_hub(mut self, assemble: impl FnOnce(HubBuilder) -> HubBuilder + Send + 'static) -> Self {
        self.assemble = Some(Box::new(assemble));
        self
    }

    /// Serves an additional endpoint at `path` and everything below it, beside the server's routes and under the same
    /// middleware: request ids, problems, limits, compression, shutdown. The endpoint sees its paths without the
    /// prefix, and finds the [`AppState`](crate::AppState) in the request's data.
    ///
    /// ```
    /// # use svc_core::HubConfig;
    /// use poem::endpoint::make_sync;
    ///
    /// let config = svc_http::ServerConfig::at(HubConfig::at("./data"))
    ///     .mount("/hello", make_sync(|_| "hello"));
    /// ```
    #[must_use]
    pub fn mount<E>(self, path: &str, endpoint: E) -> Self
    where
        E: IntoEndpoint,
        E::Endpoint: 'static,
    {
        self.mount_with_body_limit(path, limits::JSON_BODY_MAX, endpoint)
    }

    /// Like [`ServerConfig::mount`], for an endpoint that accepts bodies of up to `body_max` bytes.
    #[must_use]
    pub fn mount_with_body_limit<E>(mut self, path: &str, body_max: usize, endpoint: E) -> Self
    where
        E: IntoEndpoint,
        E::Endpoint: 'static,
    {
        let endpoint = endpoint.into_endpoint().map_to_response().boxed();
        self.mounts.push(Mount { path: path.to_owned(), endpoint, body_max });
        self
    }
}

/// Format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object per line.
    Json,
}

/// Requests per minute and caller; 0 is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimits {
    /// Read requests.
    pub read: u32,
    /// Write requests.
    pub write: u32,
    /// Requests to log in, register or obtain a token.
    pub auth: u32,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self { read: 1200, write: 600, auth: 60 }
    }
}

/// Limits on concurrent connections. Beyond them only health checks are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConnectionLimits {
    /// Total; `None` is as many as the limit on open files allows, and [`limits::CONNECTIONS`] at most.
    pub total: Option<usize>,
    /// Per address that is no trusted proxy; 0 is no limit, `None` a quarter of the total.
    pub per_address: Option<usize>,
}

/// Timeouts after which the server releases the resources of a slow client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Headers of a request, from their first byte; on a new connection also the wait for the first request.
    pub headers: Duration,
    /// Idle time of a connection, and the wait for the next request on it. Live streams send something more often
    /// than that.
    pub connection: Duration,
    /// Whole body, [`limits::BODY_TIME_PER_MIB`] longer for each mebibyte after the first.
    pub body: Duration,
    /// Time of a body before its minimum rate applies.
    pub body_grace: Duration,
    /// Minimum average rate of a body, in bytes per second; 0 is no limit.
    pub body_rate: u64,
    /// Whole body of a machine's request, once its signature is verified.
    pub machine_body: Duration,
    /// Idle time of a session of the older MCP revisions.
    pub mcp_session: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            headers: limits::HEADER_TIME,
            connection: Duration::from_mins(2),
            body: limits::BODY_TIME,
            body_grace: limits::BODY_GRACE,
            body_rate: limits::BODY_RATE_MIN,
            machine_body: Duration::from_secs(30),
            mcp_session: limits::MCP_SESSION_IDLE,
        }
    }
}

/// Public URL of the server: a scheme and a host, without a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// Whether the scheme is `https`.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// The URL without a trailing slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for BaseUrl {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refuse = |message: &str| Err(Error::invalid("base_url", message));
        let Ok(uri) = text.parse::<Uri>() else {
            return refuse("must be an address such as https://hub.example.org");
        };
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return refuse("must start with http:// or https://");
        }
        let Some(authority) = uri.authority().filter(|authority| !authority.as_str().contains('@')) else {
            return refuse("must name a host and no user, as in https://hub.example.org");
        };
        if !uri.path().trim_matches('/').is_empty() || uri.query().is_some() {
            return refuse("must not have a path or a query: the server answers at the root of its address");
        }
        let scheme = uri.scheme_str().unwrap_or("http");
        // A default port is removed, because clients do so when they compare URLs.
        let usual = if scheme == "https" { ":443" } else { ":80" };
        let authority = authority.as_str().to_ascii_lowercase();
        Ok(Self(format!("{scheme}://{}", authority.strip_suffix(usual).unwrap_or(&authority))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_address_is_a_scheme_and_a_host() {
        assert_eq!("https://Hub.example/".parse::<BaseUrl>().unwrap().as_str(), "https://hub.example");
        assert_eq!("https://hub.example:443".parse::<BaseUrl>().unwrap().as_str(), "https://hub.example");
        assert_eq!("http://hub.example:443".parse::<BaseUrl>().unwrap().as_str(), "http://hub.example:443");
        assert!(!"http://127.0.0.1:8080".parse::<BaseUrl>().unwrap().is_https());
        for text in ["", "hub.example", "ftp://hub.example", "https://", "https://a/b", "https://a/?b", "https://u:p@a"]
        {
            assert!(text.parse::<BaseUrl>().is_err(), "{text}");
        }
    }
}
