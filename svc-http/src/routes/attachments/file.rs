//! File responses: whole, partial, or 304 because the client has the content already.
//!
//! Invariants: the entity tag is the hash of the content, so it is strong and the bytes are sent unchanged; a browser
//! never guesses another type; content that could run script is saved and sandboxed.

use futures_util::StreamExt;
use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use poem::{Body, IntoResponse, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{
    MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry,
};
use svc_core::Result;
use svc_core::attachments::{Download, Thumbnail};

use super::disposition;
use super::range::RequestedRange;
use crate::error::Problem;
use crate::sized_body::sized_body;

/// Only the caller's own browser may cache it, and revalidates each time whether the caller still may see it.
const CACHED: HeaderValue = HeaderValue::from_static("private, no-cache, no-transform");
/// For files that a browser would otherwise run.
const SANDBOX: HeaderValue = HeaderValue::from_static("sandbox; default-src 'none'");

/// A file, or the reason why it is not sent.
pub(super) struct FileAnswer(Response);

/// A thumbnail.
pub(super) struct PictureAnswer(Response);

impl FileAnswer {
    /// The response for the headers of a request.
    pub(super) async fn of(file: &Download, headers: &HeaderMap) -> Result<Self> {
        let tag = tag(&file.attachment.hash);
        if is_had(headers, &tag) {
            return Ok(Self(not_modified(&tag)));
        }
        let size = file.size();
        let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        // A part of another version of the file is of no use to the client.
        let same = text(header::IF_RANGE).is_none_or(|had| had.trim() == tag);
        let (status, range) = match RequestedRange::of(text(header::RANGE).filter(|_| same), size) {
            RequestedRange::Whole => (StatusCode::OK, 0..size),
            RequestedRange::Part(range) => (StatusCode::PARTIAL_CONTENT, range),
            RequestedRange::Unsatisfiable => return Ok(Self(unsatisfiable(size))),
        };
        let pieces = file.read(range.clone()).await?;
        let pieces = pieces.map(|piece| piece.map_err(std::io::Error::other));
        let length = range.end - range.start;
        let body = Body::from_bytes_stream(sized_body(pieces, length));
        let mut response = described(file, &tag).status(status).body(body);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        if status == StatusCode::PARTIAL_CONTENT {
            let place = format!("bytes {}-{}/{size}", range.start, range.end - 1);
            headers.extend(HeaderValue::from_str(&place).ok().map(|place| (header::CONTENT_RANGE, place)));
        }
        Ok(Self(response))
    }
}

impl PictureAnswer {
    pub(super) fn is_had(hash: &str, headers: &HeaderMap) -> bool {
        is_had(headers, &small_tag(hash))
    }

    pub(super) fn not_modified(hash: &str) -> Self {
        Self(not_modified(&small_tag(hash)))
    }

    pub(super) fn of(hash: &str, picture: Thumbnail) -> Self {
        let response = Response::builder()
            .header(header::ETAG, small_tag(hash))
            .header(header::CACHE_CONTROL, CACHED)
            .header(header::CONTENT_DISPOSITION, "inline")
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            .content_type(picture.mime_type);
        Self(response.body(picture.content))
    }
}

fn tag(hash: &str) -> String {
    format!("\"{hash}\"")
}

fn small_tag(hash: &str) -> String {
    format!("\"{hash}.small\"")
}

/// Whether the client states that it has the content of this tag.
fn is_had(headers: &HeaderMap, tag: &str) -> bool {
    let named =
        |line: &str| line.trim() == "*" || line.split(',').any(|had| had.trim().trim_start_matches("W/") == tag);
    headers.get_all(header::IF_NONE_MATCH).iter().any(|line| line.to_str().is_ok_and(named))
}

fn not_modified(tag: &str) -> Response {
    let response = Response::builder().status(StatusCode::NOT_MODIFIED);
    response.header(header::ETAG, tag).header(header::CACHE_CONTROL, CACHED).finish()
}

fn unsatisfiable(size: u64) -> Response {
    let detail = format!("The range is outside of the file, which has {size} bytes.");
    let problem = Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, "range_not_satisfiable", detail);
    let mut response = problem.into_response();
    let place = HeaderValue::from_str(&format!("bytes */{size}"));
    response.headers_mut().extend(place.ok().map(|place| (header::CONTENT_RANGE, place)));
    response
}

fn described(file: &Download, tag: &str) -> poem::ResponseBuilder {
    let attachment = &file.attachment;
    let mime_type = &attachment.mime_type;
    let content_type =
        if mime_type.starts_with("text/") { format!("{mime_type}; charset=utf-8") } else { mime_type.clone() };
    let response = Response::builder()
        .content_type(content_type)
        .header(header::ETAG, tag)
        .header(header::ACCEPT_RANGES, "bytes")
        .header(header::CACHE_CONTROL, CACHED)
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::CONTENT_DISPOSITION, disposition::header(mime_type, &attachment.filename));
    if disposition::is_shown(mime_type) { response } else { response.header(header::CONTENT_SECURITY_POLICY, SANDBOX) }
}

fn bytes(content_type: &'static str) -> Vec<MetaMediaType> {
    let schema = MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "binary")));
    vec![MetaMediaType { content_type, schema }]
}

fn heading(name: &str, description: &str) -> MetaHeader {
    MetaHeader {
        name: name.to_owned(),
        description: Some(description.to_owned()),
        required: false,
        deprecated: false,
        schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
    }
}

fn meta(status: u16, description: &'static str, content: Vec<MetaMediaType>, headers: Vec<MetaHeader>) -> MetaResponse {
    MetaResponse { description, status: Some(status), status_range: None, content, headers }
}

fn tagged() -> MetaHeader {
    heading("ETag", "Hash of the content; send it in `If-None-Match`.")
}

impl IntoResponse for FileAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}

impl ApiResponse for FileAnswer {
    fn meta() -> MetaResponses {
        let named = || heading("Content-Disposition", "Inline or attachment, and the file name.");
        let place = || heading("Content-Range", "The range, and the size of the file.");
        MetaResponses {
            responses: vec![
                meta(200, "The bytes of the file.", bytes("*/*"), vec![tagged(), named()]),
                meta(206, "The requested range.", bytes("*/*"), vec![tagged(), named(), place()]),
                meta(304, "The caller has it already.", Vec::new(), vec![tagged()]),
            ],
        }
    }

    fn register(_: &mut Registry) {}
}

impl IntoResponse for PictureAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}

impl ApiResponse for PictureAnswer {
    fn meta() -> MetaResponses {
        let pictures = ["image/jpeg", "image/png"].into_iter().flat_map(bytes).collect();
        MetaResponses {
            responses: vec![
                meta(200, "The thumbnail.", pictures, vec![tagged()]),
                meta(304, "The caller has it already.", Vec::new(), vec![tagged()]),
            ],
        }
    }

    fn register(_: &mut Registry) {}
}
