//! The terminal UI in a terminal of its own: the time to the first screen on a large store, the CPU that a stream of
//! messages costs, and the memory over an hour of traffic.
//!
//! The UI is a separate process, so that its CPU and memory are counted alone. `script` provides the terminal.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use svc_core::api_keys::NewApiKey;
use svc_core::auth::Permission;
use svc_core::messages::NewMessage;
use svc_core::{Caller, Hub, HubConfig};
use svc_http::{RateLimits, Server, ServerConfig};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::clock::TestClock;
use crate::report::{Bar, Report, Row};

/// The variable that makes this program the terminal UI. The processes that the UI starts inherit it.
const UI: &str = "SVC_BENCH_TERMINAL_UI";
/// Time limit of the first screen, in microseconds.
const FIRST_SCREEN: f64 = 100_000.0;
/// Starts of the program; the first screen is their median.
const STARTS: usize = 9;
/// Messages per second, and the duration of the stream.
const PACE: usize = 1_000;
const STREAM: Duration = Duration::from_secs(10);
/// Microseconds of CPU per second: half a core.
const HALF_A_CORE: f64 = 500_000.0;
/// Messages of an hour, and the time between two of them.
const HOUR: usize = 72_000;
const STEP: Duration = Duration::from_millis(50);
/// The part of the hour after which memory is measured first: lists and caches are full then.
const WARM: usize = HOUR / 4;
/// Growth of the memory that is allowed over the rest of the hour, in KiB.
const GROWTH: f64 = 4_096.0;
/// Timeout, longer than any step takes.
const PATIENCE: Duration = Duration::from_mins(2);
/// Length of a clock tick of the kernel in microseconds.
const TICK: f64 = 10_000.0;

/// Runs as the terminal UI, if this process is one.
pub(crate) fn ui() -> Option<ExitCode> {
    std::env::var_os(UI).map(|_| svc_tui::main_with(std::env::args_os()))
}

/// The rows of the terminal UI.
pub(crate) async fn measure(report: &mut Report) {
    let ((hub, filled), data) = crate::filled(crate::LARGE).await;
    let place = Place::of(&hub, &filled.human, data).await;
    let name = "terminal UI, first screen on a store of 1,000,000 messages ÷ 100 ms";
    report.rows.push(Row::micros(name, first_screen(&place).await, FIRST_SCREEN, Bar::AtMost(1.0)));
    hub.close().await;
    for door in [Door::Url, Door::Store] {
        let used = cpu_micros_per_second(door).await;
        let name = format!("CPU of the terminal UI ({}) under 1,000 messages a second ÷ half a core", door.flag());
        report.rows.push(Row::micros(&name, used, HALF_A_CORE, Bar::AtMost(1.0)));
    }
    let growth = growth_in_an_hour().await;
    let name = "memory growth of the terminal UI in three quarters of an hour of traffic ÷ 4 MiB";
    report.rows.push(Row::kibibytes(name, growth.max(0.0), GROWTH, Bar::AtMost(1.0)));
}

/// A hub, and the key of a person.
struct Place {
    data: TempDir,
    key: String,
    /// The directory of the person, with their files.
    home: TempDir,
}

impl Place {
    async fn of(hub: &Hub, human: &Caller, data: TempDir) -> Self {
        let new = NewApiKey {
            name: "terminal".to_owned(),
            agent: None,
            permissions: vec![Permission::Read, Permission::Write],
            allowed_channels: None,
            expires_at: None,
            mcp_profile: None,
        };
        let key = hub.api_keys().create(human, new).await.expect("the name is free").key;
        Self { data, key: key.as_str().to_owned(), home: TempDir::new().expect("a temporary directory") }
    }

    /// The UI on the store.
    fn ui(&self) -> Ui {
        Ui::start(self, "--data", &self.data.path().display().to_string())
    }
}

/// The way of the UI to the hub.
#[derive(Debug, Clone, Copy)]
enum Door {
    Url,
    Store,
}

impl Door {
    fn flag(self) -> &'static str {
        match self {
            Self::Url => "--url",
            Self::Store => "--data",
        }
    }
}

