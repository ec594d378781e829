//! `/auth`: accounts and login sessions of humans.

use poem::Request;
use poem::http::header;
use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;
use svc_core::Page;
use svc_core::auth::Password;
use svc_core::ids::{GrantId, SessionId};
use svc_core::oauth::GrantPage;
use svc_core::sessions::SessionList;
use svc_core::users::{NewAccount, Registration, User, Username};

use super::Chapter;
use crate::answer::{Answer, Created, NoContent, WithHeader};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::identity::{self, SessionCaller};
use crate::state::AppState;

/// The routes.
pub(crate) struct AuthRoutes {
    pub(crate) state: AppState,
}

/// A username and a password.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct LoginRequest {
    /// The username, case-insensitive.
    username: String,
    /// The password.
    password: String,
}

/// Data of a new account.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct RegisterRequest {
    /// The invitation code, as printed by `svc-admin users invite`.
    invite: String,
    /// 3 to 64 letters, digits and underscores.
    username: String,
    /// 8 to 72 bytes.
    password: String,
    /// Display name.
    #[serde(default)]
    #[oai(default)]
    display_name: Option<String>,
}

/// Data of a new account that logs in at once.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct JoinRequest {
    /// The invitation code, which is the part of its link behind the `#`.
    invite: String,
    /// 3 to 64 letters, digits and underscores.
    username: String,
    /// 8 to 72 bytes.
    password: String,
    /// Display name.
    #[serde(default)]
    #[oai(default)]
    display_name: Option<String>,
}

/// The code of a link and a new password.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct ResetRequest {
    /// The code, which is the part of the link behind the `#`.
    reset: String,
    /// The new password, 8 to 72 bytes.
    new_password: String,
}

/// Changeable fields of the own account.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct ProfileRequest {
    /// Display name.
    display_name: String,
}

/// The current password and the new one.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct PasswordRequest {
    /// The current password.
    current_password: String,
    /// The new password, 8 to 72 bytes.
    new_password: String,
    /// Whether all managed keys and client grants of the account are revoked too; default `false`.
    #[serde(default)]
    #[oai(default)]
    end_keys: bool,
}

/// The password of the logged-in user.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct ConfirmRequest {
    /// The current password.
    password: String,
}

#[OpenApi(tag = "Chapter::Humans")]
impl AuthRoutes {
    /// Register with an invitation
    ///
    /// An admin or an operator invites people. An invitation works once; without a valid one the response is 403
    /// `invite_required`. For example `{"invite": "svci_…", "username": "bob", "display_name": "Bob Marsh", "password":
    /// "correct horse battery"}`.
    #[oai(path = "/auth/register", method = "post", operation_id = "register")]
    async fn register(
        &self,
        request: &Request,
        JsonBody(body): JsonBody<RegisterRequest>,
    ) -> Result<Created<User>, Problem> {
        identity::refuse_foreign_origin(request)?;
        self.state.hub().users().check_invite(&body.invite).await?;
        let account = NewAccount {
            username: Username::parse("username", &body.username)?,
            display_name: body.display_name,
            password: Password::parse("password", &body.password)?,
        };
        let registration = Registration { invite: body.invite, account };
        Ok(Created(self.state.hub().users().register(registration, identity::visit(request)).await?))
    }

