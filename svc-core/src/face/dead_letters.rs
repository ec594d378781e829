//! Dead letters: messages that could not be handled, until their owner decides. The handle is `hub.dead_letters()`.

pub use crate::messaging::dead_letters::DeadLetters;

#[doc(inline)]
pub use svc_model::dead_letters::{DeadLetter, DeadLetterFilter, DeadLetterKind, DeadLetterPage};
