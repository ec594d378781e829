//! `doctor.show`: an examination of the hub, with advice.

use svc_core::health::HealthReport;
use svc_core::{Caller, Result};

use super::{Method, NoParams, Server};

/// Examines the hub.
pub struct Show;

impl Method for Show {
    const NAME: &'static str = "doctor.show";
    const ABOUT: &'static str =
        "Examine the hub: store, disk, files, workers, nodes, clock, queues, certificates, backups; with advice.";
    type Params = NoParams;
    type Answer = HealthReport;

    async fn run(server: &Server, _: NoParams) -> Result<HealthReport> {
        server.hub.examine(&Caller::root()).await
    }
}
