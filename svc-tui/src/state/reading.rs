//! Requests that read the data of a screen.
//!
//! Invariant: at most one request is under way. However much changes meanwhile, one more follows it.

/// Whether data is being read, and whether it may be out of date.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    under_way: bool,
    expired: bool,
}

impl Reading {
    /// Records that the data may have changed.
    pub(crate) fn expire(&mut self) {
        self.expired = true;
    }

    /// Says whether a request must be sent now. It counts as sent from then on.
    pub(crate) fn begins(&mut self) -> bool {
        let begins = self.expired && !self.under_way;
        if begins {
            *self = Self { under_way: true, expired: false };
        }
        begins
    }

    /// Records that the answer has arrived.
    pub(crate) fn ends(&mut self) {
        self.under_way = false;
    }

    /// Whether a request is under way.
    pub(crate) fn is_under_way(self) -> bool {
        self.under_way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_changes_during_a_request_lead_to_one_more() {
        let mut reading = Reading::default();
        assert!(!reading.begins(), "nothing has changed");
        reading.expire();
        assert!(reading.begins());
        reading.expire();
        reading.expire();
        assert!(!reading.begins(), "one is under way");
        reading.ends();
        assert!(reading.begins());
        reading.ends();
        assert!(!reading.begins());
    }
}
