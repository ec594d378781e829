//! `svc-admin attachments backup` and `restore`: the command has the archive, the server has the attachments.
//!
//! Invariants: an archive gets its final name when it is complete, and only its owner can read it; everything written
//! to it or restored from it matches its hash. Attachments that could not be processed are named, and the exit code
//! reports it.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use serde::Serialize;
use svc_core::attachments::{ContentHash, RestoreFacts, Restored, StoredAttachment};
use svc_core::limits;

use super::archive::{ArchiveReader, ArchiveWriter, Damage, Item, Items, Manifest, Next};
use super::context::Context;
use super::draft::Draft;
use super::outcome::{Failure, Outcome, Verdict};
use super::size::bytes;
use super::{progress, when};
use crate::client::ClientError;
use crate::methods::attachments::{
    Backup, BackupParams, BackupPiece, List, ListParams, PIECE, Piece, Restore, RestoreParams, RestoreStep,
};
use crate::wire::Fault;

/// Result of a backup.
#[derive(Debug, Serialize)]
struct BackedUp {
    attachments: u64,
    bytes: u64,
    /// Attachments that were removed meanwhile.
    missing: u64,
    /// Hashes of attachments that the store has lost or that are damaged there.
    damaged: Vec<String>,
    file: PathBuf,
}

/// Result of a restore.
#[derive(Debug, Serialize)]
struct RestoredAll {
    stored: u64,
    present: u64,
    bytes: u64,
    /// Hashes of attachments that are damaged in the archive.
    damaged: Vec<String>,
    /// Hashes of attachments that the server rejects.
    refused: Vec<String>,
    /// The reason why the archive could not be read to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<String>,
    file: PathBuf,
}

pub(super) async fn backup(context: &mut Context, path: &Path) -> Result<Outcome, Failure> {
    let shown = path.display().to_string();
    let unwritable = |error: io::Error| {
        let sentence =
            format!("{shown} cannot be written to ({error}): see that there is room and that this user may.");
        Failure::Here(sentence)
    };
    let draft = Draft::beside(path).map_err(unwritable)?;
    let written = write_all(context, BufWriter::new(draft)).await;
    let placed = written.and_then(|(out, manifest, skipped)| {
        let draft = out.into_inner().map_err(|error| Stopped::Writing(error.into_error()))?;
        draft.place().map_err(Stopped::Writing)?;
        Ok((manifest, skipped))
    });
    let (manifest, Skipped { missing, damaged }) = placed.map_err(|stopped| match stopped {
        Stopped::Asking(failure) => failure,
        Stopped::Writing(error) => unwritable(error),
    })?;
    let Manifest { attachments, bytes: total, .. } = manifest;
    let done = BackedUp { attachments, bytes: total, missing, damaged, file: path.to_owned() };
    let sentence = format!("Wrote {}, {}, to {shown}.", files(done.attachments), bytes(done.bytes));
    let outcome = Outcome::sentence(&context.output, &done, &sentence);
    if !done.damaged.is_empty() {
        let remark = format!(
            "Not taken, because the server's copy is lost or damaged: {}. Restore an earlier archive, or upload those \
             files again.",
            done.damaged.join(", ")
        );
        return Ok(outcome.remark(&context.output, &remark).verdict(Verdict::Wrong));
    }
    Ok(match missing {
        0 => outcome,
        missing => outcome.remark(&context.output, &format!("Removed meanwhile: {}.", files(missing))),
    })
}

/// Attachments that an archive does not contain.
#[derive(Default)]
struct Skipped {
    missing: u64,
    damaged: Vec<String>,
}

/// Result for one attachment.
enum ItemOutcome {
    Whole,
    Gone,
    Damaged,
}

fn files(count: u64) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

enum Stopped {
    Asking(Failure),
    Writing(io::Error),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Asking(failure)
    }
}

type Written = (BufWriter<Draft>, Manifest, Skipped);

