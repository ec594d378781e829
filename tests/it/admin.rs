//! The admin socket and its command line, against the server as it is shipped.

use serde_json::Value;

use crate::support::child::TestChild;
use crate::support::server::TestServer;

/// Runs the command line in a process of its own.
async fn svc_admin(server: &TestServer, arguments: &'static [&'static str]) -> (i32, String) {
    let socket = server.admin_socket().display().to_string();
    let run = move || TestChild::run("svc-admin", &[&["--socket", &socket], arguments].concat());
    tokio::task::spawn_blocking(run).await.unwrap()
}

on_both_engines! {
    async fn status_tells_how_the_hub_is(server: TestServer) {
        let (code, text) = svc_admin(&server, &["--output", "json", "status"]).await;
        assert_eq!(code, 0, "{text}");
        let start = text.find('{').expect("a JSON object");
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        let status = values.next().unwrap().unwrap();
        assert_eq!(status["version"], env!("CARGO_PKG_VERSION"), "{status}");
        assert_eq!(status["engine"], server.hub.db().engine().as_str(), "{status}");
        assert_eq!(status["readiness"]["status"], "ready", "{status}");
        server.stop().await;
    }

    async fn a_sound_store_passes_its_check(server: TestServer) {
        let (code, text) = svc_admin(&server, &["db", "check"]).await;
        assert_eq!(code, 0, "{text}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_run_is_told_with_the_path_that_was_tried() {
    let mut server = TestServer::sqlite().await;
    server.begin_to_stop();
    let socket = server.admin_socket().display().to_string();
    server.stopped().await;
    let (code, text) = TestChild::run("svc-admin", &["--socket", &socket, "status"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains(&socket), "{text}");
}
