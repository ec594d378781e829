//! Messages: direct or in a channel, and how direct ones are claimed and finished as work. The handle is
//! `hub.messages()`.
//!
//! [`Messages::send`] accepts a [`NewMessage`]. The recipient reads its messages with [`Messages::inbox`], or takes them
//! with [`Messages::claim`] and ends each with [`Messages::finish`]. The author changes a message with
//! [`Messages::edit`] and removes it with [`Messages::delete`].

pub use crate::messaging::messages::Messages;

#[doc(inline)]
pub use svc_model::messages::{
    Backlog, BrowseFilter, ClaimRequest, ClaimedMessage, ClaimedMessages, Ending, Finish, InboxFilter, Message,
    MessageEdit, MessagePage, MessageStatus, MessageVersion, MessageVersions, NewMessage, Prune, Pruned, Receipt,
    ReceiptState, Receipts, Replies, Thread,
};
