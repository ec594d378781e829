//! A clock that is set back: waits and leases last as long as they say, and not for as long as the clock
//! needs to catch up.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use svc_core::ids::MessageId;
use svc_core::oauth::TokenRequest;
use svc_core::users::Role;
use svc_core::{Caller, limits};
use svc_test_macros::both_engines;

use crate::support::claims::ann_and_worker;
use crate::support::hub::TestHub;
use crate::support::oauth::{ISSUER, ask, claim, owner_of, public_client, visit};
use crate::support::people::PASSWORD;
use crate::support::server::{TestServer, problem};

const DAY: Duration = Duration::from_hours(24);
const LENGTH: Duration = Duration::from_secs(10);

#[both_engines]
async fn a_lease_of_a_process_that_died_is_free_after_its_length(test: TestHub) {
    let other = test.another().await;
    let lease = test.hub.leases().acquire("sweeper", LENGTH).await.unwrap().unwrap();
    test.clock.set_back(DAY);
    assert!(other.leases().acquire("sweeper", LENGTH).await.unwrap().is_none());
    test.clock.advance(LENGTH / 2);
    assert!(other.leases().acquire("sweeper", LENGTH).await.unwrap().is_none());
    test.clock.advance(LENGTH / 2);
    assert!(other.leases().acquire("sweeper", LENGTH).await.unwrap().is_some());
    assert!(!test.hub.leases().renew(&lease, LENGTH).await.unwrap());
    other.close().await;
}

#[both_engines]
async fn who_has_to_wait_waits_no_longer_than_they_are_told(test: TestServer) {
    test.create_user("ann", Role::User).await;
    for _ in 0..=limits::LOGIN_ATTEMPTS {
        problem(test.try_log_in("ann", "wrong password").await, 401, "invalid_credentials").await;
    }
    test.clock.set_back(DAY);
    let blocked = test.try_log_in("ann", PASSWORD).await;
    assert_eq!(blocked.headers()["retry-after"], "1");
    problem(blocked, 429, "too_many_attempts").await;
    test.clock.advance(Duration::from_secs(1));
    assert_eq!(test.try_log_in("ann", PASSWORD).await.status(), 200);
    test.stop().await;
}

#[both_engines]
async fn a_claim_lasts_as_long_as_it_was_taken_for(test: TestServer) {
    let (ann, _, key) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "please look" })).await;
    assert_eq!(test.claim_with(&key, json!({ "lease_seconds": 60 })).await.len(), 1);
    test.clock.set_back(DAY);
    let status = async || {
        test.work("lease_expiry").await;
        let message = test.hub.messages().get(&Caller::root(), MessageId(sent["id"].as_i64().unwrap())).await;
        message.unwrap().status.as_str().to_owned()
    };
    assert_eq!(status().await, "processing");
    test.clock.advance(Duration::from_secs(59));
    assert_eq!(status().await, "processing");
    test.clock.advance(Duration::from_secs(1));
    assert_eq!(status().await, "pending");
    test.stop().await;
}

#[both_engines]
async fn a_device_is_not_told_to_slow_down(test: TestHub) {
    owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let device = test.hub.oauth().device_authorization(ISSUER, &claim(&client), None, None, &visit()).await.unwrap();
    let answer = async || {
        let request = TokenRequest::DeviceCode { device_code: device.device_code.reveal().into() };
        ask(&test.hub, &claim(&client), request).await.unwrap_err().code()
    };
    assert_eq!(answer().await, "authorization_pending");
    test.clock.set_back(Duration::from_mins(5));
    assert_eq!(answer().await, "authorization_pending");
    assert_eq!(answer().await, "slow_down");
}

#[both_engines]
async fn an_idempotency_key_is_forgotten_in_time(test: TestServer) {
    let ann = test.person("ann").await;
    let send = async || {
        let body = json!({ "channel": "general", "body": "once" });
        let request = test.request_as(&ann, Method::POST, "/api/messages").header("Idempotency-Key", "k").json(&body);
        request.send().await.unwrap().json::<serde_json::Value>().await.unwrap()["id"].clone()
    };
    // A login that lasts as long as the story.
    let first = send().await;
    test.clock.set_back(Duration::from_hours(12));
    assert_eq!(send().await, first);
    test.work("idempotency_sweep").await;
    test.clock.advance(limits::IDEMPOTENCY_RETENTION.checked_sub(Duration::from_secs(1)).unwrap());
    assert_eq!(send().await, first);
    test.clock.advance(Duration::from_secs(2));
    assert_ne!(send().await, first);
    test.stop().await;
}
