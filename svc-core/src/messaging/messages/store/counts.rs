//! SQL expressions for what a conversation shows and what is unread in it, shared by every statement that counts.

/// SQL condition: a message, which is named, belongs to its conversation. The direct message that notifies a person of a
/// mention does not: the mention is read in its channel. For an agent it is work like any other. A human is their own
/// owner, which distinguishes the two.
macro_rules! in_conversation {
    ($message:literal) => {
        concat!(
            "(",
            $message,
            ".mention_of IS NULL OR ",
            $message,
            ".recipient_id <> ",
            $message,
            ".recipient_owner_id)"
        )
    };
}
pub(crate) use in_conversation;

/// SQL expression: the newest message of a direct conversation, which is named; null if it has none but notifications of
/// mentions.
macro_rules! newest_letter {
    ($conversation:literal) => {
        concat!(
            "(SELECT letter.id
                FROM messages letter
               WHERE letter.conversation_id = ",
            $conversation,
            ".id AND letter.recipient_id IS NOT NULL AND ",
            $crate::messaging::messages::store::in_conversation!("letter"),
            "  ORDER BY letter.id DESC
               LIMIT 1)"
        )
    };
}
pub(crate) use newest_letter;

/// SQL expression: the unread messages of a read cursor `r` in a conversation, which is named. They are those after its
/// position, without the reader's own, without deleted ones, and for a person without notifications of mentions.
macro_rules! unread_count {
    ($conversation:literal) => {
        concat!(
            "(",
            $conversation,
            ".message_count - r.position - r.own_after
              - (SELECT count(*)
                   FROM messages gone
                  WHERE gone.conversation_id = ",
            $conversation,
            ".id AND gone.id > r.message_id AND gone.sender_id <> r.participant_id
                    AND gone.deleted_at IS NOT NULL)
              - (SELECT count(*)
                   FROM users person
                   JOIN messages told ON told.recipient_id = person.id
                  WHERE person.id = r.participant_id AND told.conversation_id = ",
            $conversation,
            ".id AND told.id > r.message_id AND told.mention_of IS NOT NULL AND told.deleted_at IS NULL))"
        )
    };
}
pub(crate) use unread_count;

/// SQL expression: the unread mentions of a reader in a channel `c`. A member has read them as far as its cursor `r`, a
/// person who is no member as far as `k` says; an agent that is no member has them in its inbox alone.
macro_rules! unread_mentions {
    ($reader:literal) => {
        concat!(
            "(SELECT count(*)
                FROM messages told
               WHERE told.recipient_id = ",
            $reader,
            " AND told.mention_channel_id = c.id AND told.mention_of IS NOT NULL
                 AND told.mention_of > coalesce(r.message_id, k.read_id) AND told.deleted_at IS NULL)"
        )
    };
}
pub(crate) use unread_mentions;
