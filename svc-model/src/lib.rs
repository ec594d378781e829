//! svc-model: the types that every part of svc speaks in.
//!
//! Ids, names, times, limits and errors first; then a module per noun with the types that go over the
//! wire: what a message is, what a new message needs, how a list of messages is filtered. The hub
//! (`svc-core`) and the client (`svc-client`) share them, so both agree on every field.
//!
//! What always holds: no runtime, no SQL, no network. A type that is stored says how it maps to columns
//! ([`mod@column`], [`mod@row`]); which statements do that is the concern of the hub.

pub mod clock;
pub mod column;
pub mod csv;
pub mod error;
pub mod exact_json;
pub mod ids;
pub mod limits;
pub mod names;
pub mod page;
pub mod row;
pub mod signature;
pub mod span;
pub mod spans;
pub mod surface;
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
pub mod conversations;
pub mod dead_letters;
pub mod events;
pub mod live;
pub mod messages;
pub mod notifications;
pub mod oauth;
pub mod participants;
pub mod principals;
pub mod quotas;
pub mod reactions;
pub mod search;
pub mod secrets;
pub mod sessions;
pub mod tasks;
pub mod traces;
pub mod trust;
pub mod users;

pub use error::{Error, ErrorKind, FieldError, Result};
pub use timestamp::Timestamp;
