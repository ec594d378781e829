//! The names that most programs need: `use svc_core::prelude::*;`.

pub use crate::agents::{AgentSettings, NewAgent};
pub use crate::auth::{Surface, Visit};
pub use crate::channels::NewChannel;
pub use crate::events::{After, NewEvent};
pub use crate::ids::{ChannelId, EventSeq, MessageId, TaskId};
pub use crate::messages::{ClaimRequest, Finish, InboxFilter, Message, NewMessage};
pub use crate::reactions::ReactionKind;
pub use crate::search::SearchFilter;
pub use crate::tasks::{NewBid, NewTask};
pub use crate::users::{NewUser, Role};
pub use crate::{Caller, Error, ErrorKind, Hub, HubConfig, Page, Result, Timestamp};
