//! Emoji under messages, which participants choose freely. The handle is `hub.emoji()`.

pub use crate::messaging::emoji::Emojis;

#[doc(inline)]
pub use svc_model::emoji::{Emoji, EmojiCount, MessageEmoji};
