//! `users.*`: human accounts.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use svc_core::{
    InviteId, NewInvite, NewUser, Password, Result, Role, Session, Timestamp, User, UserPage, UserUpdate, Username,
};

use super::{Confidential, Deleted, Method, Named, Paged, Server, missing, root};

/// Makes an account.
pub struct Create;

/// What [`Create`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// Its handle.
    pub name: String,
    /// Its name for people to read; the handle when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// `user` when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Its password; one is made when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Confidential>,
}

/// An account, with the password that was made for it, which is shown once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WithPassword {
    /// The account.
    pub user: User,
    /// The password, if one was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Confidential>,
}

impl Method for Create {
    const NAME: &'static str = "users.create";
    const ABOUT: &'static str = "Makes an account; without a password one is made and returned.";
    type Params = CreateParams;
    type Answer = WithPassword;

    async fn run(server: &Server, params: CreateParams) -> Result<WithPassword> {
        let new = NewUser {
            username: Username::parse("name", &params.name)?,
            display_name: params.display_name,
            role: params.role.unwrap_or(Role::User),
            password: given(params.password.as_ref())?,
        };
        let created = server.hub.users().create(&root(), new).await?;
        Ok(WithPassword { user: created.user, password: created.password.map(shown) })
    }
}

/// Makes an invitation.
pub struct Invite;

/// What [`Invite`] takes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InviteParams {
    /// The role of the account that it opens; `user` when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// How long it can be redeemed; a week when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in_seconds: Option<u64>,
}

/// An invitation, which is shown once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InviteAnswer {
    /// Its id.
    pub id: InviteId,
    /// What has to be presented.
    pub invite: Confidential,
    /// The role of the account that it opens.
    pub role: Role,
    /// Until when it can be redeemed.
    pub expires_at: Timestamp,
}

impl Method for Invite {
    const NAME: &'static str = "users.invite";
    const ABOUT: &'static str = "Makes an invitation, with which one person can open an account.";
    type Params = InviteParams;
    type Answer = InviteAnswer;

    async fn run(server: &Server, params: InviteParams) -> Result<InviteAnswer> {
        let new = NewInvite {
            role: params.role.unwrap_or(Role::User),
            lasts: params.expires_in_seconds.map(Duration::from_secs),
        };
        let invite = server.hub.users().invite(&root(), new).await?;
        Ok(InviteAnswer {
            id: invite.id,
            invite: Confidential::new(invite.token.reveal()),
            role: invite.role,
            expires_at: invite.expires_at,
        })
    }
}

/// Lists accounts.
pub struct List;

impl Method for List {
    const NAME: &'static str = "users.list";
    const ABOUT: &'static str = "Lists accounts by name.";
    type Params = Paged;
    type Answer = UserPage;

    async fn run(server: &Server, params: Paged) -> Result<UserPage> {
        server.hub.users().list(&root(), params.page()?).await
    }
}

/// Sets a password.
pub struct Passwd;

/// What [`Passwd`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PasswdParams {
    /// The account.
    pub name: String,
    /// Its new password; one is made when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Confidential>,
}

impl Method for Passwd {
    const NAME: &'static str = "users.passwd";
    const ABOUT: &'static str = "Sets a password, or makes one and returns it; every login of the account ends.";
    type Params = PasswdParams;
    type Answer = WithPassword;

    async fn run(server: &Server, params: PasswdParams) -> Result<WithPassword> {
        let users = server.hub.users();
        let new = given(params.password.as_ref())?;
        let user = match users.get(&root(), &params.name).await {
            Ok(user) => user,
            Err(error) => return Err(missing::user(server, &params.name, error).await),
        };
        let made = users.set_password(&root(), &user.username, new).await?;
        Ok(WithPassword { user, password: made.map(shown) })
    }
}

/// Gives an account another role.
pub struct SetRole;

