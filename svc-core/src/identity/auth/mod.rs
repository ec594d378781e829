//! Authentication: credentials, the callers that they identify, and the rules for passwords.
//!
//! Invariants: a bearer credential is checked with one indexed read; the kind of a credential follows from
//! its prefix; comparisons take constant time; a caller carries the limits of its credential, and the core
//! enforces them on every surface.

pub(crate) mod backoff;
mod caller;
pub(crate) mod hub_key;
mod operator;
mod password;
mod run;
mod service;
mod store;
mod token;
mod tools;

pub use caller::{Actor, AgentActor, Caller, Credential, KeyLimits, UserActor, Visit};
pub use password::Password;
pub(crate) use password::Passwords;
pub use run::CallerRun;
pub use service::Auth;
pub(crate) use store::backoff::LISTED;
pub(crate) use store::{insert_run, remove_run, run_holds};
pub(crate) use token::random_letters;
pub use token::{Token, TokenKind};
