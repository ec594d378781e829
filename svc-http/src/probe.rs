//! `svc-http health`: asks the server on this machine how it is, for health checks in places that have no other
//! program to ask with.
//!
//! Invariants: it opens no store and writes nothing, so it cannot disturb the server; it ends within seconds.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use clap::Subcommand;
use svc_core::{Error, Result};

/// Time limit of connecting, of sending, and of each wait for a part of the answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// More than a status line takes.
const STATUS_LINE_BYTES: u64 = 256;

/// A task of the program other than serving.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Ask the server that listens on --listen how it is; exit code 0 when it is well, 1 when it is not
    #[command(after_help = "Example:\n  SVC_LISTEN=0.0.0.0:8080 svc-http health --ready")]
    Health {
        /// Ask whether requests are served, which also checks the store
        #[arg(long)]
        ready: bool,
    },
}

/// Asks the server that listens on this address for its liveness or its readiness.
pub(crate) fn ask(listen: &str, ready: bool) -> Result<()> {
    let address = on_this_machine(listen)?;
    let page = if ready { "readyz" } else { "healthz" };
    let status = status_of(address, page).map_err(|error| {
        let message = format!("No server answers on {address} ({error}): start it, or set --listen as it has it.");
        Error::unavailable("no_server", message)
    })?;
    if status == 200 {
        return Ok(());
    }
    let message = format!("The server on {address} is not well: /{page} answered {status}. Its log says why.");
    Err(Error::unavailable("unhealthy", message))
}

/// Where a server with this setting is reached from its own machine.
fn on_this_machine(listen: &str) -> Result<SocketAddr> {
    let found = listen.to_socket_addrs().ok().and_then(|mut found| found.next());
    let mut address =
        found.ok_or_else(|| Error::invalid("listen", "must be a host and a port, as in 127.0.0.1:8080"))?;
    if address.port() == 0 {
        return Err(Error::invalid("listen", "must have the port that the server has printed, not 0"));
    }
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    Ok(address)
}

/// The status of the answer to one request.
fn status_of(address: SocketAddr, page: &str) -> std::io::Result<u16> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(stream, "GET /{page} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut line = Vec::new();
    stream.take(STATUS_LINE_BYTES).read_to_end(&mut line)?;
    let line = String::from_utf8_lossy(&line);
    let status = line.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
    status.ok_or_else(|| std::io::Error::other("the answer is not HTTP"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_all_addresses_is_asked_on_the_loopback_one() {
        for (listen, asked) in [
            ("0.0.0.0:8080", Some("127.0.0.1:8080")),
            ("[::]:8080", Some("[::1]:8080")),
            ("192.0.2.7:80", Some("192.0.2.7:80")),
            ("127.0.0.1:0", None),
            ("nowhere", None),
        ] {
            assert_eq!(on_this_machine(listen).ok().map(|address| address.to_string()).as_deref(), asked, "{listen}");
        }
    }
}
