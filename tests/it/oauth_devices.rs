//! Devices without a browser; and what clients learn about their tokens and how they end them.

use std::time::Duration;

use futures_util::future::join_all;
use svc_core::oauth::{Client, ClientClaim, DeviceAuthorization, IssuedTokens, TokenRequest};
use svc_core::{Hub, Result, limits};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::oauth::{
    ISSUER, ask, claim, code, confidential_client, exchange_of, owner_of, public_client, refresh_of, refusal, tokens,
    visit,
};

async fn begin(hub: &Hub, client: &Client) -> DeviceAuthorization {
    hub.oauth().device_authorization(ISSUER, &claim(client), None, None, &visit()).await.unwrap()
}

async fn poll(hub: &Hub, client: &Client, device: &DeviceAuthorization) -> Result<IssuedTokens> {
    let request = TokenRequest::DeviceCode { device_code: device.device_code.reveal().into() };
    ask(hub, &claim(client), request).await
}

async fn answer(hub: &Hub, client: &Client, device: &DeviceAuthorization) -> &'static str {
    poll(hub, client, device).await.unwrap_err().code()
}

#[both_engines]
async fn a_device_waits_for_a_human_and_then_acts_as_their_agent(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let device = begin(&test.hub, &client).await;
    assert_eq!((device.user_code.len(), &device.user_code[4..5]), (9, "-"));
    assert_eq!(answer(&test.hub, &client, &device).await, "authorization_pending");
    // Too soon, and from now on it has to wait ten seconds.
    test.clock.advance(Duration::from_secs(4));
    assert_eq!(answer(&test.hub, &client, &device).await, "slow_down");
    test.clock.advance(Duration::from_secs(9));
    assert_eq!(answer(&test.hub, &client, &device).await, "slow_down");
    test.clock.advance(Duration::from_secs(15));
    assert_eq!(answer(&test.hub, &client, &device).await, "authorization_pending");
    let typed = device.user_code.to_lowercase().replace('-', " ");
    let asked = test.hub.oauth().device_request(&ann, &typed).await.unwrap();
    assert_eq!((asked.client.name.as_str(), &asked.user_code), ("App", &device.user_code));
    for agent in ["nobody", "ann"] {
        let refused = test.hub.oauth().approve_device(&ann, &typed, agent).await;
        assert_eq!(refused.unwrap_err().code(), "access_denied");
    }
    test.hub.oauth().approve_device(&ann, &typed, "builder").await.unwrap();
    for late in [
        test.hub.oauth().approve_device(&ann, &typed, "builder").await,
        test.hub.oauth().deny_device(&ann, &typed).await,
    ] {
        assert_eq!(late.unwrap_err().code(), "unknown_user_code");
    }
    let stranger = public_client(&test.hub).await;
    assert_eq!(answer(&test.hub, &stranger, &device).await, "invalid_grant");
    let racers = join_all((0..8).map(|_| poll(&test.hub, &client, &device))).await;
    let mut issued: Vec<_> = racers.into_iter().filter_map(Result::ok).collect();
    assert_eq!(issued.len(), 1, "one of those who ask at once gets the tokens");
    let issued = issued.remove(0);
    assert_eq!(refusal(&test.hub, &issued).await, None);
    assert!(ask(&test.hub, &claim(&client), refresh_of(issued.refresh_token.as_ref().unwrap())).await.is_ok());
    assert_eq!(answer(&test.hub, &client, &device).await, "invalid_grant");
}

#[both_engines]
async fn a_device_can_be_denied_and_forgotten(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let denied = begin(&test.hub, &client).await;
    test.hub.oauth().deny_device(&ann, &denied.user_code).await.unwrap();
    assert_eq!(answer(&test.hub, &client, &denied).await, "access_denied");
    let forgotten = begin(&test.hub, &client).await;
    test.clock.advance(limits::OAUTH_DEVICE_TTL);
    assert_eq!(answer(&test.hub, &client, &forgotten).await, "expired_token");
    for typed in [forgotten.user_code.as_str(), "BCDF-GHJK", "", "\0", "svcd_x"] {
        let error = test.hub.oauth().device_request(&ann, typed).await.unwrap_err();
        assert_eq!(error.code(), "unknown_user_code", "{typed}");
    }
    test.clock.advance(limits::OAUTH_KEPT_PAST_END + Duration::from_secs(1));
    test.run_worker("oauth_sweep").await;
    assert_eq!(test.number("SELECT count(*) FROM oauth_device_codes").await, 0);
    // Nobody let the client in, so it is gone by now as well.
    let client = public_client(&test.hub).await;
    let odd = test.hub.oauth().device_authorization(ISSUER, &claim(&client), Some("all"), None, &visit()).await;
    assert_eq!(odd.unwrap_err().code(), "invalid_scope");
    let odd =
        test.hub.oauth().device_authorization(ISSUER, &claim(&client), None, Some("https://x.example"), &visit()).await;
    assert_eq!(odd.unwrap_err().code(), "invalid_target");
    // Nobody who is not logged in can try codes.
    let agent = tokens(&test.hub, &ann, &client, "builder").await;
    let agent = test.hub.auth().bearer(agent.access_token.reveal()).await.unwrap();
    assert_eq!(test.hub.oauth().device_request(&agent, "BCDF-GHJK").await.unwrap_err().code(), "session_required");
}