async fn write_all(context: &mut Context, out: BufWriter<Draft>) -> Result<Written, Stopped> {
    let mut archive = ArchiveWriter::new(out);
    let mut bar: Option<ProgressBar> = None;
    let mut skipped = Skipped::default();
    let mut params = ListParams { limit: Some(limits::PAGE_MAX.into()), offset: None, after: Some(String::new()) };
    loop {
        let page = context.call::<List>(&params).await?;
        let bar = bar.get_or_insert_with(|| progress::bytes("writing", page.bytes));
        let Some(last) = page.attachments.last() else { break };
        params.after = Some(last.hash.clone());
        for attachment in &page.attachments {
            match write_one(context, &mut archive, attachment, bar).await? {
                ItemOutcome::Whole => {}
                ItemOutcome::Gone => skipped.missing += 1,
                ItemOutcome::Damaged => skipped.damaged.push(attachment.hash.clone()),
            }
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let (out, manifest) = archive.finish(when::now()).map_err(Stopped::Writing)?;
    Ok((out, manifest, skipped))
}

/// Fetches all of an attachment before any of it is written.
async fn write_one(
    context: &mut Context,
    archive: &mut ArchiveWriter<BufWriter<Draft>>,
    attachment: &StoredAttachment,
    bar: &ProgressBar,
) -> Result<ItemOutcome, Stopped> {
    let hash: ContentHash =
        attachment.hash.parse().map_err(|error: svc_core::Error| Failure::Here(error.to_string()))?;
    let mut params = BackupParams { hash: attachment.hash.clone(), offset: 0 };
    let mut whole = Vec::new();
    loop {
        let BackupPiece { size, content } = match context.client.call::<Backup>(&params).await {
            Ok(piece) => piece,
            Err(ClientError::Refused(fault)) => match fault.data.as_ref().map(|data| data.code.as_str()) {
                Some("not_found") => return Ok(ItemOutcome::Gone),
                Some("attachment_damaged" | "attachment_busy" | "blob_store_unavailable") => {
                    return Ok(ItemOutcome::Damaged);
                }
                _ => return Err(Failure::from(ClientError::Refused(fault)).into()),
            },
            Err(error) => return Err(Failure::from(error).into()),
        };
        whole.extend_from_slice(&content.0);
        params.offset = whole.len() as u64;
        bar.inc(content.0.len() as u64);
        if params.offset >= size || content.0.is_empty() {
            break;
        }
    }
    if ContentHash::of(&whole) != hash {
        return Ok(ItemOutcome::Damaged);
    }
    let facts = RestoreFacts { hash, size: whole.len() as u64, uploads: attachment.uploads.clone() };
    let written = archive.begin(&facts).and_then(|()| archive.write(&whole)).and_then(|()| archive.end(facts.size));
    written.map_err(Stopped::Writing)?;
    Ok(ItemOutcome::Whole)
}

pub(super) async fn restore(context: &mut Context, path: &Path) -> Result<Outcome, Failure> {
    let bar = progress::bytes("restoring", scan(path)?);
    let mut done = RestoredAll {
        stored: 0,
        present: 0,
        bytes: 0,
        damaged: Vec::new(),
        refused: Vec::new(),
        broken: None,
        file: path.to_owned(),
    };
    let mut reader = ArchiveReader::new(open(path)?);
    let ended = match reader.items() {
        Ok(mut items) => restore_all(context, &mut items, &mut done, &bar).await?,
        Err(damage) => Err(damage),
    };
    done.broken = ended.and_then(|()| reader.finish()).err().map(|damage| damage.0);
    bar.finish_and_clear();
    let sentence = match (done.stored, done.present) {
        (0, 0) if done.is_complete() => "There are no files in the archive.".to_owned(),
        (0, 0) => return Err(unusable(path, &done)),
        (stored, 0) => format!("Restored {}, {}.", files(stored), bytes(done.bytes)),
        (0, present) => format!("Nothing was missing: {} of the archive were there.", files(present)),
        (stored, present) => {
            format!("Restored {}, {}; {} were there already.", files(stored), bytes(done.bytes), files(present))
        }
    };
    let outcome = Outcome::sentence(&context.output, &done, &sentence);
    if done.is_complete() {
        return Ok(outcome);
    }
    Ok(outcome.remark(&context.output, &format!("Not restored: {}", done.rest())).verdict(Verdict::Wrong))
}

impl RestoredAll {
    fn is_complete(&self) -> bool {
        self.damaged.is_empty() && self.refused.is_empty() && self.broken.is_none()
    }

    /// Summary of the attachments that were not restored.
    fn rest(&self) -> String {
        let mut parts = Vec::new();
        if !self.damaged.is_empty() {
            parts.push(format!("damaged in the archive: {}.", self.damaged.join(", ")));
        }
        if !self.refused.is_empty() {
            parts.push(format!("not taken by the server: {}.", self.refused.join(", ")));
        }
        if let Some(broken) = &self.broken {
            parts.push(format!("what follows in the archive, because {broken}."));
        }
        parts.join(" ")
    }
}

fn unusable(path: &Path, done: &RestoredAll) -> Failure {
    let rest = done.broken.clone().unwrap_or_else(|| done.rest());
    Failure::Here(format!(
        "{} is damaged or no archive of files, so nothing was restored: {}.",
        path.display(),
        rest.trim_end_matches('.')
    ))
}

/// Restores one attachment after another; reports what is wrong with the archive when its end cannot be reached.
async fn restore_all(
    context: &mut Context,
    items: &mut Items<'_, File>,
    done: &mut RestoredAll,
    bar: &ProgressBar,
) -> Result<Result<(), Damage>, Failure> {
    loop {
        let item = match items.next() {
            Ok(Next::Item(item)) => item,
            Ok(Next::Damaged(hash)) => {
                done.damaged.push(hash);
                continue;
            }
            Ok(Next::End) => return Ok(Ok(())),
            Err(damage) => return Ok(Err(damage)),
        };
        let (size, hash) = (item.facts.size, item.facts.hash.to_string());
        match restore_one(context, item).await {
            Ok(Restored::Stored) => {
                done.stored += 1;
                done.bytes += size;
            }
            Ok(Restored::Present) => done.present += 1,
            // The error concerns this attachment alone.
            Err(Failure::Client(ClientError::Refused(fault))) if is_of_one_file(&fault) => done.refused.push(hash),
            Err(failure) => return Err(failure),
        }
        bar.inc(size);
    }
}

/// Whether the server rejects one attachment and not all of them.
fn is_of_one_file(fault: &Fault) -> bool {
    let code = fault.data.as_ref().map(|data| data.code.as_str());
    matches!(code, Some("type_not_allowed" | "content_damaged" | "attachment_busy"))
}

fn open(path: &Path) -> Result<File, Failure> {
    File::open(path).map_err(|error| Failure::Here(format!("{} cannot be read ({error}).", path.display())))
}

/// The total number of bytes of an archive, as far as it can be read.
fn scan(path: &Path) -> Result<u64, Failure> {
    let spinner = progress::spinner("reading the archive");
    let mut reader = ArchiveReader::new(open(path)?);
    let mut total = 0;
    if let Ok(mut items) = reader.items() {
        while let Ok(next) = items.next() {
            match next {
                Next::Item(item) => total += item.facts.size,
                Next::Damaged(_) => {}
                Next::End => break,
            }
            spinner.tick();
        }
    }
    spinner.finish_and_clear();
    Ok(total)
}

async fn restore_one(context: &mut Context, item: Item) -> Result<Restored, Failure> {
    let Item { facts, content } = item;
    let restore = match context.call::<Restore>(&RestoreParams::Begin(facts)).await? {
        RestoreStep::Ended(restored) => return Ok(restored),
        RestoreStep::Going(restore) => restore,
    };
    for piece in content.chunks(usize::try_from(PIECE).unwrap_or(64 * 1024)) {
        let params = RestoreParams::Piece { restore: restore.clone(), content: Piece(piece.to_vec()) };
        context.call::<Restore>(&params).await?;
    }
    match context.call::<Restore>(&RestoreParams::End { restore }).await? {
        RestoreStep::Ended(restored) => Ok(restored),
        RestoreStep::Going(_) => Err(Failure::Here("The server did not complete a restore: see its log.".into())),
    }
}
