-- What each one has sent since ever, so that nobody has to add up all the days there were.
CREATE TABLE message_totals (
    sender_id INTEGER NOT NULL,
    messages  INTEGER NOT NULL,
    CONSTRAINT message_totals_pkey PRIMARY KEY (sender_id)
) WITHOUT ROWID;

-- What was counted so far. The counts by day are never forgotten.
INSERT INTO message_totals (sender_id, messages)
SELECT sender_id, sum(messages) FROM message_rollups WHERE grain = 'day' GROUP BY sender_id;
