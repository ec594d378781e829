//! The authorization code grant and refresh tokens, through the hub: what works, once, and for whom.

use std::time::Duration;

use futures_util::future::join_all;
use svc_core::audit::AuditFilter;
use svc_core::auth::Actor;
use svc_core::oauth::{AuthorizeRefusal, TokenRequest};
use svc_core::users::UserUpdate;
use svc_core::{Caller, Hub, limits};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::oauth::{
    BACK, ISSUER, VERIFIER, ask, claim, code, confidential_client, exchange, exchange_of, login, make_agent, owner_of,
    parameters, public_client, refresh, refresh_of, refusal, request, tokens,
};

async fn acting_as(hub: &Hub, text: &str) -> String {
    match hub.auth().bearer(text).await.unwrap().actor() {
        Actor::Agent(agent) => agent.name.to_string(),
        other => panic!("a token acts as an agent, not as {other:?}"),
    }
}

#[both_engines]
async fn a_code_becomes_tokens_that_act_as_the_chosen_agent(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let request = request(&test.hub, &ann, &parameters(&client)).await;
    let code = test.hub.oauth().approve(&ann, &request, "builder").await.unwrap();
    assert!(code.reveal().starts_with("svcc_"));
    let address = request.answer_with(&code);
    assert!(address.starts_with(&format!("{BACK}?code=svcc_")) && address.contains("&state=xyz&iss="), "{address}");
    let issued = exchange(&test.hub, &client, &code).await.unwrap();
    assert!(issued.access_token.reveal().starts_with("svct_"));
    assert_eq!(acting_as(&test.hub, issued.access_token.reveal()).await, "builder");
    // A refresh token is not an access token.
    assert!(test.hub.auth().bearer(issued.refresh_token.as_ref().unwrap().reveal()).await.is_err());
    // Another process, or the next one, knows it too; nothing but hashes is in the store.
    let restarted = test.another().await;
    assert_eq!(acting_as(&restarted, issued.access_token.reveal()).await, "builder");
    let next = refresh(&restarted, &client, &issued).await.unwrap();
    assert_eq!(acting_as(&test.hub, next.access_token.reveal()).await, "builder");
    restarted.close().await;
    let entries = test.hub.audit().list(&Caller::root(), AuditFilter::default()).await.unwrap();
    let of = |event: &str| entries.iter().filter(|entry| entry.event == event).collect::<Vec<_>>();
    let told = of("token_issued");
    let told = told.iter().find(|entry| entry.details["kind"] == "oauth").unwrap();
    assert_eq!((told.client_id.as_ref(), told.username.as_deref()), (Some(&client.client_id), Some("ann")));
    assert_eq!(of("token_refreshed").len(), 1);
    let printed = serde_json::to_string(&entries).unwrap();
    assert!(["svct_", "svcr_", "svcc_", "svcs_"].iter().all(|prefix| !printed.contains(prefix)), "{printed}");
}

#[both_engines]
async fn an_access_token_ends_in_time_and_a_refresh_token_later(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let issued = tokens(&test.hub, &ann, &client, "builder").await;
    test.clock.advance(limits::OAUTH_ACCESS_TTL.checked_sub(Duration::from_micros(1)).unwrap());
    assert_eq!(refusal(&test.hub, &issued).await, None);
    test.clock.advance(Duration::from_micros(1));
    assert_eq!(refusal(&test.hub, &issued).await, Some("token_expired"));
    let next = refresh(&test.hub, &client, &issued).await.unwrap();
    assert_eq!(refusal(&test.hub, &next).await, None);
    test.clock.advance(limits::OAUTH_REFRESH_TTL);
    assert_eq!(refresh(&test.hub, &client, &next).await.unwrap_err().code(), "invalid_grant");
}

#[both_engines]
async fn a_code_ends_after_ten_minutes(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let code = code(&test.hub, &ann, &client, "builder").await;
    test.clock.advance(limits::OAUTH_CODE_TTL);
    assert_eq!(exchange(&test.hub, &client, &code).await.unwrap_err().code(), "invalid_grant");
}

#[both_engines]
async fn a_replayed_code_ends_what_it_was_exchanged_for_and_nothing_else(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let other = tokens(&test.hub, &ann, &client, "builder").await;
    let code = code(&test.hub, &ann, &client, "builder").await;
    let issued = exchange(&test.hub, &client, &code).await.unwrap();
    let next = refresh(&test.hub, &client, &issued).await.unwrap();
    assert_eq!(exchange(&test.hub, &client, &code).await.unwrap_err().code(), "invalid_grant");
    for ended in [&issued, &next] {
        assert_eq!(refusal(&test.hub, ended).await, Some("token_revoked"));
    }
    assert_eq!(refresh(&test.hub, &client, &next).await.unwrap_err().code(), "invalid_grant");
    assert_eq!(refusal(&test.hub, &other).await, None);
    assert!(refresh(&test.hub, &client, &other).await.is_ok());
}

