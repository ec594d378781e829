//! `db.check`: whether the store is sound, and what is done to it as a whole.

mod maintenance;

pub use svc_core::db::{CheckReport, CheckResult};
use svc_core::{CheckedFiles, Result};

use super::{Method, NoParams, Server, root};

pub use maintenance::{Migrate, Migrations, Vacuum};

/// Looks the store and the files over. Nothing is changed but what is noted of damaged files; on a large store
/// it takes a while, and the hub goes on serving meanwhile.
pub struct Check;

/// The check that compares files with their hashes.
pub const FILES: &str = "files";

impl Method for Check {
    const NAME: &'static str = "db.check";
    const ABOUT: &'static str = "Checks that the store is sound and every file is what its hash says.";
    type Params = NoParams;
    type Answer = CheckReport;

    async fn run(server: &Server, _: NoParams) -> Result<CheckReport> {
        let mut report = server.hub.db().check().await?;
        // Which files there ought to be, a damaged database does not say.
        if report.ok {
            let checked = server.hub.attachments().check(&root()).await?;
            report.files = checked.compared;
            report.add(CheckResult { name: FILES.into(), faults: damaged_files(&checked) });
        }
        Ok(report)
    }
}

/// Each damaged file by its hash, of many the first.
fn damaged_files(checked: &CheckedFiles) -> Vec<String> {
    let mut faults: Vec<_> = checked.hashes.iter().map(|hash| format!("{hash} is lost or damaged")).collect();
    let more = checked.damaged.saturating_sub(faults.len() as u64);
    if more > 0 {
        faults.push(format!("{more} more are lost or damaged"));
    }
    faults
}
