//! Cookies of login sessions, and of browsers with an earlier login.
//!
//! Invariants: where the server is reached over TLS, the cookies have the prefix `__Host-`, which browsers accept
//! from that very host over TLS only; a cookie without it may have been set by another host or without TLS, and is
//! not accepted there.

use std::time::Duration;

use poem::Request;
use poem::http::{HeaderValue, header};
use svc_core::auth::Token;
use svc_core::limits;

use super::origin::issuer;

const PLAIN_NAME: &str = "svc_session";
const SECURE_NAME: &str = "__Host-svc_session";
const DEVICE: &str = "svc_device";
const SECURE_DEVICE: &str = "__Host-svc_device";

/// The name of the session cookie for a server at this URL.
fn name(issuer: &str) -> &'static str {
    if issuer.starts_with("https://") { SECURE_NAME } else { PLAIN_NAME }
}

/// The session token that a browser presents to the server at this URL.
pub(super) fn session(request: &Request, issuer: &str) -> Option<String> {
    found(request, name(issuer))
}

/// The device token that a browser received at its last login.
pub(crate) fn known_browser(request: &Request) -> Option<String> {
    found(request, device_name(request))
}

fn found(request: &Request, wanted: &str) -> Option<String> {
    let lines = request.headers().get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == wanted)
        .map(|(_, value)| value.to_owned())
}

/// Whether a browser presents a session cookie, valid or not.
pub(crate) fn has_session(request: &Request) -> bool {
    session(request, &issuer(request)).is_some()
}

/// `Set-Cookie` header of a login session.
pub(crate) fn session_cookie(request: &Request, token: &Token, lasts: Duration) -> HeaderValue {
    set_cookie(request, token.reveal(), lasts.as_secs())
}

/// `Set-Cookie` header of a device token, which identifies the browser at its next login.
pub(crate) fn device_cookie(request: &Request, token: &Token) -> HeaderValue {
    let (name, seconds) = (device_name(request), limits::DEVICE_TTL.as_secs());
    let secure = if is_secure(request) { "; Secure" } else { "" };
    let text = format!("{name}={}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}", token.reveal());
    let mut header = HeaderValue::from_str(&text).expect("tokens and numbers are letters that a header can carry");
    header.set_sensitive(true);
    header
}

/// Over https the name ensures that neither another host nor an unencrypted connection can have set the cookie.
fn device_name(request: &Request) -> &'static str {
    if is_secure(request) { SECURE_DEVICE } else { DEVICE }
}

fn is_secure(request: &Request) -> bool {
    issuer(request).starts_with("https://")
}

/// `Set-Cookie` header that deletes the session cookie.
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

    fn presented(lines: &[&str]) -> Option<String> {
        presented_at("http://localhost", lines)
    }

    fn presented_at(issuer: &str, lines: &[&str]) -> Option<String> {
        let mut request = Request::builder().finish();
        for line in lines {
            request.headers_mut().append(header::COOKIE, HeaderValue::from_str(line).unwrap());
        }
        session(&request, issuer)
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        assert_eq!(presented(&["a=b; svc_session=x; c=d"]).as_deref(), Some("x"));
        assert_eq!(presented(&["a=b", "svc_session=y"]).as_deref(), Some("y"));
        assert_eq!(presented(&["xsvc_session=y; svc_sessions=z"]), None);
        assert_eq!(presented(&["svc_session"]), None);
        assert_eq!(presented(&[]), None);
    }

    #[test]
    fn over_tls_only_the_host_cookie_is_accepted() {
        let both = &["svc_session=x; __Host-svc_session=y"];
        assert_eq!(presented_at("https://hub.example", both).as_deref(), Some("y"));
        assert_eq!(presented_at("https://hub.example", &["svc_session=x"]), None);
        assert_eq!(presented(both).as_deref(), Some("x"));
    }
}
