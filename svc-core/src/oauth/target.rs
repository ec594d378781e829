//! What a token is for: its scope, and the resource that it is bound to (RFC 8707).

use url::Url;

use super::fault::{invalid_scope, invalid_target};
use crate::error::Result;
use crate::limits;

/// The one scope there is.
pub(crate) const SCOPE: &str = "mcp";

/// The scope that is given for those that were asked; asking for none is asking for all, and what
/// there is not is not given (RFC 6749, section 3.3).
pub(crate) fn scope(asked: Option<&str>) -> Result<&'static str> {
    match asked {
        None => Ok(SCOPE),
        Some(words) if words.split_ascii_whitespace().any(|word| word == SCOPE) => Ok(SCOPE),
        Some(_) => Err(invalid_scope()),
    }
}

/// The resource in its one written form, if it is the issuer or something below it.
pub(crate) fn resource(issuer: &str, asked: Option<&str>) -> Result<Option<String>> {
    let Some(asked) = asked else { return Ok(None) };
    if asked.len() > limits::OAUTH_URI_MAX {
        return Err(invalid_target("The resource is too long."));
    }
    let url = Url::parse(asked).map_err(|_| invalid_target("The resource must be an absolute URI."))?;
    if asked.contains('#') {
        return Err(invalid_target("The resource must not have a fragment."));
    }
    let Ok(issuer) = Url::parse(issuer) else { return Err(invalid_target("This server has no address.")) };
    let root = issuer.path().trim_end_matches('/');
    let below = url.path().strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let plain = url.username().is_empty() && url.password().is_none();
    // Opaque origins, as of data: and the like, are never the same.
    if !plain || !below || url.origin() != issuer.origin() {
        return Err(invalid_target("The resource is not one of this server's."));
    }
    Ok(Some(url.as_str().trim_end_matches('/').to_owned()))
}

/// Whether what is asked for when a token is issued is what was granted before.
pub(crate) fn check_bound(issuer: &str, granted: Option<&str>, asked: Option<&str>) -> Result<()> {
    match (granted, resource(issuer, asked)?) {
        (Some(granted), Some(asked)) if granted != asked => {
            Err(invalid_target("The resource is not the one that was authorized."))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUER: &str = "https://hub.example";

    #[test]
    fn the_scope_is_mcp_or_nothing() {
        assert_eq!(scope(None).unwrap(), "mcp");
        for good in ["mcp", " mcp", "mcp offline_access", "openid mcp"] {
            assert_eq!(scope(Some(good)).unwrap(), "mcp", "{good}");
        }
        for bad in ["", "admin", "MCP"] {
            assert_eq!(scope(Some(bad)).unwrap_err().code(), "invalid_scope", "{bad}");
        }
    }

    #[test]
    fn a_resource_lies_within_the_issuer() {
        for (good, kept) in [
            ("https://hub.example", "https://hub.example"),
            ("https://hub.example/", "https://hub.example"),
            ("https://HUB.example:443/mcp", "https://hub.example/mcp"),
            ("https://hub.example/mcp/", "https://hub.example/mcp"),
        ] {
            assert_eq!(resource(ISSUER, Some(good)).unwrap().as_deref(), Some(kept));
        }
        for bad in [
            "",
            "/mcp",
            "mcp",
            "http://hub.example/mcp",
            "https://hub.example:8443/mcp",
            "https://hub.example.evil.example/mcp",
            "https://evil.example/https://hub.example/mcp",
            "https://user@hub.example/mcp",
            "https://hub.example/mcp#part",
            "data:x",
        ] {
            assert_eq!(resource(ISSUER, Some(bad)).unwrap_err().code(), "invalid_target", "{bad}");
        }
        assert_eq!(resource(ISSUER, None).unwrap(), None);
    }

    #[test]
    fn a_token_is_for_what_was_granted() {
        let bound = Some("https://hub.example/mcp");
        assert!(check_bound(ISSUER, bound, Some("https://hub.example/mcp/")).is_ok());
        assert!(check_bound(ISSUER, bound, None).is_ok());
        assert!(check_bound(ISSUER, None, Some("https://hub.example/mcp")).is_ok());
        assert_eq!(check_bound(ISSUER, bound, Some("https://hub.example")).unwrap_err().code(), "invalid_target");
    }
}