#[both_engines]
async fn of_many_who_exchange_one_code_at_once_one_gets_tokens(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let code = code(&test.hub, &ann, &client, "builder").await;
    let other = test.another().await;
    let hubs = [&test.hub, &other];
    let answers = join_all((0..16).map(|number| exchange(hubs[number % 2], &client, &code))).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    assert!(answers.iter().filter_map(|answer| answer.as_ref().err()).all(|error| error.code() == "invalid_grant"));
    assert_eq!(test.number("SELECT count(*) FROM oauth_grants").await, 1);
    other.close().await;
}

#[both_engines]
async fn an_exchange_must_match_in_everything(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let stranger = public_client(&test.hub).await;
    let code = code(&test.hub, &ann, &client, "builder").await;
    let text = code.reveal();
    let attempt = |redirect_uri: Option<&str>, code_verifier: Option<&str>, resource: Option<&str>| {
        TokenRequest::AuthorizationCode {
            code: text.into(),
            redirect_uri: redirect_uri.map(Into::into),
            code_verifier: code_verifier.map(Into::into),
            resource: resource.map(Into::into),
        }
    };
    let other_verifier = "x".repeat(43);
    let long = "x".repeat(1 << 20);
    for (wrong, code) in [
        (attempt(Some("https://app.example/cb2"), Some(VERIFIER), None), "invalid_grant"),
        (attempt(Some(&long), Some(VERIFIER), None), "invalid_grant"),
        (attempt(Some(BACK), None, None), "invalid_grant"),
        (attempt(Some(BACK), Some(""), None), "invalid_grant"),
        (attempt(Some(BACK), Some(&other_verifier), None), "invalid_grant"),
        (attempt(Some(BACK), Some(&long), None), "invalid_grant"),
        (attempt(Some(BACK), Some(VERIFIER), Some("https://hub.example/other")), "invalid_target"),
        (attempt(Some(BACK), Some(VERIFIER), Some("https://evil.example")), "invalid_target"),
    ] {
        assert_eq!(ask(&test.hub, &claim(&client), wrong).await.unwrap_err().code(), code);
    }
    assert_eq!(exchange(&test.hub, &stranger, &code).await.unwrap_err().code(), "invalid_grant");
    for odd in ["", "svcc_nothing", &long, "svct_\0"] {
        let request = TokenRequest::AuthorizationCode {
            code: odd.into(),
            redirect_uri: None,
            code_verifier: Some(VERIFIER.into()),
            resource: None,
        };
        assert_eq!(ask(&test.hub, &claim(&client), request).await.unwrap_err().code(), "invalid_grant");
    }
    // None of that has used it up.
    assert!(exchange(&test.hub, &client, &code).await.is_ok());
}

#[both_engines]
async fn localhost_is_the_loopback_address_at_the_exchange(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let mut asked = parameters(&client);
    asked.redirect_uri = Some("http://localhost:4711/cb".into());
    let request = request(&test.hub, &ann, &asked).await;
    let code = test.hub.oauth().approve(&ann, &request, "builder").await.unwrap();
    let with = |address: &str| TokenRequest::AuthorizationCode {
        code: code.reveal().into(),
        redirect_uri: Some(address.into()),
        code_verifier: Some(VERIFIER.into()),
        resource: None,
    };
    let other_port = ask(&test.hub, &claim(&client), with("http://127.0.0.1:4712/cb")).await;
    assert_eq!(other_port.unwrap_err().code(), "invalid_grant");
    assert!(ask(&test.hub, &claim(&client), with("http://127.0.0.1:4711/cb")).await.is_ok());
}

#[both_engines]
async fn only_an_active_agent_of_ones_own_can_be_chosen(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let bob = owner_of(&test.hub, "bob", "digger").await;
    let client = public_client(&test.hub).await;
    let request = request(&test.hub, &ann, &parameters(&client)).await;
    let code = test.hub.oauth().approve(&ann, &request, "builder").await.unwrap();
    test.hub.agents().delete(&ann, "builder").await.unwrap();
    for agent in ["digger", "builder", "nobody", "", "ann", "x\0"] {
        let error = test.hub.oauth().approve(&ann, &request, agent).await.unwrap_err();
        assert!(["access_denied", "validation_failed"].contains(&error.code()), "{agent}: {}", error.code());
    }
    // What was approved before the agent was deleted is worth nothing either.
    assert_eq!(exchange(&test.hub, &client, &code).await.unwrap_err().code(), "invalid_grant");
    // An agent, or a key, is nobody who could agree.
    let issued = tokens(&test.hub, &bob, &client, "digger").await;
    let agent = test.hub.auth().bearer(issued.access_token.reveal()).await.unwrap();
    assert_eq!(test.hub.oauth().approve(&agent, &request, "digger").await.unwrap_err().code(), "session_required");
    assert!(test.hub.oauth().approve(&Caller::root(), &request, "digger").await.is_err());
}

