//! The routes, a file for each noun. [`app`](crate::app) has them all on one page.

pub(crate) mod health;
pub(crate) mod metrics;
pub(crate) mod openapi;
pub(crate) mod web;

mod cached;

use poem_openapi::Tags;

/// The chapters of the API's description.
#[derive(Tags)]
pub(crate) enum Chapter {
    /// For those who run the server: is it alive, is it ready, how is it doing. These need no
    /// credentials and are never rate limited.
    Operations,
}
