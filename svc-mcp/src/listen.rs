//! Subscriptions.

use rmcp::model::{ErrorData, SubscriptionFilter};
use rmcp::service::{RequestContext, RoleServer, SubscriptionContext};

use crate::server::Mcp;

/// What a session of an older revision is subscribed to.
#[derive(Default)]
pub(crate) struct Subscriptions {}

pub(crate) fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
    requested.clone()
}

pub(crate) async fn listen(_: &Mcp, context: SubscriptionContext) -> Result<(), ErrorData> {
    context.cancelled().await;
    Ok(())
}

pub(crate) async fn subscribe(_: &Mcp, _: String, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
    Ok(())
}

pub(crate) async fn unsubscribe(_: &Mcp, _: &str, _: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    Ok(())
}
