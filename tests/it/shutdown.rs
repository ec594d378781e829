//! Stopping: streams end first, requests under way are answered, then the store closes.

use std::sync::Arc;

use futures_util::StreamExt;
use poem::endpoint::make;
use poem::web::sse::{Event, SSE};
use poem::{EndpointExt, IntoResponse, Request};
use svc_core::events::{After, NewEvent};
use svc_http::{AppState, live};
use tokio::sync::Notify;

use crate::support::server::TestServer;
use crate::support::wait::soon;

/// A live stream of the event log, as an embedding program would write it.
fn stream() -> impl poem::Endpoint {
    make(|request: Request| async move {
        let state = request.data::<AppState>().expect("the server provides it").clone();
        let subscription = state.hub().events().subscribe(After::Now).await.map_err(svc_http::Problem::from)?;
        let events = futures_util::stream::unfold(subscription, |mut subscription| async move {
            let event = subscription.next().await.ok().flatten()?;
            Some((Event::message(event.kind.clone()), subscription))
        });
        Ok::<_, poem::Error>(SSE::new(live::until_shutdown(events, state.streams())).into_response())
    })
    .map_to_response()
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_end_first_and_requests_under_way_are_answered() {
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let slow = make({
        let (begun, go_on) = (begun.clone(), go_on.clone());
        move |request: Request| {
            let (begun, go_on) = (begun.clone(), go_on.clone());
            async move {
                let state = request.data::<AppState>().expect("the server provides it").clone();
                begun.notify_one();
                go_on.notified().await;
                // The store is still there for a request that was under way.
                let event = NewEvent::new("test.late", &1).map_err(svc_http::Problem::from)?;
                let seq = state.hub().events().append(event).await.map_err(svc_http::Problem::from)?;
                Ok::<_, poem::Error>(seq.to_string())
            }
        }
    });
    let mut server =
        TestServer::start_with(move |config| config.mount("/stream", stream()).mount("/slow", slow.map_to_response()))
            .await;
    let mut live = server.get("/stream").await.bytes_stream();
    server.hub.events().append(NewEvent::new("test.first", &1).unwrap()).await.unwrap();
    let first = soon("the first event", live.next()).await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&first).contains("test.first"));
    let request = tokio::spawn(server.request(reqwest::Method::GET, "/slow").send());
    soon("the slow request", begun.notified()).await;

    server.begin_to_stop();
    // A clean end, while the slow request still runs.
    while let Some(chunk) = soon("the end of the stream", live.next()).await {
        chunk.unwrap();
    }
    go_on.notify_one();
    let answer = soon("the slow answer", request).await.unwrap().unwrap();
    assert_eq!(answer.status(), 200);
    let hub = server.hub.clone();
    server.stopped().await;
    assert_eq!(hub.events().head().unwrap_err().code(), "storage_unavailable");
}

#[tokio::test(flavor = "multi_thread")]
async fn starting_and_stopping_leave_a_trace() {
    let server = TestServer::sqlite().await;
    assert!(server.admin_socket().exists());
    let data = server.stop().await;
    assert!(!data.path().join("admin.sock").exists());
    let store = rusqlite::Connection::open(data.path().join("svc.db")).unwrap();
    let actions: Vec<String> = store
        .prepare("SELECT action FROM traces ORDER BY id")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(actions, ["server.started", "server.stopped"]);
}
