//! Streaming export of all traces as one document.
//!
//! Invariants: one page of traces is in memory at a time; a document that ends is complete, because whatever
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
use svc_core::Result;
use svc_core::formats::csv;
use svc_core::traces::{Trace, TraceExport};

use crate::live;
use crate::state::AppState;

/// Format of the export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum ExportFormat {
    /// One array of objects.
    Json,
    /// Comma-separated values under a heading, as in RFC 4180.
    Csv,
}

impl ExportFormat {
    fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8; header=present",
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
        }
    }
}

/// A document in progress.
pub(super) struct Export {
    format: ExportFormat,
    day: String,
    body: Body,
}

impl Export {
    /// Reads the first page, so that an unreachable store results in an error status, and starts the response.
    pub(super) async fn begin(mut pages: TraceExport, format: ExportFormat, state: &AppState) -> Result<Self> {
        let first = pages.next().await?;
        let day = state.hub().clock().now().to_string().chars().take("2026-11-15".len()).collect();
        let is_whole = Arc::new(AtomicBool::new(false));
        let chunks = chunks(Writer { format, pages, next: Next::Page(first), has_rows: false }, is_whole.clone());
        let break_off = stream::once(async move {
            let cut_short = !is_whole.load(Ordering::Relaxed);
            cut_short.then(|| Err(io::Error::other("the export was cut short")))
        });
        let break_off = break_off.filter_map(std::future::ready);
        let body = Body::from_bytes_stream(live::until_shutdown(chunks, state.streams()).chain(break_off));
        Ok(Self { format, day, body })
    }
}

/// Progress of a document.
enum Next {
    /// The next rows; `None` for the end.
    Page(Option<Vec<Trace>>),
    Read,
    Nothing,
}

struct Writer {
    format: ExportFormat,
    pages: TraceExport,
    next: Next,
    has_rows: bool,
}

fn chunks(writer: Writer, is_whole: Arc<AtomicBool>) -> impl Stream<Item = io::Result<Bytes>> {
    let opening = stream::once(std::future::ready(Ok(Bytes::from(opening(writer.format)))));
    let rest = stream::unfold((writer, is_whole), async |(mut writer, is_whole)| {
        let rows = match std::mem::replace(&mut writer.next, Next::Read) {
            Next::Page(rows) => Ok(rows),
            Next::Read => writer.pages.next().await,
            Next::Nothing => return None,
        };
        let chunk = match rows {
            Ok(Some(rows)) => writer.rows(&rows),
            Ok(None) => {
                writer.next = Next::Nothing;
                is_whole.store(true, Ordering::Relaxed);
                closing(writer.format).to_owned()
            }
            Err(error) => {
                tracing::error!(target: "svc::http", error = error.log_line(), "an export of traces was cut short");
                return None;
            }
        };
        Some((Ok(Bytes::from(chunk)), (writer, is_whole)))
    });
    opening.chain(rest)
}

fn opening(format: ExportFormat) -> String {
    match format {
        ExportFormat::Json => "[".to_owned(),
        ExportFormat::Csv => {
            let mut heading = String::new();
            csv::write_line(&mut heading, Trace::COLUMNS);
            heading
        }
    }
}

fn closing(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::Json => "\n]\n",
        ExportFormat::Csv => "",
    }
}

impl Writer {
    fn rows(&mut self, rows: &[Trace]) -> String {
        let mut text = String::with_capacity(rows.len() * 320);
        for row in rows {
            match self.format {
                ExportFormat::Json => {
                    text.push_str(if self.has_rows { ",\n" } else { "\n" });
                    text.push_str(&serde_json::to_string(row).expect("a trace is a plain struct, which prints"));
                }
                ExportFormat::Csv => csv::write_line(&mut text, row.cells().iter().map(String::as_str)),
            }
            self.has_rows = true;
        }
        text
    }
}

impl IntoResponse for Export {
    fn into_response(self) -> Response {
        let mut response = Response::builder().content_type(self.format.content_type()).body(self.body);
        let name = format!("attachment; filename=\"traces-{}.{}\"", self.day, self.format.ending());
        if let Ok(name) = HeaderValue::from_str(&name) {
            response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
        }
        response
    }
}

impl ApiResponse for Export {
    fn meta() -> MetaResponses {
        let media = |format: ExportFormat, schema| MetaMediaType { content_type: format.content_type(), schema };
        MetaResponses {
            responses: vec![MetaResponse {
                description: "The traces, as a downloadable file.",
                status: Some(200),
                status_range: None,
                content: vec![
                    media(ExportFormat::Json, Vec::<Trace>::schema_ref()),
                    media(ExportFormat::Csv, String::schema_ref()),
                ],
                headers: Vec::new(),
            }],
        }
    }

    fn register(registry: &mut Registry) {
        Vec::<Trace>::register(registry);
    }
}
