//! What every request passes on its way in, and every answer on its way out, a file for each.
//!
//! [`app`](crate::app) puts them together, in the order in which they are declared here: the first
//! is the outermost. Each is a function that takes the next endpoint and the request. Everything
//! outside of `problems` cannot fail, because `problems` turns every error into an answer.

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

mod body_pace;
mod body_size;
