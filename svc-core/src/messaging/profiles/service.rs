//! The profiles handle and its read operations.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::participants::ParticipantKind;
use svc_model::profiles::{AgentState, DirectoryFilter, DirectoryPage, PresenceAudience, Profile, Status};

use super::store::{self, ProfileRow};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::identity::participants::pattern;
use crate::ids::ParticipantId;
use crate::limits;
use crate::messaging::attachments::Attachments;
use crate::page::Page;
use crate::store::db::{Db, Tx};
use crate::timestamp::Timestamp;

/// Profiles of a hub; see [`Hub::profiles`](crate::Hub::profiles).
#[derive(Clone)]
pub struct Profiles {
    pub(super) db: Db,
    /// Draws avatars.
    pub(super) attachments: Attachments,
}

#[boxed_futures]
impl Profiles {
    pub(crate) fn new(db: Db, attachments: Attachments) -> Self {
        Self { db, attachments }
    }

    /// A page of all people and agents, by handle. A key that is limited to channels has no access to the directory.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::profiles::DirectoryFilter;
    ///
    /// let page = hub.profiles().directory(&ann, DirectoryFilter::default()).await?;
    /// for profile in page.profiles {
    ///     println!("{} was last seen {:?}", profile.handle, profile.last_seen_at);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn directory(&self, caller: &Caller, filter: DirectoryFilter) -> Result<DirectoryPage> {
        caller.require(Permission::Read)?;
        caller.require_direct()?;
        let words = filter.query.unwrap_or_default();
        if words.chars().count() > limits::DIRECTORY_QUERY_MAX || words.contains('\0') {
            let rule = format!("must be at most {} characters, without NUL", limits::DIRECTORY_QUERY_MAX);
            return Err(Error::invalid("query", rule));
        }
        let cursor = filter.cursor.unwrap_or_default().to_ascii_lowercase();
        if cursor.chars().count() > limits::HANDLE_MAX || cursor.contains('\0') {
            return Err(Error::invalid("cursor", "must be the `next_cursor` of the page before"));
        }
        let kind = filter.kind.map_or("", ParticipantKind::as_str);
        let limit = Page::new(filter.limit, None)?.limit();
        let input = (kind, pattern(&words), cursor, limit, caller.participant());
        self.db
            .read(input, |tx, (kind, pattern, cursor, limit, me)| {
                Box::pin(async move {
                    let mut rows = store::list(tx, kind, pattern, cursor, *limit + 1).await?;
                    let size = usize::try_from(*limit).unwrap_or(usize::MAX);
                    let is_last = rows.len() <= size;
                    rows.truncate(size);
                    let next_cursor = rows.last().filter(|_| !is_last).map(|row| row.handle.to_ascii_lowercase());
                    let now = tx.now();
                    let profiles = rows.into_iter().map(|row| shown(row, *me, now)).collect();
                    Ok(DirectoryPage { profiles, next_cursor })
                })
            })
            .await
    }

    /// The profile of a person or an agent.
    pub async fn get(&self, caller: &Caller, handle: &str) -> Result<Profile> {
        caller.require(Permission::Read)?;
        caller.require_direct()?;
        let key = handle.strip_prefix('@').unwrap_or(handle).to_ascii_lowercase();
        if key.contains('\0') {
            return Err(Error::not_found("participant"));
        }
        self.db
            .read((key, caller.participant()), |tx, (key, me)| {
                Box::pin(async move {
                    let row = store::by_handle(tx, key).await?.ok_or_else(|| Error::not_found("participant"))?;
                    Ok(shown(row, *me, tx.now()))
                })
            })
            .await
    }
}

/// The profile of a participant for a caller.
pub(super) async fn of(tx: &mut Tx, id: ParticipantId, me: Option<ParticipantId>) -> Result<Profile> {
    let row = store::by_id(tx, id).await?.ok_or_else(|| Error::not_found("participant"))?;
    Ok(shown(row, me, tx.now()))
}

/// What a caller may see of a participant.
fn shown(row: ProfileRow, me: Option<ParticipantId>, now: Timestamp) -> Profile {
    let is_own = me == Some(row.id);
    let is_human = row.kind == ParticipantKind::Human;
    let presence = row.audience();
    let shows_presence = is_own || !is_human || presence == PresenceAudience::Everyone;
    let text = row.status_text.unwrap_or_default();
    let has_status = (!text.is_empty() || row.status_emoji.is_some()) && row.status_until.is_none_or(|end| end > now);
    let state = match (row.quarantined_at, row.paused_at) {
        (Some(_), _) => AgentState::Quarantined,
        (None, Some(_)) => AgentState::Paused,
        (None, None) => AgentState::Active,
    };
    Profile {
        handle: row.handle,
        display_name: row.display_name,
        kind: row.kind,
        owner: row.owner,
        status: has_status.then_some(Status { text, emoji: row.status_emoji, until: row.status_until }),
        avatar: row.avatar.map(|hash| format!("/api/avatars/{hash}")),
        last_seen_at: row.seen_at.filter(|_| shows_presence),
        presence: (is_own && is_human).then_some(presence),
        state: (!is_human).then_some(state),
        trust: row.trust.map(|score| f64::from(score) / 1_000_000.0),
    }
}
