//! Validation of client metadata, in a registration (RFC 7591) or in a metadata document.
//!
//! Invariants: every known field is checked; unknown fields are ignored, as the standard requires; a client
//! that registers itself cannot use client credentials, because no operator has bound it to an agent.

use serde_json::{Map, Value};
use svc_model::oauth::{ClientAuthMethod, GrantType};
use url::Url;

use super::fault::{invalid_client_metadata, invalid_redirect_uri};
use super::redirect;
use crate::error::Result;
use crate::limits;
use crate::names::display_name;

/// Validated client metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Description {
    pub(crate) name: String,
    pub(crate) auth_method: ClientAuthMethod,
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) grant_types: Vec<GrantType>,
    pub(crate) client_uri: Option<String>,
    pub(crate) logo_uri: Option<String>,
}

impl Description {
    /// Reads a client's metadata. `default_method` applies when it names no authentication method.
    pub(crate) fn read(metadata: &Value, default_method: ClientAuthMethod) -> Result<Self> {
        let Value::Object(metadata) = metadata else {
            return Err(invalid_client_metadata("The metadata must be a JSON object."));
        };
        let redirect_uris = match metadata.get("redirect_uris") {
            None | Some(Value::Null) => Vec::new(),
            Some(value) => texts(value).ok_or_else(|| invalid_redirect_uri("redirect_uris must be a list of text."))?,
        };
        let grant_types = grant_types(metadata)?;
        check_response_types(metadata)?;
        check_scope(metadata)?;
        let redirect_uris = checked_redirects(redirect_uris, &grant_types)?;
        let name = match text(metadata, "client_name")? {
            None => default_name(&redirect_uris),
            Some(name) => checked_name(name)?,
        };
        Ok(Self {
            name,
            auth_method: auth_method(metadata, default_method)?,
            redirect_uris,
            grant_types,
            client_uri: address(metadata, "client_uri")?,
            logo_uri: address(metadata, "logo_uri")?,
        })
    }
}

/// Checks a display name.
pub(crate) fn checked_name(name: &str) -> Result<String> {
    display_name("client_name", name).map_err(|_| {
        let most = limits::DISPLAY_NAME_MAX;
        invalid_client_metadata(format!("client_name must have 1 to {most} characters that can be printed."))
    })
}

/// Checks redirect URIs.
pub(crate) fn checked_redirects(addresses: Vec<String>, grant_types: &[GrantType]) -> Result<Vec<String>> {
    if addresses.len() > limits::OAUTH_REDIRECTS_MAX {
        let most = limits::OAUTH_REDIRECTS_MAX;
        return Err(invalid_redirect_uri(format!("A client can have at most {most} redirect URIs.")));
    }
    if addresses.iter().map(String::len).sum::<usize>() > limits::OAUTH_REDIRECTS_BYTES {
        let most = limits::OAUTH_REDIRECTS_BYTES;
        return Err(invalid_redirect_uri(format!("A client's redirect URIs together must be at most {most} bytes.")));
    }
    if addresses.is_empty() && grant_types.contains(&GrantType::AuthorizationCode) {
        return Err(invalid_redirect_uri("redirect_uris must have at least one URI."));
    }
    let mut kept: Vec<String> = Vec::with_capacity(addresses.len());
    for address in addresses {
        redirect::check(&address)?;
        if !kept.contains(&address) {
            kept.push(address);
        }
    }
    Ok(kept)
}

fn grant_types(metadata: &Map<String, Value>) -> Result<Vec<GrantType>> {
    let words = match metadata.get("grant_types") {
        None | Some(Value::Null) => vec![GrantType::AuthorizationCode.as_str().to_owned()],
        Some(value) => texts(value).ok_or_else(|| invalid_client_metadata("grant_types must be a list of text."))?,
    };
    let mut kept = Vec::new();
    for word in &words {
        match GrantType::parse(word) {
            // Only for clients that an operator has bound to an agent.
            Some(GrantType::ClientCredentials) => {}
            Some(grant_type) if !kept.contains(&grant_type) => kept.push(grant_type),
            // A client may list grant types that other servers support; the response says what it got (RFC
            // 7591).
            Some(_) | None => {}
        }
    }
    // A client that gets a token through a human gets a refresh token with it.
    if kept.iter().any(|grant_type| *grant_type != GrantType::RefreshToken) {
        if !kept.contains(&GrantType::RefreshToken) {
            kept.push(GrantType::RefreshToken);
        }
        return Ok(kept);
    }
    Err(invalid_client_metadata("grant_types must name authorization_code or device_code."))
}

fn check_response_types(metadata: &Map<String, Value>) -> Result<()> {
    match metadata.get("response_types") {
        None | Some(Value::Null) => Ok(()),
        Some(value) => match texts(value) {
            Some(words) if words.iter().all(|word| word == "code") => Ok(()),
            _ => Err(invalid_client_metadata("The only response type is code.")),
        },
    }
}

/// Scopes that this server does not know are allowed here; the granted scope is stated when it is granted.
fn check_scope(metadata: &Map<String, Value>) -> Result<()> {
    let scope = text(metadata, "scope")?.unwrap_or_default();
    if scope.bytes().all(|byte| byte == b' ' || (byte.is_ascii_graphic() && !b"\"\\".contains(&byte))) {
        return Ok(());
    }
    Err(invalid_client_metadata("scope contains an invalid character."))
}

