//! A server with the fixtures of MCP conformance suites. It takes the arguments of `svc-http` and
//! is run by `scripts/client-journeys`. Not for production.

use std::process::ExitCode;

fn main() -> ExitCode {
    svc_mcp::fixtures::serve();
    svc_http::main_with(std::env::args_os())
}
