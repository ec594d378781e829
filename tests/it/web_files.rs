//! The files of the web UI as browsers get them: compressed when they were built, and sent like that.

use reqwest::header::HeaderMap;
use reqwest::{Method, Response};

use crate::support::server::{TestServer, problem};

/// What browsers say on a secure connection.
const BROWSER: &str = "gzip, deflate, br, zstd";

async fn fetch(server: &TestServer, method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
    let request =
        headers.iter().fold(server.request(method, path), |request, (name, value)| request.header(*name, *value));
    request.send().await.unwrap()
}

async fn accepting(server: &TestServer, path: &str, accept: &str) -> Response {
    fetch(server, Method::GET, path, &[("accept-encoding", accept)]).await
}

/// The addresses that the service worker keeps, which is nearly all there is, and the worker itself.
async fn files(server: &TestServer) -> Vec<String> {
    let worker = server.get("/sw.js").await.text().await.unwrap();
    let (_, rest) = worker.split_once("JSON.parse('").expect("a list of files");
    let mut files: Vec<String> = serde_json::from_str(rest.split_once("')").unwrap().0).unwrap();
    files.push("/sw.js".to_owned());
    files
}

/// A script that is worth to be compressed.
async fn script(server: &TestServer) -> String {
    files(server).await.into_iter().find(|path| path.contains("/svelte-")).expect("the program's largest part")
}

fn said<'a>(headers: &'a HeaderMap, name: &str) -> Vec<&'a str> {
    headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect()
}

fn unpacked(brotli: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    brotli::BrotliDecompress(&mut &*brotli, &mut plain).unwrap();
    plain
}