fn auth_method(metadata: &Map<String, Value>, default_method: ClientAuthMethod) -> Result<ClientAuthMethod> {
    match text(metadata, "token_endpoint_auth_method")? {
        None => Ok(default_method),
        Some("none") => Ok(ClientAuthMethod::None),
        Some("client_secret_basic") => Ok(ClientAuthMethod::ClientSecretBasic),
        Some("client_secret_post") => Ok(ClientAuthMethod::ClientSecretPost),
        Some(_) => Err(invalid_client_metadata(
            "token_endpoint_auth_method must be none, client_secret_basic or client_secret_post.",
        )),
    }
}

fn address(metadata: &Map<String, Value>, field: &str) -> Result<Option<String>> {
    let Some(address) = text(metadata, field)? else { return Ok(None) };
    let sane = address.len() <= limits::OAUTH_URI_MAX
        && address.bytes().all(|byte| byte.is_ascii_graphic())
        && Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "https" | "http") && url.has_host());
    if sane {
        return Ok(Some(address.to_owned()));
    }
    Err(invalid_client_metadata(format!("{field} must be an http or https URL.")))
}

/// An empty text counts as absent.
fn text<'a>(metadata: &'a Map<String, Value>, field: &str) -> Result<Option<&'a str>> {
    match metadata.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str()).filter(|text| !text.trim().is_empty())),
        Some(_) => Err(invalid_client_metadata(format!("{field} must be text."))),
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|entry| entry.as_str().map(ToOwned::to_owned)).collect()
}

/// The name of a client without one: the host of its redirect URI.
fn default_name(redirect_uris: &[String]) -> String {
    let host = redirect_uris.first().map(|address| redirect::shown_host(address)).unwrap_or_default();
    let name = if host.is_empty() { "Unnamed client".to_owned() } else { host };
    name.chars().take(limits::DISPLAY_NAME_MAX).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(metadata: &Value) -> Result<Description> {
        Description::read(metadata, ClientAuthMethod::ClientSecretBasic)
    }

    #[test]
    fn absent_fields_get_the_defaults_of_the_standard() {
        let read = read(&json!({ "redirect_uris": ["https://app.example/cb"], "software_id": 7 })).unwrap();
        assert_eq!(read.auth_method, ClientAuthMethod::ClientSecretBasic);
        assert_eq!(read.grant_types, [GrantType::AuthorizationCode, GrantType::RefreshToken]);
        assert_eq!((read.name.as_str(), read.client_uri, read.logo_uri), ("app.example", None, None));
    }

    #[test]
    fn every_field_is_checked() {
        let whole = json!({
            "redirect_uris": ["https://app.example/cb"],
            "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "client_name": "App",
            "client_uri": "https://app.example",
            "logo_uri": "https://app.example/logo.png",
            "scope": "mcp openid",
        });
        assert!(read(&whole).is_ok());
        for (field, value, code) in [
            ("redirect_uris", json!("https://app.example/cb"), "invalid_redirect_uri"),
            ("redirect_uris", json!([7]), "invalid_redirect_uri"),
            ("redirect_uris", json!([]), "invalid_redirect_uri"),
            ("redirect_uris", json!(["http://app.example/cb"]), "invalid_redirect_uri"),
            ("redirect_uris", json!(["javascript:alert(1)"]), "invalid_redirect_uri"),
            ("redirect_uris", json!(vec!["https://app.example/cb"; 33]), "invalid_redirect_uri"),
            ("token_endpoint_auth_method", json!("private_key_jwt"), "invalid_client_metadata"),
            ("token_endpoint_auth_method", json!(1), "invalid_client_metadata"),
            ("grant_types", json!(["implicit"]), "invalid_client_metadata"),
            ("grant_types", json!(["client_credentials"]), "invalid_client_metadata"),
            ("grant_types", json!(["refresh_token"]), "invalid_client_metadata"),
            ("grant_types", json!([]), "invalid_client_metadata"),
            ("grant_types", json!("authorization_code"), "invalid_client_metadata"),
            ("response_types", json!(["token"]), "invalid_client_metadata"),
            ("client_name", json!("x".repeat(129)), "invalid_client_metadata"),
            ("client_name", json!("a\u{202e}b"), "invalid_client_metadata"),
            ("client_name", json!({}), "invalid_client_metadata"),
            ("client_uri", json!("javascript:alert(1)"), "invalid_client_metadata"),
            ("logo_uri", json!("nothing"), "invalid_client_metadata"),
            ("scope", json!("a\"b"), "invalid_client_metadata"),
            ("scope", json!(["mcp"]), "invalid_client_metadata"),
        ] {
            let mut changed = whole.clone();
            changed[field] = value;
            assert_eq!(read(&changed).unwrap_err().code(), code, "{changed}");
        }
        for odd in [json!([]), json!("x"), json!(null)] {
            assert_eq!(read(&odd).unwrap_err().code(), "invalid_client_metadata");
        }
    }

    #[test]
    fn a_device_needs_no_redirect_uri() {
        let read = read(&json!({ "grant_types": [GrantType::DeviceCode.as_str()], "client_name": "TV" })).unwrap();
        assert_eq!(read.grant_types, [GrantType::DeviceCode, GrantType::RefreshToken]);
    }

    #[test]
    fn grant_type_words_match_their_stored_form() {
        for grant_type in GrantType::ALL {
            assert_eq!(serde_json::to_value(grant_type).unwrap(), grant_type.as_str());
            assert_eq!(GrantType::parse(grant_type.as_str()), Some(grant_type));
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_does_not_panic(name in "\\PC{0,40}", address in "\\PC{0,40}") {
            let _ = read(&json!({ "client_name": name, "redirect_uris": [address], "client_uri": address }));
        }
    }
}
