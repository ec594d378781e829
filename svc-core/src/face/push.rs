//! Push messages to browsers: subscriptions, tests and presence. The handle is `hub.push()`.

pub use crate::insight::push::{Push, PushCounts, Subscribed};

#[doc(inline)]
pub use svc_model::ids::PushSubscriptionId;
#[doc(inline)]
pub use svc_model::push::{
    ActionRequest, NewPushSubscription, Presence, PushAction, PushKeys, PushPayload, PushSubscription,
    PushSubscriptionList, PushTest, PushTestQueued, VapidKey,
};
