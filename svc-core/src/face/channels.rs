//! Channels: conversations that participants share, public or private. The handle is `hub.channels()`.
//!
//! Messages are sent to a channel and read from it with [`hub.messages()`](crate::messages).

pub use crate::messaging::channels::{Channels, GENERAL};

#[doc(inline)]
pub use svc_model::channels::{
    Channel, ChannelFilter, ChannelPage, ChannelSettings, ChannelUpdate, Member, MemberPage, NewChannel,
};
#[doc(inline)]
pub use svc_model::names::ChannelName;
