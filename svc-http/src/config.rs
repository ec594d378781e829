//! What a server needs to know before it starts. Flags become one of these; tests build it directly.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use poem::endpoint::BoxEndpoint;
use poem::http::Uri;
use poem::{EndpointExt, IntoEndpoint, Response};
use svc_core::{Error, FirstAdmin, HubBuilder, HubConfig, Result, limits};

use crate::middleware::client_address::TrustedProxies;
use crate::pages::BrandConfig;

/// The settings of a [`Server`](crate::Server). Start from [`ServerConfig::at`].
pub struct ServerConfig {
    /// The hub's own settings.
    pub hub: HubConfig,
    /// Where to listen, `host:port`; port 0 takes a free one.
    pub listen: String,
    /// The admin socket; `None` is where the command line looks for it by itself.
    pub admin_socket: Option<PathBuf>,
    /// The file with the registry of machine principals, which is loaded at start and followed.
    pub machine_registry: Option<PathBuf>,
    /// The address under which people reach the server, when it is not where it listens.
    pub base_url: Option<BaseUrl>,
    /// Whose word about a client's address counts.
    pub trusted_proxies: TrustedProxies,
    /// How much each caller may ask.
    pub rate_limits: RateLimits,
    /// How long clients are waited for.
    pub patience: Patience,
    /// How many connections there may be.
    pub connections: ConnectionLimits,
    /// How the pages that the server draws itself present whoever runs it.
    pub brand: BrandConfig,
    pub(crate) assemble: Option<Box<dyn FnOnce(HubBuilder) -> HubBuilder + Send>>,
    /// Told about the first account as soon as it is there, because whatever fails later would lose it.
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
            assemble: None,
            greet: None,
            mounts: Vec::new(),
        }
    }

    /// Changes how the hub is put together: its clock, its random source, workers of one's own.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use svc_core::{HubConfig, SystemClock};
    /// let config = svc_http::ServerConfig::at(HubConfig::at("./data"))
    ///     .assemble_hub(|builder| builder.clock(Arc::new(SystemClock)));
    /// ```
    #[must_use]
    pub fn assemble_hub(mut self, assemble: impl FnOnce(HubBuilder) -> HubBuilder + Send + 'static) -> Self {
        self.assemble = Some(Box::new(assemble));
        self
    }

    /// Serves an endpoint of one's own at `path` and everything below it, beside the server's routes
    /// and under the same middleware: request ids, problems, limits, compression, shutdown. The
    /// endpoint sees its paths without the prefix, and finds the [`AppState`](crate::AppState) in
    /// the request's data.
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

    /// The same as [`ServerConfig::mount`] for an endpoint that takes bodies of up to `body_max` bytes.
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

/// How the log is written.
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
    /// Requests that only read.
    pub read: u32,
    /// Requests that change something.
    pub write: u32,
    /// Attempts to log in, register or obtain a token.
    pub auth: u32,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self { read: 1200, write: 600, auth: 60 }
    }
}

/// How many connections are served at a time. Beyond that only health checks are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConnectionLimits {
    /// In all; `None` is as many as the limit on open files allows, and [`limits::CONNECTIONS`] at most.
    pub total: Option<usize>,
    /// Of one address that is no trusted proxy; 0 is no limit, `None` a quarter of all.
    pub per_address: Option<usize>,
}

/// How long the server waits for a client before it lets go of what it keeps for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For the headers of a request, from their first byte, and on a new connection for the first request.
    pub headers: Duration,
    /// For anything to move on a connection, and on an open one for the next request. Live streams send something
    /// more often than that.
    pub connection: Duration,
    /// For a whole body, [`limits::BODY_TIME_PER_MIB`] longer for each mebibyte after the first.
    pub body: Duration,
    /// For a body before its rate counts.
    pub body_grace: Duration,
    /// The least that a client sends of a body on average, in bytes per second; 0 is no limit.
    pub body_rate: u64,
    /// For the whole body of a machine's request, once its signature is proved.
    pub machine_body: Duration,
    /// For anything to happen in a session of the older revisions of MCP.
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

/// The address under which people reach the server: a scheme and a host, without a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// Whether it is reached over TLS.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// The address without a slash at its end.
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
        // A port that goes without saying is left out, as clients do when they compare addresses.
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
