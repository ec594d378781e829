//! `/contracts/v1/…`: the formats of documents that others write, as JSON Schemas.

use std::sync::Arc;

use poem::endpoint::make;
use poem::{Endpoint, Request};
use svc_core::REGISTRY_SCHEMA;

use super::cached::Cached;

/// The path of the schema of registries of machine principals.
pub(crate) const REGISTRY_PATH: &str = "/contracts/v1/machine-principal-registry.schema.json";

/// Serves the schema of registries. Everybody may read it, and a client asks again but rarely downloads.
pub(crate) fn registry() -> impl Endpoint + 'static {
    let schema = Arc::new(Cached::new(REGISTRY_SCHEMA, "application/schema+json", "no-cache"));
    make(move |request: Request| {
        let schema = schema.clone();
        async move { Ok::<_, poem::Error>(schema.answer(request.headers()).await) }
    })
}
