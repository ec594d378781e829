//! Logins through a browser on any machine (RFC 8628): the program shows a code, a person enters it on a page of the
//! hub and chooses one of their agents, and the program acts as that agent.
//!
//! An access token lasts for an hour. [`Client::refresh`] exchanges the refresh token for new ones, once: the hub takes
//! a second use for theft, and ends the login.

use std::time::Duration;

use http::Method;
use reqwest::Response;
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use crate::client::{Client, read};
use crate::error::ClientError;

const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";
/// The pause between two questions, unless the hub names one, and its increase when the hub asks for patience.
const PAUSE: Duration = Duration::from_secs(5);

/// A login that waits for a person.
#[derive(Clone)]
pub struct DeviceLogin {
    client_id: String,
    device_code: String,
    user_code: String,
    verification_uri: String,
    verification_uri_complete: Option<String>,
    interval: Duration,
    end: Instant,
}

/// The tokens of a login.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceTokens {
    /// The id of the program at the hub.
    pub client_id: String,
    /// The access token, for [`Client::with_key`].
    pub access_token: String,
    /// The refresh token.
    pub refresh_token: String,
}

impl DeviceTokens {
    /// Tokens that were kept since an earlier login.
    pub fn new(client_id: &str, access_token: &str, refresh_token: &str) -> Self {
        Self { client_id: client_id.into(), access_token: access_token.into(), refresh_token: refresh_token.into() }
    }
}

impl std::fmt::Debug for DeviceTokens {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("DeviceTokens").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for DeviceLogin {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("DeviceLogin").field("verification_uri", &self.verification_uri).finish_non_exhaustive()
    }
}

impl DeviceLogin {
    /// The code that the person enters.
    pub fn user_code(&self) -> &str {
        &self.user_code
    }

    /// The page on which the person enters it.
    pub fn verification_uri(&self) -> &str {
        &self.verification_uri
    }

    /// The page with the code filled in.
    pub fn verification_uri_complete(&self) -> Option<&str> {
        self.verification_uri_complete.as_deref()
    }
}

#[derive(Deserialize)]
struct Registered {
    client_id: String,
}

#[derive(Deserialize)]
struct Begun {
    device_code: String,
    user_code: String,
    verification_uri: String,
    #[serde(default)]
    verification_uri_complete: Option<String>,
    expires_in: u64,
    #[serde(default)]
    interval: Option<u64>,
}

#[derive(Deserialize)]
struct Issued {
    access_token: String,
    refresh_token: String,
}

impl Issued {
    fn of(self, client_id: &str) -> DeviceTokens {
        let Self { access_token, refresh_token } = self;
        DeviceTokens { client_id: client_id.to_owned(), access_token, refresh_token }
    }
}

impl Client {
    /// Registers the program under this name, and asks for a code that a person can enter.
    pub async fn begin_device_login(&self, client_name: &str) -> Result<DeviceLogin, ClientError> {
        let anonymous = self.without_credential();
        let metadata = json!({
            "client_name": client_name,
            "token_endpoint_auth_method": "none",
            "grant_types": [DEVICE_CODE, "refresh_token"],
        });
        let request = anonymous.request(Method::POST, &["oauth", "register"], &[])?.json(&metadata);
        let Registered { client_id } = read(anonymous.once(request).await?).await?;
        let begun = anonymous.oauth("device_authorization", &[("client_id", &client_id)]).await?;
        let begun: Begun = read(begun).await?;
        Ok(DeviceLogin {
            client_id,
            device_code: begun.device_code,
            user_code: begun.user_code,
            verification_uri: begun.verification_uri,
            verification_uri_complete: begun.verification_uri_complete,
            interval: begun.interval.map_or(PAUSE, Duration::from_secs),
            end: Instant::now() + Duration::from_secs(begun.expires_in),
        })
    }

    /// Asks once whether the person has decided; `None` while they have not. A refusal is an error with the code
    /// `access_denied`, or `expired_token`.
    pub async fn poll_device_login(&self, login: &mut DeviceLogin) -> Result<Option<DeviceTokens>, ClientError> {
        let form =
            [("grant_type", DEVICE_CODE), ("device_code", &*login.device_code), ("client_id", &*login.client_id)];
        match self.without_credential().oauth("token", &form).await {
            Ok(response) => Ok(Some(read::<Issued>(response).await?.of(&login.client_id))),
            Err(error) if error.code() == Some("authorization_pending") => Ok(None),
            Err(error) if error.code() == Some("slow_down") => {
                login.interval += PAUSE;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Waits until the person has decided. A hub that cannot be reached meanwhile is asked again.
    pub async fn finish_device_login(&self, mut login: DeviceLogin) -> Result<DeviceTokens, ClientError> {
        loop {
            tokio::time::sleep(login.interval).await;
            match self.poll_device_login(&mut login).await {
                Ok(Some(tokens)) => return Ok(tokens),
                Ok(None) => {}
                Err(error) if is_passing(&error) && Instant::now() < login.end => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Exchanges the refresh token for new tokens. The old ones are void from then on.
    pub async fn refresh(&self, tokens: &DeviceTokens) -> Result<DeviceTokens, ClientError> {
        let form = [
            ("grant_type", "refresh_token"),
            ("refresh_token", &*tokens.refresh_token),
            ("client_id", &*tokens.client_id),
        ];
        let response = self.without_credential().oauth("token", &form).await?;
        Ok(read::<Issued>(response).await?.of(&tokens.client_id))
    }

    /// Ends the login of these tokens.
    pub async fn revoke(&self, tokens: &DeviceTokens) -> Result<(), ClientError> {
        let form = [("token", &*tokens.refresh_token), ("client_id", &*tokens.client_id)];
        self.without_credential().oauth("revoke", &form).await.map(drop)
    }

    async fn oauth(&self, endpoint: &str, form: &[(&str, &str)]) -> Result<Response, ClientError> {
        self.once(self.request(Method::POST, &["oauth", endpoint], &[])?.form(form)).await
    }
}

/// Whether the hub may answer later.
fn is_passing(error: &ClientError) -> bool {
    match error {
        ClientError::Refused(problem) => problem.status == 429 || problem.status >= 500,
        ClientError::Transport(_) | ClientError::Timeout => true,
        ClientError::Address(_) | ClientError::Answer(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_never_printed() {
        let tokens = DeviceTokens::new("program", "secret-a", "secret-r");
        assert!(!format!("{tokens:?}").contains("secret"));
    }
}
