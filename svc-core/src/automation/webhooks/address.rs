//! The rules for the URL of a webhook or of a push service, without network access.

use url::Url;

use crate::error::{Error, Result};
use crate::limits;

/// Parses the URL of a webhook. Which addresses its host may have is decided by the client that connects.
pub(crate) fn parse(text: &str, allow_http: bool) -> Result<Url> {
    let refuse = |message: &str| Err(Error::invalid("url", message));
    let Ok(url) = Url::parse(text) else { return refuse("must be a URL such as https://example.org/hook") };
    match url.scheme() {
        "https" => {}
        "http" if allow_http => {}
        "http" => return refuse("must be https: this server sends nothing in plain text"),
        _ => return refuse("must be https"),
    }
    if !url.has_host() {
        return refuse("must name a host");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("must not contain a user or a password");
    }
    if url.fragment().is_some() {
        return refuse("must not have a fragment");
    }
    let port = url.port_or_known_default().unwrap_or_default();
    if port != 443 && port < limits::WEBHOOK_PORT_MIN && !(allow_http && port == 80) {
        return refuse("must have the port 443, or one from 1024 on");
    }
    if url.as_str().len() > limits::WEBHOOK_URL_MAX {
        return Err(Error::invalid("url", format!("must be at most {} bytes", limits::WEBHOOK_URL_MAX)));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_follow_the_rules() {
        for url in ["https://example.org/hook", "https://example.org:8443/a?b=c", "https://example.org:1024/"] {
            assert!(parse(url, false).is_ok(), "{url}");
        }
        for url in [
            "",
            "example.org/hook",
            "ftp://example.org/",
            "http://example.org/",
            "https://user@example.org/",
            "https://:secret@example.org/",
            "https://example.org/#part",
            "https://example.org:22/",
            "https://example.org:80/",
            "https://example.org:1023/",
            "https://",
            "data:text/plain,x",
        ] {
            assert_eq!(parse(url, false).unwrap_err().fields()[0].field, "url", "{url}");
        }
        for url in ["http://example.org/", "http://example.org:8080/", "https://example.org/"] {
            assert!(parse(url, true).is_ok(), "{url}");
        }
        assert!(parse("http://example.org:25/", true).is_err());
        assert!(parse(&format!("https://example.org/{}", "x".repeat(limits::WEBHOOK_URL_MAX)), false).is_err());
    }
}
