//! Profiles: status, avatars, presence as people allow it, and the directory.

use std::io::Cursor;
use std::time::Duration;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use svc_core::{Caller, limits};
use svc_test_macros::both_engines;

use crate::support::files::{form, png, with_form};
use crate::support::people::Person;
use crate::support::server::{TestServer, problem, told};
use crate::support::wait::until;

impl TestServer {
    async fn profile(&self, who: &Person, handle: &str) -> Value {
        self.look(who, &format!("/api/profiles/{handle}")).await
    }

    async fn change_profile(&self, who: &Person, change: Value) -> Response {
        self.ask(who, Method::PATCH, "/api/profile", change).await
    }

    async fn put_avatar(&self, who: &Person, path: &str, content: &[u8]) -> Response {
        with_form(self.request_as(who, Method::PUT, path), form("face", content)).send().await.unwrap()
    }

    /// The handles in the directory, page by page.
    async fn directory(&self, who: &Person, query: &str) -> Vec<String> {
        let (mut handles, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = self.look(who, &format!("/api/directory?limit=2{query}{cursor}")).await;
            let profiles = page["profiles"].as_array().unwrap();
            assert!(profiles.len() <= 2);
            handles.extend(profiles.iter().map(|profile| profile["handle"].as_str().unwrap().to_owned()));
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return handles,
            }
        }
    }
}

#[both_engines]
async fn the_directory_lists_people_and_agents(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("Bob").await);
    test.create_agent(&ann, "scout").await;
    test.create_agent(&bob, "clerk").await;
    let all = test.directory(&ann, "").await;
    for handle in ["ann", "Bob", "scout", "clerk"] {
        assert!(all.iter().any(|found| found == handle), "{handle} in {all:?}");
    }
    assert!(!all.iter().any(|found| found == "system"));
    let mut sorted = all.clone();
    sorted.sort_by_key(|handle| handle.to_lowercase());
    sorted.dedup();
    assert_eq!(all, sorted);
    assert_eq!(test.directory(&ann, "&kind=agent").await, ["clerk", "scout"]);
    assert!(test.directory(&ann, "&kind=human").await.contains(&"Bob".to_owned()));
    assert_eq!(test.directory(&ann, "&query=%40SCO").await, ["scout"]);
    assert_eq!(test.directory(&ann, "&query=%25").await, Vec::<String>::new());
    for (query, field) in [("kind=system", "kind"), ("limit=0", "limit"), ("query=%00", "query")] {
        let answer = test.request_as(&ann, Method::GET, &format!("/api/directory?{query}")).send().await.unwrap();
        assert_eq!(problem(answer, 400, "validation_failed").await["errors"][0]["field"], field);
    }
    let scout = test.profile(&bob, "SCOUT").await;
    assert_eq!((&scout["handle"], &scout["kind"], &scout["owner"]), (&json!("scout"), &json!("agent"), &json!("ann")));
    assert_eq!((&scout["state"], &scout["presence"]), (&json!("active"), &Value::Null));
    test.did(&ann, Method::PATCH, "/api/agents/scout", json!({ "paused": true })).await;
    assert_eq!(test.profile(&bob, "scout").await["state"], "paused");
    for nobody in ["nobody", "system", "%00", "%C2%8B"] {
        let answer = test.request_as(&ann, Method::GET, &format!("/api/profiles/{nobody}")).send().await.unwrap();
        problem(answer, 404, "not_found").await;
    }
    let answer = test.request_as(&ann, Method::DELETE, "/api/agents/scout").send().await.unwrap();
    assert_eq!(answer.status(), 204);
    let answer = test.request_as(&bob, Method::GET, "/api/profiles/scout").send().await.unwrap();
    problem(answer, 404, "not_found").await;
    test.stop().await;
}

