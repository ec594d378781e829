//! Middleware of all requests and responses, one file each.
//!
//! [`app`](crate::app) combines the layers in the order of the declarations here: the first is the outermost. Each is
//! a function that takes the next endpoint and the request. Layers outside of `problems` cannot fail, because
//! `problems` turns every error into a response.

pub(crate) mod access_log;
pub(crate) mod body_limit;
pub(crate) mod client_address;
pub(crate) mod compression;
pub(crate) mod head;
pub(crate) mod host;
pub(crate) mod measure;
pub(crate) mod panics;
pub(crate) mod problems;
pub(crate) mod rate_limit;
pub(crate) mod record;
pub(crate) mod request_id;
pub(crate) mod security_headers;
pub(crate) mod span;

mod body_pace;
mod body_size;
