//! Streaming export of the audit log.
//!
//! Invariants: one page of entries is in memory at a time; a document that ends is complete, because whatever
//! interrupts it, a failure or the server's shutdown, breaks the connection.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use poem::http::{HeaderValue, header};
use poem::{Body, IntoResponse, Response};
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiResponse, Enum};
use svc_core::audit::{AuditEntry, AuditFilter};
use svc_core::formats::csv;
use svc_core::{Caller, Result, limits};

use crate::live;
use crate::state::AppState;

/// Format of the export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum AuditForm {
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values under a heading, as in RFC 4180.
    Csv,
}

impl AuditForm {
    fn content_type(self) -> &'static str {
        match self {
            Self::Jsonl => "application/x-ndjson; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8; header=present",
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
        }
    }
}

/// The entries, page by page.
struct Pages {
    state: AppState,
    caller: Caller,
    filter: AuditFilter,
    has_ended: bool,
}

impl Pages {
    /// The next entries; `None` after the last.
    async fn next(&mut self) -> Result<Option<Vec<AuditEntry>>> {
        if self.has_ended {
            return Ok(None);
        }
        let entries = self.state.hub().audit().list(&self.caller, self.filter.clone()).await?;
        let is_full = u32::try_from(entries.len()).is_ok_and(|count| count == limits::PAGE_MAX);
        self.has_ended = !is_full;
        self.filter.before = entries.last().map(|entry| entry.id);
        Ok(Some(entries))
    }
}

/// A document in progress.
pub(super) struct Export {
    form: AuditForm,
    day: String,
    body: Body,
}

impl Export {
    /// Reads the first page, so that an unreachable store results in an error status, and starts the response.
    pub(super) async fn begin(caller: Caller, filter: AuditFilter, form: AuditForm, state: &AppState) -> Result<Self> {
        let filter = AuditFilter { limit: Some(limits::PAGE_MAX.into()), ..filter };
        let mut pages = Pages { state: state.clone(), caller, filter, has_ended: false };
        let first = pages.next().await?;
        let day = state.hub().clock().now().to_string().chars().take("2026-11-15".len()).collect();
        let is_whole = Arc::new(AtomicBool::new(false));
        let chunks = chunks(Writer { form, pages, next: Next::Page(first) }, is_whole.clone());
        let break_off = stream::once(async move {
            let cut_short = !is_whole.load(Ordering::Relaxed);
            cut_short.then(|| Err(io::Error::other("the export was cut short")))
        });
        let break_off = break_off.filter_map(std::future::ready);
        let body = Body::from_bytes_stream(live::until_shutdown(chunks, state.streams()).chain(break_off));
        Ok(Self { form, day, body })
    }
}

/// Progress of a document.
enum Next {
    /// The next rows; `None` for the end.
    Page(Option<Vec<AuditEntry>>),
    Read,
    Nothing,
}

struct Writer {
    form: AuditForm,
    pages: Pages,
    next: Next,
}

fn chunks(writer: Writer, is_whole: Arc<AtomicBool>) -> impl Stream<Item = io::Result<Bytes>> {
    let opening = stream::once(std::future::ready(Ok(Bytes::from(opening(writer.form)))));
    let rest = stream::unfold((writer, is_whole), async |(mut writer, is_whole)| {
        let rows = match std::mem::replace(&mut writer.next, Next::Read) {
            Next::Page(rows) => Ok(rows),
            Next::Read => writer.pages.next().await,
            Next::Nothing => return None,
        };
        let chunk = match rows {
            Ok(Some(rows)) => text(writer.form, &rows),
            Ok(None) => {
                writer.next = Next::Nothing;
                is_whole.store(true, Ordering::Relaxed);
                String::new()
            }
            Err(error) => {
                tracing::error!(target: "svc::http", error = error.log_line(), "an export of the log was cut short");
                return None;
            }
        };
        Some((Ok(Bytes::from(chunk)), (writer, is_whole)))
    });
    opening.chain(rest)
}

fn opening(form: AuditForm) -> String {
    let mut heading = String::new();
    if form == AuditForm::Csv {
        csv::write_line(&mut heading, AuditEntry::COLUMNS);
    }
    heading
}

fn text(form: AuditForm, rows: &[AuditEntry]) -> String {
    let mut text = String::with_capacity(rows.len() * 320);
    for row in rows {
        match form {
            AuditForm::Jsonl => {
                text.push_str(&serde_json::to_string(row).expect("an entry is a plain struct, which prints"));
                text.push('\n');
            }
            AuditForm::Csv => csv::write_line(&mut text, row.cells().iter().map(String::as_str)),
        }
    }
    text
}

impl IntoResponse for Export {
    fn into_response(self) -> Response {
        let mut response = Response::builder().content_type(self.form.content_type()).body(self.body);
        let name = format!("attachment; filename=\"audit-{}.{}\"", self.day, self.form.ending());
        if let Ok(name) = HeaderValue::from_str(&name) {
            response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
        }
        response
    }
}

impl ApiResponse for Export {
    fn meta() -> MetaResponses {
        let media = |form: AuditForm| MetaMediaType { content_type: form.content_type(), schema: String::schema_ref() };
        MetaResponses {
            responses: vec![MetaResponse {
                description: "The entries, as a downloadable file.",
                status: Some(200),
                status_range: None,
                content: vec![media(AuditForm::Jsonl), media(AuditForm::Csv)],
                headers: Vec::new(),
            }],
        }
    }

    fn register(_: &mut Registry) {}
}
