//! Panics of handlers: they fail their own request and nothing else.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use poem::{Endpoint, IntoResponse, Request, Response, Result};
use svc_core::Error;

use crate::error::Problem;

/// Converts a panic to an internal error.
pub(crate) async fn catch<E: Endpoint>(next: Arc<E>, request: Request) -> Result<Response> {
    match AssertUnwindSafe(next.call(request)).catch_unwind().await {
        Ok(outcome) => outcome.map(IntoResponse::into_response),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            Err(Problem::from(Error::internal(format!("a handler panicked: {text}"))).into())
        }
    }
}
