//! Rows of what participants show of themselves: emoji, profiles and avatars.

use svc_core::db::Engine;

/// The statements that fill these tables, after those of messages and participants.
pub(super) fn filling(engine: Engine) -> Vec<String> {
    let content = if engine == Engine::Sqlite { "x'00'" } else { "CAST('x' AS bytea)" };
    vec![
        "INSERT INTO message_emoji (message_id, participant_id, emoji, created_at)
         SELECT id, sender_id, 'e', created_at FROM messages"
            .to_owned(),
        "INSERT INTO profiles (participant_id, status_text, presence, updated_at)
         SELECT id, 's', 'everyone', 1 FROM participants WHERE kind <> 'system'"
            .to_owned(),
        format!(
            "INSERT INTO avatars (participant_id, hash, mime_type, content, created_at)
             SELECT id, CAST(id AS TEXT), 'image/png', {content}, 1 FROM participants WHERE kind <> 'system'"
        ),
    ]
}
