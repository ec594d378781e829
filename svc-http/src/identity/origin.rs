//! The public URL of the server, and checks of the origin of a request.

use poem::Request;
use poem::http::{HeaderValue, Uri, header};
use svc_core::principals::normal_authority;
use svc_core::{Error, ErrorKind};

use crate::config::BaseUrl;
use crate::middleware::client_address::PublicScheme;
use crate::state::AppState;

/// The URL of this server without a trailing slash: the configured one, or the one that the request was sent to.
pub(crate) fn issuer(request: &Request) -> String {
    SentTo::of(request).address(request.extensions().get::<AppState>().and_then(AppState::base_url))
}

/// The destination of a request, kept in case that the URL is needed later.
pub(super) struct SentTo {
    host: Option<HeaderValue>,
    scheme: Option<PublicScheme>,
}

impl SentTo {
    pub(super) fn of(request: &Request) -> Self {
        Self { host: request.headers().get(header::HOST).cloned(), scheme: request.extensions().get().copied() }
    }

    /// The configured URL, or the destination of the request.
    pub(super) fn address(&self, configured: Option<&BaseUrl>) -> String {
        if let Some(base) = configured {
            return base.as_str().to_owned();
        }
        let scheme = self.scheme.map_or("http", PublicScheme::as_str);
        let host = self.host.as_ref().and_then(|host| host.to_str().ok()).unwrap_or("localhost");
        format!("{scheme}://{}", host.to_ascii_lowercase())
    }
}

/// Fails unless the browser states that the request was made by a page of this server.
pub(crate) fn require_same_origin(request: &Request) -> Result<(), Error> {
    let site = request.header("sec-fetch-site");
    let origin = request.header(header::ORIGIN);
    let from_here = match (site, origin) {
        (None, None) => false,
        (site, origin) => {
            site.is_none_or(|site| matches!(site, "same-origin" | "none"))
                && origin.is_none_or(|origin| is_own(request, origin))
        }
    };
    if from_here { Ok(()) } else { Err(foreign()) }
}

/// Fails if the request states a foreign origin. For requests without a login session: a client that states no origin
/// is not a browser.
pub(crate) fn refuse_foreign_origin(request: &Request) -> Result<(), Error> {
    let silent = request.header("sec-fetch-site").is_none() && request.header(header::ORIGIN).is_none();
    if silent { Ok(()) } else { require_same_origin(request) }
}

/// Whether an origin is this server's, by scheme, host and port: a page that was loaded without TLS may have been
/// altered on the way. The configured base URL is the only origin of its host; under other names the origin follows
/// from a trusted proxy or from the connection.
fn is_own(request: &Request, origin: &str) -> bool {
    let Some(claimed) = Origin::parse(origin) else { return false };
    let configured = request.extensions().get::<AppState>().and_then(AppState::base_url);
    let configured = configured.and_then(|base| Origin::parse(base.as_str()));
    if configured.as_ref() == Some(&claimed) {
        return true;
    }
    let over_tls = matches!(request.extensions().get(), Some(PublicScheme::Https));
    let authority = normal_authority(request.header(header::HOST).unwrap_or("localhost"), over_tls);
    let is_configured_host = configured.is_some_and(|base| base.is_at(&authority));
    !is_configured_host && claimed == Origin { over_tls, authority }
}

/// A scheme, host and port in comparable form.
#[derive(PartialEq, Eq)]
struct Origin {
    over_tls: bool,
    authority: String,
}

impl Origin {
    /// `None` for anything else than an HTTP URL.
    fn parse(text: &str) -> Option<Self> {
        let uri = text.parse::<Uri>().ok()?;
        let over_tls = match uri.scheme_str()? {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        Some(Self { over_tls, authority: normal_authority(uri.authority()?.as_str(), over_tls) })
    }

    /// Whether host and port match; the default port of one scheme is not that of the other.
    fn is_at(&self, authority: &str) -> bool {
        self.authority == normal_authority(authority, self.over_tls)
    }
}

fn foreign() -> Error {
    Error::new(
        ErrorKind::Forbidden,
        "cross_origin",
        "A change with a login has to come from this server's own pages: send its address, with https where it has \
         that, in the header Origin, or use a key. Behind a proxy the server knows its address by --base-url.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(headers: &[(&str, &str)]) -> bool {
        verdict_at("hub.example:8080", PublicScheme::Http, headers)
    }

    fn verdict_at(host: &str, scheme: PublicScheme, headers: &[(&str, &str)]) -> bool {
        let mut builder = Request::builder().header("host", host);
        for (name, value) in headers {
            builder = builder.header(*name, *value);
        }
        let mut request = builder.finish();
        request.extensions_mut().insert(scheme);
        require_same_origin(&request).is_ok()
    }

    #[test]
    fn only_own_pages_may_use_a_login() {
        assert!(verdict(&[("origin", "http://hub.example:8080")]));
        assert!(verdict(&[("origin", "http://HUB.example:8080")]));
        assert!(verdict(&[("sec-fetch-site", "same-origin")]));
        for headers in [
            &[][..],
            &[("origin", "null")],
            &[("origin", "http://hub.example")],
            &[("origin", "https://hub.example:8080")],
            &[("origin", "ftp://hub.example:8080")],
            &[("origin", "hub.example:8080")],
            &[("origin", "http://evil.example:8080")],
            &[("origin", "http://hub.example:8080.evil.example")],
            &[("origin", "http://hub.example:8080@evil.example")],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "cross-site"), ("origin", "http://hub.example:8080")],
            &[("sec-fetch-site", "same-origin"), ("origin", "http://evil.example")],
        ] {
            assert!(!verdict(headers), "{headers:?}");
        }
    }
    #[test]
    fn the_scheme_and_the_port_count() {
        let secure = |origin| verdict_at("hub.example", PublicScheme::Https, &[("origin", origin)]);
        assert!(secure("https://hub.example") && secure("https://hub.example:443"));
        assert!(
            !secure("http://hub.example") && !secure("https://hub.example:80") && !secure("http://hub.example:443")
        );
        let plain = |origin| verdict_at("hub.example", PublicScheme::Http, &[("origin", origin)]);
        assert!(plain("http://hub.example") && plain("http://hub.example:80"));
        assert!(!plain("https://hub.example") && !plain("http://hub.example:8080"));
    }
}
