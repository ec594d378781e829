//! MCP over a pipe; all code is in the library.

fn main() -> std::process::ExitCode {
    svc_mcp_stdio::main_with(std::env::args_os())
}
