//! Limiting the number of open feeds per participant.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, ErrorKind, Result};
use crate::ids::ParticipantId;
use crate::limits;

/// The number of open feeds of each participant.
#[derive(Debug, Clone, Default)]
pub(super) struct FeedSlots {
    taken: Arc<Mutex<HashMap<ParticipantId, usize>>>,
}

/// A slot of an open feed, released when dropped.
#[derive(Debug)]
pub(super) struct FeedSlot {
    slots: FeedSlots,
    participant: ParticipantId,
}

impl FeedSlots {
    /// Takes a slot. The admin socket has no limit.
    pub(super) fn take(&self, participant: Option<ParticipantId>) -> Result<Option<FeedSlot>> {
        let Some(participant) = participant else { return Ok(None) };
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(participant).or_default();
        if *count >= limits::FEEDS_PER_PARTICIPANT {
            return Err(Error::new(
                ErrorKind::TooMany,
                "too_many_streams",
                format!("You have {} live streams open, the maximum. Close one first.", limits::FEEDS_PER_PARTICIPANT),
            ));
        }
        *count += 1;
        Ok(Some(FeedSlot { slots: self.clone(), participant }))
    }
}

impl Drop for FeedSlot {
    fn drop(&mut self) {
        let mut taken = self.slots.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.participant) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.participant);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_released_and_its_entry_removed() {
        let slots = FeedSlots::default();
        let someone = Some(ParticipantId(1));
        let all: Vec<_> = (0..limits::FEEDS_PER_PARTICIPANT).map(|_| slots.take(someone).unwrap()).collect();
        assert_eq!(slots.take(someone).unwrap_err().code(), "too_many_streams");
        assert!(slots.take(Some(ParticipantId(2))).is_ok());
        assert!(slots.take(None).unwrap().is_none());
        drop(all);
        assert!(slots.take(someone).is_ok());
        assert!(slots.taken.lock().unwrap().is_empty());
    }
}
