//! Invitations: created at the command line, and redeemed once by their holder.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::users::User;

use super::model::{Invite, NewInvite, Registration};
use super::service::{Users, shown_name};
use super::store::{self, NewRow};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Caller, Token, TokenKind, Visit};
use crate::identity::participants;
use crate::limits;

#[boxed_futures]
impl Users {
    /// Creates an invitation.
    pub async fn invite(&self, caller: &Caller, new: NewInvite) -> Result<Invite> {
        caller.require_root()?;
        let lasts = new.lasts.unwrap_or(limits::INVITE_TTL);
        if lasts.is_zero() || lasts > limits::INVITE_TTL_MAX {
            return Err(Error::invalid("expires_in", "must be more than zero and at most 90 days"));
        }
        let token = Token::mint(TokenKind::Invite, self.entropy.as_ref());
        let entry = NewEntry::new(AuditEvent::InviteCreated, caller.visit()).detail("role", new.role.as_str());
        let (id, expires_at) = self
            .db
            .write((token.hash(), new.role, lasts, entry), |tx, (hash, role, lasts, entry)| {
                Box::pin(async move {
                    let expires_at = tx.now().plus(*lasts);
                    let id = store::insert_invite(tx, hash, *role, expires_at).await?;
                    audit::record(tx, &entry.clone().detail("invite", id.0)).await?;
                    Ok((id, expires_at))
                })
            })
            .await?;
        Ok(Invite { id, token, role: new.role, expires_at })
    }

    /// Fails with `invite_required` unless this invitation can still be redeemed. A caller without an
    /// invitation learns nothing about names and costs no hash.
    pub async fn check_invite(&self, invite: &str) -> Result<()> {
        self.open_invite(invite).await.map(drop)
    }

    async fn open_invite(&self, invite: &str) -> Result<Vec<u8>> {
        let hash = Token::parse_as(TokenKind::Invite, invite).ok_or_else(invite_required)?.hash();
        let found = self.db.read(hash.clone(), |tx, hash| Box::pin(store::open_invite(tx, hash))).await?;
        found.map(|_| hash).ok_or_else(invite_required)
    }

    /// Redeems an invitation for an account.
    pub async fn register(&self, registration: Registration, visit: Visit) -> Result<User> {
        let invite = self.open_invite(&registration.invite).await?;
        let account = registration.account;
        let display_name = shown_name(account.display_name.as_deref(), &account.username)?;
        let hash = self.passwords.hash(account.password.reveal()).await?;
        let input = (invite, account.username, display_name, hash, visit);
        self.db
            .write(input, |tx, (invite, username, display_name, hash, visit)| {
                Box::pin(async move {
                    let (invite, role) = store::open_invite(tx, invite).await?.ok_or_else(invite_required)?;
                    let row = NewRow { username: username.as_str(), display_name, role, password_hash: hash };
                    let user = store::insert(tx, row).await?.ok_or_else(participants::handle_taken)?;
                    if !store::close_invite(tx, invite, user.id).await? {
                        return Err(invite_required());
                    }
                    let entry = NewEntry::new(AuditEvent::UserCreated, visit).about(user.id, &user.username);
                    audit::record(tx, &entry.detail("role", role.as_str()).detail("invite", invite.0)).await?;
                    Ok(user)
                })
            })
            .await
    }
}

fn invite_required() -> Error {
    Error::new(
        ErrorKind::Forbidden,
        "invite_required",
        "Registration needs a valid invitation: ask an operator of this hub for one.",
    )
}
