//! Where paths belong: every route has an area, and what nobody has named is closed.

use std::collections::BTreeSet;
use std::path::Path;

use reqwest::{Method, StatusCode};
use svc_http::{Area, RateLimits};

use crate::support::server::{TestServer, problem};
use crate::tidy::{code_of, files, root};

/// What is served where nothing else is.
const EVERYTHING_ELSE: [&str; 2] = ["/", "/*path"];

/// The paths that the server gives to its router one by one.
fn mounted() -> BTreeSet<String> {
    let sources = root().join("svc-http/src");
    let has_routes = |path: &Path| path == sources.join("app.rs") || path.starts_with(sources.join("routes"));
    let files = files(".rs").into_iter().filter(|path| has_routes(path));
    let code: Vec<String> = files.map(|path| code_of(&path).join("\n")).collect();
    let value = |name: &str| {
        let declared = format!("const {name}: &str = \"");
        let found =
            code.iter().find_map(|text| text.split_once(&declared)).unwrap_or_else(|| panic!("{name} is no path"));
        found.1.split('"').next().unwrap().to_owned()
    };
    let mut paths = BTreeSet::new();
    for argument in code.iter().flat_map(|text| text.split(".at(").skip(1)) {
        let argument = argument.split(',').next().unwrap().trim();
        let path = match argument.strip_prefix('"') {
            Some(literal) => literal.trim_end_matches('"').to_owned(),
            // The documented ones, one after another.
            None if argument == "path" => continue,
            None => value(argument.rsplit("::").next().unwrap()),
        };
        paths.insert(path);
    }
    paths
}

/// All paths that the server has routes for, besides what is served everywhere else.
async fn routes(server: &TestServer) -> BTreeSet<String> {
    let document = server.get_json("/openapi.json").await;
    let mut paths = mounted();
    for path in ["/mcp", "/oauth/token", "/contracts/v1/machine-principal-registry.schema.json"] {
        assert!(paths.contains(path), "{path} was not found among {paths:?}");
    }
    paths.extend(document["paths"].as_object().unwrap().keys().cloned());
    paths.retain(|path| !EVERYTHING_ELSE.contains(&path.as_str()));
    paths
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_has_an_area() {
    let server = TestServer::sqlite().await;
    for path in routes(&server).await {
        let area = Area::of(&path);
        assert!(!matches!(area, Area::Page | Area::Mistyped), "{path} has no area in svc-http/src/area.rs: {area:?}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn beside_the_routes_of_programs_there_is_no_page() {
    let server = TestServer::sqlite().await;
    let routes = routes(&server).await;
    let first: BTreeSet<&str> = routes.iter().filter_map(|path| path.split('/').nth(1)).collect();
    for word in first {
        for path in [format!("/{word}/no/such/path"), format!("//{word}/x"), format!("/{}/x", word.to_uppercase())] {
            let answer = server.get(&path).await;
            if ["login", "device", "join", "reset"].contains(&word) {
                assert_eq!(answer.status(), StatusCode::OK, "people type {path}");
            } else {
                problem(answer, 404, "not_found").await;
            }
        }
    }
    for path in ["/apix", "/%61pi/agents", "/healthzz", "/mcpx"] {
        let page = server.get(path).await;
        assert!(page.headers()["content-type"].to_str().unwrap().starts_with("text/html"), "{path}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mistyped_address_is_no_way_around_the_limits() {
    let server = TestServer::start(|config| config.rate_limits = RateLimits { read: 1, write: 1, auth: 1 }).await;
    for (address, path) in [("203.0.113.1", "//api/x"), ("203.0.113.2", "/API/x"), ("203.0.113.3", "/healthz/x")] {
        for method in [Method::GET, Method::POST] {
            let ask = || server.request(method.clone(), path).header("X-Forwarded-For", address).send();
            problem(ask().await.unwrap(), 404, "not_found").await;
            problem(ask().await.unwrap(), 429, "rate_limited").await;
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_forms_that_clients_open_keep_their_opener() {
    let server = TestServer::sqlite().await;
    let opener = async |path: &str| server.get(path).await.headers()["cross-origin-opener-policy"].clone();
    for path in ["/login", "/login?next=/", "/oauth/authorize"] {
        assert_eq!(opener(path).await, "unsafe-none", "{path}");
    }
    for path in ["/", "/login/", "/loginx", "/Login", "/device", "/oauth/authorizex", "/oauth/token", "/api/whoami"] {
        assert_eq!(opener(path).await, "same-origin", "{path}");
    }
    server.stop().await;
}
