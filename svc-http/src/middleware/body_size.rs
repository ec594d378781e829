//! The size of a response body, where it is known in advance.

use std::io;

use bytes::Bytes;
use http_body::Body as _;
use http_body_util::combinators::BoxBody;
use poem::{Body, Response};

/// The exact size of the response's body; `None` for a stream.
pub(super) fn of(response: &mut Response) -> Option<u64> {
    let body: BoxBody<Bytes, io::Error> = response.take_body().into();
    let size = body.size_hint().exact();
    response.set_body(Body::from(body));
    size
}
