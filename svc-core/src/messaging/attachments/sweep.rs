//! Removes contents that nothing refers to: those that nobody touched for a day, and blobs that never
//! got a row because a process died in between.
//!
//! What always holds: nothing is removed from a store of files that names another hub. What is removed is
//! set aside first. Of blobs without a row there are few, unless the database is not the one that the
//! files belong to, so when there are many nothing is removed at all until somebody says that it is meant.

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

/// Rows that are looked at in one transaction.
const BATCH: u32 = 500;

/// The worker that removes what nobody needs.
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
        // A bucket charges for being listed, and what is found there has time.
        if attachments.look_is_due() || attachments.holds_back().await? {
            match attachments.sweep_unknown(Extent::Share).await {
                Err(error) if error.code() == HELD_BACK => {
                    tracing::warn!("{}", error.message());
                    return Ok(Progress::Done);
                }
                unknown => collected += unknown?,
            }
            let deleted = attachments.delete_aside().await?;
            if deleted > 0 {
                tracing::info!(deleted, "files that had been set aside were deleted");
            }
        }
        collected += attachments.sweep(&Whose::Everybodys, Extent::Share).await?;
        if collected.removed > 0 {
            let Collected { removed, bytes } = collected;
            tracing::info!(removed, bytes, "files that nothing referred to were set aside");
        }
        Ok(Progress::Done)
    }
}

/// The code of a sweep that does not trust what it sees.
const HELD_BACK: &str = "files_unknown";

/// How much to take at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// A small share of all.
    Share,
    /// Whatever there is, because somebody means it.
    All,
}

impl Extent {
    /// Unused contents that one round takes of so many.
    fn of_unused(self, total: u64) -> u64 {
        match self {
            Self::Share => limits::SWEEP_FILES.max(total / limits::SWEEP_SHARE),
            Self::All => u64::MAX,
        }
    }

    /// Blobs without a row that are taken among so many; when there are more, none is.
    fn of_unknown(self, total: u64) -> u64 {
        match self {
            Self::Share => self.of_unused(total).min(total.div_ceil(limits::SWEEP_UNKNOWN_SHARE)),
            Self::All => u64::MAX,
        }
    }
}

/// What a look through the store of the files brought.
#[derive(Default)]
struct Seen {
    total: u64,
    unknown: u64,
    /// Of the unknown ones, the first.
    first: Vec<StoredBlob>,
}

/// Whose contents to sweep.
enum Whose {
    Everybodys,
    /// Only what these uploaded, and nobody else did.
    Of(Vec<ParticipantId>),
}

/// What one round has taken, and how much more it may.
struct Round {
    collected: Collected,
    left: u64,
}

/// A content that may be removed under this condition.
struct Candidate {
    hash: ContentHash,
    before: Timestamp,
    holder: String,
    of: Option<Vec<ParticipantId>>,
}

#[boxed_futures]
impl Attachments {
    /// Removes what nothing has referred to for a day: of all files for whoever runs the server, where one
    /// call takes a small share of them, else what the caller uploaded, and for a human what their agents did.
    pub async fn gc(&self, caller: &Caller) -> Result<Collected> {
        self.collect(caller, Extent::Share).await
    }

    /// The same for whoever runs the server, however much it comes to.
    pub async fn gc_all(&self, caller: &Caller) -> Result<Collected> {
        caller.require_root()?;
        self.collect(caller, Extent::All).await
    }

    async fn collect(&self, caller: &Caller, extent: Extent) -> Result<Collected> {
        caller.require(Permission::Write)?;
        caller.require_direct()?;
        self.require_ours().await?;
        let participants = match caller.actor() {
            Actor::Root => {
                let mut collected = self.sweep_unknown(extent).await?;
                collected += self.sweep(&Whose::Everybodys, extent).await?;
                self.delete_aside().await?;
                return Ok(collected);
            }
            Actor::Agent(agent) => vec![ParticipantId(agent.id.0)],
            Actor::User(user) => {
                let agents = self.db.read(user.id, |tx, id| Box::pin(agents::store::ids_of(tx, *id))).await?;
                let of_agents = agents.into_iter().map(|agent| ParticipantId(agent.0));
                std::iter::once(ParticipantId(user.id.0)).chain(of_agents).collect()
            }
        };
        self.sweep(&Whose::Of(participants), Extent::All).await
    }

    fn cutoff(&self) -> Timestamp {
        self.clock.now().minus(limits::ATTACHMENT_UNUSED)
    }

