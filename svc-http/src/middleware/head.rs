//! HEAD is supported wherever GET is: it is served as a GET without its body. The original method is stored in the
//! request, because signatures cover it.

use std::sync::Arc;

use poem::http::{HeaderValue, Method, header};
use poem::{Body, Endpoint, IntoResponse, Request, Response, Result};

use super::body_size;

/// The request was sent with the method HEAD; in its data.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SentAsHead;

/// Serves a HEAD request through the GET route.
pub(crate) async fn answer<E: Endpoint>(next: Arc<E>, mut request: Request) -> Result<Response> {
    if request.method() != Method::HEAD {
        return next.call(request).await.map(IntoResponse::into_response);
    }
    request.set_method(Method::GET);
    request.extensions_mut().insert(SentAsHead);
    let mut response = next.call(request).await?.into_response();
    if let Some(size) = body_size::of(&mut response) {
        response.headers_mut().entry(header::CONTENT_LENGTH).or_insert(HeaderValue::from(size));
    }
    response.set_body(Body::empty());
    Ok(response)
}
