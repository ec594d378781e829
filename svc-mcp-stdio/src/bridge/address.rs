//! The URL of a hub, in the notation of a user.

use std::fmt;
use std::str::FromStr;

use svc_core::{Error, Result};
use svc_mcp::Profile;
use url::{Host, Url};

/// URL of a hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address(Url);

impl Address {
    /// URL of the MCP endpoint. Without a profile the key decides which tools are listed.
    pub(crate) fn endpoint(&self, profile: Option<Profile>) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/mcp", self.0.path().trim_end_matches('/')));
        if let Some(profile) = profile {
            url.set_query(Some(&format!("tools={profile}")));
        }
        url
    }

    /// URL of the identity of a key.
    pub(crate) fn whoami(&self) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/api/whoami", self.0.path().trim_end_matches('/')));
        url
    }

    /// Whether a key would cross a network unencrypted.
    pub(crate) fn is_exposed(&self) -> bool {
        let is_here = match self.0.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        self.0.scheme() == "http" && !is_here
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

impl FromStr for Address {
    type Err = Error;

    /// Parses `https://hub.example.org`; the path of the endpoint may be included.
    fn from_str(text: &str) -> Result<Self> {
        let refuse = |rule: &str| Err(Error::invalid("url", rule));
        let Ok(mut url) = text.trim().parse::<Url>() else {
            return refuse("must be a URL such as https://hub.example.org");
        };
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return refuse("must start with https:// (or http:// on this machine) and name a host");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return refuse("must not contain a user or a password: set the key in SVC_AGENT_KEY");
        }
        if url.query().is_some() || url.fragment().is_some() {
            return refuse("must not have a query: use --tools compact for the short list of tools");
        }
        let path = url.path().trim_end_matches('/');
        let path = path.strip_suffix("/mcp").unwrap_or(path).to_owned();
        url.set_path(&path);
        Ok(Self(url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(text: &str, profile: Option<Profile>) -> String {
        text.parse::<Address>().unwrap().endpoint(profile).to_string()
    }

    #[test]
    fn every_notation_leads_to_the_endpoint() {
        for text in [
            "https://hub.example.org",
            "https://hub.example.org/",
            "https://hub.example.org/mcp",
            " https://hub.example.org/mcp/ ",
        ] {
            assert_eq!(endpoint(text, None), "https://hub.example.org/mcp", "{text}");
        }
        for (profile, word) in [(Profile::Compact, "compact"), (Profile::Full, "full")] {
            let expected = format!("http://[::1]:8080/hub/mcp?tools={word}");
            assert_eq!(endpoint("http://[::1]:8080/hub", Some(profile)), expected);
        }
    }

    #[test]
    fn invalid_urls_are_rejected() {
        for text in [
            "",
            "hub.example.org",
            "ftp://hub.example.org",
            "https://ann:pw@hub.example.org",
            "https://h/?tools=compact",
            "https://h/#x",
        ] {
            let refusal = text.parse::<Address>().expect_err(text);
            assert_eq!(refusal.fields()[0].field, "url", "{text}");
            assert!(!refusal.fields()[0].message.contains("pw"), "{text}");
        }
    }

    #[test]
    fn an_unencrypted_key_is_detected() {
        for (text, exposed) in [
            ("http://hub.example.org", true),
            ("http://10.0.0.7:8080", true),
            ("http://127.0.0.1:8080", false),
            ("http://localhost", false),
            ("http://[::1]", false),
            ("https://hub.example.org", false),
        ] {
            assert_eq!(text.parse::<Address>().unwrap().is_exposed(), exposed, "{text}");
        }
    }
}
