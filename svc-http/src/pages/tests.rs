//! Tests of every page with hostile input in every field: nothing is executed, nothing is lost, every control has a
//! label.

use std::collections::HashSet;

use poem::http::header;

use super::*;

/// Markup, quotes, entities, template syntax, a reordering mark and a very long end.
fn hostile() -> String {
    format!("<script>alert(1)</script>\"' onfocus=x style=y &amp; {{{{7*7}}}}\u{202e}\u{0}</title>{}", "é".repeat(5000))
}

fn agents() -> Vec<AgentChoice> {
    let agent = |name: &str, display_name: &str| AgentChoice { name: name.into(), display_name: display_name.into() };
    vec![agent("builder", "Builder"), agent("night-shift", ""), agent(&hostile(), &hostile())]
}

fn hidden() -> Vec<(String, String)> {
    vec![("state".into(), hostile()), (hostile(), "x".into())]
}

fn brand() -> Brand {
    Brand::named("<b>\"Ann's\" & Hub</b>", "#0b6e4f", None)
}

async fn html(response: Response) -> String {
    assert_eq!(response.content_type(), Some("text/html; charset=utf-8"));
    assert_eq!(response.headers()[header::REFERRER_POLICY], "same-origin");
    response.into_body().into_string().await.unwrap()
}

/// All pages, in each of their variants, with hostile text in every field.
async fn pages() -> Vec<String> {
    let (brand, status, bad) = (brand(), StatusCode::OK, Some(hostile()));
    let mut pages = Vec::new();
    for error in [None, bad.clone()] {
        for username in [String::new(), hostile()] {
            let page = LoginPage { next: hostile(), username, error: error.clone(), purpose: bad.clone() };
            pages.push(html(login(&brand, status, &page)).await);
        }
        for keeps_code in [false, true] {
            let page = JoinPage {
                invite: hostile(),
                keeps_code,
                username: hostile(),
                display_name: hostile(),
                error: error.clone(),
            };
            pages.push(html(join(&brand, status, &page)).await);
            let page = ResetPage { reset: hostile(), keeps_code, error: error.clone() };
            pages.push(html(reset(&brand, status, &page)).await);
        }
        pages.push(html(device(&brand, status, &DevicePage { code: hostile(), error: error.clone() })).await);
        for agents in [Vec::new(), agents(), agents()[..1].to_vec()] {
            let page = AuthorizePage {
                client_name: hostile(),
                client_host: bad.clone(),
                redirect_host: hostile(),
                username: hostile(),
                agents: agents.clone(),
                selected: bad.clone(),
                hidden: hidden(),
                switch: Some(format!("/login?{}", hostile())),
                error: error.clone(),
            };
            pages.push(html(authorize(&brand, status, &page)).await);
            let page = DeviceConfirmPage {
                client_name: hostile(),
                user_code: hostile(),
                username: hostile(),
                agents,
                selected: None,
                hidden: hidden(),
                switch: bad.clone(),
                error: error.clone(),
            };
            pages.push(html(device_confirm(&brand, status, &page)).await);
        }
    }
    pages.push(html(message(&brand, StatusCode::BAD_REQUEST, &hostile(), &hostile())).await);
    pages.push(html(message(&Brand::named("Hub", "#000000", Some("<svg>")), status, &hostile(), &hostile())).await);
    pages
}

/// The tags of a page, each with its name and attributes. Supports the notation of the templates only: every
/// attribute value is in double quotes, or absent.
fn tags(html: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut tags = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let name: String =
            rest.chars().take_while(|character| !character.is_whitespace() && *character != '>').collect();
        rest = &rest[name.len()..];
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix('>') {
                rest = after;
                break;
            }
            let key: String = rest.chars().take_while(|c| !c.is_whitespace() && !['=', '>'].contains(c)).collect();
            assert!(!key.is_empty() && !key.contains('"'), "a stray quote near {:?}", &rest[..40.min(rest.len())]);
            rest = &rest[key.len()..];
            let value = match rest.strip_prefix("=\"").and_then(|rest| rest.split_once('"')) {
                Some((value, after)) => {
                    rest = after;
                    value.to_owned()
                }
                None => String::new(),
            };
            attributes.push((key, value));
        }
        tags.push((name, attributes));
    }
    tags
}

