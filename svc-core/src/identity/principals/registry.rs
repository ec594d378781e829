//! Loading and listing of the registry.

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::auth::Permission;
use svc_model::events::{EventBody, RegistryLoaded};
use svc_model::principals::{
    Audience, LoadedRegistry, MachineKeyStatus, Registry, RegistryChanges, RegistryPrincipal, RegistryProblem,
    RegistryView,
};

use super::history::{self, MachineHistory};
use super::load::load_registry;
use super::service::Principals;
use super::store::registry::{self as store, NewRegistry, RegistryKeyRow};
use super::watch::RegistryFileState;
use super::{changes, dialect};
use crate::clock::hex;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Caller;
use crate::limits;
use crate::store::db::Tx;

/// The result of loading a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Loaded {
    /// The registry that is loaded now.
    pub registry: LoadedRegistry,
    /// Whether it differs from the previous document.
    pub changed: bool,
    /// The changes.
    pub changes: RegistryChanges,
}

fn problem(state: RegistryFileState, is_admin: bool) -> Option<RegistryProblem> {
    let since = state.failing_since?;
    let (code, message, faults) = if is_admin {
        (state.code.unwrap_or_default(), state.error.unwrap_or_default(), state.faults)
    } else {
        ("registry_not_taken".to_owned(), "An admin can see what is wrong with it.".to_owned(), Vec::new())
    };
    Some(RegistryProblem { tried_at: state.tried_at, since, code, message, faults })
}

#[boxed_futures]
impl Principals {
    /// Loads a document in place of the previous one. `source` is its origin. An invalid document changes
    /// nothing, and neither does the document that is already loaded. For
    /// [`Actor::Root`](crate::auth::Actor::Root).
    pub async fn load(&self, caller: &Caller, source: &str, bytes: Vec<u8>) -> Result<Loaded> {
        caller.require_root()?;
        let incoming = self.parse(source, bytes).await?;
        self.db.write((caller.clone(), incoming), |tx, (caller, new)| Box::pin(replace_registry(tx, caller, new))).await
    }

    /// Loads a document that an operator provides. A server that follows a file rejects any other document,
    /// unless it is forced, because the file would be loaded again later.
    pub async fn load_by_hand(&self, caller: &Caller, source: &str, bytes: Vec<u8>, force: bool) -> Result<Loaded> {
        caller.require_root()?;
        if let Some(file) = self.file_state().filter(|_| !force)
            && file.sha256 != Some(hex(&Sha256::digest(&bytes)))
        {
            return Err(file_followed(&file.path));
        }
        self.load(caller, source, bytes).await
    }

    /// Checks whether a document could be loaded here: it has no faults, and is intended for this hub.
    pub async fn check(&self, bytes: Vec<u8>) -> Result<()> {
        self.parse("", bytes).await.map(drop)
    }

    /// The loaded registry, if there is one.
    pub async fn loaded(&self, caller: &Caller) -> Result<Option<LoadedRegistry>> {
        caller.require(Permission::Read)?;
        let loaded = self.db.read((), |tx, ()| Box::pin(store::loaded(tx))).await?;
        let is_admin = caller.require_admin().is_ok();
        Ok(loaded.map(|loaded| LoadedRegistry { source: loaded.source.filter(|_| is_admin), ..loaded }))
    }

    /// The loaded registry with its principals, for all users. Of keys it only shows the number and the
    /// scopes; the origin of the registry and the faults of its file are for admins.
    pub async fn list(&self, caller: &Caller) -> Result<RegistryView> {
        caller.require(Permission::Read)?;
        let mut view = self.db.read((), |tx, ()| Box::pin(view(tx))).await?;
        let is_admin = caller.require_admin().is_ok();
        // A path discloses details of the server's machine.
        if let Some(registry) = view.registry.as_mut().filter(|_| !is_admin) {
            registry.source = None;
        }
        view.problem = self.file_state().and_then(|state| problem(state, is_admin));
        Ok(view)
    }

    /// Parses a document on a separate thread, because thousands of keys take a while.
    async fn parse(&self, source: &str, bytes: Vec<u8>) -> Result<NewRegistry> {
        let (source, audience) = (source.to_owned(), self.audience);
        let parsing = tokio::task::spawn_blocking(move || parse_and_check(source, bytes, audience));
        parsing.await.map_err(|error| Error::internal(format!("a registry could not be read: {error}")))?
    }
}

fn parse_and_check(source: String, bytes: Vec<u8>, audience: Audience) -> Result<NewRegistry> {
    let registry = load_registry(&bytes)?;
    if registry.audience != audience {
        return Err(wrong_audience(&registry, audience));
    }
    let sha256 = hex(&Sha256::digest(&bytes));
    let document = String::from_utf8(bytes).map_err(|_| Error::internal("a valid registry is not UTF-8"))?;
    Ok(NewRegistry { registry, document, sha256, source })
}

