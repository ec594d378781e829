//! The server's command line: flags, each also an environment variable, and the program around them.
//!
//! Invariants: a flag takes precedence over its variable; an invalid value ends the program with exit code 2, any
//! other failure with 1, both with one sentence on standard error that says what to do.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::FalseyValueParser;
use clap::{ArgAction, Parser};
use svc_admin::duration;
use svc_core::harness::{LAUNCHER_ARGUMENT, Launcher, launcher_main};
use svc_core::principals::Audience;
use svc_core::{Error, ErrorKind, HubConfig, Result, limits};

use crate::config::{ConnectionLimits, LogFormat, RateLimits, ServerConfig};
use crate::pages::{BrandConfig, BrandName};
use crate::probe::{self, Command};
use crate::telemetry::TelemetrySettings;
use crate::{logging, open_files, server};

/// The variable with the encryption key of stored secrets.
const SECRET_KEY: &str = "SVC_SECRET_KEY";
/// Below this cost factor a stolen hash is cracked too quickly.
const BCRYPT_COST_ADVISED: u32 = 10;

const EXAMPLES: &str = "\
Examples:
  svc-http
      Serve on http://127.0.0.1:8080 with everything in ./data.
  svc-http --listen 0.0.0.0:8080 --base-url https://hub.example.org --data /var/lib/svc
      Serve behind a proxy that ends TLS.
  SVC_DATABASE_URL=postgres://svc@db.example.org/svc svc-http --log-format json
      Run as one of several nodes on a PostgreSQL server.
  svc-http health
      Ask the server on http://127.0.0.1:8080 whether it is alive.

SVC_SECRET_KEY (64 hexadecimal digits) encrypts stored secrets; without it a key is generated and kept
in secret.key in the data directory. Nodes on one store need the same key.

OTEL_EXPORTER_OTLP_ENDPOINT and the other variables of OpenTelemetry export traces and metrics.";

/// A message hub for people and AI agents: REST, live events and web pages from one program.
#[derive(Debug, Parser)]
#[command(name = "svc-http", version, after_help = EXAMPLES)]
pub struct Flags {
    /// Directory for keys, attachments and, unless --database-url names a store, the database
    #[arg(long, env = "SVC_DATA", value_name = "DIRECTORY", default_value = "./data")]
    pub data: PathBuf,

    /// Address to listen on; port 0 picks a free one
    #[arg(long, env = "SVC_LISTEN", value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    pub listen: String,

    /// Unix socket for svc-admin [default: admin.sock in the data directory; in a container one in /tmp/svc-UID,
    /// named after the data directory]
    #[arg(long, env = "SVC_ADMIN_SOCKET", value_name = "PATH")]
    pub admin_socket: Option<PathBuf>,

    /// Public URL of the server behind a proxy: a scheme and a host
    #[arg(long, env = "SVC_BASE_URL", value_name = "URL")]
    pub base_url: Option<String>,

    /// Store: a SQLite file or a PostgreSQL server [default: svc.db in the data directory]
    #[arg(long, env = "SVC_DATABASE_URL", value_name = "sqlite:PATH|postgres://…", hide_env_values = true)]
    pub database_url: Option<String>,

    /// Bucket for attachments; AWS_* variables set its endpoint and credentials [default: blobs in the data
    /// directory]
    #[arg(long, env = "SVC_BLOB_URL", value_name = "s3://BUCKET/PREFIX")]
    pub blob_url: Option<String>,

    /// Create an empty database although the data directory holds the key or the files of an earlier one; for one
    /// start
    #[arg(long, env = "SVC_NEW_STORE", action = ArgAction::SetTrue, value_parser = FalseyValueParser::new())]
    pub new_store: bool,

    /// Take over the files of the hub with this id, or unowned files with `unbound`
    #[arg(long, env = "SVC_ADOPT_BLOBS", value_name = "ID")]
    pub adopt_blobs: Option<String>,

    /// Log level: error, warn, info, debug, trace, or directives such as info,sqlx=debug
    #[arg(long, env = "SVC_LOG_LEVEL", value_name = "LEVEL", default_value = "info")]
    pub log_level: String,

    /// Log format
    #[arg(long, env = "SVC_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,

