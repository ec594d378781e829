//! The same sends through the server as it is shipped: `POST /api/messages` with an agent's key over a
//! kept-alive connection per sender, under all of the server's middleware, with its workers running.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use futures_util::future::join_all;
use svc_core::HubConfig;
use svc_http::{RateLimits, Server, ServerConfig};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use crate::send::{Talk, sender_of};

/// Messages a second.
pub(crate) async fn rate(senders: usize, messages: usize) -> f64 {
    let data = TempDir::new().expect("a temporary directory can be made");
    let mut config = ServerConfig::at(HubConfig::at(data.path()));
    config.listen = "127.0.0.1:0".into();
    config.admin_socket = Some(data.path().join("admin.sock"));
    // The limits are kept, and wide enough for the one address that all senders share.
    config.rate_limits = RateLimits { read: u32::MAX, write: u32::MAX, auth: u32::MAX };
    let server = Server::bind(config).await.expect("a new server starts");
    let talk = Arc::new(Talk::prepare(server.hub()).await);
    let address = server.address();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(server.serve(async move { drop(stopped.await) }));

    let left = Arc::new(AtomicUsize::new(messages));
    let connections = join_all((0..senders).map(|_| TcpStream::connect(address))).await;
    let started = Instant::now();
    let sending = connections.into_iter().map(|connection| {
        let (left, talk) = (left.clone(), talk.clone());
        tokio::spawn(async move {
            let mut connection = BufReader::new(connection.expect("the server listens"));
            connection.get_ref().set_nodelay(true).expect("a socket takes its options");
            while let Some(number) = crate::take_one(&left) {
                post(&mut connection, &talk.keys[sender_of(number)], number).await.expect("the server answers");
            }
        })
    });
    for sent in join_all(sending).await {
        sent.expect("the sender ends");
    }
    talk.indexed().await;
    let rate = crate::rate(messages, started.elapsed());
    stop.send(()).expect("the server runs");
    serving.await.expect("the server ends").expect("the server ends well");
    rate
}

/// A client that does no more than it must, so that the server is what is measured.
async fn post(connection: &mut BufReader<TcpStream>, key: &str, number: usize) -> std::io::Result<()> {
    let body = serde_json::to_string(&Talk::message(number))?;
    let request = format!(
        "POST /api/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    connection.get_mut().write_all(request.as_bytes()).await?;
    let mut line = String::new();
    let mut length = 0;
    let mut status_seen = false;
    loop {
        line.clear();
        connection.read_line(&mut line).await?;
        if !status_seen {
            assert!(line.starts_with("HTTP/1.1 201"), "{line}");
            status_seen = true;
        } else if line == "\r\n" {
            break;
        } else if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(std::io::Error::other)?;
        }
    }
    let mut answer = vec![0; length];
    connection.read_exact(&mut answer).await?;
    assert!(answer.starts_with(b"{\"id\":"));
    Ok(())
}
