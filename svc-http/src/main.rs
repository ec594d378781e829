//! The server program. All code is in the library, where tests can call it.

use std::process::ExitCode;

fn main() -> ExitCode {
    svc_http::main_with(std::env::args_os())
}