#[both_engines]
async fn a_status_is_shown_until_it_ends(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    let until = "2026-01-01T01:00:00.000Z";
    let status = json!({ "text": " At lunch ", "emoji": "🍕", "until": until });
    let own = told(test.change_profile(&ann, json!({ "status": status })).await, 200).await;
    let shown = json!({ "text": "At lunch", "emoji": "🍕", "until": until });
    assert_eq!((&own["status"], &own["presence"]), (&shown, &json!("everyone")));
    assert_eq!(test.profile(&bob, "ann").await["status"], shown);
    // A change of something else leaves it.
    told(test.change_profile(&ann, json!({ "presence": "everyone" })).await, 200).await;
    told(test.change_profile(&ann, json!({})).await, 200).await;
    assert_eq!(test.profile(&bob, "ann").await["status"], shown);
    test.clock.advance(Duration::from_hours(2));
    assert_eq!(test.profile(&bob, "ann").await["status"], Value::Null);
    told(test.change_profile(&ann, json!({ "status": { "text": "Back" } })).await, 200).await;
    assert_eq!(test.profile(&bob, "ann").await["status"], json!({ "text": "Back" }));
    told(test.change_profile(&ann, json!({ "status": {} })).await, 200).await;
    assert_eq!(test.profile(&bob, "ann").await["status"], Value::Null);
    // Agents have one too, and no presence to hide.
    let change = json!({ "status": { "text": "Indexing", "emoji": "🔍" } });
    let request = test.request_with(&scout, Method::PATCH, "/api/profile").json(&change);
    assert_eq!(told(request.send().await.unwrap(), 200).await["status"]["text"], "Indexing");
    let hidden = test.request_with(&scout, Method::PATCH, "/api/profile").json(&json!({ "presence": "nobody" }));
    let refusal = problem(hidden.send().await.unwrap(), 400, "validation_failed").await;
    assert_eq!(refusal["errors"][0]["field"], "presence");
    test.stop().await;
}

#[both_engines]
async fn a_bad_change_is_refused_by_field(test: TestServer) {
    let ann = test.person("ann").await;
    let before = test.hub.events().head().unwrap();
    for (change, field) in [
        (json!({ "status": { "text": "x".repeat(limits::STATUS_TEXT_MAX + 1) } }), "status.text"),
        (json!({ "status": { "text": "two\nlines" } }), "status.text"),
        (json!({ "status": { "text": "\u{8b}" } }), "status.text"),
        (json!({ "status": { "text": "nul \u{0}" } }), "status.text"),
        (json!({ "status": { "text": "ok", "emoji": "ok" } }), "status.emoji"),
        (json!({ "status": { "text": "ok", "until": "2025-01-01T00:00:00Z" } }), "status.until"),
        (json!({ "status": { "text": "ok", "until": "soon" } }), "status.until"),
        (json!({ "status": "At lunch" }), "status"),
        (json!({ "status": { "text": "ok", "by": "bob" } }), "status.by"),
        (json!({ "presence": "friends" }), "presence"),
        (json!({ "display_name": "Ann" }), "display_name"),
    ] {
        let refusal = problem(test.change_profile(&ann, change.clone()).await, 400, "validation_failed").await;
        assert_eq!(refusal["errors"][0]["field"], field, "{change}: {refusal}");
    }
    assert_eq!(test.hub.events().head().unwrap(), before, "nothing happened");
    let by_root = test.hub.profiles().remove_avatar(&Caller::root()).await;
    assert_eq!(by_root.unwrap_err().code(), "participant_required");
    test.stop().await;
}

#[both_engines]
async fn a_person_is_seen_by_those_whom_they_allow(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let admin = test.admin("chief").await;
    let scout = test.create_agent(&ann, "scout").await;
    let seen = "2026-01-01T00:00:00.000Z";
    assert_eq!(test.profile(&bob, "ann").await["last_seen_at"], seen);
    told(test.change_profile(&ann, json!({ "presence": "nobody" })).await, 200).await;
    // Neither in the profile nor in the directory, and for nobody: not for admins, not for the own agent.
    for answer in [
        test.profile(&bob, "ann").await,
        test.profile(&admin, "ann").await,
        test.look_with(&scout, "/api/profiles/ann").await,
    ] {
        assert_eq!((&answer["last_seen_at"], &answer["presence"]), (&Value::Null, &Value::Null), "{answer}");
    }
    let page = test.look(&bob, "/api/directory?query=ann&kind=human").await;
    assert_eq!(page["profiles"][0]["last_seen_at"], Value::Null);
    assert!(!page.to_string().contains(seen), "{page}");
    let own = test.profile(&ann, "ann").await;
    assert_eq!((&own["last_seen_at"], &own["presence"]), (&json!(seen), &json!("nobody")));
    let log = test.events_of("profile.changed").await;
    assert!(!log.iter().any(|event| event.to_string().contains("nobody")), "{log:?}");
    // Allowed again.
    told(test.change_profile(&ann, json!({ "presence": "everyone" })).await, 200).await;
    assert_eq!(test.profile(&bob, "ann").await["last_seen_at"], seen);
    test.stop().await;
}

