//! Garbage collection of unreferenced contents: rows that were not touched for a day, and blobs
//! without a row, left by a crashed process.
//!
//! Invariants:
//! - Nothing is removed from a file store that belongs to another hub.
//! - Removed blobs go to the trash first.
//! - Blobs without a row are rare, unless the database does not belong to the files. So if there
//!   are many, nothing is removed until an operator confirms it.

use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt};
use svc_macros::boxed_futures;
use svc_model::attachments::{Collected, ContentHash};
use svc_model::auth::Permission;

use super::blobs::StoredBlob;
use super::service::Attachments;
use super::store::contents::{self, IdleContent};
use super::store::file_store;
use super::store::moves::{self, Direction};
use crate::clock::random_hex;
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::auth::{Actor, Caller};
use crate::ids::ParticipantId;
use crate::limits;
use crate::store::db::Tx;
use crate::store::workers::{Cadence, Progress, Worker};
use crate::timestamp::Timestamp;

/// Rows read in one transaction.
const BATCH: u32 = 500;

/// The worker that removes unreferenced files.
pub(crate) struct AttachmentSweep {
    pub(crate) attachments: Attachments,
}

#[async_trait]
impl Worker for AttachmentSweep {
    fn name(&self) -> &'static str {
        "attachment_sweep"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_hours(1))
    }

    async fn run_once(&self) -> Result<Progress> {
        let attachments = &self.attachments;
        attachments.require_ours().await?;
        let mut collected = Collected::default();
        // Listing a bucket costs money, and orphans are not urgent.
        if attachments.scan_is_due() || attachments.is_blocked().await? {
            match attachments.sweep_unknown(SweepLimit::Share).await {
                Err(error) if error.code() == FILES_UNKNOWN => {
                    tracing::warn!("{}", error.message());
                    return Ok(Progress::Done);
                }
                unknown => collected += unknown?,
            }
            let deleted = attachments.delete_expired_trash().await?;
            if deleted > 0 {
                tracing::info!(deleted, "files in the trash were deleted");
            }
        }
        collected += attachments.sweep(&SweepScope::All, SweepLimit::Share).await?;
        if collected.removed > 0 {
            let Collected { removed, bytes } = collected;
            tracing::info!(removed, bytes, "unreferenced files were moved to the trash");
        }
        Ok(Progress::Done)
    }
}

/// The error code of a sweep that finds too many unknown files.
const FILES_UNKNOWN: &str = "files_unknown";

/// The maximum amount of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SweepLimit {
    /// A small share of all files.
    Share,
    /// All of them, confirmed by an operator.
    All,
}

impl SweepLimit {
    /// The number of unused contents removed in one run, of a total of this many.
    fn of_unused(self, total: u64) -> u64 {
        match self {
            Self::Share => limits::SWEEP_FILES.max(total / limits::SWEEP_SHARE),
            Self::All => u64::MAX,
        }
    }

    /// The maximum number of blobs without a row, of a total of this many; beyond it none is
    /// removed.
    fn of_unknown(self, total: u64) -> u64 {
        match self {
            Self::Share => self.of_unused(total).min(total.div_ceil(limits::SWEEP_UNKNOWN_SHARE)),
            Self::All => u64::MAX,
        }
    }
}

/// The result of a scan of the file store.
#[derive(Default)]
struct Scan {
    total: u64,
    unknown: u64,
    /// The first of the unknown blobs.
    first: Vec<StoredBlob>,
}

/// The contents to sweep.
enum SweepScope {
    All,
    /// Contents that only these participants uploaded.
    UploadedBy(Vec<ParticipantId>),
}

/// The progress of one run.
struct SweepRun {
    collected: Collected,
    left: u64,
}

/// A content to remove, and the conditions for it.
struct Candidate {
    hash: ContentHash,
    before: Timestamp,
    holder: String,
    of: Option<Vec<ParticipantId>>,
}

#[boxed_futures]
impl Attachments {
    /// Removes files that were unreferenced for a day: for the admin socket a small share of all
    /// files per call, for others the files that the caller or, for a human, their agents uploaded.
    pub async fn gc(&self, caller: &Caller) -> Result<Collected> {
        self.collect(caller, SweepLimit::Share).await
    }

    /// Removes all files that were unreferenced for a day. Requires the admin socket.
    pub async fn gc_all(&self, caller: &Caller) -> Result<Collected> {
        caller.require_root()?;
        self.collect(caller, SweepLimit::All).await
    }

