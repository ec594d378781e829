//! A flood of anonymous clients that never finish what they begin, against the server as a program of its own with few
//! open files: health checks are answered throughout, and afterwards everything is as it was.
//!
//! In the suite it is small. `SVC_FLOOD=full` runs it at full size: 1,010 unfinished requests against 1,024 open files,
//! 300 bodies and 200 streams; the test itself then needs a limit of 4,096 (`ulimit -n 4096`). Figures are printed with
//! `--nocapture`.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::future::join_all;
use reqwest::{Client, ClientBuilder, Response};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::child::TestChild;
use crate::support::wait::{PATIENCE, soon, until};

/// How long a health check may take, on a machine that is busy with other tests.
const BEARABLE: Duration = Duration::from_secs(10);
/// What a whole flood may leave behind. The bodies of one would come to more at full size.
const MARGIN: u64 = 24 << 20;
const MEBIBYTE: usize = 1 << 20;

/// How much of everything.
struct Size {
    files: usize,
    connections: usize,
    bodies: usize,
    streams: usize,
}

impl Size {
    fn chosen() -> Self {
        if std::env::var("SVC_FLOOD").is_ok_and(|size| size == "full") {
            Self { files: 1024, connections: 1010, bodies: 300, streams: 200 }
        } else {
            Self { files: 256, connections: 300, bodies: 60, streams: 120 }
        }
    }
}

struct Target {
    child: TestChild,
    url: String,
    address: SocketAddr,
    client: Client,
    _data: TempDir,
}

fn client(change: impl FnOnce(ClientBuilder) -> ClientBuilder) -> Client {
    rustls::crypto::ring::default_provider().install_default().ok();
    #[expect(clippy::disallowed_methods, reason = "the tests talk to their own server on the loopback interface")]
    let builder = Client::builder();
    change(builder).build().unwrap()
}

impl Target {
    fn start(size: &Size) -> Self {
        let data = TempDir::new().unwrap();
        let directory = data.path().display().to_string();
        let place = ["--data", &directory, "--listen", "127.0.0.1:0", "--log-level", "error"];
        let limits = ["--rate-limit-read", "0", "--rate-limit-write", "0", "--rate-limit-auth", "0"];
        let patience = ["--header-timeout", "4s", "--body-timeout", "4s"];
        let (child, url) = TestChild::server_with_files(&[&place[..], &limits, &patience].concat(), size.files);
        let address = url.trim_start_matches("http://").parse().unwrap();
        // A connection of its own for each question, as somebody else's health check has.
        let client = client(|builder| builder.pool_max_idle_per_host(0));
        Self { child, url, address, client, _data: data }
    }

    /// Asks until there is an answer: whoever is turned away at the door, or was too slow to ask, comes again.
    async fn get(&self, path: &str) -> Response {
        loop {
            if let Ok(answer) = self.client.get(format!("{}{path}", self.url)).send().await {
                return answer;
            }
        }
    }

    /// Asks until the hub says that it is well. On a machine that stands still for seconds, the store is not ready
    /// at once.
    async fn well(&self, path: &str) {
        while self.get(path).await.status() != 200 {}
    }

    /// Asks both health checks; how long the slower one took.
    async fn health(&self) -> Duration {
        let mut slower = Duration::ZERO;
        for path in ["/healthz", "/readyz"] {
            let begun = Instant::now();
            tokio::time::timeout(BEARABLE, self.well(path)).await.expect("health checks are answered, and well");
            slower = slower.max(begun.elapsed());
        }
        slower
    }

    async fn figure(&self, name: &str) -> u64 {
        let text = soon("the figures", self.get("/metrics")).await.text().await.unwrap();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("{name} is not in {text}")).parse().unwrap()
    }

    /// Until anybody is served, and everybody of the flood has gone.
    async fn calm(&self) {
        until("others are served again", async || {
            let answer = soon("an answer", self.get("/auth/me")).await;
            (answer.status() == 401 && self.figure("open_connections").await <= 4).then_some(())
        })
        .await;
    }
}

