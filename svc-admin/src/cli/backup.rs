//! `svc-admin attachments backup` and `restore`: the command has the file, the server has the contents.
//!
//! What always holds: an archive gets its name when it is whole, and only its owner can read it; an
//! archive is read to its end and found whole before anything of it is restored.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use serde::Serialize;
use svc_core::{ContentHash, RestoreFacts, Restored, StoredAttachment, limits};

use super::archive::{ArchiveReader, ArchiveWriter, Damage, Item, Manifest, Next};
use super::context::Context;
use super::draft::Draft;
use super::outcome::{Failure, Outcome};
use super::size::bytes;
use super::{progress, when};
use crate::client::ClientError;
use crate::methods::attachments::{
    Backup, BackupParams, BackupPiece, List, ListParams, PIECE, Piece, Restore, RestoreParams, RestoreStep,
};

/// What was written.
#[derive(Debug, Serialize)]
struct BackedUp {
    attachments: u64,
    bytes: u64,
    /// Contents that went away meanwhile, or that the store has lost.
    missing: u64,
    file: PathBuf,
}

/// What was restored.
#[derive(Debug, Serialize)]
struct RestoredAll {
    stored: u64,
    present: u64,
    bytes: u64,
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
    let placed = written.and_then(|(out, manifest, missing)| {
        let draft = out.into_inner().map_err(|error| Stopped::Writing(error.into_error()))?;
        draft.place().map_err(Stopped::Writing)?;
        Ok((manifest, missing))
    });
    let (manifest, missing) = placed.map_err(|stopped| match stopped {
        Stopped::Asking(failure) => failure,
        Stopped::Writing(error) => unwritable(error),
    })?;
    let done = BackedUp { attachments: manifest.attachments, bytes: manifest.bytes, missing, file: path.to_owned() };
    let sentence = format!("Wrote {}, {}, to {shown}.", files(done.attachments), bytes(done.bytes));
    let outcome = Outcome::sentence(&context.output, &done, &sentence);
    Ok(match missing {
        0 => outcome,
        missing => outcome.remark(&context.output, &format!("Gone meanwhile: {}.", files(missing))),
    })
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

type Written = (BufWriter<Draft>, Manifest, u64);

async fn write_all(context: &mut Context, out: BufWriter<Draft>) -> Result<Written, Stopped> {
    let mut archive = ArchiveWriter::new(out);
    let mut bar: Option<ProgressBar> = None;
    let mut missing = 0;
    let mut params = ListParams { limit: Some(limits::PAGE_MAX.into()), offset: None, after: Some(String::new()) };
    loop {
        let page = context.call::<List>(&params).await?;
        let bar = bar.get_or_insert_with(|| progress::bytes("writing", page.bytes));
        let Some(last) = page.attachments.last() else { break };
        params.after = Some(last.hash.clone());
        for attachment in &page.attachments {
            if !write_one(context, &mut archive, attachment, bar).await? {
                missing += 1;
            }
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let (out, manifest) = archive.finish(when::now()).map_err(Stopped::Writing)?;
    Ok((out, manifest, missing))
}

/// `false` when it is not there any more.
async fn write_one(
    context: &mut Context,
    archive: &mut ArchiveWriter<BufWriter<Draft>>,
    attachment: &StoredAttachment,
    bar: &ProgressBar,
) -> Result<bool, Stopped> {
    let mut params = BackupParams { hash: attachment.hash.clone(), offset: 0 };
    let first = match context.client.call::<Backup>(&params).await {
        Err(ClientError::Refused(fault)) if fault.data.as_ref().is_some_and(|data| data.code == "not_found") => {
            return Ok(false);
        }
        outcome => outcome.map_err(Failure::from)?,
    };
    let hash: ContentHash =
        attachment.hash.parse().map_err(|error: svc_core::Error| Failure::Here(error.to_string()))?;
    let facts = RestoreFacts { hash, size: first.size, uploads: attachment.uploads.clone() };
    archive.begin(&facts).map_err(Stopped::Writing)?;
    let BackupPiece { mut content, .. } = first;
    loop {
        archive.write(&content.0).map_err(Stopped::Writing)?;
        params.offset += content.0.len() as u64;
        bar.inc(content.0.len() as u64);
        if params.offset >= facts.size {
            break;
        }
        content = context.call::<Backup>(&params).await?.content;
        if content.0.is_empty() {
            let sentence = format!("The store has lost a part of {}: see `svc-admin attachments list`.", facts.hash);
            return Err(Failure::Here(sentence).into());
        }
    }
    archive.end(facts.size).map_err(Stopped::Writing)?;
    Ok(true)
}

pub(super) async fn restore(context: &mut Context, path: &Path) -> Result<Outcome, Failure> {
    let manifest = check(path)?;
    let bar = progress::bytes("restoring", manifest.bytes);
    let mut done = RestoredAll { stored: 0, present: 0, bytes: 0, file: path.to_owned() };
    let mut reader = ArchiveReader::new(open(path)?);
    let mut items = reader.items().map_err(|damage| damaged(path, &damage))?;
    while let Next::Item(item) = items.next().map_err(|damage| damaged(path, &damage))? {
        let size = item.facts.size;
        match restore_one(context, item).await? {
            Restored::Stored => {
                done.stored += 1;
                done.bytes += size;
            }
            Restored::Present => done.present += 1,
        }
        bar.inc(size);
    }
    bar.finish_and_clear();
    let sentence = match (done.stored, done.present) {
        (stored, 0) => format!("Restored {}, {}.", files(stored), bytes(done.bytes)),
        (0, present) => format!("Nothing was missing: {} of the archive were there.", files(present)),
        (stored, present) => {
            format!("Restored {}, {}; {} were there already.", files(stored), bytes(done.bytes), files(present))
        }
    };
    Ok(Outcome::sentence(&context.output, &done, &sentence))
}

fn open(path: &Path) -> Result<File, Failure> {
    File::open(path).map_err(|error| Failure::Here(format!("{} cannot be read ({error}).", path.display())))
}

fn damaged(path: &Path, damage: &Damage) -> Failure {
    Failure::Here(format!(
        "{} is damaged or no archive of files, so nothing was restored: {}.",
        path.display(),
        damage.0
    ))
}

/// Reads all of it before anything is restored.
fn check(path: &Path) -> Result<Manifest, Failure> {
    let spinner = progress::spinner("looking the archive over");
    let file = open(path)?;
    let look = || {
        let mut reader = ArchiveReader::new(file);
        let mut items = reader.items()?;
        let manifest = loop {
            if let Next::Manifest(manifest) = items.next()? {
                break manifest;
            }
            spinner.tick();
        };
        reader.finish()?;
        Ok(manifest)
    };
    let checked = look().map_err(|damage| damaged(path, &damage));
    spinner.finish_and_clear();
    checked
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
        RestoreStep::Going(_) => Err(Failure::Here("The server did not end a content: see its log.".into())),
    }
}
