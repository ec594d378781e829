//! The custom components of a hub.

use std::sync::Arc;

use super::HubBuilder;
use crate::automation::harness::Harness;
use crate::clock::{Clock, Entropy};
use crate::identity::oauth::ClientDocuments;
use crate::messaging::attachments::BlobStore;
use crate::store::workers::Worker;
use crate::telemetry::SpanSink;

impl HubBuilder {
    /// Sets the clock.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the random source.
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// Sets the loader of documents that describe OAuth clients.
    pub fn client_documents(mut self, documents: Arc<dyn ClientDocuments>) -> Self {
        self.documents = documents;
        self
    }

    /// Sets the blob store, instead of the configured one.
    pub fn blobs(mut self, blobs: Arc<dyn BlobStore>) -> Self {
        self.blobs = Some(blobs);
        self
    }

    /// Sets what runs agents, instead of the backends of the hub.
    pub fn harness(mut self, harness: Arc<dyn Harness>) -> Self {
        self.harness = Some(harness);
        self
    }

    /// Sets what takes the spans of runs, tool calls, deliveries and requests.
    pub fn spans(mut self, sink: Arc<dyn SpanSink>) -> Self {
        self.spans = Some(sink);
        self
    }

    /// Adds a worker of the embedding program to those that [`Hub::start_workers`](crate::Hub::start_workers) starts.
    pub fn worker(mut self, worker: Arc<dyn Worker>) -> Self {
        self.workers.push(worker);
        self
    }
}
