//! Logs of runs as text, complete or in progress.

use std::io;

use bytes::Bytes;
use futures_util::stream;
use poem::{Body, IntoResponse, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::Type;
use svc_core::runs::RunLog;

use crate::live;
use crate::state::AppState;

const TEXT: &str = "text/plain; charset=utf-8";

/// A log as text, possibly in progress.
pub(super) struct LogText(Body);

impl LogText {
    /// A log as far as it is known.
    pub(super) fn known(text: String) -> Self {
        Self(Body::from_string(text))
    }

    /// A log that is followed. It ends with the run, or when the server stops.
    pub(super) fn followed(log: RunLog, state: &AppState) -> Self {
        let parts = stream::unfold(Some(log), async |log| {
            let mut log = log?;
            match log.next().await {
                Ok(Some(part)) => Some((Ok(Bytes::from(part)), Some(log))),
                Ok(None) => None,
                Err(error) => {
                    tracing::warn!(target: "svc::http", error = error.log_line(), "a log was cut short");
                    Some((Err(io::Error::other("the log was cut short")), None))
                }
            }
        });
        Self(Body::from_bytes_stream(live::until_shutdown(parts, state.streams())))
    }
}

impl IntoResponse for LogText {
    fn into_response(self) -> Response {
        // The text is by a program that nobody vouches for.
        Response::builder()
            .content_type(TEXT)
            .header("x-content-type-options", "nosniff")
            .header("x-accel-buffering", "no")
            .body(self.0)
    }
}

impl ApiResponse for LogText {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![MetaResponse {
                description: "The log.",
                status: Some(200),
                status_range: None,
                content: vec![MetaMediaType { content_type: TEXT, schema: String::schema_ref() }],
                headers: Vec::new(),
            }],
        }
    }

    fn register(_: &mut Registry) {}
}