    /// Retention of traces: 90s, 15m, 24h, 30d
    #[arg(
        long,
        env = "SVC_TRACE_RETENTION",
        value_name = "DURATION",
        default_value = "30d",
        allow_hyphen_values = true,
        value_parser = duration::parse
    )]
    pub trace_retention: Duration,

    /// Retention of messages: 90d, 365d; pending and claimed messages are kept [default: forever]
    #[arg(
        long,
        env = "SVC_MESSAGE_RETENTION",
        value_name = "DURATION",
        allow_hyphen_values = true,
        value_parser = duration::parse
    )]
    pub message_retention: Option<Duration>,

    /// Time in which authors can edit their messages: 15m, 24h; 0 is never
    #[arg(
        long,
        env = "SVC_EDIT_WINDOW",
        value_name = "DURATION",
        default_value = "24h",
        allow_hyphen_values = true,
        value_parser = duration::parse_or_off
    )]
    pub edit_window: Duration,

    /// Cost factor of password hashes, 4 to 31; below 10 is for tests
    #[arg(long, env = "SVC_BCRYPT_COST", value_name = "COST", default_value_t = limits::BCRYPT_COST)]
    pub bcrypt_cost: u32,

    /// Lifetime of a login session: 15m, 24h, 30d
    #[arg(
        long,
        env = "SVC_SESSION_TTL",
        value_name = "DURATION",
        default_value = "24h",
        allow_hyphen_values = true,
        value_parser = duration::parse
    )]
    pub session_ttl: Duration,

    /// Idle timeout of a session of the older MCP revisions: 30m, 2h
    #[arg(
        long,
        env = "SVC_MCP_SESSION_IDLE",
        value_name = "DURATION",
        default_value = "30m",
        allow_hyphen_values = true,
        value_parser = duration::parse
    )]
    pub mcp_session_idle: Duration,

    /// Failed logins in a row before the next one is delayed, longer each time; 0 is no delay
    #[arg(long, env = "SVC_LOGIN_ATTEMPTS", value_name = "COUNT", default_value_t = limits::LOGIN_ATTEMPTS)]
    pub login_attempts: u32,

    /// Name of this hub for machine principals: svc-sense, svc-brain or svc-bell
    #[arg(long, env = "SVC_AUDIENCE", value_name = "NAME", default_value_t = Audience::SvcBrain)]
    pub audience: Audience,

    /// Registry of machine principals: a file that is loaded at start, when it changes and on SIGHUP [default: the
    /// registry that was loaded last]
    #[arg(long, env = "SVC_MACHINE_REGISTRY", value_name = "FILE")]
    pub machine_registry: Option<PathBuf>,

    /// Proxies whose X-Forwarded-For is trusted: addresses and networks, separated by commas
    #[arg(long, env = "SVC_TRUSTED_PROXIES", value_name = "LIST", default_value = "127.0.0.0/8,::1")]
    pub trusted_proxies: String,

    /// Read requests per minute and caller; 0 is no limit
    #[arg(long, env = "SVC_RATE_LIMIT_READ", value_name = "COUNT", default_value_t = RateLimits::default().read)]
    pub rate_limit_read: u32,

    /// Write requests per minute and caller; 0 is no limit
    #[arg(long, env = "SVC_RATE_LIMIT_WRITE", value_name = "COUNT", default_value_t = RateLimits::default().write)]
    pub rate_limit_write: u32,

    /// Login and token requests per minute and caller; 0 is no limit
    #[arg(long, env = "SVC_RATE_LIMIT_AUTH", value_name = "COUNT", default_value_t = RateLimits::default().auth)]
    pub rate_limit_auth: u32,

    /// Concurrent connections; beyond that only health checks are answered [default: derived from the limit on open
    /// files, at most 16384]
    #[arg(long, env = "SVC_MAX_CONNECTIONS", value_name = "COUNT")]
    pub max_connections: Option<usize>,

    /// Concurrent connections of one address that is no trusted proxy; 0 is no limit [default: a quarter of all, at
    /// least 64]
    #[arg(long, env = "SVC_MAX_CONNECTIONS_PER_ADDRESS", value_name = "COUNT")]
    pub max_connections_per_address: Option<usize>,

    /// Timeout for the headers of a request: 5s, 30s
    #[arg(
        long,
        env = "SVC_HEADER_TIMEOUT",
        value_name = "DURATION",
        default_value = "10s",
        allow_hyphen_values = true,
        value_parser = duration::parse
    )]
    pub header_timeout: Duration,

    /// Timeout for the body of a request, 64 s longer for each MiB after the first: 30s, 5m
    #[arg(
        long,
        env = "SVC_BODY_TIMEOUT",
        value_name = "DURATION",
        default_value = "60s",
        allow_hyphen_values = true,
        value_parser = duration::parse
    )]
    pub body_timeout: Duration,

    /// Minimum average rate of a request body after ten seconds, in bytes per second; 0 is no limit
    #[arg(long, env = "SVC_BODY_MIN_RATE", value_name = "BYTES", default_value_t = limits::BODY_RATE_MIN)]
    pub body_min_rate: u64,

    /// Bytes of attachments that a person and their agents may store; 0 is no limit
    #[arg(long, env = "SVC_QUOTA_FILE_BYTES", value_name = "BYTES", default_value_t = limits::QUOTA_FILE_BYTES)]
    pub quota_file_bytes: u64,

    /// Messages that a person and their agents may send in 24 hours; 0 is no limit
    #[arg(long, env = "SVC_QUOTA_MESSAGES", value_name = "COUNT", default_value_t = limits::QUOTA_MESSAGES)]
    pub quota_messages: u64,

    /// Private networks that webhooks and OAuth client documents may be on, such as 10.0.0.0/8, separated by commas
    #[arg(long, env = "SVC_ALLOW_PRIVATE_NETWORKS", value_name = "CIDR,…", default_value = "")]
    pub allow_private_networks: String,

    /// Accept http URLs of webhooks, which are sent in plain text
    #[arg(long, env = "SVC_ALLOW_HTTP_WEBHOOKS", action = ArgAction::SetTrue, value_parser = FalseyValueParser::new())]
    pub allow_http_webhooks: bool,

    /// Deliveries per minute to the webhooks of one agent, up to 60000; more wait; 0 is no limit
    #[arg(long, env = "SVC_WEBHOOK_RATE", value_name = "COUNT", default_value_t = limits::WEBHOOK_RATE)]
    pub webhook_rate: u32,

    /// Runs of agents at the same time on this node [default: twice the number of cores]
    #[arg(long, env = "SVC_MAX_RUNS", value_name = "COUNT")]
    pub max_runs: Option<u32>,

    /// Confinement of commands that agents are run as: auto (as far as the kernel can), require (no run without it) or
    /// off
    #[arg(long, env = "SVC_RUN_CONFINEMENT", value_name = "MODE", default_value = "auto")]
    pub run_confinement: String,

    /// Kubeconfig files of the cluster that Jobs are created in, separated by colons [default: the service account of
    /// the pod that the server runs in, else no cluster]
    #[arg(long, env = "KUBECONFIG", value_name = "PATHS")]
    pub kubeconfig: Option<String>,

    /// Name of the service on the login and authorization pages
    #[arg(long, env = "SVC_BRAND_NAME", value_name = "NAME", default_value_t = BrandName::default().to_string())]
    pub brand_name: String,

    /// Colour of links and buttons on those pages, #rrggbb; adjusted for contrast in light and dark [default: the web
    /// UI's]
    #[arg(long, env = "SVC_BRAND_ACCENT", value_name = "COLOUR")]
    pub brand_accent: Option<String>,

    /// Logo on those pages: an SVG or PNG file of at most 256 KiB, read at start
    #[arg(long, env = "SVC_BRAND_LOGO", value_name = "PATH")]
    pub brand_logo: Option<PathBuf>,

    /// What to do instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Flags {
    /// Builds the configuration from these flags.
    pub fn into_config(self) -> Result<ServerConfig> {
        let mut hub = HubConfig::at(&self.data);
        if let Some(url) = &self.database_url {
            hub = hub.with_store(url)?;
        }
        hub.blob_url = self.blob_url;
        hub.new_store = self.new_store;
        hub.adopt_blobs = self.adopt_blobs;
        hub.trace_retention = self.trace_retention;
        hub.message_retention = self.message_retention;
        hub.edit_window = self.edit_window;
        hub.session_ttl = self.session_ttl;
        hub.login_attempts = self.login_attempts;
        hub.bcrypt_cost = self.bcrypt_cost;
        hub.audience = self.audience;
        hub.quota_file_bytes = Some(self.quota_file_bytes).filter(|bytes| *bytes > 0);
        hub.quota_messages = Some(self.quota_messages).filter(|messages| *messages > 0);
        hub.private_networks = self.allow_private_networks.parse()?;
        hub.webhooks.allow_http = self.allow_http_webhooks;
        hub.webhooks.rate = self.webhook_rate;
        if !limits::WEBHOOK_RATES.contains(&self.webhook_rate) {
            let most = limits::WEBHOOK_RATES.end();
            return Err(Error::invalid("webhook_rate", format!("must be 0, which is no limit, or 1 to {most}")));
        }
        if let Some(max_runs) = self.max_runs {
            hub.runs.max_runs = max_runs;
        }
        hub.runs.confinement = self.run_confinement.parse()?;
        hub.runs.cluster.kubeconfig = self.kubeconfig.filter(|paths| !paths.is_empty());
        if !limits::BCRYPT_COSTS.contains(&self.bcrypt_cost) {
            let (least, most) = (limits::BCRYPT_COSTS.start(), limits::BCRYPT_COSTS.end());
            return Err(Error::invalid("bcrypt_cost", format!("must be {least} to {most}")));
        }
        let mut config = ServerConfig::at(hub);
        config.listen = self.listen;
        config.admin_socket = self.admin_socket;
        config.machine_registry = self.machine_registry;
        config.base_url = self.base_url.map(|url| url.parse()).transpose()?;
        config.trusted_proxies = self.trusted_proxies.parse()?;
        config.rate_limits =
            RateLimits { read: self.rate_limit_read, write: self.rate_limit_write, auth: self.rate_limit_auth };
        if self.max_connections == Some(0) {
            return Err(Error::invalid("max_connections", "must be at least 1"));
        }
        config.connections =
            ConnectionLimits { total: self.max_connections, per_address: self.max_connections_per_address };
        config.patience.mcp_session = self.mcp_session_idle;
        config.patience.headers = self.header_timeout;
        config.patience.body = self.body_timeout;
        config.patience.body_rate = self.body_min_rate;
        let accent = self.brand_accent.map(|colour| colour.parse()).transpose()?.unwrap_or_default();
        config.brand = BrandConfig { name: self.brand_name.parse()?, accent, logo: self.brand_logo };
        Ok(config)
    }
}