    /// Join with an invitation
    ///
    /// Creates the account, like `POST /auth/register`, and begins a login session in the same step, like `POST
    /// /auth/login`. For example `{"invite": "svci_…", "username": "bob", "display_name": "Bob Marsh", "password":
    /// "correct horse battery"}`. An invitation that was used, was revoked or has expired gets 403 `invite_required`.
    #[oai(path = "/auth/join", method = "post", operation_id = "join")]
    async fn join(
        &self,
        request: &Request,
        JsonBody(body): JsonBody<JoinRequest>,
    ) -> Result<WithHeader<WithHeader<Created<User>>>, Problem> {
        identity::refuse_foreign_origin(request)?;
        let hub = self.state.hub();
        hub.users().check_invite(&body.invite).await?;
        let account = NewAccount {
            username: Username::parse("username", &body.username)?,
            display_name: body.display_name,
            password: Password::parse("password", &body.password)?,
        };
        let registration = Registration { invite: body.invite, account };
        let begun = hub.sessions().join(registration, &identity::visit(request)).await?;
        let cookie = identity::session_cookie(request, &begun.token, hub.config().session_ttl);
        let known = identity::device_cookie(request, &begun.browser);
        let answer = WithHeader(Created(begun.user), header::SET_COOKIE, cookie);
        Ok(WithHeader(answer, header::SET_COOKIE, known))
    }

    /// Choose a new password
    ///
    /// With the code of a link that an admin made. Ends all login sessions of the account and begins one. For example
    /// `{"reset": "svcp_…", "new_password": "correct horse battery"}`. A link works once, for a day, and until a newer
    /// one is made; otherwise the response is 403 `reset_required`.
    #[oai(path = "/auth/reset", method = "post", operation_id = "choose_password")]
    async fn choose_password(
        &self,
        request: &Request,
        JsonBody(body): JsonBody<ResetRequest>,
    ) -> Result<WithHeader<WithHeader<Answer<User>>>, Problem> {
        identity::refuse_foreign_origin(request)?;
        let hub = self.state.hub();
        hub.users().check_reset(&body.reset).await?;
        let new = Password::parse("new_password", &body.new_password)?;
        let begun = hub.sessions().choose_password(&body.reset, &new, &identity::visit(request)).await?;
        let cookie = identity::session_cookie(request, &begun.token, hub.config().session_ttl);
        let known = identity::device_cookie(request, &begun.browser);
        let answer = WithHeader(Answer(begun.user), header::SET_COOKIE, cookie);
        Ok(WithHeader(answer, header::SET_COOKIE, known))
    }

    /// Log in
    ///
    /// Sets the cookie `svc_session`, over https `__Host-svc_session`. A wrong name and a wrong password get the same
    /// response, 401 `invalid_credentials`; too many of them in a row from one network get 429 `too_many_attempts`
    /// with `Retry-After`, a minute at most. The cookie `svc_device` exempts a browser with an earlier login from
    /// delays that others caused. For example `{"username": "bob", "password": "correct horse battery"}`.
    #[oai(path = "/auth/login", method = "post", operation_id = "login")]
    async fn login(
        &self,
        request: &Request,
        JsonBody(body): JsonBody<LoginRequest>,
    ) -> Result<WithHeader<WithHeader<Answer<User>>>, Problem> {
        identity::refuse_foreign_origin(request)?;
        let hub = self.state.hub();
        let (browser, visit) = (identity::known_browser(request), identity::visit(request));
        let login = hub.sessions().login_from(&body.username, &body.password, browser.as_deref(), &visit).await?;
        let cookie = identity::session_cookie(request, &login.token, hub.config().session_ttl);
        let known = identity::device_cookie(request, &login.browser);
        let answer = WithHeader(Answer(login.user), header::SET_COOKIE, cookie);
        Ok(WithHeader(answer, header::SET_COOKIE, known))
    }

    /// Log out
    ///
    /// Ends the current login session and clears its cookie.
    #[oai(path = "/auth/logout", method = "post", operation_id = "logout")]
    async fn logout(
        &self,
        request: &Request,
        SessionCaller(caller): SessionCaller,
    ) -> Result<WithHeader<NoContent>, Problem> {
        self.state.hub().sessions().logout(&caller).await?;
        Ok(WithHeader(NoContent, header::SET_COOKIE, identity::clear_cookie(request)))
    }

    /// Get my account
    #[oai(path = "/auth/me", method = "get", operation_id = "get_me")]
    async fn me(&self, SessionCaller(caller): SessionCaller) -> Result<Answer<User>, Problem> {
        Ok(Answer(self.state.hub().users().me(&caller).await?))
    }

