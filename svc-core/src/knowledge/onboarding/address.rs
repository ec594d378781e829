//! The hub's address as used in texts: a scheme, a host and an optional port, without a trailing
//! slash.

use url::Url;

use crate::error::{Error, Result};

/// An address that is safe in JSON, TOML and Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address(String);

impl Address {
    /// Parses the address of a hub.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let refuse = || Error::invalid("base_url", "must be an address such as https://hub.example.org");
        let url = Url::parse(text.trim()).map_err(|_| refuse())?;
        let plain = matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
            && url.path() == "/";
        if !plain || !url.has_host() {
            return Err(refuse());
        }
        let address = url.origin().ascii_serialization();
        // Other characters of a host could end a quoted text or a code span.
        let harmless = |byte: u8| byte.is_ascii_alphanumeric() || b":/.-_[]".contains(&byte);
        if address.bytes().all(harmless) { Ok(Self(address)) } else { Err(refuse()) }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The address of the MCP endpoint.
    pub(super) fn mcp(&self) -> String {
        format!("{}/mcp", self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_address_is_a_scheme_and_a_host() {
        for (given, kept) in [
            ("https://Hub.example.org/", "https://hub.example.org"),
            ("https://hub.example.org:443", "https://hub.example.org"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(Address::parse(given).unwrap().as_str(), kept);
        }
        for text in [
            "",
            "hub",
            "ftp://hub",
            "https://hub/x",
            "https://hub/?x",
            "https://hub/#x",
            "https://u:p@hub",
            "http://a`b",
        ] {
            assert_eq!(Address::parse(text).unwrap_err().fields()[0].field, "base_url", "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_host_can_escape_a_text(host in "\\PC{0,40}") {
            if let Ok(address) = Address::parse(&format!("http://{host}")) {
                let breaks_out = address.as_str().contains(['`', '"', '\\', '\n', ' ', '{', '$', '<']);
                prop_assert!(!breaks_out, "{address:?}");
            }
        }
    }
}