    async fn collect(&self, caller: &Caller, limit: SweepLimit) -> Result<Collected> {
        caller.require(Permission::Write)?;
        caller.require_direct()?;
        self.require_ours().await?;
        let participants = match caller.actor() {
            Actor::Root => {
                let mut collected = self.sweep_unknown(limit).await?;
                collected += self.sweep(&SweepScope::All, limit).await?;
                self.delete_expired_trash().await?;
                return Ok(collected);
            }
            Actor::Agent(agent) => vec![ParticipantId(agent.id.0)],
            Actor::User(user) => {
                let agents = self.db.read(user.id, |tx, id| Box::pin(agents::store::ids_of(tx, *id))).await?;
                let of_agents = agents.into_iter().map(|agent| ParticipantId(agent.0));
                std::iter::once(ParticipantId(user.id.0)).chain(of_agents).collect()
            }
        };
        self.sweep(&SweepScope::UploadedBy(participants), SweepLimit::All).await
    }

    fn cutoff(&self) -> Timestamp {
        self.clock.now().minus(limits::ATTACHMENT_UNUSED)
    }

    /// Removes rows and their blobs.
    async fn sweep(&self, scope: &SweepScope, limit: SweepLimit) -> Result<Collected> {
        let (total, _) = self.db.read((), |tx, ()| Box::pin(contents::totals(tx))).await?;
        let mut run = SweepRun { collected: Collected::default(), left: limit.of_unused(total.unsigned_abs()) };
        match scope {
            SweepScope::All => {
                let mut after = (Timestamp::from_micros(0), String::new());
                while run.left > 0 {
                    let unit = (self.cutoff(), after.clone());
                    let idle =
                        self.db.read(unit, |tx, (before, after)| Box::pin(contents::idle(tx, *before, after, BATCH)));
                    let idle = idle.await?;
                    let Some(last) = idle.last() else { break };
                    after = (last.touched_at, last.hash.clone());
                    self.remove_all(idle, None, &mut run).await?;
                }
            }
            SweepScope::UploadedBy(participants) => {
                for participant in participants {
                    let mut after = String::new();
                    loop {
                        let unit = (*participant, self.cutoff(), after.clone());
                        let idle = self.db.read(unit, |tx, (participant, before, after)| {
                            Box::pin(contents::idle_of(tx, *participant, *before, after, BATCH))
                        });
                        let idle = idle.await?;
                        let Some(last) = idle.last() else { break };
                        after.clone_from(&last.hash);
                        self.remove_all(idle, Some(participants), &mut run).await?;
                    }
                }
            }
        }
        if run.left == 0 {
            tracing::info!("more unused files remain for the next run");
        }
        Ok(run.collected)
    }

    async fn remove_all(
        &self,
        idle: Vec<IdleContent>,
        of: Option<&Vec<ParticipantId>>,
        run: &mut SweepRun,
    ) -> Result<()> {
        for content in idle.into_iter().filter(|content| !content.linked) {
            if run.left == 0 {
                break;
            }
            let candidate = Candidate {
                hash: content.hash.parse()?,
                before: self.cutoff(),
                holder: random_hex(self.entropy.as_ref(), 8),
                of: of.cloned(),
            };
            if self.remove(candidate, take_row).await? {
                run.left -= 1;
                run.collected += Collected { removed: 1, bytes: content.size.unsigned_abs() };
            }
        }
        Ok(())
    }

    /// Registers the removal and runs `take` under its protection; then moves the blob to the
    /// trash.
    async fn remove(
        &self,
        candidate: Candidate,
        take: for<'t> fn(&'t mut Tx, &'t Candidate) -> crate::store::db::Work<'t, bool>,
    ) -> Result<bool> {
        let (hash, holder) = (candidate.hash.clone(), candidate.holder.clone());
        let taken = self.db.write((candidate, take), |tx, (candidate, take)| {
            Box::pin(async move {
                if moves::begin(tx, &candidate.hash, Direction::Out, &candidate.holder).await?.is_none() {
                    return Ok(false);
                }
                let taken = take(tx, candidate).await?;
                if !taken {
                    moves::end(tx, &candidate.hash, &candidate.holder).await?;
                }
                Ok(taken)
            })
        });
        if !taken.await? {
            return Ok(false);
        }
        // If this fails, the registration stays until it expires, because the store may still
        // complete the removal. It expires soon, and a file that is moved to the trash too late is
        // restored on request.
        let removal = self.blobs.set_aside(&hash, self.clock.now());
        let removed = tokio::time::timeout(limits::BLOB_REMOVAL_TIMEOUT, removal).await;
        removed.unwrap_or_else(|_| Err(super::upload::busy()))?;
        self.verified.forget(&hash);
        self.thumbnail_cache.forget(&hash).await;
        self.db.write((hash, holder), |tx, (hash, holder)| Box::pin(moves::end(tx, hash, holder))).await?;
        Ok(true)
    }

