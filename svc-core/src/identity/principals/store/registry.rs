//! The SQL of the registry.

use svc_model::principals::{LoadedRegistry, MachineKeyStatus, PublicKey, Registry, Scope};

use crate::error::Result;
use crate::store::db::{Json, Tx};

/// A document to be loaded.
#[derive(Debug, Clone)]
pub(in crate::identity::principals) struct NewRegistry {
    pub(in crate::identity::principals) registry: Registry,
    pub(in crate::identity::principals) document: String,
    pub(in crate::identity::principals) sha256: String,
    pub(in crate::identity::principals) source: String,
}

crate::row! {
    /// A registered principal.
    #[derive(Debug, Clone)]
    pub(in crate::identity::principals) struct PrincipalRow {
        pub(in crate::identity::principals) principal_id: String,
        pub(in crate::identity::principals) enabled: bool,
    }
}

crate::row! {
    /// A registered key.
    #[derive(Debug, Clone)]
    pub(in crate::identity::principals) struct RegistryKeyRow {
        pub(in crate::identity::principals) principal_id: String,
        pub(in crate::identity::principals) kid: String,
        pub(in crate::identity::principals) public_key: PublicKey,
        pub(in crate::identity::principals) status: MachineKeyStatus,
        pub(in crate::identity::principals) scopes: Json<Vec<Scope>>,
    }
}

/// Locks and updates the record of the registry; `false` if this document is loaded already. Of two
/// concurrent calls the second waits here and sees all changes of the first.
pub(in crate::identity::principals) async fn replace_record(tx: &mut Tx, incoming: &NewRegistry) -> Result<bool> {
    let now = tx.now();
    let changed = tx
        .query(
            "INSERT INTO machine_registry (id, audience, document, sha256, source, loaded_at)
             VALUES (1, $1, $2, $3, $4, $5)
             ON CONFLICT (id) DO UPDATE SET audience = excluded.audience, document = excluded.document,
                 sha256 = excluded.sha256, source = excluded.source, loaded_at = excluded.loaded_at
              WHERE machine_registry.sha256 <> excluded.sha256",
        )
        .bind(incoming.registry.audience)
        .bind(incoming.document.as_str())
        .bind(incoming.sha256.as_str())
        .bind(incoming.source.as_str())
        .bind(now)
        .execute()
        .await?;
    Ok(changed == 1)
}

/// Replaces all principals and keys.
pub(in crate::identity::principals) async fn replace(tx: &mut Tx, registry: &Registry) -> Result<()> {
    tx.query("DELETE FROM machine_keys").execute().await?;
    tx.query("DELETE FROM machine_principals").execute().await?;
    for principal in &registry.principals {
        tx.query("INSERT INTO machine_principals (principal_id, enabled) VALUES ($1, $2)")
            .bind(principal.principal_id.as_str())
            .bind(principal.enabled)
            .execute()
            .await?;
        for key in &principal.keys {
            tx.query(
                "INSERT INTO machine_keys (kid, principal_id, public_key, status, scopes) VALUES ($1, $2, $3, $4, $5)",
            )
            .bind(key.kid.as_str())
            .bind(principal.principal_id.as_str())
            .bind(key.public_key)
            .bind(key.status)
            .bind(Json(key.scopes.clone()))
            .execute()
            .await?;
        }
    }
    Ok(())
}

/// The loaded registry.
pub(in crate::identity::principals) async fn loaded(tx: &mut Tx) -> Result<Option<LoadedRegistry>> {
    tx.query(
        "SELECT r.audience, r.sha256, r.source, r.loaded_at,
                (SELECT COUNT(*) FROM machine_principals) AS principals, (SELECT COUNT(*) FROM machine_keys) AS keys
           FROM machine_registry r",
    )
    .fetch_optional()
    .await
}

/// The hash of the loaded document.
pub(in crate::identity::principals) async fn sha256(tx: &mut Tx) -> Result<Option<String>> {
    let row: Option<(String,)> = tx.query("SELECT sha256 FROM machine_registry WHERE id = 1").fetch_optional().await?;
    Ok(row.map(|(sha256,)| sha256))
}

/// All principals, by name. The size of a document limits their number.
pub(in crate::identity::principals) async fn principals(tx: &mut Tx) -> Result<Vec<PrincipalRow>> {
    tx.query("SELECT principal_id, enabled FROM machine_principals ORDER BY principal_id").fetch_all().await
}

/// All keys, by principal and name.
pub(in crate::identity::principals) async fn keys(tx: &mut Tx) -> Result<Vec<RegistryKeyRow>> {
    tx.query("SELECT principal_id, kid, public_key, status, scopes FROM machine_keys ORDER BY principal_id, kid")
        .fetch_all()
        .await
}
