//! Sessions: logins of a human in a browser. The handle is `hub.sessions()`.

pub use crate::identity::sessions::{NewSession, Sessions};

#[doc(inline)]
pub use svc_model::sessions::{Session, SessionList};
