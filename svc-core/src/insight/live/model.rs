//! Events of a feed, with exactly the fields of the public contract.

use std::sync::Arc;

use svc_model::live::LiveBody;

use crate::error::{Error, Result};
use crate::ids::EventSeq;

/// An event of a feed. Clones share it.
#[derive(Debug, Clone)]
pub struct LiveEvent {
    seq: Option<EventSeq>,
    payload: Arc<Payload>,
}

/// The body of an event and its JSON, serialized once for all feeds.
#[derive(Debug)]
pub(super) struct Payload {
    body: LiveBody,
    json: String,
}

impl Payload {
    pub(super) fn new(body: LiveBody) -> Result<Arc<Self>> {
        let json = serde_json::to_string(&body)
            .map_err(|error| Error::internal("a live event cannot be written").with_source(error))?;
        Ok(Arc::new(Self { body, json }))
    }
}

impl LiveEvent {
    pub(super) fn new(seq: Option<EventSeq>, payload: Arc<Payload>) -> Self {
        Self { seq, payload }
    }

    /// The position in the log, to resume after; `None` if it is not an event of the log.
    pub fn seq(&self) -> Option<EventSeq> {
        self.seq
    }

    /// The body of the event.
    pub fn body(&self) -> &LiveBody {
        &self.payload.body
    }

    /// The name of the event.
    pub fn name(&self) -> &'static str {
        self.payload.body.name()
    }

    /// The body as one line of JSON.
    pub fn data(&self) -> &str {
        &self.payload.json
    }
}
