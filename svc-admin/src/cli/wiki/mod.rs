//! `svc-admin wiki`: articles as Markdown files.
//!
//! `DIR/SLUG.md` is the newest revision of an article, and `DIR/history/SLUG/000001.md` an earlier one. Each begins with
//! [front matter](front_matter).

mod export;
mod front_matter;
mod import;
mod tree;

use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::context::Context;
use super::outcome::{Failure, Outcome};

/// The folder with the earlier revisions.
const HISTORY: &str = "history";

#[derive(Debug, Subcommand)]
pub(super) enum WikiCommand {
    /// Write all articles with their history to a directory, as Markdown files.
    ///
    /// DIR/SLUG.md is an article, deleted ones included, and DIR/history/SLUG/NUMBER.md an earlier revision of it.
    #[command(after_help = "Example:\n  svc-admin wiki export ./wiki")]
    Export {
        /// The directory, which is created if it does not exist.
        dir: PathBuf,
        /// Write to a directory that is not empty, and replace files there.
        #[arg(long)]
        force: bool,
    },
    /// Add the articles of a directory, with their history where it is given.
    ///
    /// Takes the files of an export, and plain Markdown: then the name of the file is the slug, and its first heading
    /// the title. Revisions that an article has already are left alone. A file with a fault is named, and the others
    /// are imported.
    #[command(after_help = "Example:\n  svc-admin wiki import ./wiki --dry-run")]
    Import {
        /// The directory.
        dir: PathBuf,
        /// Check all files, and change nothing.
        #[arg(long)]
        dry_run: bool,
    },
}

pub(super) async fn run(command: &WikiCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        WikiCommand::Export { dir, force } => export::run(context, dir, *force).await,
        WikiCommand::Import { dir, dry_run } => import::run(context, dir, *dry_run).await,
    }
}

/// The name of the file of an earlier revision.
fn history_file(number: i64) -> String {
    format!("{number:06}.md")
}

/// A number of things, in words.
fn count(number: u64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// A path for a message.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
