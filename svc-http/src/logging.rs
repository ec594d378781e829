//! The server's log: lines for people or JSON for machines, always to standard error.
//!
//! What always holds: standard output stays free for what the operator asked to see, and a panic
//! is a line of the log like any other.

use std::io::{IsTerminal, stderr};

use svc_core::{Error, Result};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::LogFormat;

/// The libraries below report things that nobody who runs a hub can act on; to rmcp, every mistake of a client
/// is worth a warning.
const QUIET: &str = "poem=warn,hyper=warn,sqlx=warn,rmcp=error";

/// Starts logging, for the whole process and once. `directives` is a level such as `info`, or
/// tracing's own filter directives.
pub(crate) fn start(directives: &str, format: LogFormat) -> Result<()> {
    // What the operator writes comes last, so it wins over the quiet defaults.
    let filter = EnvFilter::builder().parse(format!("{QUIET},{directives}")).map_err(|_| {
        Error::invalid("log_level", "must be error, warn, info, debug, trace, or directives such as info,sqlx=debug")
    })?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr);
    let started = match format {
        LogFormat::Text => lines.compact().with_ansi(stderr().is_terminal()).finish().try_init(),
        LogFormat::Json => lines.json().flatten_event(true).with_span_list(false).finish().try_init(),
    };
    // Somebody who embeds the server may have set up logging already; theirs stays.
    if started.is_ok() {
        std::panic::set_hook(Box::new(|panic| tracing::error!(target: "svc::http", "{panic}")));
    }
    Ok(())
}
