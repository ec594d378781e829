//! The initial content of an empty store: the system participant, an admin and the channel
//! `general`.
//!
//! Invariants: it is created once per store, however many nodes start at once. The password of the
//! admin exists only in the memory of the process that created it.

use std::sync::Arc;

use svc_model::audit::AuditEvent;
use svc_model::participants::{ParticipantKind, SYSTEM_HANDLE};
use svc_model::users::Role;

use crate::clock::Entropy;
use crate::error::{Error, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Password, Passwords, Visit};
use crate::identity::participants::{self, NewParticipant};
use crate::identity::users::store::{self as users, NewRow};
use crate::ids::ParticipantId;
use crate::messaging::channels;
use crate::store::db::{Db, Tx};
use crate::surface::Surface;

/// The name of the first account.
const ADMIN: &str = "admin";

/// The first account, to be shown to the operator once.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FirstAdmin {
    /// Its name.
    pub username: String,
    /// Its password.
    pub password: Password,
}

/// Fills an empty store; `None` if it was filled before.
pub(crate) async fn fill(db: &Db, passwords: &Passwords, entropy: &Arc<dyn Entropy>) -> Result<Option<FirstAdmin>> {
    if participants::is_filled(db).await? {
        return Ok(None);
    }
    let password = Password::random(entropy.as_ref());
    let hash = passwords.hash(password.reveal()).await?;
    let made = db.write(hash, |tx, hash| Box::pin(create(tx, hash))).await?;
    Ok(made.then(|| FirstAdmin { username: ADMIN.to_owned(), password }))
}

/// Returns whether this node filled the store: of several that start at once, one does.
async fn create(tx: &mut Tx, hash: &str) -> Result<bool> {
    let system = NewParticipant { kind: ParticipantKind::System, handle: SYSTEM_HANDLE, display_name: "The hub" };
    if participants::insert(tx, system).await?.is_none() {
        return Ok(false);
    }
    let admin = NewRow { username: ADMIN, display_name: "Admin", role: Role::Admin, password_hash: hash };
    let Some(admin) = users::insert(tx, admin).await? else {
        return Err(Error::internal("the store has an admin but no system participant"));
    };
    channels::create_general(tx, ParticipantId(admin.id.0)).await?;
    let entry = NewEntry::new(AuditEvent::UserCreated, &Visit::through(Surface::Hub));
    audit::record(tx, &entry.about(admin.id, ADMIN).detail("role", "admin").detail("first_run", true)).await?;
    Ok(true)
}