    fn scan_is_due(&self) -> bool {
        let last = self.last_scan.load(Ordering::Relaxed);
        self.clock.now().as_micros() >= last.saturating_add(micros(limits::ATTACHMENT_UNUSED))
    }

    /// Whether the last scan of the file store found too many unknown files.
    async fn is_blocked(&self) -> Result<bool> {
        Ok(self.db.read((), |tx, ()| Box::pin(file_store::unknown_files(tx))).await? > 0)
    }

    /// Removes blobs without a row that are older than a day; the error `files_unknown` if they
    /// exceed a small share.
    async fn sweep_unknown(&self, limit: SweepLimit) -> Result<Collected> {
        let before = self.cutoff();
        let mut collected = Collected::default();
        loop {
            let Scan { total, unknown, first } = self.scan_blobs(before).await?;
            if unknown > limit.of_unknown(total) {
                self.note_unknown(unknown).await?;
                return Err(too_many_unknown(unknown, total));
            }
            let (taken, found) = (collected.removed, first.len() as u64);
            for StoredBlob { hash, size, .. } in first {
                let holder = random_hex(self.entropy.as_ref(), 8);
                if self.remove(Candidate { hash, before, holder, of: None }, has_no_row).await? {
                    collected += Collected { removed: 1, bytes: size };
                }
            }
            if unknown == found || collected.removed == taken {
                break;
            }
        }
        self.note_unknown(0).await?;
        self.blobs.tidy(before).await?;
        self.last_scan.store(self.clock.now().as_micros(), Ordering::Relaxed);
        Ok(collected)
    }

    async fn scan_blobs(&self, before: Timestamp) -> Result<Scan> {
        let mut scan = Scan::default();
        let mut pages = self.blobs.list().try_chunks(BATCH as usize);
        while let Some(page) = pages.next().await {
            // A page that ends with an error still contains the entries before it.
            let page = page.map_err(|failed| failed.1)?;
            scan.total += page.len() as u64;
            let old: Vec<StoredBlob> = page.into_iter().filter(|blob| blob.modified_at < before).collect();
            let unknown = self.db.read(old, |tx, old| Box::pin(without_row(tx, old))).await?;
            scan.unknown += unknown.len() as u64;
            let room = limits::SWEEP_BATCH - scan.first.len();
            scan.first.extend(unknown.into_iter().take(room));
        }
        Ok(scan)
    }

    async fn note_unknown(&self, count: u64) -> Result<()> {
        let count = count.cast_signed();
        if self.db.read((), |tx, ()| Box::pin(file_store::unknown_files(tx))).await? != count {
            self.db.write(count, |tx, count| Box::pin(file_store::set_unknown_files(tx, *count))).await?;
        }
        Ok(())
    }
}

fn too_many_unknown(unknown: u64, total: u64) -> Error {
    let sentence = format!(
        "{unknown} of {total} files are not known to the database, so no file was removed. If the database is older \
         than the files or a different one, restore the right one. If those files are not needed, run `svc-admin \
         attachments gc --force`."
    );
    Error::conflict(FILES_UNKNOWN, sentence)
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

fn take_row<'t>(tx: &'t mut Tx, candidate: &'t Candidate) -> crate::store::db::Work<'t, bool> {
    Box::pin(async move {
        if let Some(own) = &candidate.of
            && contents::is_shared(tx, &candidate.hash, own).await?
        {
            return Ok(false);
        }
        contents::remove_idle(tx, &candidate.hash, candidate.before).await
    })
}

fn has_no_row<'t>(tx: &'t mut Tx, candidate: &'t Candidate) -> crate::store::db::Work<'t, bool> {
    Box::pin(async move { Ok(contents::find(tx, &candidate.hash).await?.is_none()) })
}

async fn without_row(tx: &mut Tx, blobs: &[StoredBlob]) -> Result<Vec<StoredBlob>> {
    let mut orphans = Vec::new();
    for blob in blobs {
        if contents::find(tx, &blob.hash).await?.is_none() {
            orphans.push(blob.clone());
        }
    }
    Ok(orphans)
}
