//! The command line of a running hub; everything is in the library.

fn main() -> std::process::ExitCode {
    svc_admin::cli::main_with(std::env::args_os())
}
