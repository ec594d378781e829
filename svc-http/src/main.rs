//! The server program. All code is in the library, where tests can call it.

use std::process::ExitCode;

/// Returns freed memory to the operating system within a second; the allocator of glibc keeps most of the peak.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    svc_http::main_with(std::env::args_os())
}
