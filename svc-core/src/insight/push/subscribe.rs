//! Adding a browser that receives push messages.

use base64::Engine;
use base64::engine::general_purpose::{URL_SAFE, URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use svc_macros::boxed_futures;
use svc_model::push::{NewPushSubscription, PushSubscription};
use url::Url;

use super::encrypt::{AUTH, is_public_key};
use super::service::Push;
use super::store::{self, NewSubscription, SubscriptionRow};
use crate::automation::webhooks::parse_address;
use crate::error::{Error, FieldError, Result};
use crate::identity::auth::Caller;
use crate::ids::SessionId;
use crate::limits;
use crate::store::db::Tx;

/// A subscription, and whether it was added now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscribed {
    /// The subscription.
    pub subscription: PushSubscription,
    /// Whether the browser was not subscribed before.
    pub is_new: bool,
}

/// The content of a request whose form is right.
struct Checked {
    url: Url,
    public_key: Vec<u8>,
    auth: Vec<u8>,
    device: String,
}

#[boxed_futures]
impl Push {
    /// Adds the browser of the caller, or renews it: a browser is known by its endpoint. One that another user has
    /// subscribed, with the same keys, now belongs to the caller.
    pub async fn subscribe(&self, caller: &Caller, new: NewPushSubscription) -> Result<Subscribed> {
        let (user, session) = caller.require_session()?;
        let Checked { url, public_key, auth, device } = self.check(&new, caller)?;
        self.check_host(&url).await?;
        let new = NewSubscription {
            user: user.id,
            session,
            endpoint_hash: Sha256::digest(url.as_str().as_bytes()).to_vec(),
            endpoint: url.into(),
            public_key,
            auth,
            device,
        };
        self.db.write(new, |tx, new| Box::pin(add(tx, new))).await
    }

    /// Reports all invalid fields at once.
    fn check(&self, new: &NewPushSubscription, caller: &Caller) -> Result<Checked> {
        let mut faults = Vec::new();
        let mut fault = |field: &str, message: String| faults.push(FieldError { field: field.to_owned(), message });
        let url = if new.endpoint.len() > limits::PUSH_ENDPOINT_MAX {
            fault("endpoint", format!("must be at most {} bytes", limits::PUSH_ENDPOINT_MAX));
            None
        } else {
            parse_address(&new.endpoint, self.allow_http)
                .map_err(|error| {
                    let message = error.fields().first().map_or_else(String::new, |first| first.message.clone());
                    fault("endpoint", message);
                })
                .ok()
        };
        let is_moment = |millis: f64| (0.0..=limits::EXPIRATION_MILLIS_MAX).contains(&millis);
        if !new.expiration_time.is_none_or(is_moment) {
            fault("expirationTime", "must be a time in milliseconds since 1970".into());
        }
        let public_key = decode(&new.keys.p256dh).filter(|key| is_public_key(key));
        if public_key.is_none() {
            fault("keys.p256dh", "must be an uncompressed point on P-256, 65 bytes in base64url".into());
        }
        let auth = decode(&new.keys.auth).filter(|auth| auth.len() == AUTH);
        if auth.is_none() {
            fault("keys.auth", format!("must be {AUTH} bytes in base64url"));
        }
        let device = match &new.device {
            Some(device) => device.trim().to_owned(),
            None => named_by(caller),
        };
        let fits = limits::PUSH_DEVICE_LENGTHS.contains(&device.chars().count());
        if !fits || device.chars().any(char::is_control) {
            let (least, most) = (limits::PUSH_DEVICE_LENGTHS.start(), limits::PUSH_DEVICE_LENGTHS.end());
            fault("device", format!("must be {least} to {most} characters without control characters"));
        }
        match (url, public_key, auth) {
            (Some(url), Some(public_key), Some(auth)) if faults.is_empty() => {
                Ok(Checked { url, public_key, auth, device })
            }
            _ => Err(Error::invalid_fields(faults)),
        }
    }

    async fn check_host(&self, url: &Url) -> Result<()> {
        let _place = self.lookups.acquire().await.map_err(|_| Error::internal("the lookups were closed"))?;
        self.client.check_host(url, limits::PUSH_LOOKUP).await.map_err(|_| {
            let message = "must lead to a public address: this server does not connect to private networks";
            Error::invalid("endpoint", message)
        })
    }
}

/// The name of a device whose browser gave none.
fn named_by(caller: &Caller) -> String {
    let agent = caller.visit().kept_user_agent().unwrap_or_default();
    let short: String = agent.trim().chars().take(*limits::PUSH_DEVICE_LENGTHS.end()).collect();
    if short.is_empty() { "Browser".to_owned() } else { short }
}

/// Decodes base64url, with or without padding.
fn decode(text: &str) -> Option<Vec<u8>> {
    if text.len() > 200 {
        return None;
    }
    URL_SAFE_NO_PAD.decode(text).or_else(|_| URL_SAFE.decode(text)).ok()
}

async fn add(tx: &mut Tx, new: &NewSubscription) -> Result<Subscribed> {
    store::hold_user(tx, new.user).await?;
    store::remove_ended(tx, new.user, &new.endpoint_hash).await?;
    let session_end = store::session_end(tx, new.session).await?.ok_or_else(|| Error::not_found("session"))?;
    let taken = store::taken(tx, &new.endpoint_hash).await?;
    let (id, is_new) = match taken {
        Some(taken) if taken.user_id == new.user => {
            store::replace(tx, taken.id, new, session_end, false).await?;
            (taken.id, false)
        }
        // The keys show that it is the browser itself, in which another user has logged in.
        Some(taken) if taken.public_key == new.public_key && taken.auth == new.auth => {
            require_room(tx, new).await?;
            store::replace(tx, taken.id, new, session_end, true).await?;
            (taken.id, false)
        }
        Some(_) => {
            let message = "This endpoint is subscribed with other keys. Let the browser subscribe again.";
            return Err(Error::conflict("endpoint_taken", message));
        }
        None => {
            require_room(tx, new).await?;
            (store::insert(tx, new, session_end).await?, true)
        }
    };
    let row = store::of_user(tx, new.user).await?.into_iter().find(|row| row.id == id);
    let row = row.ok_or_else(|| Error::internal("a subscription is missing after it was stored"))?;
    Ok(Subscribed { subscription: shown(row, new.session), is_new })
}

async fn require_room(tx: &mut Tx, new: &NewSubscription) -> Result<()> {
    let most = limits::PUSH_SUBSCRIPTIONS_MAX;
    if store::of_user(tx, new.user).await?.len() < most as usize {
        return Ok(());
    }
    let message = format!("You have {most} subscriptions, which is the maximum. Remove a device first.");
    Err(Error::conflict("too_many_subscriptions", message))
}

/// A subscription as its user sees it.
pub(super) fn shown(row: SubscriptionRow, session: SessionId) -> PushSubscription {
    PushSubscription {
        id: row.id,
        current: row.session_id == session,
        service: host(&row.endpoint),
        device: row.device,
        created_at: row.created_at,
        last_success_at: row.last_success_at,
        failures: row.failures,
        last_error: row.last_error,
    }
}

/// The host of a push service, with its port if it is not the usual one.
pub(super) fn host(endpoint: &str) -> String {
    let Ok(url) = Url::parse(endpoint) else { return String::new() };
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}
