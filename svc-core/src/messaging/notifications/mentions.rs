//! The messages that mention a participant, and how many of them and of direct messages wait.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::notifications::{Mention, MentionFilter, MentionPage, UnreadTotals};

use super::service::{Notifications, reader};
use super::store::mentions::{self as store, MentionRow};
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::MessageId;
use crate::limits;
use crate::messaging::messages::offer::Offer;
use crate::messaging::messages::viewer::Viewer;
use crate::page::checked_limit;

#[boxed_futures]
impl Notifications {
    /// The messages that mention the caller, newest first, in channels that are visible to it. A person who has left a
    /// channel has no mentions from before.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::notifications::MentionFilter;
    ///
    /// let unread = MentionFilter { unread: true, ..MentionFilter::default() };
    /// for mention in hub.notifications().mentions(&ann, unread).await?.mentions {
    ///     println!("{} in #{}: {}", mention.from, mention.channel, mention.text);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn mentions(&self, caller: &Caller, filter: MentionFilter) -> Result<MentionPage> {
        caller.require(Permission::Read)?;
        let participant = reader(caller)?;
        let limit = checked_limit(filter.limit)?;
        let before = filter.before.unwrap_or(MessageId(i64::MAX));
        let mut rows = self
            .db
            .read((Viewer::of(caller), before, filter.unread, limit), |tx, (viewer, before, unread, limit)| {
                Box::pin(store::before(tx, viewer, *before, *unread, *limit + 1))
            })
            .await?;
        let has_more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let new = rows.iter().filter(|row| row.offered_at.is_none()).map(|row| row.copy_id).collect();
        Offer::direct(participant, new).store(&self.db).await?;
        Ok(MentionPage { mentions: rows.into_iter().map(shown).collect(), has_more })
    }

    /// The number of unread direct messages and mentions in all conversations that are not muted.
    pub async fn totals(&self, caller: &Caller) -> Result<UnreadTotals> {
        Ok(UnreadTotals::of(&self.unread(caller).await?))
    }
}

fn shown(row: MentionRow) -> Mention {
    Mention {
        message_id: row.mention_of,
        channel: row.channel,
        from: row.sender,
        from_kind: row.kind,
        text: shortened(row.beginning),
        created_at: row.created_at,
        unread: row.is_unread,
    }
}

/// A text that is at most as long as a list shows.
fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(limits::MENTION_TEXT_MAX) {
        let last = text[..end].char_indices().last().map_or(0, |(last, _)| last);
        text.truncate(last);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters_and_only_when_it_is_too_long() {
        let exact = "ü".repeat(limits::MENTION_TEXT_MAX);
        assert_eq!(shortened(exact.clone()), exact);
        let cut = shortened(format!("{exact}!"));
        assert_eq!(cut.chars().count(), limits::MENTION_TEXT_MAX);
        assert!(cut.ends_with("ü…"));
    }
}
