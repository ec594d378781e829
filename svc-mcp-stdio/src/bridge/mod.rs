//! The bridge: lines of a pipe here, Streamable HTTP at a hub elsewhere.
//!
//! What always holds:
//! - Every request that comes in is answered once: by the hub, or with what kept the hub from answering.
//! - Messages are carried as they are. Only their envelope is read: who asked what, in which revision.
//! - A session that the hub has forgotten is begun again with what the client began it with, and the
//!   client does not notice.
//!
//! Modules in reading order: what is carried, how it is sent, what comes back, the session, the relay.

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
