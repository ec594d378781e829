//! Requests of agents for secrets. The handle is `hub.secret_requests()`.

pub use crate::knowledge::secret_requests::SecretRequests;

#[doc(inline)]
pub use svc_model::secret_requests::{
    NewSecretRequest, SecretRequest, SecretRequestFilter, SecretRequestPage, SecretRequestStatus,
};
