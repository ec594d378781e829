//! Web push: subscriptions of browsers, the content of a push message, and the presence of users.

use serde::{Deserialize, Serialize};

use crate::ids::PushSubscriptionId;
use crate::object::object;
use crate::timestamp::Timestamp;

/// The public key with which the hub signs its push messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct VapidKey {
    /// The uncompressed point of the key on P-256, in base64url without padding: the `applicationServerKey` of
    /// `PushManager.subscribe`.
    pub public_key: String,
}

/// A browser that receives push messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct PushSubscription {
    /// Its id.
    pub id: PushSubscriptionId,
    /// The name of the device.
    pub device: String,
    /// The host of its push service.
    pub service: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When a message was last accepted by the push service.
    pub last_success_at: Option<Timestamp>,
    /// The number of failed attempts since the last success.
    pub failures: u32,
    /// The reason of the last failure, if no attempt has succeeded since.
    pub last_error: Option<String>,
    /// Whether the login session of this request added it.
    pub current: bool,
}

/// The subscriptions of a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct PushSubscriptionList {
    /// The subscriptions, oldest first.
    pub items: Vec<PushSubscription>,
    /// The maximum number of subscriptions of a user.
    pub max: u32,
}

/// A subscription as the browser returns it (`PushSubscription.toJSON()`), with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewPushSubscription {
    /// The URL of the push service.
    pub endpoint: String,
    /// The keys of the browser.
    #[serde(deserialize_with = "object")]
    pub keys: PushKeys,
    /// The name of the device: 1 to 80 characters. Derived from the `User-Agent` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// When the browser ends the subscription, in milliseconds since 1970. It is accepted and not used: the push
    /// service reports the end.
    #[serde(default, rename = "expirationTime", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(rename = "expirationTime"))]
    pub expiration_time: Option<f64>,
}

/// The keys of a subscription.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(deny_unknown_fields)]
pub struct PushKeys {
    /// The public key of the browser: an uncompressed point on P-256, 65 bytes in base64url.
    pub p256dh: String,
    /// The authentication secret: 16 bytes in base64url.
    pub auth: String,
}

/// The request for a test notification.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct PushTest {
    /// The subscription to test; all of the user when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subscription_id: Option<PushSubscriptionId>,
}

/// The test notifications that are on their way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct PushTestQueued {
    /// Their number.
    pub queued: u32,
}

/// Whether a page of the user is visible.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct Presence {
    /// Whether the page is visible; `true` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible: Option<bool>,
    /// A name of the page that its other tabs do not have: 1 to 64 letters, digits, `-` and `_`. Pages without a name
    /// count as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

/// A button of a notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushAction {
    /// `approve`, `reject` or `mark_read`.
    pub action: String,
    /// The text of the button.
    pub title: String,
    /// The request that the service worker sends when the button is pressed.
    pub request: ActionRequest,
}

/// A request of a service worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionRequest {
    /// The method.
    pub method: String,
    /// The path, which begins with `/api/`.
    pub path: String,
    /// The JSON body.
    pub body: Option<serde_json::Value>,
}

/// The content of a push message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushPayload {
    /// The first line.
    pub title: String,
    /// The text.
    pub body: String,
    /// A notification with the tag of an earlier one replaces it.
    pub tag: String,
    /// The path of the page that a click opens.
    pub url: String,
    /// The buttons, at most two.
    pub actions: Vec<PushAction>,
}
