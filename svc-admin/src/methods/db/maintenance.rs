//! `db.vacuum` and `db.migrate`.

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_core::db::{MigrationState, Vacuumed};

use crate::methods::{Method, NoParams, Server};

/// Releases unused space.
pub struct Vacuum;

impl Method for Vacuum {
    const NAME: &'static str = "db.vacuum";
    const ABOUT: &'static str = "Release unused space; on SQLite, writers wait meanwhile.";
    type Params = NoParams;
    type Answer = Vacuumed;

    async fn run(server: &Server, _: NoParams) -> Result<Vacuumed> {
        server.hub.db().vacuum().await
    }
}

/// Brings the schema up to date.
pub struct Migrate;

/// The migrations of the schema.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Migrations {
    /// All migrations, with their time of application.
    pub migrations: Vec<MigrationState>,
    /// Number of migrations that were applied by this call; a running server has applied them at its start.
    pub applied_now: u64,
}

impl Method for Migrate {
    const NAME: &'static str = "db.migrate";
    const ABOUT: &'static str = "Apply missing migrations and list all of them.";
    type Params = NoParams;
    type Answer = Migrations;

    async fn run(server: &Server, _: NoParams) -> Result<Migrations> {
        let db = server.hub.db();
        let applied_now = db.migrate().await? as u64;
        Ok(Migrations { migrations: db.migrations().await?, applied_now })
    }
}