fn wrong_audience(registry: &Registry, ours: Audience) -> Error {
    let theirs = registry.audience;
    Error::new(
        ErrorKind::Invalid,
        "wrong_audience",
        format!(
            "The registry is for {theirs}, and this hub is {ours}: load one with the audience {ours}, or start the \
             server with --audience {theirs}. Nothing was changed."
        ),
    )
}

fn file_followed(path: &str) -> Error {
    let message = format!(
        "The server follows the file {path}, which would be loaded again when it changes and at the next start: \
         change that file, or use --force until then. Nothing was changed."
    );
    Error::conflict("registry_file_followed", message)
}

async fn replace_registry(tx: &mut Tx, caller: &Caller, incoming: &NewRegistry) -> Result<Loaded> {
    dialect::take_registry(tx).await?;
    let is_new = store::replace_record(tx, incoming).await?;
    let mut changes = RegistryChanges::default();
    if is_new {
        let before = (store::principals(tx).await?, store::keys(tx).await?);
        changes = changes::between(&before.0, &before.1, &incoming.registry);
        store::replace(tx, &incoming.registry).await?;
    }
    let registry = store::loaded(tx).await?.ok_or_else(|| Error::internal("the loaded registry is missing"))?;
    if is_new {
        record_load(tx, caller, &registry, &changes).await?;
    }
    Ok(Loaded { registry, changed: is_new, changes })
}

async fn record_load(tx: &mut Tx, caller: &Caller, registry: &LoadedRegistry, changes: &RegistryChanges) -> Result<()> {
    let entry = NewEntry::by(AuditEvent::RegistryLoaded, caller)
        .detail("sha256", registry.sha256.as_str())
        .detail("source", registry.source.as_deref())
        .detail("audience", registry.audience.as_str())
        .detail("principals", registry.principals)
        .detail("keys", registry.keys)
        .detail("changes", json!(changes.counts()));
    audit::record(tx, &entry).await?;
    let loaded = RegistryLoaded {
        sha256: registry.sha256.clone(),
        loaded_at: registry.loaded_at,
        principals: registry.principals,
        keys: registry.keys,
    };
    tx.record(EventBody::RegistryLoaded(loaded)).await?;
    Ok(())
}

async fn view(tx: &mut Tx) -> Result<RegistryView> {
    let most = usize::try_from(limits::MACHINES_LISTED_MAX).unwrap_or(usize::MAX);
    let registry = store::loaded(tx).await?;
    // The size of a document limits the number of registered principals, but not that of removed ones.
    let mut rows = store::principals(tx).await?;
    let gone = history::departed(tx, &rows, (most + 1).saturating_sub(rows.len())).await?;
    let truncated = rows.len() + gone.len() > most;
    rows.truncate(most);
    let names: Vec<_> = rows.iter().map(|row| row.principal_id.clone()).chain(gone).take(most).collect();
    let mut histories = history::of(tx, &names).await?;
    let keys = store::keys(tx).await?;
    // Both are sorted by principal.
    let mut keys = keys.as_slice();
    let mut principals = Vec::with_capacity(names.len());
    for row in rows {
        let (own, rest) = keys.split_at(keys.iter().take_while(|key| key.principal_id == row.principal_id).count());
        keys = rest;
        let history = histories.remove(&row.principal_id).unwrap_or_default();
        principals.push(principal_view(row.principal_id, row.enabled, own, history));
    }
    principals.extend(histories.into_iter().map(|(principal_id, history)| departed(principal_id, history)));
    principals.sort_by(|one, other| one.principal_id.cmp(&other.principal_id));
    Ok(RegistryView { registry, problem: None, principals, truncated })
}

/// A principal that is no longer registered, with its reports.
fn departed(principal_id: String, history: MachineHistory) -> RegistryPrincipal {
    RegistryPrincipal { registered: false, ..principal_view(principal_id, false, &[], history) }
}

fn principal_view(
    principal_id: String,
    enabled: bool,
    keys: &[RegistryKeyRow],
    MachineHistory { status, events, last_event_at, sources }: MachineHistory,
) -> RegistryPrincipal {
    let mut shown = RegistryPrincipal {
        principal_id,
        enabled,
        active_keys: 0,
        revoked_keys: 0,
        scopes: Vec::new(),
        registered: true,
        status,
        events,
        last_event_at,
        sources,
    };
    for key in keys {
        if key.status == MachineKeyStatus::Revoked {
            shown.revoked_keys += 1;
            continue;
        }
        shown.active_keys += 1;
        for scope in key.scopes.0.iter().filter(|scope| !shown.scopes.contains(scope)).copied().collect::<Vec<_>>() {
            shown.scopes.push(scope);
        }
    }
    shown.scopes.sort_unstable();
    shown
}
