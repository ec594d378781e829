//! Turns every error that comes out of a route into its answer, a problem.

use std::sync::Arc;

use poem::{Endpoint, IntoResponse, Request, Response, Result};

use crate::allowed_methods::AllowedMethods;
use crate::error::Problem;

/// Answers errors. Nothing comes out of it but answers.
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
    // A typed answer of a route arrives as an error too; taking it apart would lose its detail.
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
