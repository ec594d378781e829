//! Invitations: created by an operator or an admin, and redeemed once by their holder.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::users::{AccountInvite, InvitePage, InviteState, User};

use super::model::{Invite, NewInvite, Registration};
use super::service::{Users, shown_name};
use super::store::{self, InviteRow, NewInviteRow, NewRow};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Caller, Passwords, Token, TokenKind, Visit};
use crate::identity::participants;
use crate::ids::InviteId;
use crate::limits;
use crate::names::{Username, label};
use crate::page::Page;
use crate::store::db::{Db, Tx};
use crate::timestamp::Timestamp;

#[boxed_futures]
impl Users {
    /// Creates an invitation. For [`Caller::root`], and for admins whose session is confirmed.
    pub async fn invite(&self, caller: &Caller, new: NewInvite) -> Result<Invite> {
        caller.require_operator(self.clock.now())?;
        let lasts = new.lasts.unwrap_or(limits::INVITE_TTL);
        if lasts.is_zero() || lasts > limits::INVITE_TTL_MAX {
            return Err(Error::invalid("expires_in", "must be more than zero and at most 90 days"));
        }
        let note = new.note.map(|note| label("note", &note, limits::INVITE_NOTE_MAX)).transpose()?;
        let token = Token::mint(TokenKind::Invite, self.entropy.as_ref());
        let input = (token.hash(), new.role, lasts, note, caller.clone());
        let (id, expires_at) = self
            .db
            .write(input, |tx, (hash, role, lasts, note, caller)| {
                Box::pin(async move {
                    if store::count_open_invites(tx).await? >= limits::INVITES_OPEN_MAX {
                        return Err(Error::conflict(
                            "too_many_invites",
                            format!("{} invitations are open: revoke some first.", limits::INVITES_OPEN_MAX),
                        ));
                    }
                    let expires_at = tx.now().plus(*lasts);
                    let (role, note, created_by) = (*role, note.as_deref(), caller.owner());
                    let row = NewInviteRow { hash, role, note, created_by, expires_at };
                    let id = store::insert_invite(tx, row).await?;
                    let entry = NewEntry::by(AuditEvent::InviteCreated, caller).detail("role", role.as_str());
                    audit::record(tx, &entry.detail("invite", id.0)).await?;
                    Ok((id, expires_at))
                })
            })
            .await?;
        Ok(Invite { id, token, role: new.role, expires_at })
    }

    /// Lists invitations, newest first. For admins.
    pub async fn invites(&self, caller: &Caller, page: Page) -> Result<InvitePage> {
        caller.require_admin()?;
        self.db
            .read(page, |tx, page| {
                Box::pin(async move {
                    let now = tx.now();
                    let rows = store::list_invites(tx, *page).await?;
                    let invites = rows.into_iter().map(|row| shown(row, now)).collect();
                    Ok(InvitePage { invites, total: store::count_invites(tx).await? })
                })
            })
            .await
    }

    /// Revokes an invitation that can still be redeemed. For [`Caller::root`], and for admins whose session is
    /// confirmed.
    pub async fn revoke_invite(&self, caller: &Caller, id: InviteId) -> Result<AccountInvite> {
        caller.require_operator(self.clock.now())?;
        self.db
            .write((id, caller.clone()), |tx, (id, caller)| {
                Box::pin(async move {
                    let now = tx.now();
                    let revoked = store::revoke_invite(tx, *id).await?;
                    let row = store::find_invite(tx, *id).await?.ok_or_else(|| Error::not_found("invite"))?;
                    let invite = shown(row, now);
                    if !revoked {
                        return Err(Error::conflict(
                            "invite_ended",
                            format!("This invitation cannot be revoked any more: it is {}.", invite.state.as_str()),
                        ));
                    }
                    let entry = NewEntry::by(AuditEvent::InviteRevoked, caller).detail("invite", id.0);
                    audit::record(tx, &entry).await?;
                    Ok(invite)
                })
            })
            .await
    }

    /// Fails with `invite_required` unless this invitation can still be redeemed. A caller without an
    /// invitation learns nothing about names and costs no hash.
    pub async fn check_invite(&self, invite: &str) -> Result<()> {
        open_invite(&self.db, invite).await.map(drop)
    }

    /// Redeems an invitation for an account.
    pub async fn register(&self, registration: Registration, visit: Visit) -> Result<User> {
        let redemption = Redemption::prepare(&self.db, &self.passwords, registration, visit).await?;
        self.db.write(redemption, |tx, redemption| Box::pin(redemption.run(tx))).await
    }
}

/// A checked registration, to be redeemed in a transaction.
pub(crate) struct Redemption {
    invite: Vec<u8>,
    username: Username,
    display_name: String,
    password_hash: String,
    visit: Visit,
}

impl Redemption {
    /// Checks the registration and hashes the password.
    pub(crate) async fn prepare(
        db: &Db,
        passwords: &Passwords,
        registration: Registration,
        visit: Visit,
    ) -> Result<Self> {
        let invite = open_invite(db, &registration.invite).await?;
        let account = registration.account;
        let display_name = shown_name(account.display_name.as_deref(), &account.username)?;
        let password_hash = passwords.hash(account.password.reveal()).await?;
        Ok(Self { invite, username: account.username, display_name, password_hash, visit })
    }

    /// Creates the account. Of concurrent calls one succeeds.
    pub(crate) async fn run(&self, tx: &mut Tx) -> Result<User> {
        let (invite, role) = store::open_invite(tx, &self.invite).await?.ok_or_else(invite_required)?;
        let row = NewRow {
            username: self.username.as_str(),
            display_name: &self.display_name,
            role,
            password_hash: &self.password_hash,
        };
        let user = store::insert(tx, row).await?.ok_or_else(participants::handle_taken)?;
        if !store::close_invite(tx, invite, user.id).await? {
            return Err(invite_required());
        }
        let entry = NewEntry::new(AuditEvent::UserCreated, &self.visit).about(user.id, &user.username);
        audit::record(tx, &entry.detail("role", role.as_str()).detail("invite", invite.0)).await?;
        Ok(user)
    }
}

async fn open_invite(db: &Db, invite: &str) -> Result<Vec<u8>> {
    let hash = Token::parse_as(TokenKind::Invite, invite).ok_or_else(invite_required)?.hash();
    let found = db.read(hash.clone(), |tx, hash| Box::pin(store::open_invite(tx, hash))).await?;
    found.map(|_| hash).ok_or_else(invite_required)
}

/// An invitation with its state at this time.
fn shown(row: InviteRow, now: Timestamp) -> AccountInvite {
    let state = if row.redeemed_at.is_some() {
        InviteState::Redeemed
    } else if row.revoked_at.is_some() {
        InviteState::Revoked
    } else if row.expires_at <= now {
        InviteState::Expired
    } else {
        InviteState::Open
    };
    AccountInvite {
        id: row.id,
        role: row.role,
        note: row.note,
        state,
        created_by: row.created_by,
        created_at: row.created_at,
        expires_at: row.expires_at,
        redeemed_at: row.redeemed_at,
        redeemed_by: row.redeemed_by,
        revoked_at: row.revoked_at,
    }
}

fn invite_required() -> Error {
    Error::new(
        ErrorKind::Forbidden,
        "invite_required",
        "Registration needs a valid invitation: ask an operator of this hub for one.",
    )
}
