//! Webhooks: the events of an agent, posted as signed requests to https endpoints. The handle is `hub.webhooks()`.

pub use crate::automation::webhooks::{DeliveryCounts, LatencyBuckets, WebhookSettings, Webhooks};
pub use crate::net::AllowedNetworks;

#[doc(inline)]
pub use svc_model::webhooks::{
    Delivery, DeliveryAttempt, DeliveryDetails, DeliveryError, DeliveryFilter, DeliveryPage, DeliveryRequest,
    DeliveryStatus, DisabledReason, NewWebhook, RecentAttempt, RecoverWebhook, Recovered, RequestHeader, Webhook,
    WebhookDetails, WebhookEvent, WebhookFilter, WebhookList, WebhookUpdate, WebhookWithSecret,
};
