//! `/api/push` and `/api/presence`: browsers that receive push messages, and visible pages.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use svc_core::push::{
    NewPushSubscription, Presence, PushSubscription, PushSubscriptionId, PushSubscriptionList, PushTest,
    PushTestQueued, VapidKey,
};

use super::Chapter;
use crate::answer::{Accepted, Answer, NoContent, Stored};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::identity::SessionCaller;
use crate::loose_body::OptionalBody;
use crate::state::AppState;

/// The routes.
pub(crate) struct PushRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Notifications")]
impl PushRoutes {
    /// Get the key for push messages
    ///
    /// The `applicationServerKey` with which a browser subscribes. All nodes of the hub sign with it.
    #[oai(path = "/api/push/vapid-key", method = "get", operation_id = "get_vapid_key")]
    async fn vapid_key(&self, SessionCaller(caller): SessionCaller) -> Result<Answer<VapidKey>, Problem> {
        Ok(Answer(self.state.hub().push().vapid_key(&caller).await?))
    }

    /// List my push subscriptions
    ///
    /// The browsers in which you turned notifications on, oldest first. One ends when the login session that added it is ended.
    #[oai(path = "/api/push/subscriptions", method = "get", operation_id = "list_push_subscriptions")]
    async fn subscriptions(
        &self,
        SessionCaller(caller): SessionCaller,
    ) -> Result<Answer<PushSubscriptionList>, Problem> {
        Ok(Answer(self.state.hub().push().subscriptions(&caller).await?))
    }

    /// Subscribe a browser
    ///
    /// The body is `PushSubscription.toJSON()` of the browser, with the name of the device. 200 when the browser is
    /// subscribed already: its keys and its name are replaced. 409 `too_many_subscriptions` for the 21st browser. For
    /// example `{"endpoint": "https://push.example.org/1f3a", "keys": {"p256dh":
    /// "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "auth":
    /// "BTBZMqHH6r4Tts7J_aSIgg"}, "device": "Firefox on Linux"}`.
    #[oai(path = "/api/push/subscriptions", method = "post", operation_id = "create_push_subscription")]
    async fn subscribe(
        &self,
        SessionCaller(caller): SessionCaller,
        JsonBody(body): JsonBody<NewPushSubscription>,
    ) -> Result<Stored<PushSubscription>, Problem> {
        let subscribed = self.state.hub().push().subscribe(&caller, body).await?;
        Ok(Stored { value: subscribed.subscription, is_new: subscribed.is_new })
    }

    /// Remove a push subscription
    #[oai(path = "/api/push/subscriptions/:id", method = "delete", operation_id = "delete_push_subscription")]
    async fn unsubscribe(
        &self,
        SessionCaller(caller): SessionCaller,
        /// Id of the subscription.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().push().unsubscribe(&caller, PushSubscriptionId(id.0)).await?;
        Ok(NoContent)
    }

    /// Send a test notification
    ///
    /// To one subscription or to all of yours, even while a page is visible. For example `{}`. 409 `no_subscriptions`
    /// when there is none; at most 10 tests per minute.
    #[oai(path = "/api/push/test", method = "post", operation_id = "send_test_push")]
    async fn test(
        &self,
        SessionCaller(caller): SessionCaller,
        OptionalBody(body): OptionalBody<PushTest>,
    ) -> Result<Accepted<PushTestQueued>, Problem> {
        Ok(Accepted(self.state.hub().push().test(&caller, body).await?))
    }

    /// Report a visible page
    ///
    /// A page that is visible says so every 30 seconds. For 45 seconds after that nothing is pushed to its user. For
    /// example `{"visible": true, "page": "c1a7"}`; `{"visible": false, "page": "c1a7"}` withdraws the page at once.
    #[oai(path = "/api/presence", method = "put", operation_id = "set_presence")]
    async fn presence(
        &self,
        SessionCaller(caller): SessionCaller,
        OptionalBody(body): OptionalBody<Presence>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().push().set_presence(&caller, body).await?;
        Ok(NoContent)
    }
}