/// Microseconds until the list of conversations and the content of the first screen are shown; the median.
async fn first_screen(place: &Place) -> f64 {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let started = Instant::now();
        // A name in a row that was empty before: of a row that changes, the terminal gets the changed cells alone.
        let ui = place.ui().waits_for(&["Unread", "general"]).await;
        times.push(started.elapsed().as_secs_f64() * 1e6);
        ui.end();
    }
    crate::median(times)
}

/// CPU use of the UI while a channel that it shows gets [`PACE`] messages a second.
async fn cpu_micros_per_second(door: Door) -> f64 {
    let served = Served::start().await;
    let ui = match door {
        Door::Url => Ui::start(&served.place, door.flag(), &served.url),
        Door::Store => served.place.ui(),
    };
    let ui = ui.opens_general(&served.hub).await;
    let begun = Instant::now();
    let before = ui.cpu().await;
    let mut timer = tokio::time::interval(Duration::from_millis(10));
    let mut sent = 0;
    let mut sending = Vec::new();
    while begun.elapsed() < STREAM {
        timer.tick().await;
        let due = PACE * usize::try_from(begun.elapsed().as_millis()).expect("a short time") / 1_000;
        for number in sent..due {
            let hub = served.hub.clone();
            sending.push(tokio::spawn(async move { send(&hub, format!("event {number}")).await }));
        }
        sent = due;
    }
    for sent in join_all(sending).await {
        sent.expect("the message is sent");
    }
    send(&served.hub, "last-of-the-stream".to_owned()).await;
    let ui = ui.waits_for(&["last-of-the-stream"]).await;
    let used = (ui.cpu().await - before) / begun.elapsed().as_secs_f64();
    ui.end();
    served.stop().await;
    used
}

/// KiB by which the UI grows between [`WARM`] messages and [`HOUR`].
async fn growth_in_an_hour() -> f64 {
    let clock = Arc::new(TestClock::new());
    let data = TempDir::new().expect("a temporary directory");
    let hub = Hub::builder(HubConfig::at(data.path())).clock(clock.clone()).open().await.expect("a new hub opens");
    let place = Place::of(&hub, &crate::fill::human(&hub).await, data).await;
    let ui = place.ui().opens_general(&hub).await;
    traffic(&hub, &clock, WARM).await;
    send(&hub, "after-the-warm-up".to_owned()).await;
    let ui = ui.waits_for(&["after-the-warm-up"]).await;
    let before = ui.memory().await;
    traffic(&hub, &clock, HOUR - WARM).await;
    send(&hub, "end-of-the-hour".to_owned()).await;
    let ui = ui.waits_for(&["end-of-the-hour"]).await;
    let after = ui.memory().await;
    ui.end();
    hub.close().await;
    after - before
}

/// Sends this many messages, one at every step of the clock, from a few senders.
async fn traffic(hub: &Hub, clock: &Arc<TestClock>, messages: usize) {
    let left = Arc::new(AtomicUsize::new(messages));
    let sending = (0..8).map(|_| {
        let (hub, clock, left) = (hub.clone(), clock.clone(), left.clone());
        tokio::spawn(async move {
            while let Some(number) = crate::take_one(&left) {
                clock.advance(STEP);
                send(&hub, format!("message {number} of an ordinary length, with **some** `marks` in it")).await;
            }
        })
    });
    for sent in join_all(sending).await {
        sent.expect("the task ends");
    }
}

async fn send(hub: &Hub, body: String) {
    hub.messages().send(&Caller::root(), NewMessage::in_channel("general", body)).await.expect("the message is sent");
}

/// A complete server, and a person.
struct Served {
    hub: Hub,
    url: String,
    place: Place,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<svc_core::Result<()>>,
}

impl Served {
    async fn start() -> Self {
        let data = TempDir::new().expect("a temporary directory");
        let mut config = ServerConfig::at(HubConfig::at(data.path()));
        config.listen = "127.0.0.1:0".into();
        config.admin_socket = Some(data.path().join("admin.sock"));
        config.rate_limits = RateLimits { read: 0, write: 0, auth: 0 };
        let server = Server::bind(config).await.expect("a new server starts");
        let hub = server.hub().clone();
        let place = Place::of(&hub, &crate::fill::human(&hub).await, data).await;
        let url = format!("http://{}", server.address());
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(server.serve(async move { drop(stopped.await) }));
        Self { hub, url, place, stop, serving }
    }

