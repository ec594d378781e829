//! Filters and visibility of traces.

use svc_model::traces::TraceFilter;

use crate::error::{Error, Result};
use crate::identity::auth::{Actor, Caller};
use crate::ids::{TraceId, UserId};
use crate::timestamp::Timestamp;

/// The traces that a caller may see.
#[derive(Debug, Clone)]
pub(crate) enum TraceScope {
    /// All traces, including those of the hub itself.
    All,
    /// Traces of a human and of all their agents.
    Of(UserId),
    /// Traces of one agent.
    Agent { owner: UserId, name: String },
}

impl TraceScope {
    pub(crate) fn of(caller: &Caller) -> Self {
        match caller.actor() {
            Actor::Root => Self::All,
            Actor::User(user) => Self::Of(user.id),
            Actor::Agent(agent) => Self::Agent { owner: agent.owner, name: agent.name.to_string() },
        }
    }
}

/// The position of a trace in time; traces of the same time are ordered by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TracePosition {
    pub(super) at: Timestamp,
    pub(super) id: TraceId,
}

impl TracePosition {
    /// The position before all traces of this time.
    pub(super) fn start_of(at: Timestamp) -> Self {
        Self { at, id: TraceId(i64::MIN) }
    }

    /// The position before which a list begins: that of the cursor, or the end of the requested
    /// period.
    pub(super) fn end_of(filter: &TraceFilter) -> Result<Self> {
        let end = Self::start_of(filter.before.unwrap_or(Timestamp::from_micros(i64::MAX)));
        Ok(match &filter.cursor {
            Some(cursor) => end.min(Self::from_cursor(cursor)?),
            None => end,
        })
    }

    pub(super) fn to_cursor(self) -> String {
        format!("{}-{}", self.at.as_micros(), self.id)
    }

    fn from_cursor(text: &str) -> Result<Self> {
        let position = text.split_once('-').and_then(|(at, id)| {
            let (at, id) = (at.parse().ok()?, id.parse().ok()?);
            Some(Self { at: Timestamp::from_micros(at), id: TraceId(id) })
        });
        position.ok_or_else(|| Error::invalid("cursor", "must be the next_cursor of an earlier page"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_round_trips() {
        let position = TracePosition { at: Timestamp::from_micros(1_767_225_600_000_001), id: TraceId(42) };
        assert_eq!(TracePosition::from_cursor(&position.to_cursor()).unwrap(), position);
        for bad in ["", "-", "1", "1-", "-1", "a-b", "1-2-3", "99999999999999999999-1"] {
            assert_eq!(TracePosition::from_cursor(bad).unwrap_err().fields()[0].field, "cursor", "{bad}");
        }
    }

    #[test]
    fn a_cursor_does_not_widen_the_requested_period() {
        let (early, late) = (Timestamp::from_micros(10), Timestamp::from_micros(20));
        let cursor = TracePosition { at: late, id: TraceId(1) }.to_cursor();
        let filter = TraceFilter { before: Some(early), cursor: Some(cursor), ..TraceFilter::default() };
        assert_eq!(TracePosition::end_of(&filter).unwrap(), TracePosition::start_of(early));
    }

    #[test]
    fn an_empty_period_is_rejected() {
        let moment = Some(Timestamp::from_micros(10));
        let filter = TraceFilter { after: moment, before: moment, ..TraceFilter::default() };
        assert_eq!(filter.check().unwrap_err().fields()[0].field, "before");
        let filter = TraceFilter { agent: Some("a\0".into()), ..TraceFilter::default() };
        assert_eq!(filter.check().unwrap_err().fields()[0].field, "agent");
    }
}
