//! Reactions: marks on messages, and the workflow state that follows from them. The handle is `hub.reactions()`.

pub use crate::messaging::reactions::Reactions;

#[doc(inline)]
pub use svc_model::reactions::{
    MessageReactions, Reaction, ReactionAction, ReactionChange, ReactionKind, StateFilter, StatePage, WorkflowState,
};