    async fn stop(self) {
        self.stop.send(()).expect("the server runs");
        self.serving.await.expect("the server ends").expect("the server stops cleanly");
    }
}

/// The terminal UI in a terminal of 140×40.
struct Ui {
    terminal: Child,
    keys: ChildStdin,
    output: Receiver<Vec<u8>>,
    /// Output that has not been searched yet.
    unread: Vec<u8>,
    pid_file: PathBuf,
}

impl Ui {
    fn start(place: &Place, flag: &str, target: &str) -> Self {
        let pid_file = place.home.path().join("pid");
        let program = std::env::current_exe().expect("this program has a path");
        let command = format!(
            "stty rows 40 cols 140; echo $$ > '{}'; exec '{}' {flag} '{target}'",
            pid_file.display(),
            program.display(),
        );
        let mut terminal = Command::new("script")
            .args(["--quiet", "--flush", "--command", &command, "/dev/null"])
            .env(UI, "1")
            .env("SVC_KEY", &place.key)
            .env("HOME", place.home.path())
            .env("TERM", "xterm-256color")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_STATE_HOME")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("`script` of util-linux is installed");
        let keys = terminal.stdin.take().expect("it is piped");
        let mut screen = terminal.stdout.take().expect("it is piped");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 65_536];
            while let Ok(length @ 1..) = screen.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { terminal, keys, output, unread: Vec::new(), pid_file }
    }

    /// Waits until all of these texts have been drawn, in any order, since the last call.
    async fn waits_for(mut self, texts: &'static [&'static str]) -> Self {
        let waiting = tokio::task::spawn_blocking(move || {
            let mut missing = texts.to_vec();
            loop {
                missing.retain(|text| !self.unread.windows(text.len()).any(|window| window == text.as_bytes()));
                if missing.is_empty() {
                    self.unread.clear();
                    return self;
                }
                // A text may be split between two pieces of the output.
                let kept = self.unread.len().saturating_sub(100);
                self.unread.drain(..kept);
                let piece = self.output.recv_timeout(PATIENCE);
                self.unread.extend(piece.unwrap_or_else(|_| panic!("the UI does not show {missing:?}")));
            }
        });
        waiting.await.expect("the UI shows it")
    }

    /// Opens the channel `general`, which has a message then.
    async fn opens_general(self, hub: &Hub) -> Self {
        send(hub, "first-message".to_owned()).await;
        let mut ui = self.waits_for(&["general"]).await;
        // Ctrl+K opens the palette.
        ui.press("\u{b}");
        let mut ui = ui.waits_for(&["Go to"]).await;
        ui.press("general\r");
        ui.waits_for(&["first-message"]).await
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("the terminal reads");
    }

    /// A file of its process in `/proc`.
    async fn proc(&self, file: &str) -> String {
        let pid = tokio::fs::read_to_string(&self.pid_file).await.expect("the shell wrote it");
        tokio::fs::read_to_string(format!("/proc/{}/{file}", pid.trim())).await.expect("the UI runs")
    }

    /// Microseconds of CPU since its start.
    async fn cpu(&self) -> f64 {
        let stat = self.proc("stat").await;
        // The name of the program ends with the last parenthesis. User and system time are the 14th and 15th field.
        let fields = stat.rsplit(')').next().expect("one part at least").split_whitespace();
        fields.skip(11).take(2).map(|ticks| ticks.parse::<f64>().expect("a number")).sum::<f64>() * TICK
    }

    /// Resident memory in KiB.
    async fn memory(&self) -> f64 {
        let status = self.proc("status").await;
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("/proc is readable");
        line.split_whitespace().nth(1).and_then(|text| text.parse().ok()).expect("a number")
    }

    /// Ends the UI as a person does.
    fn end(mut self) {
        // Ctrl+C, twice, because the first one may leave a field.
        self.press("\u{3}\u{3}");
        drop(self.keys);
        self.terminal.wait().expect("the UI ends");
    }
}
