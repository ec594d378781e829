//! svc-model: the data types that all svc crates share.
//!
//! The first modules hold ids, names, timestamps, limits and errors. The others hold one resource each, such
//! as messages or channels, with its JSON representation, the body of a create request and the filter of a
//! list. The hub (`svc-core`) and the client (`svc-client`) use the same types, so both agree on every field.
//!
//! Invariants: this crate has no runtime, no SQL and no network access. A stored type defines its mapping to
//! columns ([`mod@column`], [`mod@row`]); the SQL statements are in the hub.

pub mod clock;
pub mod column;
pub mod csv;
pub mod error;
pub mod exact_json;
pub mod ids;
pub mod limits;
pub mod names;
mod object;
pub mod page;
pub mod row;
pub mod signature;
pub mod span;
pub mod spans;
pub mod surface;
pub mod telemetry;
pub mod text;
pub mod timestamp;
pub mod when;

pub mod agents;
pub mod analytics;
pub mod api_keys;
pub mod attachments;
pub mod audit;
pub mod auth;
pub mod channels;
pub mod cluster;
pub mod conversations;
pub mod dead_letters;
pub mod emoji;
pub mod events;
pub mod goals;
pub mod governance;
pub mod harness;
pub mod live;
pub mod messages;
pub mod notifications;
pub mod oauth;
pub mod participants;
pub mod pins;
pub mod principals;
pub mod profiles;
pub mod push;
pub mod quotas;
pub mod reactions;
pub mod runs;
pub mod saved;
pub mod scheduled;
pub mod search;
pub mod secret_requests;
pub mod secrets;
pub mod sessions;
pub mod tasks;
pub mod templates;
pub mod traces;
pub mod trust;
pub mod users;
pub mod webhooks;
pub mod wiki;

pub use error::{Error, ErrorKind, FieldError, Result};
pub use timestamp::Timestamp;
