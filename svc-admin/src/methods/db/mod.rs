//! `db.check`: integrity of the store, and its maintenance.

mod maintenance;

use serde::{Deserialize, Serialize};
use svc_core::attachments::CheckedFiles;
pub use svc_core::db::{CheckReport, CheckResult};
use svc_core::{Error, Result};

use super::{Method, Server, root};

pub use maintenance::{Migrate, Migrations, Vacuum};

/// Checks the store and the attachments. Nothing is changed except the record of damaged attachments; on a large
/// store it takes minutes, and the hub serves requests meanwhile. A server that stops ends the check.
pub struct Check;

/// Parameters of [`Check`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckParams {
    /// The part to check; both when absent. The attachments are part of the report of a sound store only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<CheckPart>,
}

/// A part of a check, so that a command can tell which one is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckPart {
    /// The database.
    Store,
    /// The attachments. The report has no other checks.
    Files,
}

/// Name of the check that compares attachments with their hashes.
pub const FILES: &str = "files";

impl Method for Check {
    const NAME: &'static str = "db.check";
    const ABOUT: &'static str = "Check the integrity of the store and the hash of every attachment.";
    type Params = CheckParams;
    type Answer = CheckReport;

    async fn run(server: &Server, params: CheckParams) -> Result<CheckReport> {
        let stopped = || Error::unavailable("server_stopping", "The server stops: check the store again later.");
        server.stop.run_until_cancelled(check(server, params.part)).await.ok_or_else(stopped)?
    }
}

async fn check(server: &Server, part: Option<CheckPart>) -> Result<CheckReport> {
    let mut report = match part {
        Some(CheckPart::Files) => CheckReport::begin(server.hub.db().engine()),
        Some(CheckPart::Store) | None => server.hub.check_store().await?,
    };
    // A damaged database cannot tell which attachments should exist.
    if report.ok && part != Some(CheckPart::Store) {
        let checked = server.hub.attachments().check(&root()).await?;
        report.files = checked.compared;
        report.add(CheckResult { name: FILES.into(), faults: damaged_files(&checked) });
    }
    Ok(report)
}

/// Hashes of damaged attachments, limited to the first ones.
fn damaged_files(checked: &CheckedFiles) -> Vec<String> {
    let mut faults: Vec<_> = checked.hashes.iter().map(|hash| format!("{hash} is lost or damaged")).collect();
    let more = checked.damaged.saturating_sub(faults.len() as u64);
    if more > 0 {
        faults.push(format!("{more} more are lost or damaged"));
    }
    faults
}
