//! Analytics: how many messages were sent by whom, where and when. The handle is `hub.analytics()`.

pub use crate::insight::analytics::Analytics;

#[doc(inline)]
pub use svc_model::analytics::{Activity, ActivityBucket, AgentRank, ChannelRank, Summary};
#[doc(inline)]
pub use svc_model::span::Span;
