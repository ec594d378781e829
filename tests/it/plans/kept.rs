//! Rows of messages that are kept: pinned and saved ones.

/// The statements that fill the tables.
pub(super) fn filling() -> Vec<String> {
    vec![
        "INSERT INTO pins (message_id, conversation_id, pinned_by, pinned_at)
         SELECT id, conversation_id, sender_id, created_at FROM messages"
            .into(),
        "INSERT INTO saved_messages (user_id, message_id, saved_at)
         SELECT (SELECT max(id) FROM users) - id % 50, id, created_at FROM messages"
            .into(),
    ]
}
