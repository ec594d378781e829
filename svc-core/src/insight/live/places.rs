//! How many feeds a participant has open, and how many it may have.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, ErrorKind, Result};
use crate::ids::ParticipantId;
use crate::limits;

/// The open feeds of each participant.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    taken: Arc<Mutex<HashMap<ParticipantId, usize>>>,
}

/// One of them; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Places,
    participant: ParticipantId,
}

impl Places {
    /// Takes one more. Whoever holds the process may have any number.
    pub(super) fn take(&self, participant: Option<ParticipantId>) -> Result<Option<Place>> {
        let Some(participant) = participant else { return Ok(None) };
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(participant).or_default();
        if *count >= limits::FEEDS_PER_PARTICIPANT {
            return Err(Error::new(
                ErrorKind::TooMany,
                "too_many_streams",
                format!("You have {} live streams open: close one first.", limits::FEEDS_PER_PARTICIPANT),
            ));
        }
        *count += 1;
        Ok(Some(Place { places: self.clone(), participant }))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock().unwrap_or_else(PoisonError::into_inner);
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
    fn a_place_is_given_back_and_nothing_is_kept_of_those_who_left() {
        let places = Places::default();
        let someone = Some(ParticipantId(1));
        let all: Vec<_> = (0..limits::FEEDS_PER_PARTICIPANT).map(|_| places.take(someone).unwrap()).collect();
        assert_eq!(places.take(someone).unwrap_err().code(), "too_many_streams");
        assert!(places.take(Some(ParticipantId(2))).is_ok());
        assert!(places.take(None).unwrap().is_none());
        drop(all);
        assert!(places.take(someone).is_ok());
        assert!(places.taken.lock().unwrap().is_empty());
    }
}