/// Runs the program: parses the arguments, serves until it is asked to stop, and returns the exit code.
pub fn main_with<I>(arguments: I) -> ExitCode
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    main_with_launcher(arguments, Launcher::this_program())
}

/// [`main_with`] for a program that does not take [`LAUNCHER_ARGUMENT`] itself: runs of agents are started by this
/// launcher.
pub fn main_with_launcher<I>(arguments: I, launcher: Launcher) -> ExitCode
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    if arguments.get(1).is_some_and(|argument| argument == LAUNCHER_ARGUMENT) {
        // This process runs the command of an agent for a server, and is none itself.
        return launcher_main();
    }
    svc_core::startup::keep_new_files_private();
    // Fails only when an embedding program has installed a provider already.
    rustls::crypto::ring::default_provider().install_default().ok();
    let flags = match Flags::try_parse_from(arguments) {
        Ok(flags) => flags,
        Err(refusal) => {
            // Help and version arrive here too and end with success; clap knows which is which.
            drop(refusal.print());
            return ExitCode::from(u8::try_from(refusal.exit_code()).unwrap_or(2));
        }
    };
    let outcome = match flags.command {
        Some(Command::Health { ready }) => probe::ask(&flags.listen, ready),
        None => serve(flags, launcher),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("svc-http: {}", sentence(&error));
            ExitCode::from(if error.kind() == ErrorKind::Invalid { 2 } else { 1 })
        }
    }
}

