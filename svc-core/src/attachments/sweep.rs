//! Removes contents that nothing refers to: those that nobody touched for a day, and blobs that never
//! got a row because a process died in between.

use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt};

use super::blobs::StoredBlob;
use super::hash::ContentHash;
use super::model::Collected;
use super::service::Attachments;
use super::store::contents::{self, IdleContent};
use super::store::moves::{self, Direction};
use crate::agents;
use crate::auth::{Actor, Caller, Permission};
use crate::clock::random_hex;
use crate::db::Tx;
use crate::error::Result;
use crate::ids::ParticipantId;
use crate::limits;
use crate::timestamp::Timestamp;
use crate::workers::{Cadence, Progress, Worker};

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
        let collected = self.attachments.sweep(&Whose::Everybodys).await?;
        // A bucket charges for being listed, and what is found there has time.
        let due = self.attachments.orphans_are_due();
        let orphans = if due { self.attachments.sweep_orphans().await? } else { Collected::default() };
        let (removed, bytes) = (collected.removed + orphans.removed, collected.bytes + orphans.bytes);
        if removed > 0 {
            tracing::info!(removed, bytes, "files that nothing referred to were removed");
        }
        Ok(Progress::Done)
    }
}

/// Whose contents to sweep.
enum Whose {
    Everybodys,
    /// Only what these uploaded, and nobody else did.
    Of(Vec<ParticipantId>),
}

/// A content that may be removed under this condition.
struct Candidate {
    hash: ContentHash,
    before: Timestamp,
    holder: String,
    of: Option<Vec<ParticipantId>>,
}

impl Attachments {
    /// Removes what nothing has referred to for a day: all of it for whoever runs the server, else what
    /// the caller uploaded, and for a human what their agents did.
    pub async fn gc(&self, caller: &Caller) -> Result<Collected> {
        caller.require(Permission::Write)?;
        caller.require_direct()?;
        let whose = match caller.actor() {
            Actor::Root => Whose::Everybodys,
            Actor::Agent(agent) => Whose::Of(vec![ParticipantId(agent.id.0)]),
            Actor::User(user) => {
                let agents = self.db.read(user.id, |tx, id| Box::pin(agents::store::ids_of(tx, *id))).await?;
                let of_agents = agents.into_iter().map(|agent| ParticipantId(agent.0));
                Whose::Of(std::iter::once(ParticipantId(user.id.0)).chain(of_agents).collect())
            }
        };
        let mut collected = self.sweep(&whose).await?;
        if matches!(whose, Whose::Everybodys) {
            let orphans = self.sweep_orphans().await?;
            collected.removed += orphans.removed;
            collected.bytes += orphans.bytes;
        }
        Ok(collected)
    }

    fn cutoff(&self) -> Timestamp {
        self.clock.now().minus(limits::ATTACHMENT_UNUSED)
    }

    /// Removes rows and their blobs.
    async fn sweep(&self, whose: &Whose) -> Result<Collected> {
        let mut collected = Collected::default();
        match whose {
            Whose::Everybodys => {
                let mut after = (Timestamp::from_micros(0), String::new());
                loop {
                    let unit = (self.cutoff(), after.clone());
                    let idle =
                        self.db.read(unit, |tx, (before, after)| Box::pin(contents::idle(tx, *before, after, BATCH)));
                    let idle = idle.await?;
                    let Some(last) = idle.last() else { return Ok(collected) };
                    after = (last.touched_at, last.hash.clone());
                    self.remove_all(idle, None, &mut collected).await?;
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
                        self.remove_all(idle, Some(participants), &mut collected).await?;
                    }
                }
                Ok(collected)
            }
        }
    }

    async fn remove_all(
        &self,
        idle: Vec<IdleContent>,
        of: Option<&Vec<ParticipantId>>,
        collected: &mut Collected,
    ) -> Result<()> {
        for content in idle.into_iter().filter(|content| !content.linked) {
            let candidate = Candidate {
                hash: content.hash.parse()?,
                before: self.cutoff(),
                holder: random_hex(self.entropy.as_ref(), 8),
                of: of.cloned(),
            };
            if self.remove(candidate, take_row).await? {
                collected.removed += 1;
                collected.bytes += content.size.unsigned_abs();
            }
        }
        Ok(())
    }

    /// Takes the move and, under its protection, whatever `take` says; then removes the blob.
    async fn remove(
        &self,
        candidate: Candidate,
        take: for<'t> fn(&'t mut Tx, &'t Candidate) -> crate::db::Work<'t, bool>,
    ) -> Result<bool> {
        let (hash, holder) = (candidate.hash.clone(), candidate.holder.clone());
        let taken = self.db.write((candidate, take), |tx, (candidate, take)| {
            Box::pin(async move {
                if !moves::begin(tx, &candidate.hash, Direction::Out, &candidate.holder).await? {
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
        // If this fails, the move stays until its time is over: the store may still be about to do it.
        let deleted = tokio::time::timeout(limits::BLOB_TIMEOUT, self.blobs.delete(&hash)).await;
        deleted.unwrap_or_else(|_| Err(super::upload::busy()))?;
        self.drawn_before.forget(&hash).await;
        self.db.write((hash, holder), |tx, (hash, holder)| Box::pin(moves::end(tx, hash, holder))).await?;
        Ok(true)
    }

    fn orphans_are_due(&self) -> bool {
        let last = self.looked_through.load(Ordering::Relaxed);
        self.clock.now().as_micros() >= last.saturating_add(micros(limits::ATTACHMENT_UNUSED))
    }

    /// Removes blobs of which there is no row, a day after they were put there.
    async fn sweep_orphans(&self) -> Result<Collected> {
        let before = self.cutoff();
        let mut collected = Collected::default();
        let mut pages = self.blobs.list().try_chunks(BATCH as usize);
        while let Some(page) = pages.next().await {
            // A page that ends with a failure still has what came before it.
            let page = page.map_err(|failed| failed.1)?;
            let old: Vec<StoredBlob> = page.into_iter().filter(|blob| blob.modified_at < before).collect();
            let orphans = self.db.read(old, |tx, old| Box::pin(without_row(tx, old))).await?;
            for StoredBlob { hash, size, .. } in orphans {
                let holder = random_hex(self.entropy.as_ref(), 8);
                if self.remove(Candidate { hash, before, holder, of: None }, see_no_row).await? {
                    collected.removed += 1;
                    collected.bytes += size;
                }
            }
        }
        self.blobs.tidy(before).await?;
        self.looked_through.store(self.clock.now().as_micros(), Ordering::Relaxed);
        Ok(collected)
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

fn take_row<'t>(tx: &'t mut Tx, candidate: &'t Candidate) -> crate::db::Work<'t, bool> {
    Box::pin(async move {
        if let Some(own) = &candidate.of
            && contents::is_shared(tx, &candidate.hash, own).await?
        {
            return Ok(false);
        }
        contents::remove_idle(tx, &candidate.hash, candidate.before).await
    })
}

fn see_no_row<'t>(tx: &'t mut Tx, candidate: &'t Candidate) -> crate::db::Work<'t, bool> {
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