#[both_engines]
async fn an_agent_was_seen_when_it_used_a_credential(test: TestServer) {
    let ann = test.person("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    let (_, key) = test.create_key(&ann, json!({ "name": "k", "permissions": ["read"] })).await;
    assert_eq!(test.profile(&ann, "scout").await["last_seen_at"], Value::Null);
    let first = json!("2026-01-01T00:00:00.000Z");
    test.look_with(&scout, "/api/whoami").await;
    let at = async |wanted: &Value| {
        let found = test.profile(&ann, "scout").await["last_seen_at"].clone();
        (&found == wanted).then_some(())
    };
    until("the agent was seen", async || at(&first).await).await;
    test.clock.advance(Duration::from_mins(10));
    test.look_with(&scout, "/api/whoami").await;
    until("the agent was seen again", async || at(&json!("2026-01-01T00:10:00.000Z")).await).await;
    // A key of a person may be in a program: it does not show that the person is there.
    let before = test.number("SELECT seen_at FROM participants WHERE handle = 'ann'").await;
    test.clock.advance(Duration::from_mins(10));
    test.look_with(&key, "/api/whoami").await;
    until("the use of the key is recorded", async || {
        let used = test.number("SELECT count(*) FROM api_keys WHERE name = 'k' AND used_at IS NOT NULL").await;
        (used == 1).then_some(())
    })
    .await;
    assert_eq!(test.number("SELECT seen_at FROM participants WHERE handle = 'ann'").await, before);
    test.stop().await;
}

fn jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut content = Vec::new();
    let picture = DynamicImage::from(RgbImage::from_pixel(width, height, Rgb([10, 200, 30])));
    picture.write_to(&mut Cursor::new(&mut content), ImageFormat::Jpeg).unwrap();
    content
}