#[both_engines]
async fn tokens_end_with_their_agent_and_rest_with_their_account(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let issued = tokens(&test.hub, &ann, &client, "builder").await;
    let disable = |disabled| UserUpdate { disabled: Some(disabled), ..UserUpdate::default() };
    test.hub.users().update(&Caller::root(), "ann", disable(true)).await.unwrap();
    assert_eq!(refusal(&test.hub, &issued).await, Some("token_revoked"));
    assert_eq!(refresh(&test.hub, &client, &issued).await.unwrap_err().code(), "invalid_grant");
    test.hub.users().update(&Caller::root(), "ann", disable(false)).await.unwrap();
    assert_eq!(refusal(&test.hub, &issued).await, None);
    test.hub.agents().delete(&Caller::root(), "builder").await.unwrap();
    assert_eq!(refusal(&test.hub, &issued).await, Some("token_revoked"));
    assert_eq!(refresh(&test.hub, &client, &issued).await.unwrap_err().code(), "invalid_grant");
}

#[both_engines]
async fn a_refresh_token_is_used_once_and_a_retry_hears_the_same(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let first = tokens(&test.hub, &ann, &client, "builder").await;
    let second = refresh(&test.hub, &client, &first).await.unwrap();
    test.clock.advance(limits::OAUTH_RETRY_WINDOW);
    assert_eq!(refresh(&test.hub, &client, &first).await.unwrap(), second);
    assert_eq!(test.number("SELECT count(*) FROM oauth_tokens").await, 4);
    // The successor is used, so the first one is in the wrong hands.
    let third = refresh(&test.hub, &client, &second).await.unwrap();
    assert_ne!(third, second);
    assert_eq!(refresh(&test.hub, &client, &first).await.unwrap_err().code(), "invalid_grant");
    assert_eq!(refusal(&test.hub, &third).await, Some("token_revoked"));
}

#[both_engines]
async fn a_late_replay_ends_its_family_and_no_other(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let stolen = tokens(&test.hub, &ann, &client, "builder").await;
    let other = tokens(&test.hub, &ann, &client, "builder").await;
    let next = refresh(&test.hub, &client, &stolen).await.unwrap();
    test.clock.advance(limits::OAUTH_RETRY_WINDOW + Duration::from_millis(1));
    assert_eq!(refresh(&test.hub, &client, &stolen).await.unwrap_err().code(), "invalid_grant");
    for ended in [&stolen, &next] {
        assert_eq!(refusal(&test.hub, ended).await, Some("token_revoked"));
        assert_eq!(refresh(&test.hub, &client, ended).await.unwrap_err().code(), "invalid_grant");
    }
    assert_eq!(refusal(&test.hub, &other).await, None);
    assert!(refresh(&test.hub, &client, &other).await.is_ok());
}

#[both_engines]
async fn many_who_refresh_at_once_get_the_same_pair(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let first = tokens(&test.hub, &ann, &client, "builder").await;
    let other = test.another().await;
    let hubs = [&test.hub, &other];
    let answers = join_all((0..16).map(|number| refresh(hubs[number % 2], &client, &first))).await;
    let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(refusal(&test.hub, &answers[0]).await, None);
    assert_eq!(test.number("SELECT count(*) FROM oauth_tokens").await, 4);
    other.close().await;
}

#[both_engines]
async fn a_refresh_is_for_its_client_its_scope_and_its_resource(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let issued = tokens(&test.hub, &ann, &client, "builder").await;
    let token = issued.refresh_token.clone().unwrap();
    let with = |scope: Option<&str>, resource: Option<&str>| TokenRequest::RefreshToken {
        refresh_token: token.reveal().into(),
        scope: scope.map(Into::into),
        resource: resource.map(Into::into),
    };
    for (request, code) in [
        (with(Some("admin"), None), "invalid_scope"),
        (with(None, Some("https://hub.example/other")), "invalid_target"),
    ] {
        assert_eq!(ask(&test.hub, &claim(&client), request).await.unwrap_err().code(), code);
    }
    for stranger in [claim(&public_client(&test.hub).await), confidential_client(&test.hub).await.1] {
        assert_eq!(ask(&test.hub, &stranger, refresh_of(&token)).await.unwrap_err().code(), "invalid_grant");
    }
    // An access token in its place is no refresh token.
    let wrong_kind = ask(&test.hub, &claim(&client), refresh_of(&issued.access_token)).await;
    assert_eq!(wrong_kind.unwrap_err().code(), "invalid_grant");
    assert!(ask(&test.hub, &claim(&client), with(Some("mcp"), Some("https://hub.example/mcp/"))).await.is_ok());
}

