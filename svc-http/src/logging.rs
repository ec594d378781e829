//! The server's log: text for people or JSON for programs, always on standard error.
//!
//! Invariants: standard output stays free for requested output, and a panic is an ordinary log line.

use std::io::{IsTerminal, stderr};

use svc_core::{Error, Result};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::LogFormat;

/// These libraries report events that no operator can act on; rmcp logs a warning for every mistake of a client.
const QUIET: &str = "poem=warn,hyper=warn,sqlx=warn,rmcp=error";

/// Starts logging, once for the whole process. `directives` is a level such as `info`, or filter directives of
/// `tracing`.
pub(crate) fn start(directives: &str, format: LogFormat) -> Result<()> {
    // The operator's directives come last, so they override the defaults.
    let filter = EnvFilter::builder().parse(format!("{QUIET},{directives}")).map_err(|_| {
        Error::invalid("log_level", "must be error, warn, info, debug, trace, or directives such as info,sqlx=debug")
    })?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr);
    let started = match format {
        LogFormat::Text => lines.compact().with_ansi(stderr().is_terminal()).finish().try_init(),
        LogFormat::Json => lines.json().flatten_event(true).with_span_list(false).finish().try_init(),
    };
    // An embedding program may have set up logging already; its setup is kept.
    if started.is_ok() {
        std::panic::set_hook(Box::new(|panic| tracing::error!(target: "svc::http", "{panic}")));
    }
    Ok(())
}