#[both_engines]
async fn a_client_learns_about_its_own_tokens_only(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let (client, own) = confidential_client(&test.hub).await;
    let (_, stranger) = confidential_client(&test.hub).await;
    let code = code(&test.hub, &ann, &client, "builder").await;
    let issued = ask(&test.hub, &own, exchange_of(&code)).await.unwrap();
    let (access, refresh) = (issued.access_token.reveal(), issued.refresh_token.as_ref().unwrap().reveal());
    let facts = test.hub.oauth().introspect(&own, access, &visit()).await.unwrap().unwrap();
    assert_eq!((facts.sub.as_str(), facts.username.as_str(), facts.scope.as_str()), ("builder", "ann", "mcp"));
    assert_eq!((facts.exp - facts.iat, facts.aud.as_deref()), (3600, Some("https://hub.example/mcp")));
    assert!(test.hub.oauth().introspect(&own, refresh, &visit()).await.unwrap().is_some());
    for text in [access, refresh] {
        assert_eq!(test.hub.oauth().introspect(&stranger, text, &visit()).await.unwrap(), None);
        let open = public_client(&test.hub).await;
        assert_eq!(
            test.hub.oauth().introspect(&claim(&open), text, &visit()).await.unwrap_err().code(),
            "invalid_client"
        );
    }
    for odd in ["", "svct_x", "\0", &"x".repeat(1 << 20), code.reveal(), own.secret.as_deref().unwrap()] {
        assert_eq!(test.hub.oauth().introspect(&own, odd, &visit()).await.unwrap(), None);
    }
    test.clock.advance(limits::OAUTH_ACCESS_TTL);
    assert_eq!(test.hub.oauth().introspect(&own, access, &visit()).await.unwrap(), None);
    assert!(test.hub.oauth().introspect(&own, refresh, &visit()).await.unwrap().is_some());
}

#[both_engines]
async fn a_client_ends_an_access_token_alone_and_a_refresh_token_with_its_family(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let stranger = public_client(&test.hub).await;
    let one = tokens(&test.hub, &ann, &client, "builder").await;
    let two = tokens(&test.hub, &ann, &client, "builder").await;
    let revoke = async |client: &Client, text: &str| {
        test.hub.oauth().revoke(&claim(client), text, &visit()).await.unwrap();
    };
    for odd in ["", "svct_x", "\0", &"x".repeat(1 << 20)] {
        revoke(&client, odd).await;
    }
    for token in [&one.access_token, one.refresh_token.as_ref().unwrap()] {
        revoke(&stranger, token.reveal()).await;
    }
    assert_eq!(refusal(&test.hub, &one).await, None);
    revoke(&client, one.access_token.reveal()).await;
    assert_eq!(refusal(&test.hub, &one).await, Some("token_revoked"));
    let next = ask(&test.hub, &claim(&client), refresh_of(one.refresh_token.as_ref().unwrap())).await.unwrap();
    revoke(&client, next.refresh_token.as_ref().unwrap().reveal()).await;
    revoke(&client, next.refresh_token.as_ref().unwrap().reveal()).await;
    assert_eq!(refusal(&test.hub, &next).await, Some("token_revoked"));
    assert_eq!(refusal(&test.hub, &two).await, None);
    assert_eq!(test.number("SELECT count(*) FROM audit_log WHERE event = 'token_revoked'").await, 2);
    let unknown = test.hub.oauth().revoke(&ClientClaim::default(), "x", &visit()).await;
    assert_eq!(unknown.unwrap_err().code(), "invalid_request");
}
