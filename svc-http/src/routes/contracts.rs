//! `/contracts/v1/…`: JSON Schemas of documents that other programs write.

use std::sync::Arc;

use poem::endpoint::make;
use poem::{Endpoint, Request};
use svc_core::principals::REGISTRY_SCHEMA;

use super::cached::Cached;

/// The path of the schema of machine principal registries.
pub(crate) const REGISTRY_PATH: &str = "/contracts/v1/machine-principal-registry.schema.json";

/// Serves the schema of registries. It is public, and clients revalidate it instead of downloading it again.
pub(crate) fn registry() -> impl Endpoint + 'static {
    let schema = Arc::new(Cached::new(REGISTRY_SCHEMA, "application/schema+json", "no-cache"));
    make(move |request: Request| {
        let schema = schema.clone();
        async move { Ok::<_, poem::Error>(schema.answer(request.headers()).await) }
    })
}
