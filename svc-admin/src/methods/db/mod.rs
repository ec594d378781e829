//! `db.check`: whether the store is sound, and what is done to it as a whole.

mod maintenance;

use svc_core::Result;
pub use svc_core::db::{CheckReport, CheckResult};

use super::{Method, NoParams, Server};

pub use maintenance::{Migrate, Migrations, Vacuum};

/// Looks the store over. Nothing is changed; on a large SQLite file it takes a while, and the
/// hub goes on serving meanwhile.
pub struct Check;

impl Method for Check {
    const NAME: &'static str = "db.check";
    const ABOUT: &'static str = "Checks that the store is sound; changes nothing.";
    type Params = NoParams;
    type Answer = CheckReport;

    async fn run(server: &Server, _: NoParams) -> Result<CheckReport> {
        server.hub.db().check().await
    }
}
