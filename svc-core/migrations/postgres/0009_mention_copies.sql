-- The copies that tell somebody of a mention, by the conversation in which they stand: so many of what is unread
-- there has been said in a channel, and is counted there as well.
CREATE INDEX messages_mention_copies_idx ON messages (recipient_id, conversation_id, id)
    WHERE mention_of IS NOT NULL;