    /// Removes rows and their blobs.
    async fn sweep(&self, whose: &Whose, extent: Extent) -> Result<Collected> {
        let (total, _) = self.db.read((), |tx, ()| Box::pin(contents::totals(tx))).await?;
        let mut round = Round { collected: Collected::default(), left: extent.of_unused(total.unsigned_abs()) };
        match whose {
            Whose::Everybodys => {
                let mut after = (Timestamp::from_micros(0), String::new());
                while round.left > 0 {
                    let unit = (self.cutoff(), after.clone());
                    let idle =
                        self.db.read(unit, |tx, (before, after)| Box::pin(contents::idle(tx, *before, after, BATCH)));
                    let idle = idle.await?;
                    let Some(last) = idle.last() else { break };
                    after = (last.touched_at, last.hash.clone());
                    self.remove_all(idle, None, &mut round).await?;
                }
            }
            Whose::Of(participants) => {
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
                        self.remove_all(idle, Some(participants), &mut round).await?;
                    }
                }
            }
        }
        if round.left == 0 {
            tracing::info!("there are more unused files than are set aside at once; the next round goes on");
        }
        Ok(round.collected)
    }

    async fn remove_all(
        &self,
        idle: Vec<IdleContent>,
        of: Option<&Vec<ParticipantId>>,
        round: &mut Round,
    ) -> Result<()> {
        for content in idle.into_iter().filter(|content| !content.linked) {
            if round.left == 0 {
                break;
            }
            let candidate = Candidate {
                hash: content.hash.parse()?,
                before: self.cutoff(),
                holder: random_hex(self.entropy.as_ref(), 8),
                of: of.cloned(),
            };
            if self.remove(candidate, take_row).await? {
                round.left -= 1;
                round.collected += Collected { removed: 1, bytes: content.size.unsigned_abs() };
            }
        }
        Ok(())
    }

    /// Takes the move and, under its protection, whatever `take` says; then sets the blob aside.
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
        // If this fails, the move stays until its time is over: the store may still be about to do it. That time is
        // short, because a file that is set aside too late comes back when it is asked for.
        let removal = self.blobs.set_aside(&hash, self.clock.now());
        let removed = tokio::time::timeout(limits::BLOB_REMOVAL_TIMEOUT, removal).await;
        removed.unwrap_or_else(|_| Err(super::upload::busy()))?;
        self.found.forget(&hash);
        self.drawn_before.forget(&hash).await;
        self.db.write((hash, holder), |tx, (hash, holder)| Box::pin(moves::end(tx, hash, holder))).await?;
        Ok(true)
    }

    fn look_is_due(&self) -> bool {
        let last = self.looked_through.load(Ordering::Relaxed);
        self.clock.now().as_micros() >= last.saturating_add(micros(limits::ATTACHMENT_UNUSED))
    }

    /// Whether the last look through the store of the files found too many that no row knows.
    async fn holds_back(&self) -> Result<bool> {
        Ok(self.db.read((), |tx, ()| Box::pin(file_store::unknown_files(tx))).await? > 0)
    }

    /// Removes blobs of which there is no row, a day after they were put there; `files_unknown` when they are more
    /// than a small share.
    async fn sweep_unknown(&self, extent: Extent) -> Result<Collected> {
        let before = self.cutoff();
        let mut collected = Collected::default();
        loop {
            let Seen { total, unknown, first } = self.look_through(before).await?;
            if unknown > extent.of_unknown(total) {
                self.note_unknown(unknown).await?;
                return Err(held_back(unknown, total));
            }
            let (taken, found) = (collected.removed, first.len() as u64);
            for StoredBlob { hash, size, .. } in first {
                let holder = random_hex(self.entropy.as_ref(), 8);
                if self.remove(Candidate { hash, before, holder, of: None }, see_no_row).await? {
                    collected += Collected { removed: 1, bytes: size };
                }
            }
            if unknown == found || collected.removed == taken {
                break;
            }
        }
        self.note_unknown(0).await?;
        self.blobs.tidy(before).await?;
        self.looked_through.store(self.clock.now().as_micros(), Ordering::Relaxed);
        Ok(collected)
    }

    async fn look_through(&self, before: Timestamp) -> Result<Seen> {
        let mut seen = Seen::default();
        let mut pages = self.blobs.list().try_chunks(BATCH as usize);
        while let Some(page) = pages.next().await {
            // A page that ends with a failure still has what came before it.
            let page = page.map_err(|failed| failed.1)?;
            seen.total += page.len() as u64;
            let old: Vec<StoredBlob> = page.into_iter().filter(|blob| blob.modified_at < before).collect();
            let unknown = self.db.read(old, |tx, old| Box::pin(without_row(tx, old))).await?;
            seen.unknown += unknown.len() as u64;
            let room = limits::SWEEP_BATCH - seen.first.len();
            seen.first.extend(unknown.into_iter().take(room));
        }
        Ok(seen)
    }

    async fn note_unknown(&self, count: u64) -> Result<()> {
        let count = count.cast_signed();
        if self.db.read((), |tx, ()| Box::pin(file_store::unknown_files(tx))).await? != count {
            self.db.write(count, |tx, count| Box::pin(file_store::set_unknown_files(tx, *count))).await?;
        }
        Ok(())
    }
}

fn held_back(unknown: u64, total: u64) -> Error {
    let sentence = format!(
        "{unknown} of {total} files are not known to the database, so no file was removed: if the database is older \
         than the files or another one, put the right one back; if those files are not needed, run `svc-admin \
         attachments gc --force`."
    );
    Error::conflict(HELD_BACK, sentence)
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

fn see_no_row<'t>(tx: &'t mut Tx, candidate: &'t Candidate) -> crate::store::db::Work<'t, bool> {
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
