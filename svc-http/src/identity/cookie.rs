//! The cookie that carries a login.
//!
//! What always holds: where people reach the server over TLS, the cookie has the prefix `__Host-`, which browsers take
//! from that very host over TLS only; one without it may have been set by another host or without TLS, and is not a
//! login there.

use std::time::Duration;

use poem::Request;
use poem::http::{HeaderValue, header};
use svc_core::Token;

use super::origin::issuer;

const PLAIN_NAME: &str = "svc_session";
const SECURE_NAME: &str = "__Host-svc_session";

/// The cookie's name on a server at this address.
fn name(issuer: &str) -> &'static str {
    if issuer.starts_with("https://") { SECURE_NAME } else { PLAIN_NAME }
}

/// The login that a browser presents to the server at this address.
pub(super) fn session(request: &Request, issuer: &str) -> Option<String> {
    let wanted = name(issuer);
    let lines = request.headers().get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == wanted)
        .map(|(_, value)| value.to_owned())
}

/// Whether a browser presents a login at all, good or not.
pub(crate) fn has_session(request: &Request) -> bool {
    session(request, &issuer(request)).is_some()
}

/// The header that makes a browser keep a login.
pub(crate) fn session_cookie(request: &Request, token: &Token, lasts: Duration) -> HeaderValue {
    set_cookie(request, token.reveal(), lasts.as_secs())
}

/// The header that makes a browser forget it.
pub(crate) fn clear_cookie(request: &Request) -> HeaderValue {
    set_cookie(request, "", 0)
}

fn set_cookie(request: &Request, value: &str, seconds: u64) -> HeaderValue {
    let name = name(&issuer(request));
    let secure = if name == SECURE_NAME { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let mut header = HeaderValue::from_str(&text).expect("tokens and numbers are letters that a header can carry");
    header.set_sensitive(true);
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: &[&str]) -> Option<String> {
        found_at("http://localhost", lines)
    }

    fn found_at(issuer: &str, lines: &[&str]) -> Option<String> {
        let mut request = Request::builder().finish();
        for line in lines {
            request.headers_mut().append(header::COOKIE, HeaderValue::from_str(line).unwrap());
        }
        session(&request, issuer)
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        assert_eq!(found(&["a=b; svc_session=x; c=d"]).as_deref(), Some("x"));
        assert_eq!(found(&["a=b", "svc_session=y"]).as_deref(), Some("y"));
        assert_eq!(found(&["xsvc_session=y; svc_sessions=z"]), None);
        assert_eq!(found(&["svc_session"]), None);
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn over_tls_only_the_cookie_of_this_very_host_counts() {
        let both = &["svc_session=x; __Host-svc_session=y"];
        assert_eq!(found_at("https://hub.example", both).as_deref(), Some("y"));
        assert_eq!(found_at("https://hub.example", &["svc_session=x"]), None);
        assert_eq!(found(both).as_deref(), Some("x"));
    }
}
