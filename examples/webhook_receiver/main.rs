//! A receiver of webhooks: it checks the signature of every delivery and prints what happened.
//!
//! Start a server that may send to this machine, register the webhook, and run the example with its secret:
//!
//! ```sh
//! cargo run --release -- --allow-http-webhooks --allow-private-networks 127.0.0.1 &
//! svc-admin agents create scout --owner admin
//! svc-admin webhooks create scout http://127.0.0.1:9000/hook
//! SVC_WEBHOOK_SECRET=whsec_… cargo run -p svc --example webhook_receiver
//! ```
//!
//! `SVC_WEBHOOK_LISTEN` is the address to listen on, `127.0.0.1:9000` by default.

mod verify;

use std::sync::Arc;

use poem::endpoint::make;
use poem::http::StatusCode;
use poem::listener::TcpListener;
use poem::{Endpoint, EndpointExt, Request, Response, Route, Server};
use verify::Verifier;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let secret =
        std::env::var("SVC_WEBHOOK_SECRET").map_err(|_| "set SVC_WEBHOOK_SECRET to the secret of a webhook")?;
    let listen = std::env::var("SVC_WEBHOOK_LISTEN").unwrap_or_else(|_| "127.0.0.1:9000".into());
    let verifier = Arc::new(Verifier::new(&secret)?);
    println!("listening on http://{listen}/hook");
    Server::new(TcpListener::bind(listen)).run(Route::new().at("/hook", hook(verifier))).await?;
    Ok(())
}

fn hook(verifier: Arc<Verifier>) -> impl Endpoint<Output = Response> {
    let endpoint = make(move |request| {
        let verifier = verifier.clone();
        async move { Ok::<_, poem::Error>(receive(&verifier, request).await) }
    });
    poem::post(endpoint).map_to_response()
}

/// Answers quickly, because the hub waits ten seconds: work that takes longer belongs elsewhere.
async fn receive(verifier: &Verifier, mut request: Request) -> Response {
    let Ok(body) = request.take_body().into_string().await else { return StatusCode::BAD_REQUEST.into() };
    let header = |name: &str| request.header(name).unwrap_or_default();
    let (id, timestamp, signature) = (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"));
    if !verifier.accepts(id, timestamp, signature, &body) {
        return StatusCode::UNAUTHORIZED.into();
    }
    // A delivery may come twice: remember its id if that matters to you.
    println!("{id} {} at depth {}: {body}", header("svc-event"), header("svc-depth"));
    StatusCode::NO_CONTENT.into()
}