fn value<'a>(attributes: &'a [(String, String)], key: &str) -> Option<&'a str> {
    attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

#[tokio::test]
async fn input_is_never_rendered_as_markup_script_or_style() {
    const KNOWN: [&str; 32] = [
        "!doctype", "html", "head", "meta", "title", "link", "script", "body", "header", "img", "svg", "rect", "path",
        "circle", "span", "main", "h1", "p", "b", "bdi", "dl", "div", "dt", "dd", "form", "input", "label", "fieldset",
        "legend", "button", "a", "/",
    ];
    for page in pages().await {
        for (name, attributes) in tags(&page) {
            assert!(KNOWN.contains(&name.trim_start_matches('/')) || name.starts_with('/'), "<{name}>");
            for (key, value) in &attributes {
                assert!(!key.starts_with("on") && key != "style", "{key} in <{name}>");
                assert!(key != "href" || (value.starts_with('/') && !value.starts_with("//")), "{value}");
                assert!(!value.contains(['<', '>']), "{value}");
            }
            let source = value(&attributes, "src").unwrap_or_default();
            assert!(name != "script" || ["/theme.js", "/pages/link.js"].contains(&source), "{attributes:?}");
        }
        let takes_a_code = page.contains("action=\"/join\"") || page.contains("action=\"/reset\"");
        assert_eq!(page.matches("<script").count(), if takes_a_code { 2 } else { 1 });
        assert_eq!(page.matches("</title>").count(), 1);
        assert!(page.contains("<script src=\"/theme.js\"></script>"));
        assert!(!page.contains("49"), "input was evaluated as a template");
    }
}

#[tokio::test]
async fn text_by_others_is_shown_short_and_in_order() {
    for page in pages().await {
        // Values of fields and links are returned unchanged; all other text is for display.
        let eye = ["value=\"", "name=\"", "href=\""].iter().fold(page, |page, start| {
            page.split(start).map(|part| part.split_once('"').map_or(part, |(_, rest)| rest)).collect()
        });
        assert!(!eye.contains(['\u{202e}', '\u{0}']));
        assert!(eye.len() < 20_000, "{}", eye.len());
    }
}

#[tokio::test]
async fn every_control_has_a_label_and_every_reference_leads_somewhere() {
    for page in pages().await {
        let tags = tags(&page);
        let listed: Vec<_> = tags.iter().filter_map(|(_, attributes)| value(attributes, "id")).collect();
        let ids: HashSet<_> = listed.iter().copied().collect();
        assert_eq!(ids.len(), listed.len(), "an id stands twice: {listed:?}");
        let labels: HashSet<_> = tags.iter().filter_map(|(_, attributes)| value(attributes, "for")).collect();
        assert!(labels.is_subset(&ids));
        for (name, attributes) in &tags {
            if name == "input" && value(attributes, "type") != Some("hidden") {
                assert!(labels.contains(value(attributes, "id").unwrap()), "{attributes:?}");
            }
            for id in value(attributes, "aria-describedby").unwrap_or("").split_whitespace() {
                assert!(ids.contains(id), "{id}");
            }
        }
        let count = |wanted: &str| tags.iter().filter(|(_, list)| value(list, wanted).is_some()).count();
        assert!(count("autofocus") <= 1);
        assert_eq!(tags.iter().filter(|(name, _)| name == "h1").count(), 1);
    }
}

