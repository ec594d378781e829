//! `/openapi.json`: the OpenAPI document, which the page at `/docs` renders.

use std::sync::Arc;

use poem::endpoint::make;
use poem::{Endpoint, Request};

use super::cached::Cached;

/// Serves the document. It changes with the server version, so browsers revalidate it instead of downloading it
/// again.
pub(crate) fn endpoint(document: &str) -> impl Endpoint + 'static {
    let document = Arc::new(Cached::new(document.to_owned(), "application/json; charset=utf-8", "no-cache"));
    make(move |request: Request| {
        let document = document.clone();
        async move { Ok::<_, poem::Error>(document.answer(request.headers()).await) }
    })
}
