//! `/api/admin/audit`: the audit log of accounts and credentials, for admins.

mod export;

use poem_openapi::param::Query;
use poem_openapi::{Object, OpenApi};
use serde::Serialize;
use svc_core::audit::{AuditEntry, AuditFilter};
use svc_core::ids::AuditId;
use svc_core::{Timestamp, page};

use self::export::{AuditForm, Export};
use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AdminCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct AuditRoutes {
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
#[expect(clippy::too_many_arguments, reason = "each is a parameter of the query, and documented as one")]
impl AuditRoutes {
    /// Read the audit log
    ///
    /// Events of accounts and credentials, newest first. For example
    /// `/api/admin/audit?event=user_changed&actor=ann&since=2026-11-15T00:00:00Z`.
    #[oai(path = "/api/admin/audit", method = "get", operation_id = "list_audit")]
    async fn list(
        &self,
        AdminCaller(caller): AdminCaller,
        /// Only this event, such as `login_failure`.
        event: Query<Option<String>>,
        /// Only about this account.
        username: Query<Option<String>>,
        /// Only actions of this account.
        actor: Query<Option<String>>,
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
            actor: actor.0,
            since: since.0,
            until: until.0,
            before: before.0.map(AuditId),
            limit: limit.0,
        };
        let wanted = page::checked_limit(limit.0)?;
        let entries = self.state.hub().audit().list(&caller, filter).await?;
        let is_full = u32::try_from(entries.len()).is_ok_and(|count| count == wanted);
        let next_before = entries.last().filter(|_| is_full).map(|entry| entry.id);
        Ok(Answer(AuditPage { entries, next_before }))
    }

    /// Export the audit log
    ///
    /// All matching entries, newest first, as JSON lines or as CSV with a header row. The response is streamed; an
    /// incomplete one breaks the connection, so that it cannot be mistaken for a complete one. In CSV a cell that a
    /// spreadsheet would interpret as a formula begins with an apostrophe. For example
    /// `/api/admin/audit/export?format=csv&since=2026-11-01T00:00:00Z`.
    #[oai(path = "/api/admin/audit/export", method = "get", operation_id = "export_audit")]
    async fn export(
        &self,
        AdminCaller(caller): AdminCaller,
        /// Format; default `jsonl`.
        format: Query<Option<AuditForm>>,
        /// Only this event.
        event: Query<Option<String>>,
        /// Only about this account.
        username: Query<Option<String>>,
        /// Only actions of this account.
        actor: Query<Option<String>>,
        /// Only from this time on.
        since: Query<Option<Timestamp>>,
        /// Only before this time.
        until: Query<Option<Timestamp>>,
    ) -> Result<Export, Problem> {
        let filter = AuditFilter {
            event: event.0,
            username: username.0,
            actor: actor.0,
            since: since.0,
            until: until.0,
            ..AuditFilter::default()
        };
        Ok(Export::begin(caller, filter, format.0.unwrap_or(AuditForm::Jsonl), &self.state).await?)
    }
}
