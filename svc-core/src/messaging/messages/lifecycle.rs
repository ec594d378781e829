//! Status transitions of a direct message.

use svc_model::messages::{Ending, MessageStatus};

use crate::error::Error;
use crate::limits;
use crate::timestamp::Timestamp;

/// A transition of a direct message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transition {
    /// A worker claims it.
    Claimed,
    /// A worker finishes it. An unclaimed message is claimed and finished in one step.
    Finished(Ending),
    /// A worker returns it to the queue.
    Released,
    /// The lease of a claim has ended; `attempts` counts the claims so far.
    LeaseEnded { attempts: i64 },
    /// Its recipient has been deleted.
    Abandoned,
    /// A human retries it.
    Retried,
}

/// The status after a transition, which may be unchanged; an error if the transition is not
/// allowed.
pub(crate) fn next(status: MessageStatus, transition: Transition) -> Result<MessageStatus, Error> {
    use MessageStatus::{Done, Failed, Pending, Processing};
    use Transition::{Abandoned, Claimed, Finished, LeaseEnded, Released, Retried};
    match (status, transition) {
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
        format!("This message is already {status}, which is final. Send a new message instead."),
    )
    .with_detail("ended_as", status.as_str())
}

pub(crate) fn already_claimed() -> Error {
    Error::conflict("already_claimed", "This message is already claimed. Pass the claim_token of that claim, or wait.")
}

pub(crate) fn lease_lost() -> Error {
    Error::conflict(
        "lease_lost",
        "This claim has ended and another worker may hold the message. Stop working on it and claim again.",
    )
}

/// The error for a change of a deleted message.
pub(crate) fn message_deleted(at: Timestamp) -> Error {
    Error::conflict("message_deleted", "This message was deleted. Stop working on it; there is nothing left to change.")
        .with_detail("deleted_at", at.to_string())
}

fn not_failed(status: MessageStatus) -> Error {
    Error::conflict("not_failed", format!("This message is {status}; only a failed message can be retried."))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STATUSES: [MessageStatus; 4] =
        [MessageStatus::Pending, MessageStatus::Processing, MessageStatus::Done, MessageStatus::Failed];

    fn transition() -> impl Strategy<Value = Transition> {
        prop_oneof![
            Just(Transition::Claimed),
            Just(Transition::Finished(Ending::Done)),
            Just(Transition::Finished(Ending::Failed)),
            Just(Transition::Released),
            (1..9_i64).prop_map(|attempts| Transition::LeaseEnded { attempts }),
            Just(Transition::Abandoned),
            Just(Transition::Retried),
        ]
    }

    #[test]
    fn a_message_goes_from_pending_to_processing_to_an_ending() {
        let claimed = next(MessageStatus::Pending, Transition::Claimed).unwrap();
        assert_eq!(claimed, MessageStatus::Processing);
        for ending in [Ending::Done, Ending::Failed] {
            assert_eq!(next(claimed, Transition::Finished(ending)).unwrap(), ending.status());
            assert_eq!(next(MessageStatus::Pending, Transition::Finished(ending)).unwrap(), ending.status());
            assert_eq!(next(ending.status(), Transition::Finished(ending)).unwrap(), ending.status());
        }
        assert_eq!(next(claimed, Transition::Released).unwrap(), MessageStatus::Pending);
    }

    #[test]
    fn an_ended_lease_returns_the_message_until_attempts_are_exhausted() {
        let ended = |attempts| next(MessageStatus::Processing, Transition::LeaseEnded { attempts }).unwrap();
        assert_eq!(ended(limits::CLAIM_ATTEMPTS - 1), MessageStatus::Pending);
        assert_eq!(ended(limits::CLAIM_ATTEMPTS), MessageStatus::Failed);
    }

    #[test]
    fn each_disallowed_transition_has_its_error_code() {
        for (status, transition, code) in [
            (MessageStatus::Done, Transition::Finished(Ending::Failed), "already_finished"),
            (MessageStatus::Failed, Transition::Claimed, "already_finished"),
            (MessageStatus::Processing, Transition::Claimed, "already_claimed"),
            (MessageStatus::Pending, Transition::Released, "lease_lost"),
            (MessageStatus::Done, Transition::Retried, "not_failed"),
        ] {
            assert_eq!(next(status, transition).unwrap_err().code(), code, "{status} {transition:?}");
        }
    }

    proptest! {
        #[test]
        fn done_is_final(transitions in prop::collection::vec(transition(), 0..40)) {
            let mut status = MessageStatus::Pending;
            for transition in transitions {
                let before = status;
                status = next(status, transition).unwrap_or(status);
                prop_assert!(before != MessageStatus::Done || status == MessageStatus::Done);
                // Only a retry leaves `failed`, and only a claim leads to `processing`.
                if before == MessageStatus::Failed && status != before {
                    prop_assert_eq!(transition, Transition::Retried);
                }
                if status == MessageStatus::Processing && before != status {
                    prop_assert_eq!(transition, Transition::Claimed);
                }
            }
        }

        #[test]
        fn every_status_can_reach_an_ending(at in 0..4_usize, transition in transition()) {
            let after = next(STATUSES[at], transition).unwrap_or(STATUSES[at]);
            prop_assert!(Ending::status(Ending::Done) == after
                || Ending::status(Ending::Failed) == after
                || next(after, Transition::Finished(Ending::Done)).is_ok());
        }
    }
}
