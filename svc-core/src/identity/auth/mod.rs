//! Who is asking: credentials, the caller they make, and the rules for passwords.
//!
//! What always holds: a bearer credential is checked with one indexed read; credentials are told
//! apart by their prefix; what is compared is compared in constant time; a caller carries the
//! limits of its credential, and the core asks for them, whatever the surface.

pub(crate) mod backoff;
mod caller;
pub(crate) mod hub_key;
mod once;
mod password;
mod service;
mod store;
mod token;

pub use caller::{Actor, AgentActor, Caller, Credential, KeyLimits, UserActor, Visit};
pub use password::Password;
pub(crate) use password::Passwords;
pub use service::Auth;
pub(crate) use token::random_letters;
pub use token::{Token, TokenKind};
