//! Converts every error of a route to a problem response.

use std::sync::Arc;

use poem::{Endpoint, IntoResponse, Request, Response, Result};

use crate::allowed_methods::AllowedMethods;
use crate::error::Problem;

/// Converts errors to responses. It never returns an error itself.
pub(crate) async fn answer<E: Endpoint>(
    allowed: Arc<AllowedMethods>,
    next: Arc<E>,
    request: Request,
) -> Result<Response> {
    let uri = request.uri().clone();
    let error = match next.call(request).await {
        Ok(response) => return Ok(response.into_response()),
        Err(error) => error,
    };
    // A typed error response of a route arrives as an error too; converting it would lose its detail.
    if error.is_from_response() {
        return Ok(error.into_response());
    }
    let problem = match error.downcast::<Problem>() {
        Ok(problem) => problem,
        Err(error) => Problem::from_framework(&error, || allowed.at(uri.path())),
    };
    problem.log();
    Ok(problem.into_response())
}
