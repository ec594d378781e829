//! Trust: how far humans rely on an agent, learned from their reactions. The handle is `hub.trust()`.

pub use crate::messaging::trust::Trust;

#[doc(inline)]
pub use svc_model::trust::{Acquaintance, AgentTrust, OwnerRelation, Standing, TrustScore};
