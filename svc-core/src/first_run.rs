//! What an empty store begins with: the system, an admin, the channel `general`.
//!
//! What always holds: it happens once per store, however many nodes start on it at once; the
//! admin's password exists in the memory of the process that made it, and nowhere else.

use std::sync::Arc;

use crate::audit::{self, AuditEvent, NewEntry};
use crate::auth::{Password, Passwords, Visit};
use crate::channels;
use crate::clock::Entropy;
use crate::db::{Db, Tx};
use crate::error::{Error, Result};
use crate::ids::ParticipantId;
use crate::participants::{self, NewParticipant, ParticipantKind, SYSTEM_HANDLE};
use crate::traces::Surface;
use crate::users::Role;
use crate::users::store::{self as users, NewRow};

/// The name of the first account.
const ADMIN: &str = "admin";

/// The first account, to be told to whoever runs the server, once.
#[derive(Debug, Clone)]
pub struct FirstAdmin {
    /// Its name.
    pub username: String,
    /// Its password.
    pub password: Password,
}

/// Fills an empty store; `None` when it was filled before.
pub(crate) async fn fill(db: &Db, passwords: &Passwords, entropy: &Arc<dyn Entropy>) -> Result<Option<FirstAdmin>> {
    if is_filled(db).await? {
        return Ok(None);
    }
    let password = Password::random(entropy.as_ref());
    let hash = passwords.hash(password.reveal()).await?;
    let made = db.write(hash, |tx, hash| Box::pin(create(tx, hash))).await?;
    Ok(made.then(|| FirstAdmin { username: ADMIN.to_owned(), password }))
}

/// Whether the store has been filled before.
pub(crate) async fn is_filled(db: &Db) -> Result<bool> {
    db.read((), |tx, ()| Box::pin(has_system(tx))).await
}

async fn has_system(tx: &mut Tx) -> Result<bool> {
    let found: i64 = tx.query("SELECT count(*) FROM participants WHERE kind = 'system'").fetch_value().await?;
    Ok(found > 0)
}

/// Whether it was us: among nodes that start at once, one is.
async fn create(tx: &mut Tx, hash: &str) -> Result<bool> {
    let system = NewParticipant { kind: ParticipantKind::System, handle: SYSTEM_HANDLE, display_name: "The hub" };
    if participants::insert(tx, system).await?.is_none() {
        return Ok(false);
    }
    let admin = NewRow { username: ADMIN, display_name: "Admin", role: Role::Admin, password_hash: hash };
    let Some(admin) = users::insert(tx, admin).await? else {
        return Err(Error::internal("the store has an admin but no system"));
    };
    channels::create_general(tx, ParticipantId(admin.id.0)).await?;
    let entry = NewEntry::new(AuditEvent::UserCreated, &Visit::through(Surface::Hub));
    audit::record(tx, &entry.about(admin.id, ADMIN).detail("role", "admin").detail("first_run", true)).await?;
    Ok(true)
}
