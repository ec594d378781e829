//! The certificates of the endpoints that the hub depends on: those of webhooks, of the bucket, and its own.
//!
//! Invariants: nothing is sent to an endpoint but a TLS handshake, and only to addresses that a webhook may have. Each
//! endpoint is looked at once a day, or once an hour while something is wrong, whatever the number of its webhooks. The
//! end that was seen last is kept when a later look fails.

mod endpoints;
mod store;
mod worker;

use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;

pub(crate) use store::LISTED;
pub(super) use worker::CertificateWatch;

use crate::error::Result;
use crate::hub::Hub;
use crate::timestamp::Timestamp;

/// The certificate of an endpoint, as it was seen last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct EndpointCertificate {
    /// The host and the port.
    pub endpoint: String,
    /// A user of the endpoint, such as `webhook 7 of scout`.
    pub used_by: String,
    /// The end of its validity; absent until it was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub ends_at: Option<Timestamp>,
    /// The last look at it; absent before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub looked_at: Option<Timestamp>,
    /// Why it was not seen the last time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub error: Option<String>,
}

#[boxed_futures]
impl Hub {
    /// The certificates of all endpoints, the one that ends first at the beginning.
    pub(crate) async fn certificates(&self) -> Result<Vec<EndpointCertificate>> {
        self.db().probe((), |tx, ()| Box::pin(store::list(tx))).await
    }

    /// When the first of the certificates of all endpoints ends; `None` if none was seen. It names no endpoint.
    pub async fn first_certificate_end(&self) -> Result<Option<Timestamp>> {
        Ok(self.certificates().await?.into_iter().find_map(|certificate| certificate.ends_at))
    }
}
