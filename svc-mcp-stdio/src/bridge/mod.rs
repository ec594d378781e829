//! The bridge: lines of a pipe on one side, Streamable HTTP to a remote hub on the other.
//!
//! Invariants:
//! - Every request is answered once: by the hub, or with the error that kept the hub from answering.
//! - Messages are passed on unmodified. Only their envelope is parsed: id, method and revision.
//! - A session that the hub has forgotten is restarted with the client's own first message, and the client does not
//!   notice.
//!
//! Modules in reading order: messages, requests, responses, the session, the relay.

mod address;
mod answers;
mod envelope;
mod headers;
mod listen;
mod refusal;
mod relay;
mod remote;
mod serve;
mod session;

pub(crate) use address::Address;
pub(crate) use envelope::Envelope;
pub(crate) use headers::{Known, NEWEST, of_message};
pub(crate) use refusal::Refusal;
pub(crate) use remote::{Remote, Sent};
pub(crate) use serve::serve;
