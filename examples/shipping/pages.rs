//! Manual pages and completions, from the command lines as clap knows them.

use std::fs::{File, create_dir_all};
use std::io::{self, Write};
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

/// The shells that people use on the systems of the server.
const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];

/// A program that is shipped.
pub(crate) struct Program {
    /// Its command line.
    pub(crate) command: Command,
    /// The section of its pages: 1 for everybody, 8 for the administrator of a system.
    pub(crate) section: &'static str,
}

/// The programs that are shipped.
pub(crate) fn programs() -> [Program; 4] {
    [
        Program { command: svc_http::Flags::command(), section: "8" },
        Program { command: svc_admin::cli::command(), section: "8" },
        Program { command: svc_mcp_stdio::Flags::command(), section: "1" },
        Program { command: svc_tui::command(), section: "1" },
    ]
}

/// Writes `man/` and `completions/` below a folder.
pub(crate) fn write_all(folder: &Path) -> io::Result<()> {
    let (manuals, completions) = (folder.join("man"), folder.join("completions"));
    create_dir_all(&manuals)?;
    create_dir_all(&completions)?;
    for Program { command, section } in programs() {
        let mut command = without_hidden(command);
        // A page for `help` would say nothing.
        let mut documented = without_help(command.clone());
        for shell in SHELLS {
            let name = command.get_name().to_owned();
            clap_complete::generate_to(shell, &mut command, name, &completions)?;
        }
        documented.build();
        write_pages(&documented, section, &manuals)?;
    }
    Ok(())
}

/// The command without the subcommands that only the program itself calls, which completions would offer.
fn without_hidden(command: Command) -> Command {
    if !command.get_subcommands().any(Command::is_hide_set) {
        return command;
    }
    let shown: Vec<_> = command.get_subcommands().filter(|inner| !inner.is_hide_set()).cloned().collect();
    // Names of commands live as long as the program.
    let name: &'static str = command.get_name().to_owned().leak();
    let mut bare = Command::new(name).args(command.get_arguments().cloned());
    bare = bare.version(env!("CARGO_PKG_VERSION")).subcommands(shown);
    if let Some(about) = command.get_about() {
        bare = bare.about(about.clone());
    }
    if let Some(more) = command.get_after_help() {
        bare = bare.after_help(more.clone());
    }
    bare
}

/// The command without the subcommand `help`, at all levels.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

/// Writes the page of a command and of all commands below it.
fn write_pages(command: &Command, section: &str, folder: &Path) -> io::Result<()> {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        write_pages(inner, section, folder)?;
    }
    let source = concat!("svc ", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.clone()).section(section).source(source).manual("svc");
    let mut text = Vec::new();
    page.render(&mut text)?;
    // The text after the help is examples and exit codes.
    let text = String::from_utf8_lossy(&text).replace(".SH EXTRA", ".SH EXAMPLES");
    File::create(folder.join(page.get_filename()))?.write_all(text.as_bytes())
}
