//! `/api/admin`: accounts, the audit log, backups and the state of the hub, for admins.

use poem_openapi::param::Query;
use poem_openapi::{Object, OpenApi};
use serde::Serialize;
use svc_core::audit::{AuditEntry, AuditFilter};
use svc_core::backups::BackupOverview;
use svc_core::health::HealthReport;
use svc_core::ids::AuditId;
use svc_core::users::UserPage;
use svc_core::{Page, Timestamp};

use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AdminCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct AdminRoutes {
    pub(crate) state: AppState,
}

/// A page of the audit log.
#[derive(Serialize, Object)]
#[oai(skip_serializing_if_is_none)]
struct AuditPage {
    /// The entries, newest first.
    entries: Vec<AuditEntry>,
    /// Value of `before` for the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_before: Option<AuditId>,
}

#[OpenApi(tag = "Chapter::Administration")]
impl AdminRoutes {
    /// List accounts
    #[oai(path = "/api/admin/users", method = "get", operation_id = "list_users")]
    async fn users(
        &self,
        AdminCaller(caller): AdminCaller,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<UserPage>, Problem> {
        Ok(Answer(self.state.hub().users().list(&caller, Page::new(limit.0, offset.0)?).await?))
    }

    /// Examine the hub
    ///
    /// The state of each part (store, disk, files, workers, nodes, clock, queues, certificates, backups), with what
    /// to do about it, and the nodes, workers, queues, certificates and samples of the disk themselves. A figure that
    /// the store does not return within seconds is a finding.
    #[oai(path = "/api/admin/health", method = "get", operation_id = "examine_hub")]
    async fn health(&self, AdminCaller(caller): AdminCaller) -> Result<Answer<HealthReport>, Problem> {
        Ok(Answer(self.state.hub().examine(&caller).await?))
    }

    /// List backups
    ///
    /// The schedule, if there is one, and the latest backups with their results, newest first. `svc-admin backup` makes
    /// them, and sets the schedule.
    #[oai(path = "/api/admin/backups", method = "get", operation_id = "list_backups")]
    async fn backups(&self, AdminCaller(caller): AdminCaller) -> Result<Answer<BackupOverview>, Problem> {
        Ok(Answer(self.state.hub().backups().overview(&caller).await?))
    }

    /// Read the audit log
    ///
    /// Events of accounts and credentials, newest first.
    #[oai(path = "/api/admin/audit", method = "get", operation_id = "list_audit")]
    #[expect(clippy::too_many_arguments, reason = "each is a parameter of the query, and documented as one")]
    async fn audit(
        &self,
        AdminCaller(caller): AdminCaller,
        /// Only this event, such as `login_failure`.
        event: Query<Option<String>>,
        /// Only about this account.
        username: Query<Option<String>>,
        /// Only from this time on.
        since: Query<Option<Timestamp>>,
        /// Only before this time.
        until: Query<Option<Timestamp>>,
        /// Only entries before this id, for the next page.
        before: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<AuditPage>, Problem> {
        let filter = AuditFilter {
            event: event.0,
            username: username.0,
            since: since.0,
            until: until.0,
            before: before.0.map(AuditId),
            limit: limit.0,
        };
        let wanted = svc_core::page::checked_limit(limit.0)?;
        let entries = self.state.hub().audit().list(&caller, filter).await?;
        let is_full = u32::try_from(entries.len()).is_ok_and(|count| count == wanted);
        let next_before = entries.last().filter(|_| is_full).map(|entry| entry.id);
        Ok(Answer(AuditPage { entries, next_before }))
    }
}