/// What [`SetRole`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetRoleParams {
    /// The account.
    pub name: String,
    /// Its new role.
    pub role: Role,
}

impl Method for SetRole {
    const NAME: &'static str = "users.set_role";
    const ABOUT: &'static str = "Gives an account another role; the last admin stays one.";
    type Params = SetRoleParams;
    type Answer = User;

    async fn run(server: &Server, params: SetRoleParams) -> Result<User> {
        update(server, &params.name, UserUpdate { role: Some(params.role), disabled: None }).await
    }
}

/// Disables an account.
pub struct Disable;

impl Method for Disable {
    const NAME: &'static str = "users.disable";
    const ABOUT: &'static str = "Disables an account: it and its agents can do nothing until it is enabled.";
    type Params = Named;
    type Answer = User;

    async fn run(server: &Server, params: Named) -> Result<User> {
        update(server, &params.name, UserUpdate { role: None, disabled: Some(true) }).await
    }
}

/// Enables an account again.
pub struct Enable;

impl Method for Enable {
    const NAME: &'static str = "users.enable";
    const ABOUT: &'static str = "Enables an account that was disabled.";
    type Params = Named;
    type Answer = User;

    async fn run(server: &Server, params: Named) -> Result<User> {
        update(server, &params.name, UserUpdate { role: None, disabled: Some(false) }).await
    }
}

/// Ends an account for good.
pub struct Delete;

impl Method for Delete {
    const NAME: &'static str = "users.delete";
    const ABOUT: &'static str = "Ends an account for good, with its agents, keys and secrets; what it wrote stays.";
    type Params = Named;
    type Answer = Deleted;

    async fn run(server: &Server, params: Named) -> Result<Deleted> {
        match server.hub.users().delete(&root(), &params.name).await {
            Ok(()) => Ok(Deleted { deleted: params.name }),
            Err(error) => Err(missing::user(server, &params.name, error).await),
        }
    }
}

/// Lists the logins of an account, or ends them.
pub struct Sessions;

/// What [`Sessions`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionsParams {
    /// The account.
    pub name: String,
    /// Whether all of them are to end.
    #[serde(default)]
    pub end: bool,
}

/// The logins of an account as they are now.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SessionsAnswer {
    /// The sessions, newest first.
    pub sessions: Vec<Session>,
    /// How many there are.
    pub total: i64,
    /// How many were ended, when that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<u64>,
}

impl Method for Sessions {
    const NAME: &'static str = "users.sessions";
    const ABOUT: &'static str = "Lists the logins of an account, or ends them all.";
    type Params = SessionsParams;
    type Answer = SessionsAnswer;

    async fn run(server: &Server, params: SessionsParams) -> Result<SessionsAnswer> {
        let (caller, sessions) = (root(), server.hub.sessions());
        let ended = if params.end { sessions.end_all_of(&caller, &params.name).await.map(Some) } else { Ok(None) };
        let listed = match ended {
            Ok(ended) => sessions.list_of(&caller, &params.name).await.map(|list| (list, ended)),
            Err(error) => Err(error),
        };
        match listed {
            Ok((list, ended)) => Ok(SessionsAnswer {
                sessions: list.sessions,
                total: list.total,
                ended: ended.map(|count| count as u64),
            }),
            Err(error) => Err(missing::user(server, &params.name, error).await),
        }
    }
}

async fn update(server: &Server, name: &str, update: UserUpdate) -> Result<User> {
    match server.hub.users().update(&root(), name, update).await {
        Ok(user) => Ok(user),
        Err(error) => Err(missing::user(server, name, error).await),
    }
}

fn given(password: Option<&Confidential>) -> Result<Option<Password>> {
    password.map(|text| Password::parse("password", text.reveal())).transpose()
}

#[expect(clippy::needless_pass_by_value, reason = "the text is handed on and the password is gone")]
fn shown(password: Password) -> Confidential {
    Confidential::new(password.reveal())
}
