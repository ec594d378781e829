//! Rows of messages that are kept: pinned, saved and scheduled ones, and templates.

/// The statements that fill the tables.
pub(super) fn filling() -> Vec<String> {
    vec![
        "INSERT INTO pins (message_id, conversation_id, pinned_by, pinned_at)
         SELECT id, conversation_id, sender_id, created_at FROM messages"
            .into(),
        "INSERT INTO saved_messages (user_id, message_id, saved_at)
         SELECT (SELECT max(id) FROM users) - id % 50, id, created_at FROM messages"
            .into(),
        "INSERT INTO scheduled_messages
            (author_id, owner_id, channel, subject, body, priority, metadata, depth, send_at, status, message_id,
             created_at, updated_at)
         SELECT sender_id, (SELECT max(id) FROM users) - id % 5000, 'general', '', '', 5, metadata, 0, id,
                CASE id % 100 WHEN 0 THEN 'waiting' ELSE 'sent' END, id, id, id
           FROM messages"
            .into(),
        "INSERT INTO message_templates (user_id, name, name_key, body, created_at, updated_at)
         SELECT user_id, 'n', CAST(message_id AS TEXT), 'b', 1, 1 FROM saved_messages"
            .into(),
    ]
}
