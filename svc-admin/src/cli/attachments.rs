//! `svc-admin attachments`.

use std::path::PathBuf;

use clap::Subcommand;
use svc_core::attachments::{AttachmentPage, StoredAttachment};

use super::context::{Context, PageArguments};
use super::outcome::{Failure, Outcome};
use super::output::Output;
use super::size::bytes;
use super::table::{self, Cell};
use super::{backup, progress, when};
use crate::methods::attachments::{Gc, GcParams, List, ListParams};

#[derive(Debug, Subcommand)]
pub(super) enum AttachmentsCommand {
    /// List attachments, the latest used first.
    #[command(after_help = "Example:\n  svc-admin attachments list --limit 20")]
    List {
        #[command(flatten)]
        page: PageArguments,
    },
    /// Remove attachments that no message has referenced for a day; the server does so every hour by itself.
    ///
    /// They are quarantined and deleted a week later. One call removes 20 attachments or 5 %, whichever is more, and
    /// none at all when more than that are unknown to the database.
    #[command(after_help = "Example:\n  svc-admin attachments gc")]
    Gc {
        /// Remove all of them, however many there are.
        #[arg(long)]
        force: bool,
    },
    /// Write all attachments to an archive while the server runs.
    ///
    /// The archive contains the attachments and their uploaders, not the messages: back up the store first.
    #[command(after_help = "Example:\n  svc-admin attachments backup files.tar.gz")]
    Backup {
        /// The archive, written by this command with the permissions of its user.
        file: PathBuf,
    },
    /// Restore attachments from an archive; intact ones are kept, damaged ones are repaired.
    ///
    /// From a damaged archive, everything that is intact is restored. Restore the store first: an attachment that no
    /// message references is removed after a day.
    #[command(after_help = "Example:\n  svc-admin attachments restore files.tar.gz")]
    Restore {
        /// The archive, read by this command.
        file: PathBuf,
    },
}

pub(super) async fn run(command: &AttachmentsCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        AttachmentsCommand::List { page } => {
            let params = ListParams { limit: Some(page.limit), offset: Some(page.offset), after: None };
            let found = context.call::<List>(&params).await?;
            let outcome = Outcome::new(context.output.render(&found, draw));
            let empty = "No attachments yet: they are uploaded with messages.";
            Ok(page.remark(outcome, &context.output, (found.attachments.len(), found.total), empty))
        }
        AttachmentsCommand::Gc { force } => {
            let spinner = progress::spinner("removing unreferenced attachments");
            let collected = context.call::<Gc>(&GcParams { force: *force }).await;
            spinner.finish_and_clear();
            let collected = collected?;
            let sentence = match collected.removed {
                0 => "No unreferenced attachments.".to_owned(),
                1 => format!("Removed 1 file, {}.", bytes(collected.bytes)),
                removed => format!("Removed {removed} files, {}.", bytes(collected.bytes)),
            };
            Ok(Outcome::sentence(&context.output, &collected, &sentence))
        }
        AttachmentsCommand::Backup { file } => backup::backup(context, file).await,
        AttachmentsCommand::Restore { file } => backup::restore(context, file).await,
    }
}

fn draw(output: &Output, page: &AttachmentPage) -> String {
    let now = when::now();
    let row = |attachment: &StoredAttachment| {
        let upload = attachment.uploads.first();
        vec![
            Cell::new(&attachment.hash),
            Cell::new(upload.map_or("-", |upload| upload.filename.as_str())),
            Cell::new(&attachment.mime_type),
            Cell::whole(bytes(attachment.size)),
            Cell::new(upload.map_or("-", |upload| upload.by.as_str())),
            Cell::whole(attachment.messages.to_string()),
            Cell::whole(when::relative(attachment.touched_at, now)),
        ]
    };
    let rows: Vec<_> = page.attachments.iter().map(row).collect();
    table::draw(output, &["HASH", "NAME", "TYPE", "SIZE", "BY", "MESSAGES", "USED"], &rows)
}
