//! Secrets: values that the runs of an agent receive, encrypted in the store. The handle is `hub.secrets()`.

pub use crate::identity::secrets::Secrets;
pub use crate::store::vault::SecretKey;

#[doc(inline)]
pub use svc_model::names::SecretName;
#[doc(inline)]
pub use svc_model::secrets::{Secret, SecretFilter, SecretPage, SecretScope, SecretValue};
