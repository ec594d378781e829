-- The direct message that notifies a person of a mention (its recipient is a human: owner and recipient are one) belongs
-- to no direct conversation: it is listed under the mentions. These are the messages that a direct conversation shows.
CREATE INDEX messages_letters_idx ON messages (conversation_id, id)
    WHERE recipient_id IS NOT NULL AND (mention_of IS NULL OR recipient_id <> recipient_owner_id);
-- The mentions of a participant, by the message that has them.
CREATE INDEX messages_mentions_idx ON messages (recipient_id, mention_of) WHERE mention_of IS NOT NULL;

-- How far a person has read the mentions in a channel of which they are no member. Members have a read cursor there.
CREATE TABLE mention_cursors (
    participant_id BIGINT NOT NULL,
    channel_id     BIGINT NOT NULL,
    -- Mentions up to this message are read.
    read_id        BIGINT NOT NULL,
    -- Mentions up to this message are from before the person left the channel, and are not shown.
    left_id        BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    CONSTRAINT mention_cursors_pkey PRIMARY KEY (participant_id, channel_id),
    CONSTRAINT mention_cursors_order_check CHECK (read_id >= left_id),
    CONSTRAINT mention_cursors_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES participants (id),
    CONSTRAINT mention_cursors_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id)
);

-- What was read as a direct message until now stays read.
INSERT INTO mention_cursors (participant_id, channel_id, read_id, left_id, updated_at)
SELECT m.recipient_id, c.id, max(CASE WHEN m.id <= r.message_id THEN m.mention_of ELSE 0 END), 0, 0
  FROM messages m
  JOIN channels c ON c.id = m.mention_channel_id
  JOIN read_cursors r ON r.participant_id = m.recipient_id AND r.conversation_id = m.conversation_id
 WHERE m.mention_of IS NOT NULL AND m.recipient_id = m.recipient_owner_id
   AND NOT EXISTS (SELECT 1 FROM channel_members cm
                    WHERE cm.channel_id = c.id AND cm.participant_id = m.recipient_id)
 GROUP BY m.recipient_id, c.id;
