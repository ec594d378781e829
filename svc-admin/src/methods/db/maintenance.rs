//! `db.vacuum` and `db.migrate`.

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_core::db::{MigrationState, Vacuumed};

use crate::methods::{Method, NoParams, Server};

/// Gives unused space back.
pub struct Vacuum;

impl Method for Vacuum {
    const NAME: &'static str = "db.vacuum";
    const ABOUT: &'static str = "Gives unused space back; on SQLite, writers wait meanwhile.";
    type Params = NoParams;
    type Answer = Vacuumed;

    async fn run(server: &Server, _: NoParams) -> Result<Vacuumed> {
        server.hub.db().vacuum().await
    }
}

/// Brings the schema up to date.
pub struct Migrate;

/// The steps of the schema.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Migrations {
    /// Every one, with its time of application.
    pub migrations: Vec<MigrationState>,
    /// How many of them were applied just now; a running server has applied them at its start.
    pub applied_now: u64,
}

impl Method for Migrate {
    const NAME: &'static str = "db.migrate";
    const ABOUT: &'static str = "Applies what the schema lacks and lists every migration.";
    type Params = NoParams;
    type Answer = Migrations;

    async fn run(server: &Server, _: NoParams) -> Result<Migrations> {
        let db = server.hub.db();
        let applied_now = db.migrate().await? as u64;
        Ok(Migrations { migrations: db.migrations().await?, applied_now })
    }
}
