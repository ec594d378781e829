//! The server: locks its data directory, binds its address, opens its hub, serves, and stops in order.
//!
//! Invariants of the shutdown: streams end first, requests in progress are answered, then the workers finish their
//! rounds, the last telemetry is exported, and the store closes last.

use std::future::Future;
use std::io::{ErrorKind as Io, Write};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use poem::Response;
use poem::endpoint::BoxEndpoint;
use svc_admin::{AdminListener, AdminSocket};
use svc_core::auth::Surface;
use svc_core::cluster::ClusterStatus;
use svc_core::db::Engine;
use svc_core::principals::RegistryFile;
use svc_core::startup::{FirstAdmin, prepare_data_directory};
use svc_core::traces::NewTrace;
use svc_core::{Caller, Error, Hub, Result};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::acceptor::accept;
use crate::admission::Admission;
use crate::config::{BaseUrl, Patience, ServerConfig};
use crate::connection::{self, Site};
use crate::data_lock::DataLock;
use crate::pages::Brand;
use crate::state::AppState;
use crate::telemetry::Telemetry;
use crate::{app, open_files, registry_file, signals};

/// Time limit for requests in progress once the server stops.
const DRAIN: Duration = Duration::from_secs(10);

/// A server that is ready to serve: its address is bound and its hub is open.
pub struct Server {
    state: AppState,
    app: BoxEndpoint<'static, Response>,
    patience: Patience,
    admission: Admission,
    listener: TcpListener,
    address: SocketAddr,
    admin: AdminEndpoint,
    registry: Option<RegistryFile>,
    telemetry: Option<Telemetry>,
    lock: Option<DataLock>,
}

/// The admin socket and its shutdown signal.
struct AdminEndpoint {
    socket: AdminSocket,
    stop: CancellationToken,
}

/// Binds, prints the address on standard output, and serves until SIGTERM or SIGINT.
pub async fn run(mut config: ServerConfig) -> Result<()> {
    let stop = signals::asked_to_stop()?;
    config.greet = Some(print_first_password);
    let server = Server::bind(config).await?;
    // A closed standard output is not an error.
    say(&format!("svc is listening on http://{}\n", server.address())).ok();
    server.serve(stop).await
}

/// Prints the password of the first account, which is shown nowhere else.
fn print_first_password(admin: &FirstAdmin) {
    let told = say(&format!(
        "The first account has been created. Its password is shown only once:\n  username: {}\n  password: {}\n",
        admin.username,
        admin.password.reveal(),
    ));
    if let Err(error) = told {
        tracing::warn!(%error, "the first password could not be printed: set one with svc-admin users passwd admin");
    }
}

