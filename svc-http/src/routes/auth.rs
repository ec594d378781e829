//! `/auth`: humans and their logins.

use poem::Request;
use poem::http::header;
use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;
use svc_core::{GrantId, GrantPage, NewAccount, Page, Password, Registration, SessionId, SessionList, User, Username};

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

/// A name and a password.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct LoginRequest {
    /// The username, in any case.
    username: String,
    /// The password.
    password: String,
}

/// What opens an account.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct RegisterRequest {
    /// The invitation, as `svc-admin users invite` printed it.
    invite: String,
    /// 3 to 64 letters, digits and underscores.
    username: String,
    /// 8 to 72 bytes.
    password: String,
    /// A name for people to read.
    #[serde(default)]
    #[oai(default)]
    display_name: Option<String>,
}

/// What can be changed about one's own account.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct ProfileRequest {
    /// A name for people to read.
    display_name: String,
}

/// The old password and the new one.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct PasswordRequest {
    /// The present password.
    current_password: String,
    /// The new one, 8 to 72 bytes.
    new_password: String,
    /// Whether all my managed keys and everything that I allowed clients end with the old one; not when absent.
    #[serde(default)]
    #[oai(default)]
    end_keys: bool,
}

/// The password of whoever is logged in.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct ConfirmRequest {
    /// The present password.
    password: String,
}

#[OpenApi(tag = "Chapter::Humans")]
impl AuthRoutes {
    /// Open an account with an invitation
    ///
    /// Accounts begin at the admin command line. An invitation works once; without a good one the
    /// answer is 403 `invite_required`.
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

    /// Log in
    ///
    /// Sets the cookie `svc_session`, over https `__Host-svc_session`. A wrong name and a wrong password get the
    /// same answer, 401 `invalid_credentials`; too many of them in a row from one network 429 `too_many_attempts`
    /// with `Retry-After`, a minute at most. The cookie `svc_device` spares a browser that has logged in before
    /// from waiting for the guesses of others.
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
    /// Ends the login that asks and clears its cookie.
    #[oai(path = "/auth/logout", method = "post", operation_id = "logout")]
    async fn logout(
        &self,
        request: &Request,
        SessionCaller(caller): SessionCaller,
    ) -> Result<WithHeader<NoContent>, Problem> {
        self.state.hub().sessions().logout(&caller).await?;
        Ok(WithHeader(NoContent, header::SET_COOKIE, identity::clear_cookie(request)))
    }

    /// Who am I?
    #[oai(path = "/auth/me", method = "get", operation_id = "get_me")]
    async fn me(&self, SessionCaller(caller): SessionCaller) -> Result<Answer<User>, Problem> {
        Ok(Answer(self.state.hub().users().me(&caller).await?))
    }

    /// Change my name for people to read
    #[oai(path = "/auth/me", method = "patch", operation_id = "update_me")]
    async fn update_me(
        &self,
        SessionCaller(caller): SessionCaller,
        JsonBody(body): JsonBody<ProfileRequest>,
    ) -> Result<Answer<User>, Problem> {
        Ok(Answer(self.state.hub().users().rename(&caller, &body.display_name).await?))
    }

    /// Give my password again
    ///
    /// For ten minutes this login may make keys, as a new one may. A wrong password gets 401
    /// `invalid_credentials`, too many of them in a row 429 `too_many_attempts` with `Retry-After`.
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
    /// Every other login of the account ends. With `end_keys` so do all managed keys and everything that I
    /// allowed clients.
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

    /// List my logins
    #[oai(path = "/auth/sessions", method = "get", operation_id = "list_sessions")]
    async fn sessions(&self, SessionCaller(caller): SessionCaller) -> Result<Answer<SessionList>, Problem> {
        Ok(Answer(self.state.hub().sessions().list(&caller).await?))
    }

    /// End all my logins
    ///
    /// Also the one that asks.
    #[oai(path = "/auth/sessions", method = "delete", operation_id = "end_sessions")]
    async fn end_sessions(
        &self,
        request: &Request,
        SessionCaller(caller): SessionCaller,
    ) -> Result<WithHeader<NoContent>, Problem> {
        self.state.hub().sessions().end_all(&caller).await?;
        Ok(WithHeader(NoContent, header::SET_COOKIE, identity::clear_cookie(request)))
    }

    /// End one of my logins
    #[oai(path = "/auth/sessions/:id", method = "delete", operation_id = "end_session")]
    async fn end_session(
        &self,
        SessionCaller(caller): SessionCaller,
        /// The login, as the list names it.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().sessions().end(&caller, SessionId(id.0)).await?;
        Ok(NoContent)
    }

    /// List the clients that act for me
    ///
    /// Programs that I allowed, on a page of this server, to act as one of my agents.
    #[oai(path = "/auth/grants", method = "get", operation_id = "list_grants")]
    async fn grants(
        &self,
        SessionCaller(caller): SessionCaller,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
        /// How many to pass over first.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<GrantPage>, Problem> {
        Ok(Answer(self.state.hub().oauth().grants(&caller, Page::new(limit.0, offset.0)?).await?))
    }

    /// End what I allowed a client
    ///
    /// All of its tokens that came of it stop working at once.
    #[oai(path = "/auth/grants/:id", method = "delete", operation_id = "end_grant")]
    async fn end_grant(
        &self,
        SessionCaller(caller): SessionCaller,
        /// The grant, as the list names it.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().oauth().end_grant(&caller, GrantId(id.0)).await?;
        Ok(NoContent)
    }
}
