//! The command line program; all code is in the library.

fn main() -> std::process::ExitCode {
    svc_admin::cli::main_with(std::env::args_os())
}
