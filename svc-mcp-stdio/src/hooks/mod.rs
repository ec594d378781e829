//! Hooks: how a client looks for messages when a session begins, when its human says something, and when
//! a turn ends, without a model that polls.
//!
//! What always holds: a hook only peeks. Installing twice is installing once; what else stands in the
//! client's file stays as it was, to the letter; a file that cannot be read for certain is not touched.

mod clients;
mod files;
mod settings;
pub(crate) mod telling;

use std::path::{Path, PathBuf};

use clap::Subcommand;
use svc_core::{Error, Result};

pub(crate) use clients::HookClient;

use crate::place::Place;
use settings::Settings;

/// What can be done with hooks.
#[derive(Debug, Subcommand)]
pub(crate) enum HooksCommand {
    /// Write the hooks of a client into its settings
    Install(HookFlags),
    /// Take them out again
    Remove(HookFlags),
}

/// Whose hooks, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct HookFlags {
    /// The client
    #[arg(value_enum)]
    client: HookClient,

    /// Directory that holds the client's settings directory: a project's, or your home
    #[arg(long, value_name = "PATH", default_value = ".")]
    dir: PathBuf,

    /// The program as the client finds it
    #[arg(long, value_name = "PATH", default_value = "svc-mcp-stdio")]
    program: String,

    /// Say what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// Does it, and says what was done.
pub(crate) async fn run(place: &Place, command: HooksCommand) -> Result<()> {
    let (flags, is_install) = match &command {
        HooksCommand::Install(flags) => (flags, true),
        HooksCommand::Remove(flags) => (flags, false),
    };
    let path = flags.dir.join(flags.client.file());
    let old = files::read(&path).await?;
    let mut settings = Settings::parse(old.as_deref().unwrap_or_default())
        .map_err(|reason| files::refuse(&path, &format!("is not JSON that can be changed for certain ({reason})")))?;
    let ours = is_install.then(|| clients::command(&flags.program, place)).transpose()?;
    for event in flags.client.events() {
        let group = ours.as_deref().map(|command| flags.client.group(command));
        settings
            .set(event, group.as_ref())
            .map_err(|reason| files::refuse(&path, &format!("has hooks of another shape ({reason})")))?;
    }
    let new = settings.print();
    if old.as_deref() == Some(&new) || (old.is_none() && !is_install) {
        println!("{} is as it should be; nothing was written.", path.display());
        return Ok(());
    }
    if flags.dry_run {
        println!("{} would be:\n{new}", path.display());
        return Ok(());
    }
    files::write(&path, &new).await?;
    tell(flags, &path, ours.as_deref());
    Ok(())
}

fn tell(flags: &HookFlags, path: &Path, command: Option<&str>) {
    let Some(command) = command else {
        println!("{}: the hooks were taken out.", path.display());
        return;
    };
    println!("{}: wrote hooks for {}.", path.display(), flags.client.events().join(", "));
    println!("They run: {command}");
    println!("{}", flags.client.advice());
}

/// A path that a shell or a settings file cannot hold.
fn unprintable(path: &Path) -> Error {
    Error::invalid("data", format!("must be a path in plain text, not {}", path.display()))
}
