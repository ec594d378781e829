//! Authentication: from a credential to a [`Caller`](crate::Caller). The handle is `hub.auth()`.
//!
//! [`Auth::bearer`] checks the key of an agent, [`Auth::session`] the cookie of a login. The caller carries the limits
//! of its credential, and every other handle enforces them.

pub use crate::identity::auth::{
    Actor, AgentActor, Auth, CallerRun, Credential, KeyLimits, Password, Token, TokenKind, UserActor, Visit,
};

#[doc(inline)]
pub use svc_model::auth::{Identity, Permission};
#[doc(inline)]
pub use svc_model::surface::Surface;
