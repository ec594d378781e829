//! What a feed yields: the events of the contract, each with the fields that go out and no others.

use std::sync::Arc;

use svc_model::live::LiveBody;

use crate::error::{Error, Result};
use crate::ids::EventSeq;

/// Something that a caller is told. Clones share it.
#[derive(Debug, Clone)]
pub struct LiveEvent {
    seq: Option<EventSeq>,
    told: Arc<Told>,
}

/// What is told, and the same as JSON, written once however many are told.
#[derive(Debug)]
pub(super) struct Told {
    body: LiveBody,
    json: String,
}

impl Told {
    pub(super) fn new(body: LiveBody) -> Result<Arc<Self>> {
        let json = serde_json::to_string(&body)
            .map_err(|error| Error::internal("a live event cannot be written").with_source(error))?;
        Ok(Arc::new(Self { body, json }))
    }
}

impl LiveEvent {
    pub(super) fn new(seq: Option<EventSeq>, told: Arc<Told>) -> Self {
        Self { seq, told }
    }

    /// Its place in the log, to resume after; `None` for what is no event of the log.
    pub fn seq(&self) -> Option<EventSeq> {
        self.seq
    }

    /// What happened.
    pub fn body(&self) -> &LiveBody {
        &self.told.body
    }

    /// The name of the event.
    pub fn name(&self) -> &'static str {
        self.told.body.name()
    }

    /// The same as one line of JSON.
    pub fn data(&self) -> &str {
        &self.told.json
    }
}
