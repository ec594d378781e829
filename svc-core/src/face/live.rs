//! Live events: the event log as far as one caller may see it. The handle is `hub.live()`.
//!
//! [`Live::follow`] returns a [`Feed`] that misses nothing, repeats nothing and can resume after any position.

pub use crate::insight::live::{Feed, FeedPosition, Live, LiveEvent};

#[doc(inline)]
pub use svc_model::live::{
    AgentNews, ChannelNews, DeadLetterNews, DeletionNews, EditNews, EmojiNews, Hello, LiveBody, MachineNews,
    MessageNews, ProfileNews, ReactionNews, Reset, ResetReason, TaskNews, UnreadNews, UpdateNews, WorkflowNews,
};
