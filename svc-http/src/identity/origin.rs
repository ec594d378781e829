//! Where the server is, as its visitors see it, and whether a request comes from one of its pages.

use poem::Request;
use poem::http::{HeaderValue, Uri, header};
use svc_core::{Error, ErrorKind};

use crate::config::BaseUrl;
use crate::middleware::client_address::PublicScheme;
use crate::state::AppState;

/// The address of this server without a slash at its end: the configured one, or the one that the
/// request was sent to.
pub(crate) fn issuer(request: &Request) -> String {
    SentTo::of(request).address(request.extensions().get::<AppState>().and_then(AppState::base_url))
}

/// Where a request was sent to, kept for when the address is needed after all.
pub(super) struct SentTo {
    host: Option<HeaderValue>,
    scheme: Option<PublicScheme>,
}

impl SentTo {
    pub(super) fn of(request: &Request) -> Self {
        Self { host: request.headers().get(header::HOST).cloned(), scheme: request.extensions().get().copied() }
    }

    /// The configured address, or this one.
    pub(super) fn address(&self, configured: Option<&BaseUrl>) -> String {
        if let Some(base) = configured {
            return base.as_str().to_owned();
        }
        let scheme = self.scheme.map_or("http", PublicScheme::as_str);
        let host = self.host.as_ref().and_then(|host| host.to_str().ok()).unwrap_or("localhost");
        format!("{scheme}://{}", host.to_ascii_lowercase())
    }
}

/// The host that the request was sent to, in small letters.
fn host(request: &Request) -> String {
    request.header(header::HOST).unwrap_or("localhost").to_ascii_lowercase()
}

/// Fails unless the browser says that the request was made by one of this server's own pages.
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

/// The same for requests that carry no login yet: what says nothing about its origin is no browser.
pub(crate) fn refuse_foreign_origin(request: &Request) -> Result<(), Error> {
    let silent = request.header("sec-fetch-site").is_none() && request.header(header::ORIGIN).is_none();
    if silent { Ok(()) } else { require_same_origin(request) }
}

/// The scheme is left out: a proxy that ends TLS makes it differ for one and the same page.
fn is_own(request: &Request, origin: &str) -> bool {
    let Some(authority) = origin.parse::<Uri>().ok().and_then(|uri| uri.authority().cloned()) else {
        return false;
    };
    let claimed = authority.as_str().to_ascii_lowercase();
    let configured = request.extensions().get::<AppState>().and_then(AppState::base_url);
    claimed == host(request) || configured.is_some_and(|base| base.as_str() == origin.to_ascii_lowercase())
}

fn foreign() -> Error {
    Error::new(
        ErrorKind::Forbidden,
        "cross_origin",
        "A change with a login has to come from this server's own pages: send its address in the header Origin, \
         or use a key.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(headers: &[(&str, &str)]) -> bool {
        let mut builder = Request::builder().header("host", "hub.example:8080");
        for (name, value) in headers {
            builder = builder.header(*name, *value);
        }
        require_same_origin(&builder.finish()).is_ok()
    }

    #[test]
    fn only_own_pages_may_use_a_login() {
        assert!(verdict(&[("origin", "http://hub.example:8080")]));
        assert!(verdict(&[("origin", "https://HUB.example:8080")]));
        assert!(verdict(&[("sec-fetch-site", "same-origin")]));
        for headers in [
            &[][..],
            &[("origin", "null")],
            &[("origin", "http://hub.example")],
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
}