/// Reads until the server closes; what it said.
async fn to_end(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    soon("the connection is closed", stream.read_to_end(&mut said)).await.ok();
    String::from_utf8_lossy(&said).into_owned()
}

/// Requests whose headers never end.
async fn unfinished_requests(target: &Target, count: usize) -> Duration {
    let open = (0..count).map(async |_| {
        let mut stream = TcpStream::connect(target.address).await.unwrap();
        // Whoever is let go of at once cannot send any more.
        stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").await.ok();
        stream
    });
    let mut streams = soon("all are connected", join_all(open)).await;
    let mut slowest = Duration::ZERO;
    for _ in 0..5 {
        slowest = slowest.max(target.health().await);
    }
    // The server lets go of them; they do not leave by themselves.
    join_all(streams.iter_mut().map(to_end)).await;
    slowest
}

/// Bodies that come quickly at first, and then hardly at all; some announce more than the path takes.
async fn slow_bodies(target: &Target, count: usize) -> (Duration, usize) {
    let begin = (0..count).map(async |number| {
        let mut stream = TcpStream::connect(target.address).await.unwrap();
        let (path, length, sent) =
            if number % 2 == 0 { ("/login", 16_000, 15_000) } else { ("/oauth/token", MEBIBYTE, MEBIBYTE - 100) };
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n");
        // A path that does not take it answers before all of it is sent.
        stream.write_all(format!("{head}{}", "x".repeat(sent)).as_bytes()).await.ok();
        stream
    });
    let mut streams = soon("all have begun", join_all(begin)).await;
    let slowest = target.health().await;
    let said = join_all(streams.iter_mut().map(to_end)).await;
    (slowest, said.iter().filter(|said| said.starts_with("HTTP/1.1 408")).count())
}

/// The same in streams of one connection.
async fn slow_streams(target: &Target, count: usize) -> (Duration, usize) {
    let client = client(ClientBuilder::http2_prior_knowledge);
    let posts = (0..count).map(async |_| {
        let beginning = futures_util::stream::iter([Ok::<_, std::io::Error>(vec![b'x'; 12_000])]);
        let body = reqwest::Body::wrap_stream(beginning.chain(futures_util::stream::pending()));
        let answer = client.post(format!("{}/login", target.url)).body(body).send().await;
        answer.is_ok_and(|answer| answer.status() == 408)
    });
    // Streams beyond what one connection may have wait for their turn, so it takes as long as two rounds.
    let all = tokio::time::timeout(2 * PATIENCE, join_all(posts));
    let (answers, slowest) = tokio::join!(all, target.health());
    (slowest, answers.expect("all are answered").into_iter().filter(|slow| *slow).count())
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_finish_nothing_stop_nobody() {
    let size = Size::chosen();
    let target = Target::start(&size);
    let idle = target.health().await;
    let before = target.child.resident().await;
    let begun = Instant::now();

    let connections = unfinished_requests(&target, size.connections).await;
    target.calm().await;
    let after_connections = target.child.resident().await;
    assert!(target.figure("connections_shed_total").await > 0);

    let (bodies, given_up) = slow_bodies(&target, size.bodies).await;
    assert!(given_up >= size.bodies / 4, "{given_up} bodies were given up");
    target.calm().await;
    let after_bodies = target.child.resident().await;

    let (streams, ended) = slow_streams(&target, size.streams).await;
    assert_eq!(ended, size.streams);
    target.calm().await;
    let after = target.child.resident().await;
    assert!(target.figure("slow_bodies_total").await >= u64::try_from(given_up + ended).unwrap());

    let mebibytes = |bytes: u64| bytes / (1 << 20);
    println!(
        "health checks took {idle:?} idle, {connections:?} under {} unfinished requests, {bodies:?} under {} bodies, \
         {streams:?} under {} streams; {} MiB resident before, {} after connections, {} after bodies, {} after streams; \
         {:?} in all",
        size.connections,
        size.bodies,
        size.streams,
        mebibytes(before),
        mebibytes(after_connections),
        mebibytes(after_bodies),
        mebibytes(after),
        begun.elapsed(),
    );
    assert!(after <= before + MARGIN, "{after} bytes are resident after the flood, {before} before it");
}
