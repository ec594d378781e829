//! Participants: everybody who can send or receive, humans and agents. The handle is `hub.participants()`.

pub use crate::identity::participants::Participants;

#[doc(inline)]
pub use svc_model::participants::{Participant, ParticipantFilter, ParticipantKind, ParticipantPage, SYSTEM_HANDLE};