fn serve(flags: Flags, launcher: Launcher) -> Result<()> {
    logging::start(&flags.log_level, flags.log_format)?;
    let mut config = flags.into_config()?;
    config.hub.runs.launcher = Some(launcher);
    // Not a flag: arguments are readable by every user of the machine.
    if let Some(key) = std::env::var_os(SECRET_KEY) {
        let key = key.to_string_lossy().parse().map_err(|error: Error| {
            let rule = error.fields().first().map_or("is not a key", |fault| &fault.message);
            Error::new(ErrorKind::Invalid, "secret_key", format!("The variable {SECRET_KEY} {rule}."))
        })?;
        config.hub.secret_key = Some(key);
    }
    config.telemetry = TelemetrySettings::from_variables(|name| {
        std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
    })?;
    if config.hub.bcrypt_cost < BCRYPT_COST_ADVISED {
        tracing::warn!(cost = config.hub.bcrypt_cost, "password hashes are easy to crack with this --bcrypt-cost");
    }
    open_files::raise();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| {
        Error::unavailable("no_threads", "Cannot start threads: raise the process limit of this user (ulimit -u).")
            .with_source(error)
    })?;
    let outcome = runtime.block_on(server::run(config));
    if let Err(error) = &outcome {
        tracing::debug!(error = error.log_line(), "the server ended with an error");
    }
    outcome
}

