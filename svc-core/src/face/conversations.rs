//! Conversations: a channel, or the direct messages of two participants on one subject, and how they are read.
//!
//! They have no handle of their own; [`hub.messages()`](crate::messages) reads them.

#[doc(inline)]
pub use svc_model::conversations::{
    Conversation, ConversationKind, ConversationPage, ConversationView, DirectFilter, LastMessage, Timeline,
    TimelineFilter,
};
