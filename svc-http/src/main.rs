//! The server's program: everything it does is in the library, where tests can call it too.

use std::process::ExitCode;

fn main() -> ExitCode {
    svc_http::main_with(std::env::args_os())
}
