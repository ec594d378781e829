//! Events of the log.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use svc_model::events::EventBody;

use crate::error::{Error, Result};
use crate::ids::EventSeq;
use crate::limits;
use crate::timestamp::Timestamp;

/// An event to be written.
#[derive(Debug, Clone)]
pub struct NewEvent {
    pub(super) kind: Cow<'static, str>,
    pub(super) payload: Box<RawValue>,
}

impl NewEvent {
    /// `kind` is the kind in dotted words, such as `workflow.state_changed`; `payload` is the data for
    /// readers.
    pub fn new(kind: impl Into<Cow<'static, str>>, payload: &impl Serialize) -> Result<Self> {
        let kind = kind.into();
        if kind.is_empty() || kind.chars().count() > limits::EVENT_KIND_MAX {
            return Err(Error::invalid("kind", format!("must have 1 to {} characters", limits::EVENT_KIND_MAX)));
        }
        let payload = serde_json::value::to_raw_value(payload)
            .map_err(|error| Error::invalid("payload", "cannot be written as JSON").with_source(error))?;
        if payload.get().len() > limits::EVENT_PAYLOAD_MAX {
            return Err(Error::invalid(
                "payload",
                format!("must be at most {} bytes of JSON", limits::EVENT_PAYLOAD_MAX),
            ));
        }
        Ok(Self { kind, payload })
    }

    /// An event of the hub itself.
    pub(crate) fn of(body: &EventBody) -> Result<Self> {
        Self::new(body.kind().to_owned(), &body.payload()?)
    }
}

crate::row! {
    /// An event of the log.
    #[derive(Debug, Clone, Serialize)]
    #[non_exhaustive]
    pub struct Event {
        /// Its position in the log.
        pub seq: EventSeq,
        /// Its kind, in dotted words.
        pub kind: String,
        /// The data for readers.
        pub payload: Box<RawValue>,
        /// When it happened.
        pub created_at: Timestamp,
    }
}

impl Event {
    /// Parses the payload by the kind. Returns an error when the payload does not match the kind.
    pub fn body(&self) -> Result<EventBody> {
        EventBody::read(&self.kind, &self.payload)
    }
}

/// The start position of a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// Only new events.
    Now,
    /// All events after this one.
    Seq(EventSeq),
}
