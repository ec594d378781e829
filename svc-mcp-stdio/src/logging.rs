//! The log: lines on standard error, and nothing on standard output, which belongs to the protocol.

use std::io::{IsTerminal, stderr};

use svc_core::{Error, Result};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

/// These libraries report events that no user of a client can act on.
const QUIET: &str = "rmcp=error,hyper=warn,sqlx=warn,sqlx::postgres::notice=error";

/// Starts logging, once for the whole process.
pub(crate) fn start(directives: &str) -> Result<()> {
    // The user's directives come last, so they override the defaults.
    let filter = EnvFilter::builder().parse(format!("{QUIET},{directives}")).map_err(|_| {
        Error::invalid("log_level", "must be error, warn, info, debug, trace, or directives such as warn,rmcp=debug")
    })?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr);
    let started = lines.compact().with_ansi(stderr().is_terminal()).finish().try_init();
    // An embedding program may have set up logging already; its setup is kept.
    if started.is_ok() {
        std::panic::set_hook(Box::new(|panic| tracing::error!(target: "svc::mcp", "{panic}")));
    }
    Ok(())
}