fn say(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

impl Server {
    /// Loads the files of the configuration, locks the data directory, binds the address and the admin socket and
    /// opens the hub, in this order, so that a mistake or a second server is detected before anything was changed or
    /// printed.
    pub async fn bind(mut config: ServerConfig) -> Result<Self> {
        let brand = Brand::load(&config.brand).await?;
        let telemetry = match config.telemetry.take() {
            Some(settings) => Some(Telemetry::new(settings).await?),
            None => None,
        };
        svc_core::startup::refuse_lost_store(&config.hub).await?;
        prepare_data_directory(&config.hub.data).await?;
        // Nodes on one PostgreSQL server share no files, so no lock is needed.
        let lock = match config.hub.store_url().engine() {
            Engine::Sqlite => DataLock::take(&config.hub.data).await?,
            Engine::Postgres => None,
        };
        let (listener, address) = listen(&config.listen).await?;
        let admin = config.admin_socket.take().unwrap_or_else(|| svc_admin::socket_path(&config.hub.data));
        let admin = AdminListener::bind(admin).await?;
        config.hub.base_url.get_or_insert_with(|| client_url(config.base_url.as_ref(), address));
        let builder = Hub::builder(config.hub.clone());
        let builder = match telemetry.as_ref().and_then(Telemetry::sink) {
            Some(sink) => builder.spans(sink),
            None => builder,
        };
        let builder = match config.assemble.take() {
            Some(assemble) => assemble(builder),
            None => builder,
        };
        let hub = builder.open().await?;
        if let (Some(greet), Some(admin)) = (config.greet, hub.first_admin()) {
            greet(admin);
        }
        // Before any request is served, so that the first one finds the registry in force.
        let registry = match config.machine_registry.take() {
            Some(path) => Some(hub.principals().open_file(path).await),
            None => None,
        };
        if config.base_url.is_none() {
            warn_without_base_url(&hub).await;
        }
        let patience = config.patience;
        let state =
            AppState::new(hub, config.base_url.clone(), brand, patience, telemetry.as_ref().map(Telemetry::meter));
        let proxies = config.trusted_proxies.clone();
        let admission = Admission::new(config.connections, open_files::limit(), proxies, state.traffic().clone());
        match app::app(&state, config) {
            Ok(app) => {
                let stop = CancellationToken::new();
                let admin = AdminEndpoint { socket: admin.serve(state.hub().clone(), stop.clone()), stop };
                Ok(Self { state, app, patience, admission, listener, address, admin, registry, telemetry, lock })
            }
            Err(error) => {
                state.hub().close().await;
                Err(error)
            }
        }
    }

    /// The listening address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The hub of this server.
    pub fn hub(&self) -> &Hub {
        self.state.hub()
    }

    /// Serves until `shutdown` completes, then stops in order and closes the hub.
    pub async fn serve(self, shutdown: impl Future<Output = ()> + Send) -> Result<()> {
        let Self { state, app, patience, admission, listener, address, admin, registry, telemetry, lock } = self;
        let hub = state.hub();
        let workers = hub.start_workers();
        let registry = registry_file::follow(registry);
        let exports = telemetry.map(|telemetry| telemetry.start(&state));
        record(hub, "server.started").await;
        tracing::info!(target: "svc::http", %address, "the server has started");
        // Reading the configuration may call a program that takes its time.
        tokio::spawn(log_cluster(hub.clone()));

        let streams = state.streams().clone();
        let stopping = async move {
            shutdown.await;
            streams.ending().cancel();
            tracing::info!(target: "svc::http", "live streams end; requests under way are being answered");
        };
        let site = Site { app: Arc::new(app), address, patience, leaving: CancellationToken::new() };
        serve_connections(listener, site, admission, stopping).await;

        admin.stop.cancel();
        admin.socket.closed().await;
        tracing::info!(target: "svc::http", "requests are done; the workers stop");
        workers.stop().await;
        registry.stop().await;
        record(hub, "server.stopped").await;
        if let Some(exports) = exports {
            exports.stop().await;
        }
        tracing::info!(target: "svc::http", "the workers have stopped; the store closes");
        hub.close().await;
        drop(lock);
        tracing::info!(target: "svc::http", "the server has stopped");
        Ok(())
    }
}

/// Accepts connections until `stopping` completes, and then waits for requests in progress.
async fn serve_connections(
    listener: TcpListener,
    site: Site,
    admission: Admission,
    stopping: impl Future<Output = ()>,
) {
    let mut stopping = pin!(stopping);
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = &mut stopping => break,
            (stream, peer) = accept(&listener) => if let Some(slot) = admission.enter(peer.ip()) {
                connections.spawn(connection::serve(site.clone(), stream, peer, slot));
            },
            // A panic has been reported by then, and concerns this connection alone.
            Some(_) = connections.join_next() => {}
        }
    }
    drop(listener);
    site.leaving.cancel();
    let drained = timeout(DRAIN, async { while connections.join_next().await.is_some() {} }).await;
    if drained.is_err() {
        tracing::warn!(target: "svc::http", left = connections.len(), "connections are cut off, because they take too long");
        connections.shutdown().await;
    }
}

/// Warns that a hub without a base URL cannot detect requests that machines signed for another hub.
async fn warn_without_base_url(hub: &Hub) {
    // A store that does not respond is reported with the first request.
    if let Ok(Some(_)) = hub.principals().loaded(&Caller::root()).await {
        tracing::warn!(
            target: "svc::http",
            "machine principals are registered, and --base-url is not set: signatures for any host are accepted"
        );
    }
}

/// Records a trace of the server; a failure is logged, and serving goes on.
async fn record(hub: &Hub, action: &'static str) {
    drop(hub.traces().record(NewTrace::new(action, Surface::Server)).await);
}

/// Logs where Jobs are created, or why they cannot be.
async fn log_cluster(hub: Hub) {
    match hub.cluster().status().await {
        ClusterStatus { problem: Some(problem), .. } => {
            tracing::info!(target: "svc::http", problem, "no cluster for Jobs");
        }
        ClusterStatus { namespace, .. } => {
            tracing::info!(target: "svc::http", namespace, "Jobs are created in a cluster");
        }
    }
}

/// The URL in client configurations: the configured one, or the listening address.
fn client_url(configured: Option<&BaseUrl>, address: SocketAddr) -> String {
    match configured {
        Some(base) => base.as_str().to_owned(),
        // A client cannot connect to an unspecified address.
        None if address.ip().is_unspecified() => format!("http://localhost:{}", address.port()),
        None => format!("http://{address}"),
    }
}

async fn listen(wanted: &str) -> Result<(TcpListener, SocketAddr)> {
    let explain = |error: std::io::Error| {
        let unavailable = |code, sentence| Error::unavailable(code, sentence);
        match error.kind() {
            Io::AddrInUse => unavailable(
                "address_in_use",
                format!("{wanted} is in use by another program: stop it, or choose another address with --listen."),
            ),
            Io::PermissionDenied => unavailable(
                "address_forbidden",
                format!("This user may not listen on {wanted}: choose a port above 1023 with --listen."),
            ),
            Io::AddrNotAvailable => unavailable(
                "address_not_here",
                format!("{wanted} is not an address of this machine: choose one that is with --listen."),
            ),
            _ => Error::invalid("listen", format!("must be an address such as 127.0.0.1:8080, not {wanted:?}")),
        }
        .with_source(error)
    };
    let listener = TcpListener::bind(wanted).await.map_err(explain)?;
    let address = listener.local_addr().map_err(explain)?;
    Ok((listener, address))
}
