//! Hooks: a client checks for messages at the start of a session, at a prompt of its human, and at the end of a turn,
//! without a model that polls.
//!
//! Invariants: a hook only peeks. Installing is idempotent; everything else in the client's file is preserved
//! exactly; a file that cannot be parsed reliably is not touched.

mod clients;
mod files;
pub(crate) mod output;
mod settings;

use std::path::{Path, PathBuf};

use clap::Subcommand;
use svc_core::{Error, Result};

pub(crate) use clients::HookClient;

use crate::location::HubLocation;
use settings::Settings;

/// Commands for hooks.
#[derive(Debug, Subcommand)]
pub(crate) enum HooksCommand {
    /// Install the hooks of a client into its settings
    Install(HookFlags),
    /// Remove the hooks of a client from its settings
    Remove(HookFlags),
}

/// Options of hook commands.
#[derive(Debug, clap::Args)]
pub(crate) struct HookFlags {
    /// The client
    #[arg(value_enum)]
    client: HookClient,

    /// Directory that holds the client's settings directory: a project's, or your home
    #[arg(long, value_name = "PATH", default_value = ".")]
    dir: PathBuf,

    /// Path of the program for the client
    #[arg(long, value_name = "PATH", default_value = "svc-mcp-stdio")]
    program: String,

    /// Print the result without writing it
    #[arg(long)]
    dry_run: bool,
}

/// Runs the command, and prints its result.
pub(crate) async fn run(location: &HubLocation, command: HooksCommand) -> Result<()> {
    let (flags, is_install) = match &command {
        HooksCommand::Install(flags) => (flags, true),
        HooksCommand::Remove(flags) => (flags, false),
    };
    let path = flags.dir.join(flags.client.file());
    let old = files::read(&path).await?;
    let mut settings = Settings::parse(old.as_deref().unwrap_or_default())
        .map_err(|reason| files::refuse(&path, &format!("cannot be edited reliably ({reason})")))?;
    let ours = is_install.then(|| clients::command(&flags.program, location)).transpose()?;
    for event in flags.client.events() {
        let group = ours.as_deref().map(|command| flags.client.group(command));
        settings
            .set(event, group.as_ref())
            .map_err(|reason| files::refuse(&path, &format!("has hooks in an unknown format ({reason})")))?;
    }
    let new = settings.print();
    if old.as_deref() == Some(&new) || (old.is_none() && !is_install) {
        println!("{} is up to date; nothing was written.", path.display());
        return Ok(());
    }
    if flags.dry_run {
        println!("{} would be:\n{new}", path.display());
        return Ok(());
    }
    files::write(&path, &new).await?;
    print_result(flags, &path, ours.as_deref());
    Ok(())
}

fn print_result(flags: &HookFlags, path: &Path, command: Option<&str>) {
    let Some(command) = command else {
        println!("{}: the hooks were removed.", path.display());
        return;
    };
    println!("{}: wrote hooks for {}.", path.display(), flags.client.events().join(", "));
    println!("They run: {command}");
    println!("{}", flags.client.advice());
}

/// A path that is not valid text for a shell or a settings file.
fn unprintable(path: &Path) -> Error {
    Error::invalid("data", format!("must be a path in plain text, not {}", path.display()))
}
