//! The server's program: everything it does is in the library, where tests can call it too.

use std::process::ExitCode;

use mimalloc::MiMalloc;

// A request is many small allocations; the system's allocator takes a tenth of its time for them.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    svc_http::main_with(std::env::args_os())
}
