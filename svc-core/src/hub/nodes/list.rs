//! The list of nodes, for operators.

use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;

use super::store;
use crate::error::Result;
use crate::hub::Hub;
use crate::store::db::{Db, Engine};
use crate::timestamp::Timestamp;

/// A process that serves the hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct NodeInfo {
    /// Its id, new with every start.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The newest schema that it knows.
    pub schema: i64,
    /// The location of its files; absent on SQLite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub files: Option<String>,
    /// Its start; absent on SQLite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub started_at: Option<Timestamp>,
    /// Its last heartbeat; absent on SQLite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub seen_at: Option<Timestamp>,
    /// Whether it is the process that answers.
    pub is_this: bool,
    /// The leases that it holds: the workers that run in it.
    pub leases: Vec<String>,
}

#[boxed_futures]
impl Hub {
    /// The processes that serve this hub, the oldest first. On SQLite only this one is listed.
    pub async fn nodes(&self) -> Result<Vec<NodeInfo>> {
        let own = self.leases().holder().to_owned();
        let (rows, leases) = self
            .db()
            .read((), |tx, ()| Box::pin(async move { Ok((store::list(tx).await?, store::leases(tx).await?)) }))
            .await?;
        let mut nodes: Vec<_> = rows
            .into_iter()
            .map(|row| NodeInfo {
                is_this: row.id == own,
                id: row.id,
                version: row.version,
                schema: row.schema,
                files: Some(row.place),
                started_at: Some(row.started_at),
                seen_at: Some(row.seen_at),
                leases: Vec::new(),
            })
            .collect();
        // A process whose files another program manages is not registered.
        if self.db().engine() == Engine::Sqlite || !nodes.iter().any(|node| node.is_this) {
            nodes.push(NodeInfo {
                id: own,
                version: store::VERSION.to_owned(),
                schema: Db::known_schema(),
                files: None,
                started_at: None,
                seen_at: None,
                is_this: true,
                leases: Vec::new(),
            });
        }
        for (holder, lease) in leases {
            if let Some(node) = nodes.iter_mut().find(|node| node.id == holder) {
                node.leases.push(lease);
            }
        }
        Ok(nodes)
    }
}