#[tokio::test]
async fn a_form_sends_what_its_route_reads() {
    let sent = |page: &str| -> Vec<String> {
        let named = tags(page).into_iter().filter(|(name, _)| name == "input" || name == "button");
        named.filter_map(|(_, attributes)| value(&attributes, "name").map(str::to_owned)).collect()
    };
    let page = html(login(&brand(), StatusCode::OK, &LoginPage::default())).await;
    assert_eq!(sent(&page), ["next", "username", "password"]);
    assert!(page.contains("method=\"post\" action=\"/login\""));

    let page = html(device(&brand(), StatusCode::OK, &DevicePage::default())).await;
    assert_eq!(sent(&page), ["user_code"]);

    for keeps_code in [false, true] {
        let page = JoinPage { keeps_code, ..JoinPage::default() };
        let page = html(join(&brand(), StatusCode::OK, &page)).await;
        assert_eq!(sent(&page), ["invite", "username", "display_name", "password"]);
        let page = ResetPage { keeps_code, ..ResetPage::default() };
        let page = html(reset(&brand(), StatusCode::OK, &page)).await;
        assert_eq!(sent(&page), ["reset", "password"]);
    }

    let mut asks = AuthorizePage { hidden: vec![("state".into(), "a\"&<é".into())], ..AuthorizePage::default() };
    let page = html(authorize(&brand(), StatusCode::OK, &asks)).await;
    assert_eq!(sent(&page), ["state", "new_agent", "decision", "decision"]);
    assert!(page.contains("name=\"state\" value=\"a&#34;&#38;&#60;é\""), "{page}");
    asks.agents = agents();
    asks.selected = Some("night-shift".into());
    let page = html(authorize(&brand(), StatusCode::OK, &asks)).await;
    assert_eq!(sent(&page), ["state", "agent", "agent", "agent", "decision", "decision"]);
    let chosen: Vec<_> = tags(&page).into_iter().filter(|(_, list)| value(list, "checked").is_some()).collect();
    assert_eq!(chosen.len(), 1);
    assert_eq!(value(&chosen[0].1, "value"), Some("night-shift"));
}

#[tokio::test]
async fn the_authorize_page_names_the_client_and_the_redirect_host() {
    let ask = |client_host: Option<&str>, redirect_host: &str| AuthorizePage {
        client_name: "Example Client".into(),
        client_host: client_host.map(str::to_owned),
        redirect_host: redirect_host.into(),
        username: "ann".into(),
        switch: Some("/login?switch=1&next=%2F".into()),
        ..AuthorizePage::default()
    };
    let page = html(authorize(&brand(), StatusCode::OK, &ask(None, "127.0.0.1:33418"))).await;
    for part in ["Example Client", "running on this computer", "127.0.0.1:33418", "it is not verified", "ann"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("href=\"/login?switch=1&#38;next=%2F\""), "{page}");
    let page = html(authorize(&brand(), StatusCode::OK, &ask(Some("client.example"), "app.example"))).await;
    assert!(page.contains("published at <b><bdi>client.example") && page.contains("<bdi>app.example"));
    assert!(!page.contains("on this computer"));
    let nameless = AuthorizePage { client_name: "\u{200b}".into(), ..ask(None, "app.example") };
    assert!(html(authorize(&brand(), StatusCode::OK, &nameless)).await.contains("Unnamed client"));
}

#[tokio::test]
async fn only_a_success_has_the_icon() {
    let denied = html(message(&brand(), StatusCode::OK, "Denied", "Not connected.")).await;
    let connected = html(done(&brand(), "Connected", "It acts as your agent.")).await;
    assert!(!denied.contains("class=\"done\"") && connected.contains("class=\"done\""));
}

#[tokio::test]
async fn only_forms_that_end_at_a_client_may_redirect() {
    let on_the_way = LoginPage { next: "/oauth/authorize?client_id=x".into(), ..LoginPage::default() };
    for page in
        [authorize(&brand(), StatusCode::OK, &AuthorizePage::default()), login(&brand(), StatusCode::OK, &on_the_way)]
    {
        let policy = page.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
        assert!(policy.contains("script-src 'self'") && policy.contains("base-uri 'none'"), "{policy}");
        assert!(!policy.contains("form-action"), "{policy}");
    }
    let page = login(&brand(), StatusCode::UNAUTHORIZED, &LoginPage::default());
    assert_eq!(page.status(), StatusCode::UNAUTHORIZED);
    assert!(!page.headers().contains_key(header::CONTENT_SECURITY_POLICY));
}
