//! `/api/admin/users` and `/api/admin/invites`: accounts and invitations, for admins.

use std::time::Duration;

use poem::Request;
use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use svc_core::auth::Password;
use svc_core::ids::InviteId;
use svc_core::users::{
    AccountInvite, InvitePage, NewInvite, NewUser, Role, User, UserFilter, UserPage, UserUpdate, Username,
};
use svc_core::{Page, Timestamp};

use super::Chapter;
use crate::answer::{Answer, Created};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::identity::{self, AdminCaller};
use crate::state::AppState;

/// The routes.
pub(crate) struct AccountRoutes {
    pub(crate) state: AppState,
}

/// Data of a new account.
#[derive(Deserialize, Object)]
#[oai(skip_serializing_if_is_none)]
#[serde(deny_unknown_fields)]
struct CreateUser {
    /// 3 to 64 letters, digits and underscores.
    username: String,
    /// Display name; the username by default.
    #[serde(default)]
    display_name: Option<String>,
    /// Role; default `user`.
    #[serde(default)]
    role: Option<Role>,
    /// 8 to 72 bytes; generated and returned by default.
    #[serde(default)]
    password: Option<String>,
}

/// A created account.
#[derive(Serialize, Object)]
#[oai(skip_serializing_if_is_none)]
struct CreatedAccount {
    /// The account.
    user: User,
    /// The generated password. It is shown only once.
    #[serde(skip_serializing_if = "Option::is_none")]
    password: Option<String>,
}

/// Changes of an account; absent fields keep their values.
#[derive(Deserialize, Object)]
#[oai(skip_serializing_if_is_none)]
#[serde(deny_unknown_fields)]
struct UpdateUser {
    /// New role.
    #[serde(default)]
    role: Option<Role>,
    /// `true` disables the account, `false` enables it.
    #[serde(default)]
    disabled: Option<bool>,
}

/// A link to choose a new password.
#[derive(Serialize, Object)]
struct ResetLink {
    /// The account.
    user: User,
    /// The link. It is shown only once.
    url: String,
    /// When it expires.
    expires_at: Timestamp,
}

/// Data of a new invitation.
#[derive(Deserialize, Object)]
#[oai(skip_serializing_if_is_none)]
#[serde(deny_unknown_fields)]
struct CreateInvite {
    /// Role of the invited account; default `user`.
    #[serde(default)]
    role: Option<Role>,
    /// Note for the list of invitations, such as a name or an address.
    #[serde(default)]
    note: Option<String>,
    /// Validity in seconds, at most 90 days; default one week.
    #[serde(default)]
    expires_in: Option<u32>,
}

/// A created invitation.
#[derive(Serialize, Object)]
struct CreatedInvite {
    /// Its id.
    id: InviteId,
    /// Role of the invited account.
    role: Role,
    /// When it expires.
    expires_at: Timestamp,
    /// The code. It is shown only once.
    invite: String,
    /// The link with the code, on which the invited person creates the account.
    url: String,
}

