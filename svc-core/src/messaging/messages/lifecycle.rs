//! What can become of a direct message: the one rule of its status.

use svc_model::messages::{Ending, MessageStatus};

use crate::error::Error;
use crate::limits;

/// Something that happens to a direct message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happening {
    /// A worker takes it.
    Claimed,
    /// A worker says how it ended; one that nobody has claimed is claimed in passing.
    Finished(Ending),
    /// A worker gives it back.
    Released,
    /// A worker has not been heard of in time; this was its so-manieth claim.
    LeaseEnded { attempts: i64 },
    /// Its recipient is gone.
    Abandoned,
    /// A human wants another try.
    Retried,
}

/// The status after something has happened, which may be the same one; an error when it cannot happen.
pub(crate) fn next(status: MessageStatus, happening: Happening) -> Result<MessageStatus, Error> {
    use Happening::{Abandoned, Claimed, Finished, LeaseEnded, Released, Retried};
    use MessageStatus::{Done, Failed, Pending, Processing};
    match (status, happening) {
        (Pending, Claimed) => Ok(Processing),
        (Pending | Processing, Finished(ending)) => Ok(ending.status()),
        (Done, Finished(Ending::Done)) | (Failed, Finished(Ending::Failed)) => Ok(status),
        (Processing, LeaseEnded { attempts }) if attempts >= limits::CLAIM_ATTEMPTS => Ok(Failed),
        (Processing, Released | LeaseEnded { .. }) | (Failed, Retried) => Ok(Pending),
        (Pending | Processing, Abandoned) => Ok(Failed),
        (Processing, Claimed) => Err(already_claimed()),
        (Pending | Done | Failed, Released | LeaseEnded { .. }) => Err(lease_lost()),
        (Done | Failed, Claimed | Finished(_) | Abandoned) => Err(already_finished(status)),
        (Pending | Processing | Done, Retried) => Err(not_failed(status)),
    }
}

fn already_finished(status: MessageStatus) -> Error {
    Error::conflict(
        "already_finished",
        format!("This message has ended as {status}, and that stays: send another one about it."),
    )
    .with_detail("ended_as", status.as_str())
}

fn already_claimed() -> Error {
    Error::conflict("already_claimed", "Somebody is working on this message: present the token of that claim.")
}

pub(crate) fn lease_lost() -> Error {
    Error::conflict(
        "lease_lost",
        "This claim is over, and the message may be in other hands: drop the work and claim again.",
    )
}

fn not_failed(status: MessageStatus) -> Error {
    Error::conflict("not_failed", format!("This message is {status}: only one that has failed can be tried again."))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STATUSES: [MessageStatus; 4] =
        [MessageStatus::Pending, MessageStatus::Processing, MessageStatus::Done, MessageStatus::Failed];

    fn happening() -> impl Strategy<Value = Happening> {
        prop_oneof![
            Just(Happening::Claimed),
            Just(Happening::Finished(Ending::Done)),
            Just(Happening::Finished(Ending::Failed)),
            Just(Happening::Released),
            (1..9_i64).prop_map(|attempts| Happening::LeaseEnded { attempts }),
            Just(Happening::Abandoned),
            Just(Happening::Retried),
        ]
    }

    #[test]
    fn work_goes_from_pending_over_processing_to_an_end() {
        let claimed = next(MessageStatus::Pending, Happening::Claimed).unwrap();
        assert_eq!(claimed, MessageStatus::Processing);
        for ending in [Ending::Done, Ending::Failed] {
            assert_eq!(next(claimed, Happening::Finished(ending)).unwrap(), ending.status());
            assert_eq!(next(MessageStatus::Pending, Happening::Finished(ending)).unwrap(), ending.status());
            assert_eq!(next(ending.status(), Happening::Finished(ending)).unwrap(), ending.status());
        }
        assert_eq!(next(claimed, Happening::Released).unwrap(), MessageStatus::Pending);
    }

    #[test]
    fn a_lease_that_ends_puts_back_until_it_was_tried_often_enough() {
        let ended = |attempts| next(MessageStatus::Processing, Happening::LeaseEnded { attempts }).unwrap();
        assert_eq!(ended(limits::CLAIM_ATTEMPTS - 1), MessageStatus::Pending);
        assert_eq!(ended(limits::CLAIM_ATTEMPTS), MessageStatus::Failed);
    }

    #[test]
    fn refusals_have_their_words() {
        for (status, happening, code) in [
            (MessageStatus::Done, Happening::Finished(Ending::Failed), "already_finished"),
            (MessageStatus::Failed, Happening::Claimed, "already_finished"),
            (MessageStatus::Processing, Happening::Claimed, "already_claimed"),
            (MessageStatus::Pending, Happening::Released, "lease_lost"),
            (MessageStatus::Done, Happening::Retried, "not_failed"),
        ] {
            assert_eq!(next(status, happening).unwrap_err().code(), code, "{status} {happening:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_done_stays_done(happenings in prop::collection::vec(happening(), 0..40)) {
            let mut status = MessageStatus::Pending;
            for happening in happenings {
                let before = status;
                status = next(status, happening).unwrap_or(status);
                prop_assert!(before != MessageStatus::Done || status == MessageStatus::Done);
                // Only a human gets a failed one out, and only a claim makes it work.
                if before == MessageStatus::Failed && status != before {
                    prop_assert_eq!(happening, Happening::Retried);
                }
                if status == MessageStatus::Processing && before != status {
                    prop_assert_eq!(happening, Happening::Claimed);
                }
            }
        }

        #[test]
        fn from_everywhere_it_can_still_come_to_an_end(at in 0..4_usize, happening in happening()) {
            let after = next(STATUSES[at], happening).unwrap_or(STATUSES[at]);
            prop_assert!(Ending::status(Ending::Done) == after
                || Ending::status(Ending::Failed) == after
                || next(after, Happening::Finished(Ending::Done)).is_ok());
        }
    }
}
