//! An endpoint for webhooks and push messages that answers as it is told, also in ways that no decent server would.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName};
use serde_json::Value;
use standardwebhooks::{Webhook, WebhookError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;

use super::wait::soon;

/// How a request is answered.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// With a status and a body.
    Status(u16, &'static str),
    /// With a status and one more header.
    Header(u16, &'static str),
    /// With a status, as soon as there is a permit.
    Held(u16, Arc<Semaphore>),
    /// Not at all, while the connection stays open.
    Never,
    /// With 200, and then one byte after another, without end.
    Drip,
    /// With 200 and a body of a gigabyte.
    Flood,
    /// By closing the connection in the middle of the headers.
    BreakOff,
}

/// A request that arrived.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) path: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) bytes: Vec<u8>,
    /// The body as text, as far as it is text.
    pub(crate) text: String,
}

impl Received {
    pub(crate) fn body(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Whether one of its signatures is what another implementation of Standard Webhooks makes with this secret. Its
    /// own check wants a timestamp of today, and the clock of the tests stands elsewhere.
    pub(crate) fn is_signed_by(&self, secret: &str) -> bool {
        let (id, timestamp) = (self.header("webhook-id"), self.header("webhook-timestamp").parse().unwrap());
        let expected = Webhook::new(secret).unwrap().sign(id, timestamp, self.text.as_bytes()).unwrap();
        self.header("webhook-signature").split(' ').any(|signature| signature == expected)
    }

    /// What that implementation says about it, if the clock of the tests has been set to the time of the system.
    pub(crate) fn verified_by(&self, secret: &str) -> Result<(), WebhookError> {
        let headers: HeaderMap = self
            .headers
            .iter()
            .map(|(name, value)| (name.parse::<HeaderName>().unwrap(), value.parse().unwrap()))
            .collect();
        Webhook::new(secret)?.verify(self.text.as_bytes(), &headers)
    }
}

/// The endpoint. It answers 204 unless it is told otherwise.
pub(crate) struct Receiver {
    pub(crate) url: String,
    usual: Arc<Mutex<Reply>>,
    next: Arc<Mutex<VecDeque<Reply>>>,
    arrived: mpsc::UnboundedReceiver<Received>,
    task: JoinHandle<()>,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let (sender, arrived) = mpsc::unbounded_channel();
        let usual = Arc::new(Mutex::new(Reply::Status(204, "")));
        let next = Arc::new(Mutex::new(VecDeque::new()));
        let task = tokio::spawn({
            let (usual, next) = (usual.clone(), next.clone());
            async move {
                loop {
                    let Ok((stream, _)) = listener.accept().await else { return };
                    tokio::spawn(serve(stream, usual.clone(), next.clone(), sender.clone()));
                }
            }
        });
        Self { url, usual, next, arrived, task }
    }

    /// From now on it answers this, after what it was told to answer next.
    pub(crate) fn always(&self, reply: Reply) {
        *self.usual.lock().unwrap() = reply;
    }

    /// Answers these to the next requests.
    pub(crate) fn then(&self, replies: impl IntoIterator<Item = Reply>) {
        self.next.lock().unwrap().extend(replies);
    }

    /// The next request.
    pub(crate) async fn next(&mut self) -> Received {
        soon("a delivery", self.arrived.recv()).await.unwrap()
    }

    /// Whatever has arrived so far.
    pub(crate) fn rest(&mut self) -> Vec<Received> {
        std::iter::from_fn(|| self.arrived.try_recv().ok()).collect()
    }
}

async fn serve(
    mut stream: TcpStream,
    usual: Arc<Mutex<Reply>>,
    next: Arc<Mutex<VecDeque<Reply>>>,
    arrived: mpsc::UnboundedSender<Received>,
) {
    let mut buffer = Vec::new();
    while let Some(received) = read(&mut stream, &mut buffer).await {
        let reply = next.lock().unwrap().pop_front().unwrap_or_else(|| usual.lock().unwrap().clone());
        drop(arrived.send(received));
        if answer(&mut stream, reply).await.is_err() {
            return;
        }
    }
}

async fn answer(stream: &mut TcpStream, reply: Reply) -> std::io::Result<()> {
    let head = |status: u16, more: &str, length: usize| {
        format!("HTTP/1.1 {status} Status\r\n{more}content-length: {length}\r\n\r\n")
    };
    match reply {
        Reply::Status(204, _) => stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await,
        Reply::Status(status, body) => {
            stream.write_all(format!("{}{body}", head(status, "", body.len())).as_bytes()).await
        }
        Reply::Header(status, header) => stream.write_all(head(status, &format!("{header}\r\n"), 0).as_bytes()).await,
        Reply::Held(status, gate) => {
            gate.acquire().await.expect("a gate is never closed for good").forget();
            stream.write_all(head(status, "", 0).as_bytes()).await
        }
        Reply::Never => std::future::pending().await,
        Reply::Drip => {
            stream.write_all(head(200, "", 1 << 30).as_bytes()).await?;
            let mut pace = tokio::time::interval(Duration::from_millis(20));
            loop {
                pace.tick().await;
                stream.write_all(b"x").await?;
            }
        }
        Reply::Flood => {
            stream.write_all(head(200, "", 1 << 30).as_bytes()).await?;
            let piece = vec![b'x'; 1 << 16];
            for _ in 0..1 << 14 {
                stream.write_all(&piece).await?;
            }
            Ok(())
        }
        Reply::BreakOff => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-le").await?;
            Err(std::io::ErrorKind::ConnectionAborted.into())
        }
    }
}

/// Reads a request; `None` when the other side has closed the connection.
async fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Received> {
    let end = loop {
        if let Some(at) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(buffer[..end].to_vec()).unwrap();
    assert!(head.starts_with("POST /hook"), "{head}");
    let headers: HashMap<String, String> = head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length: usize = headers["content-length"].parse().unwrap();
    while buffer.len() < end + 4 + length {
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
    let bytes = buffer[end + 4..end + 4 + length].to_vec();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    buffer.drain(..end + 4 + length);
    Some(Received { path, headers, bytes, text })
}
