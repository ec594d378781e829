//! The cookie that carries a login.

use std::time::Duration;

use poem::Request;
use poem::http::{HeaderValue, header};
use svc_core::Token;

use super::origin::issuer;

const NAME: &str = "svc_session";

/// The login that a browser presents.
pub(super) fn session(request: &Request) -> Option<String> {
    let lines = request.headers().get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == NAME)
        .map(|(_, value)| value.to_owned())
}

/// Whether a browser presents a login at all, good or not.
pub(crate) fn has_session(request: &Request) -> bool {
    session(request).is_some()
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
    let secure = if issuer(request).starts_with("https://") { "; Secure" } else { "" };
    let text = format!("{NAME}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let mut header = HeaderValue::from_str(&text).expect("tokens and numbers are letters that a header can carry");
    header.set_sensitive(true);
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: &[&str]) -> Option<String> {
        let mut request = Request::builder().finish();
        for line in lines {
            request.headers_mut().append(header::COOKIE, HeaderValue::from_str(line).unwrap());
        }
        session(&request)
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        assert_eq!(found(&["a=b; svc_session=x; c=d"]).as_deref(), Some("x"));
        assert_eq!(found(&["a=b", "svc_session=y"]).as_deref(), Some("y"));
        assert_eq!(found(&["xsvc_session=y; svc_sessions=z"]), None);
        assert_eq!(found(&["svc_session"]), None);
        assert_eq!(found(&[]), None);
    }
}
