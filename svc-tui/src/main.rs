//! The program `svc-tui`.

use std::process::ExitCode;

fn main() -> ExitCode {
    svc_tui::main_with(std::env::args_os())
}