#[both_engines]
async fn a_doubtful_client_is_shown_and_other_faults_are_sent_back_to_one_that_was_let_in(test: TestHub) {
    let (ann, _) = login(&test.hub, "ann").await;
    let client = public_client(&test.hub).await;
    let mut unknown = parameters(&client);
    for client_id in [None, Some("nobody"), Some("client_\0"), Some(""), Some(&*"x".repeat(1 << 20))] {
        unknown.client_id = client_id.map(Into::into);
        match test.hub.oauth().authorize(&ann, ISSUER, &unknown).await {
            Err(AuthorizeRefusal::Show(error)) => assert_eq!(error.code(), "invalid_client", "{client_id:?}"),
            other => panic!("{other:?}"),
        }
    }
    let mut plain = parameters(&client);
    plain.code_challenge_method = Some("plain".into());
    // Until the human has let the client in, nothing sends them there.
    let Err(AuthorizeRefusal::Show(error)) = test.hub.oauth().authorize(&ann, ISSUER, &plain).await else { panic!() };
    assert_eq!(error.code(), "invalid_request");
    make_agent(&test.hub, &ann, "builder").await;
    tokens(&test.hub, &ann, &client, "builder").await;
    let back = test.hub.oauth().authorize(&ann, ISSUER, &plain).await;
    let Err(AuthorizeRefusal::SendBack { address, .. }) = back else { panic!() };
    assert!(address.starts_with(&format!("{BACK}?error=invalid_request")), "{address}");
    let request = request(&test.hub, &ann, &parameters(&client)).await;
    assert_eq!(test.hub.oauth().approve(&ann, &request, "none").await.unwrap_err().code(), "access_denied");
}

#[both_engines]
async fn used_codes_and_tokens_are_kept_until_well_past_their_end(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let issued = tokens(&test.hub, &ann, &client, "builder").await;
    refresh(&test.hub, &client, &issued).await.unwrap();
    let unused = code(&test.hub, &ann, &client, "builder").await;
    let rows = async || {
        let codes = test.number("SELECT count(*) FROM oauth_codes").await;
        let tokens = test.number("SELECT count(*) FROM oauth_tokens").await;
        (codes, tokens, test.number("SELECT count(*) FROM oauth_grants").await)
    };
    test.run_worker("oauth_sweep").await;
    assert_eq!(rows().await, (2, 4, 1));
    test.clock.advance(limits::OAUTH_KEPT_PAST_END + limits::OAUTH_ACCESS_TTL + Duration::from_secs(1));
    test.run_worker("oauth_sweep").await;
    assert_eq!(rows().await, (0, 2, 1), "the refresh tokens are still there, also the one that was used");
    assert_eq!(exchange(&test.hub, &client, &unused).await.unwrap_err().code(), "invalid_grant");
    test.clock.advance(limits::OAUTH_REFRESH_TTL);
    test.run_worker("oauth_sweep").await;
    assert_eq!(rows().await, (0, 0, 0));
    assert_eq!(test.number("SELECT count(*) FROM oauth_clients").await, 1, "a client that was let in stays longer");
    let request = exchange_of(&unused);
    assert_eq!(ask(&test.hub, &claim(&client), request).await.unwrap_err().code(), "invalid_grant");
}

#[both_engines]
async fn a_human_sees_and_ends_what_they_allowed(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let bob = owner_of(&test.hub, "bob", "other").await;
    let client = public_client(&test.hub).await;
    let first = tokens(&test.hub, &ann, &client, "builder").await;
    let second = tokens(&test.hub, &ann, &client, "builder").await;
    let list = async |caller| test.hub.oauth().grants(caller, svc_core::Page::default()).await.unwrap();
    let grants = list(&ann).await;
    assert_eq!((grants.total, grants.grants.len()), (2, 2));
    assert_eq!((grants.grants[0].client_name.as_str(), grants.grants[0].agent.as_str()), ("App", "builder"));
    assert_eq!(list(&bob).await.total, 0);
    let newest = grants.grants[0].id;
    assert_eq!(test.hub.oauth().end_grant(&bob, newest).await.unwrap_err().code(), "not_found");
    test.hub.oauth().end_grant(&ann, newest).await.unwrap();
    assert_eq!(refusal(&test.hub, &second).await, Some("token_revoked"));
    assert!(refresh(&test.hub, &client, &second).await.is_err());
    assert_eq!(refusal(&test.hub, &first).await, None, "others go on");
    assert_eq!(list(&ann).await.total, 1);
}