#[OpenApi(tag = "Chapter::Administration")]
impl AccountRoutes {
    /// List accounts
    ///
    /// By name. For example `/api/admin/users?q=ann`.
    #[oai(path = "/api/admin/users", method = "get", operation_id = "list_users")]
    async fn users(
        &self,
        AdminCaller(caller): AdminCaller,
        /// Only accounts whose handle or display name contains this text.
        q: Query<Option<String>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<UserPage>, Problem> {
        let filter = UserFilter { q: q.0, page: Page::new(limit.0, offset.0)? };
        Ok(Answer(self.state.hub().users().search(&caller, filter).await?))
    }

    /// Create an account
    ///
    /// Only in a login session that has confirmed its password within ten minutes; others get 403 `password_required`:
    /// see `POST /auth/confirm`. For example `{"username": "bob", "display_name": "Bob Marsh", "role": "user"}`. To let
    /// people choose their own name and password, create an invitation instead.
    #[oai(path = "/api/admin/users", method = "post", operation_id = "create_user")]
    async fn create_user(
        &self,
        AdminCaller(caller): AdminCaller,
        JsonBody(body): JsonBody<CreateUser>,
    ) -> Result<Created<CreatedAccount>, Problem> {
        let new = NewUser {
            username: Username::parse("username", &body.username)?,
            display_name: body.display_name,
            role: body.role.unwrap_or(Role::User),
            password: body.password.as_deref().map(|text| Password::parse("password", text)).transpose()?,
        };
        let created = self.state.hub().users().create(&caller, new).await?;
        let password = created.password.map(|password| password.reveal().to_owned());
        Ok(Created(CreatedAccount { user: created.user, password }))
    }

    /// Get an account
    #[oai(path = "/api/admin/users/:name", method = "get", operation_id = "get_user")]
    async fn user(
        &self,
        AdminCaller(caller): AdminCaller,
        /// Username.
        name: Path<String>,
    ) -> Result<Answer<User>, Problem> {
        Ok(Answer(self.state.hub().users().get(&caller, &name.0).await?))
    }

    /// Change the role of an account, or disable or enable it
    ///
    /// A disabled account, with its keys and agents, can do nothing until it is enabled; its login sessions and live
    /// streams end. The last admin who can log in stays (409 `last_admin`). Needs a confirmed session, as for creating
    /// an account. For example `{"role": "admin"}` or `{"disabled": true}`.
    #[oai(path = "/api/admin/users/:name", method = "patch", operation_id = "update_user")]
    async fn update_user(
        &self,
        AdminCaller(caller): AdminCaller,
        /// Username.
        name: Path<String>,
        JsonBody(body): JsonBody<UpdateUser>,
    ) -> Result<Answer<User>, Problem> {
        let update = UserUpdate { role: body.role, disabled: body.disabled };
        Ok(Answer(self.state.hub().users().update(&caller, &name.0, update).await?))
    }

    /// Reset the password of an account
    ///
    /// Makes a link with which the person chooses a new password within a day. The old password, all login sessions and
    /// earlier links end at once; keys and agents stay. Not for your own account (409 `own_account`). Needs a confirmed
    /// session, as for creating an account.
    #[oai(path = "/api/admin/users/:name/password-reset", method = "post", operation_id = "reset_password")]
    async fn reset_password(
        &self,
        request: &Request,
        AdminCaller(caller): AdminCaller,
        /// Username.
        name: Path<String>,
    ) -> Result<Answer<ResetLink>, Problem> {
        let reset = self.state.hub().users().reset_password(&caller, &name.0).await?;
        let url = format!("{}/reset#{}", identity::issuer(request), reset.token.reveal());
        Ok(Answer(ResetLink { user: reset.user, url, expires_at: reset.expires_at }))
    }

    /// List invitations
    ///
    /// Newest first, without their codes. Ended ones stay in the list for a month.
    #[oai(path = "/api/admin/invites", method = "get", operation_id = "list_invites")]
    async fn invites(
        &self,
        AdminCaller(caller): AdminCaller,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<InvitePage>, Problem> {
        Ok(Answer(self.state.hub().users().invites(&caller, Page::new(limit.0, offset.0)?).await?))
    }

    /// Invite somebody
    ///
    /// The response has a link, which is shown only once, on which one person creates an account. Needs a confirmed
    /// session, as for creating an account. For example `{"note": "Bob Marsh", "role": "user", "expires_in": 604800}`.
    #[oai(path = "/api/admin/invites", method = "post", operation_id = "create_invite")]
    async fn create_invite(
        &self,
        request: &Request,
        AdminCaller(caller): AdminCaller,
        JsonBody(body): JsonBody<CreateInvite>,
    ) -> Result<Created<CreatedInvite>, Problem> {
        let new = NewInvite {
            role: body.role.unwrap_or(Role::User),
            lasts: body.expires_in.map(|seconds| Duration::from_secs(seconds.into())),
            note: body.note,
        };
        let made = self.state.hub().users().invite(&caller, new).await?;
        let code = made.token.reveal();
        let url = format!("{}/join#{code}", identity::issuer(request));
        Ok(Created(CreatedInvite {
            id: made.id,
            role: made.role,
            expires_at: made.expires_at,
            invite: code.to_owned(),
            url,
        }))
    }

    /// Revoke an invitation
    ///
    /// One that has ended gets 409 `invite_ended`. Needs a confirmed session, as for creating an account.
    #[oai(path = "/api/admin/invites/:id", method = "delete", operation_id = "revoke_invite")]
    async fn revoke_invite(
        &self,
        AdminCaller(caller): AdminCaller,
        /// Id of the invitation.
        id: Path<i64>,
    ) -> Result<Answer<AccountInvite>, Problem> {
        Ok(Answer(self.state.hub().users().revoke_invite(&caller, InviteId(id.0)).await?))
    }
}