#[tokio::test(flavor = "multi_thread")]
async fn every_file_comes_as_br_and_is_the_same_inside() {
    let server = TestServer::sqlite().await;
    let mut compressed = 0;
    let all = files(&server).await;
    for path in all.iter().map(String::as_str).chain(["/c/general"]) {
        let plain = server.get(path).await;
        let packed = accepting(&server, path, BROWSER).await;
        assert_eq!((plain.status().as_u16(), packed.status().as_u16()), (200, 200), "{path}");
        let (before, after) = (plain.headers().clone(), packed.headers().clone());
        for name in ["content-type", "cache-control", "etag"] {
            assert_eq!(before[name], after[name], "{name} of {path}");
        }
        assert!(after["etag"].to_str().unwrap().starts_with("W/"), "one tag for both forms has to be weak: {path}");
        let (plain, packed) = (plain.bytes().await.unwrap(), packed.bytes().await.unwrap());
        if plain.len() < 1024 || after["content-type"] == "font/woff2" {
            assert!(!after.contains_key("content-encoding") && plain == packed, "{path}");
            continue;
        }
        compressed += 1;
        assert_eq!(said(&after, "content-encoding"), ["br"], "{path}");
        for headers in [&before, &after] {
            assert_eq!(said(headers, "vary"), ["accept-encoding"], "{path}");
        }
        assert_eq!(after["content-length"], packed.len().to_string().as_str(), "{path}");
        assert!(packed.len() < plain.len(), "{path}");
        assert!(unpacked(&packed) == plain, "{path} has something else inside");
    }
    assert!(compressed > 20, "{compressed} of {all:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_likes_something_else_better_gets_it() {
    let server = TestServer::sqlite().await;
    let script = script(&server).await;
    let plain = server.get(&script).await.bytes().await.unwrap();
    for path in [script.as_str(), "/", "/start.js"] {
        for (accept, coding) in [
            ("gzip", Some("gzip")),
            ("gzip, deflate", Some("gzip")),
            ("gzip, br;q=0.5", Some("gzip")),
            ("br;q=0, gzip, zstd", Some("zstd")),
            ("br;q=0.9, zstd", Some("zstd")),
            ("br;q=0", None),
            ("identity", None),
            ("identity, br;q=0.5", None),
            ("br;q=0.5", Some("br")),
            ("*", Some("br")),
        ] {
            let answer = accepting(&server, path, accept).await;
            let said_coding = answer.headers().get("content-encoding").map(|coding| coding.to_str().unwrap());
            assert_eq!(said_coding, coding, "{path} for {accept}");
            assert_eq!(said(answer.headers(), "vary"), ["accept-encoding"], "{path} for {accept}");
        }
    }
    assert_eq!(accepting(&server, &script, "br;q=0").await.bytes().await.unwrap(), plain);
    // Nothing but these files is at hand, so what is made now keeps to the quickest coding.
    assert_eq!(accepting(&server, "/openapi.json", BROWSER).await.headers()["content-encoding"], "zstd");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn asking_for_less_than_the_whole_file_works_in_both_forms() {
    let server = TestServer::sqlite().await;
    for path in [script(&server).await.as_str(), "/"] {
        let plain = server.get(path).await;
        let tag = plain.headers()["etag"].to_str().unwrap().to_owned();
        for accept in [BROWSER, "identity"] {
            let whole = accepting(&server, path, accept).await;
            let length = whole.headers()["content-length"].clone();
            let coding = whole.headers().get("content-encoding").cloned();

            let head = fetch(&server, Method::HEAD, path, &[("accept-encoding", accept)]).await;
            assert_eq!(head.status(), 200);
            assert_eq!(head.headers()["content-length"], length, "{path} for {accept}");
            assert_eq!(head.headers().get("content-encoding"), coding.as_ref(), "{path} for {accept}");
            assert!(head.bytes().await.unwrap().is_empty());

            // The tag of one form is good for the other.
            let again = [("accept-encoding", accept), ("if-none-match", tag.as_str())];
            for method in [Method::GET, Method::HEAD] {
                let unchanged = fetch(&server, method, path, &again).await;
                assert_eq!(unchanged.status(), 304, "{path} for {accept}");
                assert_eq!(unchanged.headers()["etag"], tag.as_str());
                assert_eq!(unchanged.headers()["cache-control"], whole.headers()["cache-control"]);
                assert_eq!(said(unchanged.headers(), "vary"), ["accept-encoding"]);
                assert!(!unchanged.headers().contains_key("content-encoding"));
            }
            let changed = [("accept-encoding", accept), ("if-none-match", "\"another\"")];
            assert_eq!(fetch(&server, Method::GET, path, &changed).await.status(), 200);

            // There are no parts, least of all of a compressed form.
            let part = fetch(&server, Method::GET, path, &[("accept-encoding", accept), ("range", "bytes=0-9")]).await;
            assert_eq!(part.status(), 200);
            assert_eq!(part.bytes().await.unwrap(), whole.bytes().await.unwrap());
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compressed_form_has_no_address() {
    let server = TestServer::sqlite().await;
    for accept in [BROWSER, "identity"] {
        let path = format!("{}.br", script(&server).await);
        problem(accepting(&server, &path, accept).await, 404, "not_found").await;
        // Outside of /assets/ every address that is nobody's is the page.
        let page = accepting(&server, "/", accept).await.bytes().await.unwrap();
        for path in ["/start.js.br", "/index.html.br", "/sw.js.br"] {
            let answer = accepting(&server, path, accept).await;
            assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/html"), "{path}");
            assert_eq!(answer.bytes().await.unwrap(), page, "{path}");
        }
    }
    assert!(files(&server).await.iter().all(|path| !path.contains(".br")));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_told_whether_the_browser_shows_a_login() {
    let server = TestServer::sqlite().await;
    let shown = [("cookie", "svc_session=x")];
    for path in ["/", "/c/general"] {
        let page = fetch(&server, Method::GET, path, &shown).await;
        assert_eq!(said(page.headers(), "server-timing"), ["session"], "{path}");
        let again = [("cookie", "svc_session=x"), ("if-none-match", page.headers()["etag"].to_str().unwrap())];
        let again = fetch(&server, Method::GET, path, &again).await;
        assert_eq!((again.status().as_u16(), said(again.headers(), "server-timing")), (304, vec!["session"]), "{path}");
        assert!(!server.get(path).await.headers().contains_key("server-timing"), "{path}");
    }
    let file = fetch(&server, Method::GET, &script(&server).await, &shown).await;
    assert!(!file.headers().contains_key("server-timing"));
}
