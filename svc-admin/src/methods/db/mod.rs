//! `db.check`: integrity of the store, and its maintenance.

mod maintenance;

use svc_core::Result;
use svc_core::attachments::CheckedFiles;
pub use svc_core::db::{CheckReport, CheckResult};

use super::{Method, NoParams, Server, root};

pub use maintenance::{Migrate, Migrations, Vacuum};

/// Checks the store and the attachments. Nothing is changed except the record of damaged attachments; on a large
/// store it takes a while, and the hub serves requests meanwhile.
pub struct Check;

/// Name of the check that compares attachments with their hashes.
pub const FILES: &str = "files";

impl Method for Check {
    const NAME: &'static str = "db.check";
    const ABOUT: &'static str = "Check the integrity of the store and the hash of every attachment.";
    type Params = NoParams;
    type Answer = CheckReport;

    async fn run(server: &Server, _: NoParams) -> Result<CheckReport> {
        let mut report = server.hub.db().check().await?;
        // A damaged database cannot tell which attachments should exist.
        if report.ok {
            let checked = server.hub.attachments().check(&root()).await?;
            report.files = checked.compared;
            report.add(CheckResult { name: FILES.into(), faults: damaged_files(&checked) });
        }
        Ok(report)
    }
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
