//! The server program: what it prints, how it refuses, how it ends.

use tempfile::TempDir;

use crate::support::child::TestChild;
use crate::support::wait::soon;

fn data() -> (TempDir, String) {
    let data = TempDir::new().unwrap();
    let path = data.path().display().to_string();
    (data, path)
}

/// Starts a server on a free port and this directory.
fn serve(data: &str) -> (TestChild, String) {
    let socket = format!("{data}/admin.sock");
    TestChild::server(&["--data", data, "--listen", "127.0.0.1:0", "--admin-socket", &socket])
}

/// Runs a server that must refuse to start; returns its exit code and its sentence.
fn refused(arguments: &[&str]) -> (i32, String) {
    let (code, text) = TestChild::run("svc-http", arguments);
    let sentence = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
    assert!(!text.contains("panicked"), "{text}");
    (code, sentence)
}

async fn status(url: &str, path: &str) -> u16 {
    // A client wants to know its TLS even for addresses without it.
    rustls::crypto::ring::default_provider().install_default().ok();
    #[expect(clippy::disallowed_methods, reason = "the tests talk to their own server on the loopback interface")]
    let answer = reqwest::get(format!("{url}{path}")).await.unwrap();
    answer.status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_says_where_it_listens_and_ends_well_when_asked() {
    for signal in ["TERM", "INT"] {
        let (_data, path) = data();
        let (server, url) = serve(&path);
        for page in ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/"] {
            assert_eq!(status(&url, page).await, 200, "{page}");
        }
        server.signal(signal);
        let (_, end) = soon("the end", tokio::task::spawn_blocking(move || server.wait())).await.unwrap();
        assert!(end.success(), "{end}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hangup_ends_nothing_where_there_is_no_file_to_read() {
    let (_data, path) = data();
    let (server, url) = serve(&path);
    for _ in 0..3 {
        server.signal("HUP");
        assert_eq!(status(&url, "/readyz").await, 200);
    }
    server.signal("TERM");
    let (_, end) = soon("the end", tokio::task::spawn_blocking(move || server.wait())).await.unwrap();
    assert!(end.success(), "{end}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_killed_starts_again() {
    let (_data, path) = data();
    for _ in 0..3 {
        let (server, url) = serve(&path);
        assert_eq!(status(&url, "/readyz").await, 200);
        server.kill();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_on_the_same_directory_is_turned_away() {
    let (_data, path) = data();
    let (_first, url) = serve(&path);
    let (code, sentence) = refused(&["--data", &path, "--listen", "127.0.0.1:0"]);
    assert_eq!(code, 1, "{sentence}");
    assert!(sentence.contains(&path) && sentence.contains("another"), "{sentence}");
    assert_eq!(status(&url, "/readyz").await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_in_use_is_told_by_its_address() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (_data, path) = data();
    let (code, sentence) = refused(&["--data", &path, "--listen", &address]);
    assert_eq!(code, 1, "{sentence}");
    assert!(sentence.contains(&address) && sentence.contains("--listen"), "{sentence}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_health_check_asks_the_server_of_this_machine() {
    let (_data, path) = data();
    let (server, url) = serve(&path);
    let address = url.trim_start_matches("http://");
    let port = address.rsplit(':').next().unwrap();
    for listen in [address, &format!("0.0.0.0:{port}")] {
        for flags in [&[][..], &["--ready"]] {
            let (code, text) = TestChild::run("svc-http", &[&["--listen", listen, "health"], flags].concat());
            assert_eq!(code, 0, "{text}");
        }
    }
    server.kill();
    let (code, sentence) = refused(&["--listen", address, "health"]);
    assert_eq!(code, 1, "{sentence}");
    assert!(sentence.contains(address) && sentence.contains("--listen"), "{sentence}");
    let (code, sentence) = refused(&["--listen", "127.0.0.1:0", "health"]);
    assert_eq!(code, 2, "{sentence}");
}

#[test]
fn settings_that_make_no_sense_are_refused_by_name() {
    let (_data, path) = data();
    for (flag, value) in [
        ("--database-url", "mysql://ann:hunter2@localhost/svc"),
        ("--base-url", "hub.example.org"),
        ("--trusted-proxies", "somewhere"),
        ("--trace-retention", "10y"),
        ("--trace-retention", "-3d"),
        ("--listen", "nowhere"),
        ("--log-format", "xml"),
        ("--colour", "red"),
    ] {
        let (code, text) = TestChild::run("svc-http", &["--data", &path, &format!("{flag}={value}")]);
        assert!(code == 2 || flag == "--listen" && code != 0, "{flag} {value}: {code} {text}");
        let word = flag.trim_start_matches('-');
        assert!(text.contains(word) || text.contains(&word.replace('-', "_")), "{flag} {value}: {text}");
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[test]
fn a_data_directory_that_cannot_be_is_told() {
    let (data, _) = data();
    let file = data.path().join("file");
    std::fs::File::create(&file).unwrap();
    let below = file.join("data").display().to_string();
    let (code, sentence) = refused(&["--data", &below, "--listen", "127.0.0.1:0"]);
    assert_eq!(code, 1, "{sentence}");
    assert!(sentence.contains(&below) && sentence.contains("--data"), "{sentence}");
}
