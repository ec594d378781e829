//! Login sessions of people.
//!
//! A session is a token in a cookie, as a browser has it. The name of the cookie depends on whether the hub is reached
//! over TLS, which a proxy may hide from the client. So the client presents the token under both names.

use http::header::SET_COOKIE;
use http::{HeaderMap, Method};
use serde_json::json;
use svc_model::api_keys::McpProfile;
use svc_model::auth::{Identity, Permission};
use svc_model::participants::ParticipantKind;
use svc_model::users::User;

use crate::client::{Client, Credential, read, secret_header};
use crate::error::ClientError;

/// The cookies of a session, over TLS and without it.
const COOKIES: [&str; 2] = ["__Host-svc_session", "svc_session"];

/// A new login session.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoginSession {
    /// Its token, for [`Client::with_session`].
    pub token: String,
    /// The account.
    pub user: User,
}

impl std::fmt::Debug for LoginSession {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("LoginSession").field("user", &self.user).finish_non_exhaustive()
    }
}

impl Client {
    /// Sets the login session of all further requests, by its token.
    #[must_use]
    pub fn with_session(mut self, token: &str) -> Self {
        let cookie = COOKIES.map(|name| format!("{name}={token}")).join("; ");
        self.credential = Credential::Session(secret_header(&cookie, "svc_session=invalid"));
        self
    }

    /// Logs in with a username and a password, and returns a client with the session.
    pub async fn log_in(&self, username: &str, password: &str) -> Result<(Self, LoginSession), ClientError> {
        let anonymous = self.without_credential();
        let body = json!({ "username": username, "password": password });
        let request = anonymous.request(Method::POST, &["auth", "login"], &[])?.json(&body);
        let response = anonymous.once(request).await?;
        let token = session_token(response.headers())
            .ok_or_else(|| ClientError::Answer("it has no session cookie".to_owned()))?;
        let user = read(response).await?;
        Ok((anonymous.with_session(&token), LoginSession { token, user }))
    }

    /// Returns the account of the login session.
    pub async fn me(&self) -> Result<User, ClientError> {
        self.get(&["auth", "me"], &[]).await
    }

    /// Ends the login session.
    pub async fn log_out(&self) -> Result<(), ClientError> {
        self.command(Method::POST, &["auth", "logout"], &json!({}), None).await
    }
}

/// The identity of a person who is logged in: a session has no limits.
pub(crate) fn identity(user: User) -> Identity {
    Identity {
        handle: user.username.clone(),
        kind: ParticipantKind::Human,
        owner: user.username,
        permissions: vec![Permission::Read, Permission::Write, Permission::Admin],
        allowed_channels: Vec::new(),
        expires_at: None,
        mcp_profile: McpProfile::default(),
    }
}

/// The token that a response sets as a cookie.
fn session_token(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(SET_COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = cookies.filter_map(|line| line.split(';').next()?.trim().split_once('='));
    pairs.filter(|(name, value)| COOKIES.contains(name) && !value.is_empty()).map(|(_, value)| value.to_owned()).next()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn the_session_is_found_among_other_cookies() {
        let set = |lines: &[&'static str]| {
            let lines = lines.iter().map(|line| (SET_COOKIE, HeaderValue::from_static(line)));
            session_token(&lines.collect::<HeaderMap>())
        };
        assert_eq!(set(&["svc_device=d; Path=/", "svc_session=s; Path=/; HttpOnly"]).as_deref(), Some("s"));
        assert_eq!(set(&["__Host-svc_session=t; Path=/; Secure"]).as_deref(), Some("t"));
        assert_eq!(set(&["svc_session=; Max-Age=0"]), None);
        assert_eq!(set(&["svc_sessions=s"]), None);
        assert_eq!(set(&[]), None);
    }

    #[test]
    fn a_session_is_sent_with_the_origin_and_never_printed() {
        let client = Client::new("https://hub.example:8443/svc").unwrap().with_session("secret");
        let request = client.request(Method::POST, &["api", "messages"], &[]).unwrap().build().unwrap();
        assert_eq!(request.headers()["origin"], "https://hub.example:8443");
        assert_eq!(request.headers()["cookie"], "__Host-svc_session=secret; svc_session=secret");
        assert!(!format!("{client:?} {request:?}").contains("secret"));
    }
}
