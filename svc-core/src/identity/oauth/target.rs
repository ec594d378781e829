//! The scope of a token, and the resource that it is bound to (RFC 8707).

use url::Url;

use super::fault::{invalid_scope, invalid_target};
use crate::error::Result;
use crate::limits;

/// The only scope.
pub(crate) const SCOPE: &str = "mcp";

/// The granted scope for the requested ones; no request means all, and unknown scopes are not granted (RFC
/// 6749, section 3.3).
pub(crate) fn scope(asked: Option<&str>) -> Result<&'static str> {
    match asked {
        None => Ok(SCOPE),
        Some(words) if words.split_ascii_whitespace().any(|word| word == SCOPE) => Ok(SCOPE),
        Some(_) => Err(invalid_scope()),
    }
}

/// The resource in canonical form, if it is the issuer or below it.
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
    // Opaque origins, as of data: and the like, are never equal.
    if !plain || !below || url.origin() != issuer.origin() {
        return Err(invalid_target("The resource does not belong to this server."));
    }
    Ok(Some(url.as_str().trim_end_matches('/').to_owned()))
}

/// The resource of an access token beyond that of the grant: the requested one, if the grant has none. A
/// resource other than the granted one is rejected.
pub(crate) fn narrowed(issuer: &str, granted: Option<&str>, asked: Option<&str>) -> Result<Option<String>> {
    match (granted, resource(issuer, asked)?) {
        (None, asked) => Ok(asked),
        (Some(granted), Some(asked)) if granted != asked => {
            Err(invalid_target("The resource is not the one that was authorized."))
        }
        (Some(_), _) => Ok(None),
    }
}

/// Whether a token for this resource is accepted at this path of the server: at the resource's own path and
/// below it. A token for the whole server, or without a resource, is accepted everywhere. The host is not
/// compared: a token is valid for this server only, which may have several names.
pub(crate) fn covers(resource: Option<&str>, path: &str) -> bool {
    let Some(resource) = resource else { return true };
    let Ok(url) = Url::parse(resource) else { return false };
    let root = url.path().trim_end_matches('/');
    path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUER: &str = "https://hub.example";

    #[test]
    fn mcp_is_the_only_scope() {
        assert_eq!(scope(None).unwrap(), "mcp");
        for good in ["mcp", " mcp", "mcp offline_access", "openid mcp"] {
            assert_eq!(scope(Some(good)).unwrap(), "mcp", "{good}");
        }
        for bad in ["", "admin", "MCP"] {
            assert_eq!(scope(Some(bad)).unwrap_err().code(), "invalid_scope", "{bad}");
        }
    }

    #[test]
    fn a_resource_must_be_within_the_issuer() {
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
    fn a_token_has_the_granted_resource() {
        let mcp = "https://hub.example/mcp";
        assert_eq!(narrowed(ISSUER, Some(mcp), Some("https://hub.example/mcp/")).unwrap(), None);
        assert_eq!(narrowed(ISSUER, Some(mcp), None).unwrap(), None);
        assert_eq!(narrowed(ISSUER, None, Some("https://hub.example/mcp/")).unwrap().as_deref(), Some(mcp));
        assert_eq!(narrowed(ISSUER, None, None).unwrap(), None);
        assert_eq!(narrowed(ISSUER, Some(mcp), Some(ISSUER)).unwrap_err().code(), "invalid_target");
    }

    #[test]
    fn a_token_is_accepted_at_its_resource_and_below() {
        for (resource, path, accepted) in [
            (None, "/api/whoami", true),
            (Some("https://hub.example"), "/api/whoami", true),
            (Some("https://hub.example/"), "/mcp", true),
            (Some("https://hub.example/mcp"), "/mcp", true),
            (Some("https://hub.example/mcp/"), "/mcp", true),
            (Some("https://hub.example/mcp?tools=compact"), "/mcp", true),
            (Some("https://other-name.example/mcp"), "/mcp", true),
            (Some("https://hub.example/mcp"), "/mcp/more", true),
            (Some("https://hub.example/mcp"), "/mcpx", false),
            (Some("https://hub.example/mcp"), "/api/whoami", false),
            (Some("https://hub.example/mcp"), "/", false),
            (Some("https://hub.example/api"), "/mcp", false),
            (Some("nothing"), "/mcp", false),
        ] {
            assert_eq!(covers(resource, path), accepted, "{resource:?} {path}");
        }
    }
}