    /// Update my display name
    ///
    /// For example `{"display_name": "Bob Marsh"}`.
    #[oai(path = "/auth/me", method = "patch", operation_id = "update_me")]
    async fn update_me(
        &self,
        SessionCaller(caller): SessionCaller,
        JsonBody(body): JsonBody<ProfileRequest>,
    ) -> Result<Answer<User>, Problem> {
        Ok(Answer(self.state.hub().users().rename(&caller, &body.display_name).await?))
    }

    /// Confirm my password
    ///
    /// For ten minutes this login session may create keys, like a new one. A wrong password gets 401
    /// `invalid_credentials`, too many of them in a row 429 `too_many_attempts` with `Retry-After`. For example
    /// `{"password": "correct horse battery"}`.
    #[oai(path = "/auth/confirm", method = "post", operation_id = "confirm_login")]
    async fn confirm(
        &self,
        SessionCaller(caller): SessionCaller,
        JsonBody(body): JsonBody<ConfirmRequest>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().sessions().confirm(&caller, &body.password).await?;
        Ok(NoContent)
    }

    /// Change my password
    ///
    /// Ends every other login session of the account. With `end_keys`, all managed keys and client grants are revoked
    /// too. For example `{"current_password": "correct horse battery", "new_password": "staple and six more"}`.
    #[oai(path = "/auth/password", method = "put", operation_id = "change_password")]
    async fn change_password(
        &self,
        SessionCaller(caller): SessionCaller,
        JsonBody(body): JsonBody<PasswordRequest>,
    ) -> Result<NoContent, Problem> {
        let new = Password::parse("new_password", &body.new_password)?;
        self.state.hub().users().change_password(&caller, &body.current_password, new, body.end_keys).await?;
        Ok(NoContent)
    }

    /// List my login sessions
    #[oai(path = "/auth/sessions", method = "get", operation_id = "list_sessions")]
    async fn sessions(&self, SessionCaller(caller): SessionCaller) -> Result<Answer<SessionList>, Problem> {
        Ok(Answer(self.state.hub().sessions().list(&caller).await?))
    }

    /// End all my login sessions
    ///
    /// Includes the current one.
    #[oai(path = "/auth/sessions", method = "delete", operation_id = "end_sessions")]
    async fn end_sessions(
        &self,
        request: &Request,
        SessionCaller(caller): SessionCaller,
    ) -> Result<WithHeader<NoContent>, Problem> {
        self.state.hub().sessions().end_all(&caller).await?;
        Ok(WithHeader(NoContent, header::SET_COOKIE, identity::clear_cookie(request)))
    }

    /// End a login session
    #[oai(path = "/auth/sessions/:id", method = "delete", operation_id = "end_session")]
    async fn end_session(
        &self,
        SessionCaller(caller): SessionCaller,
        /// Id of the login session.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().sessions().end(&caller, SessionId(id.0)).await?;
        Ok(NoContent)
    }

    /// List my client grants
    ///
    /// Programs that you authorized, on a page of this server, to act as one of your agents.
    #[oai(path = "/auth/grants", method = "get", operation_id = "list_grants")]
    async fn grants(
        &self,
        SessionCaller(caller): SessionCaller,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<GrantPage>, Problem> {
        Ok(Answer(self.state.hub().oauth().grants(&caller, Page::new(limit.0, offset.0)?).await?))
    }

    /// Revoke a client grant
    ///
    /// All tokens of the grant stop working at once.
    #[oai(path = "/auth/grants/:id", method = "delete", operation_id = "end_grant")]
    async fn end_grant(
        &self,
        SessionCaller(caller): SessionCaller,
        /// Id of the grant.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().oauth().end_grant(&caller, GrantId(id.0)).await?;
        Ok(NoContent)
    }
}
