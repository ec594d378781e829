//! The server with the fixtures that MCP conformance suites look for. It takes what `svc-http` takes, and is
//! run by `scripts/client-journeys`; nobody is meant to serve people with it.

use std::process::ExitCode;

fn main() -> ExitCode {
    svc_mcp::fixtures::serve();
    svc_http::main_with(std::env::args_os())
}