/// Error text: an invalid setting is named by its flag.
fn sentence(error: &Error) -> String {
    match error.fields().first() {
        Some(fault) => format!("--{} {}.", fault.field.replace('_', "-"), fault.message),
        None => error.message().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn refusal(arguments: &[&str]) -> String {
        let flags = Flags::try_parse_from([&["svc-http"], arguments].concat()).unwrap();
        sentence(&flags.into_config().err().unwrap())
    }

    #[test]
    fn the_command_line_is_consistent() {
        Flags::command().debug_assert();
    }

    #[test]
    fn every_flag_is_also_a_variable_of_its_name() {
        for argument in Flags::command().get_arguments().filter(|argument| argument.get_long() != Some("help")) {
            let Some(long) = argument.get_long().filter(|long| *long != "version") else { continue };
            let name = long.replace('-', "_").to_uppercase();
            // Other programs read this one too.
            let variable = if long == "kubeconfig" { name } else { format!("SVC_{name}") };
            assert_eq!(argument.get_env().and_then(|name| name.to_str()), Some(variable.as_str()));
        }
    }

    #[test]
    fn invalid_settings_are_named_by_their_flag() {
        assert!(refusal(&["--database-url", "mysql://h/d"]).starts_with("--database-url must start with sqlite:"));
        assert!(refusal(&["--base-url", "hub.example"]).starts_with("--base-url must"));
        assert!(refusal(&["--brand-name", ""]).starts_with("--brand-name must be 1 to 40"));
        assert!(refusal(&["--brand-accent", "blue"]).starts_with("--brand-accent must be a colour such as"));
        assert!(refusal(&["--trusted-proxies", "10.0.0.0/99"]).starts_with("--trusted-proxies "));
        assert!(refusal(&["--allow-private-networks", "10.0.0.0/99"]).starts_with("--allow-private-networks must be"));
        assert!(
            refusal(&["--webhook-rate", "60001"]).starts_with("--webhook-rate must be 0, which is no limit, or 1 to")
        );
        assert!(refusal(&["--max-connections", "0"]).starts_with("--max-connections must be at least 1"));
    }

    #[test]
    fn an_empty_kubeconfig_is_none() {
        let cluster = |paths: &str| {
            let flags = Flags::try_parse_from(["svc-http", "--kubeconfig", paths]).unwrap();
            flags.into_config().unwrap().hub.runs.cluster.kubeconfig
        };
        assert_eq!(cluster(""), None);
        assert_eq!(cluster("/etc/svc/one:/etc/svc/two").as_deref(), Some("/etc/svc/one:/etc/svc/two"));
    }

    #[test]
    fn the_brand_has_defaults() {
        let brand = |arguments: &[&str]| {
            Flags::try_parse_from([&["svc-http"], arguments].concat()).unwrap().into_config().unwrap().brand
        };
        let ours = brand(&[]);
        assert_eq!((ours.name.as_str(), ours.accent.light().as_str()), ("svc", "#3b4fc4"));
        let theirs = brand(&["--brand-name", "Example Hub", "--brand-accent", "#0b6e4f", "--brand-logo", "logo.svg"]);
        assert_eq!((theirs.name.as_str(), theirs.accent.light().as_str()), ("Example Hub", "#0b6e4f"));
        assert_eq!(theirs.logo, Some(PathBuf::from("logo.svg")));
    }

    #[test]
    fn a_negative_retention_is_rejected_by_name() {
        let refusal = Flags::try_parse_from(["svc-http", "--trace-retention", "-3d"]).unwrap_err();
        assert!(refusal.to_string().contains("is negative"), "{refusal}");
        assert_eq!(refusal.exit_code(), 2);
    }
}