#[both_engines]
async fn an_avatar_is_a_small_square_that_browsers_keep(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.create_agent(&ann, "scout").await;
    assert_eq!(test.profile(&bob, "ann").await["avatar"], Value::Null);
    let own = told(test.put_avatar(&ann, "/api/profile/avatar", &png(400, 200, 90)).await, 200).await;
    let path = own["avatar"].as_str().unwrap().to_owned();
    assert_eq!(test.profile(&bob, "ann").await["avatar"], json!(path));
    let picture = test.request_as(&bob, Method::GET, &path).send().await.unwrap();
    assert_eq!(picture.status(), 200);
    let header = |name: &str| picture.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "image/jpeg");
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert!(header("cache-control").contains("immutable") && header("cache-control").contains("private"));
    assert!(header("content-security-policy").contains("sandbox"));
    let tag = header("etag");
    let drawn = image::load_from_memory(&picture.bytes().await.unwrap()).unwrap();
    assert_eq!((drawn.width(), drawn.height()), (limits::AVATAR_SIDE, limits::AVATAR_SIDE));
    let request = test.request_as(&bob, Method::GET, &path).header("If-None-Match", &tag);
    assert_eq!(request.send().await.unwrap().status(), StatusCode::NOT_MODIFIED);
    problem(test.request(Method::GET, &path).send().await.unwrap(), 401, "unauthenticated").await;
    // The same picture is no change, and another one has another path.
    let changes = test.events_of("profile.changed").await.len();
    told(test.put_avatar(&ann, "/api/profile/avatar", &png(400, 200, 90)).await, 200).await;
    assert_eq!(test.events_of("profile.changed").await.len(), changes);
    for nothing in ["%00", "%C2%8B", "x"] {
        let answer = test.request_as(&bob, Method::GET, &format!("/api/avatars/{nothing}")).send().await.unwrap();
        problem(answer, 404, "not_found").await;
    }
    let other = told(test.put_avatar(&ann, "/api/profile/avatar", &jpeg(20, 900)).await, 200).await;
    assert_ne!(other["avatar"], json!(path));
    problem(test.request_as(&bob, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
    // The owner sets that of an agent; for others the agent is not there.
    let of_agent = "/api/agents/scout/avatar";
    problem(test.put_avatar(&bob, of_agent, &png(9, 9, 1)).await, 404, "not_found").await;
    assert!(told(test.put_avatar(&ann, of_agent, &png(9, 9, 1)).await, 200).await["avatar"].is_string());
    problem(test.request_as(&bob, Method::DELETE, of_agent).send().await.unwrap(), 404, "not_found").await;
    // Removed, and once more without effect.
    for path in [of_agent, of_agent, "/api/profile/avatar", "/api/profile/avatar"] {
        let left = told(test.request_as(&ann, Method::DELETE, path).send().await.unwrap(), 200).await;
        assert_eq!(left["avatar"], Value::Null);
    }
    assert_eq!(test.number("SELECT count(*) FROM avatars").await, 0);
    test.stop().await;
}

#[both_engines]
async fn only_a_picture_of_bounded_size_becomes_an_avatar(test: TestServer) {
    let ann = test.person("ann").await;
    let mut bomb = png(1, 1, 1);
    bomb[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
    bomb[20..24].copy_from_slice(&60_000_u32.to_be_bytes());
    let cut = png(9, 9, 1);
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    let refused: [&[u8]; 5] = [b"text", b"", svg, &bomb, &cut[..40]];
    for content in refused {
        let refusal =
            problem(test.put_avatar(&ann, "/api/profile/avatar", content).await, 400, "validation_failed").await;
        assert_eq!(refusal["errors"][0]["field"], "file", "{refusal}");
    }
    let large = vec![0; limits::AVATAR_BYTES_MAX + 1];
    problem(test.put_avatar(&ann, "/api/profile/avatar", &large).await, 413, "body_too_large").await;
    let request = test.request_as(&ann, Method::PUT, "/api/profile/avatar").json(&json!({}));
    problem(request.send().await.unwrap(), 415, "unsupported_media_type").await;
    assert_eq!(test.number("SELECT count(*) FROM avatars").await, 0);
    test.stop().await;
}

#[both_engines]
async fn a_change_is_told_to_everybody_without_what_it_says(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let limited = json!({ "name": "limited", "permissions": ["read"], "allowed_channels": ["general"] });
    let (_, limited) = test.create_key(&bob, limited).await;
    let (mut to_bob, mut to_limited) = (test.stream(&bob).await, test.stream_with(&limited).await);
    told(test.change_profile(&ann, json!({ "status": { "text": "At lunch" } })).await, 200).await;
    test.did(&ann, Method::PATCH, "/auth/me", json!({ "display_name": "Ann Marsh" })).await;
    told(test.put_avatar(&ann, "/api/profile/avatar", &png(9, 9, 1)).await, 200).await;
    // What stays the same is not told.
    let same = json!({ "status": { "text": "At lunch" }, "presence": "everyone" });
    told(test.change_profile(&ann, same).await, 200).await;
    let end = test.say(&ann, json!({ "channel": "general", "body": "for all" })).await;
    let news = to_bob.through(&end).await;
    let news: Vec<_> = news.iter().filter(|event| event.name == "profile_changed").map(|event| &event.data).collect();
    assert_eq!(news, [&json!({ "handle": "ann" }); 3]);
    assert!(to_limited.through(&end).await.iter().all(|event| event.name != "profile_changed"));
    test.stop().await;
}

#[both_engines]
async fn what_somebody_said_of_themselves_goes_with_the_account(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    told(test.change_profile(&ann, json!({ "status": { "text": "Leaving" } })).await, 200).await;
    told(test.put_avatar(&ann, "/api/profile/avatar", &png(9, 9, 1)).await, 200).await;
    told(test.put_avatar(&ann, "/api/agents/scout/avatar", &png(9, 9, 2)).await, 200).await;
    test.hub.users().delete(&Caller::root(), "ann").await.unwrap();
    assert_eq!(test.number("SELECT count(*) FROM profiles").await, 0);
    assert_eq!(test.number("SELECT count(*) FROM avatars").await, 0);
    let seen = "SELECT count(*) FROM participants WHERE deleted_at IS NOT NULL AND seen_at IS NOT NULL";
    assert_eq!(test.number(seen).await, 0);
    test.stop().await;
}

#[both_engines]
async fn the_trust_in_a_profile_tells_nothing_of_hidden_messages(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let scout = test.create_agent(&ann, "scout").await;
    let hidden = json!({ "to": "bob", "body": "done", "metadata": { "action_type": "deploy.prod" } });
    let hidden = test.say_with(&scout, hidden).await;
    told(test.react(&bob, &hidden, "reject").await, 200).await;
    for who in [&ann, &bob, &eve] {
        assert_eq!(test.profile(who, "scout").await["trust"], Value::Null);
    }
    let shown = test.say_with(&scout, json!({ "channel": "general", "body": "a plan" })).await;
    told(test.react(&bob, &shown, "approve").await, 200).await;
    assert_eq!(test.profile(&eve, "scout").await["trust"], json!(0.55));
    let page = test.look(&eve, "/api/directory?query=scout").await;
    assert_eq!(page["profiles"][0]["trust"], json!(0.55));
    test.stop().await;
}
