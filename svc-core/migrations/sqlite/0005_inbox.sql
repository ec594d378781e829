-- An inbox is asked for by status, by sender and by urgency, and few of very many may fit. The order of
-- the ids is kept in each, so that a page is read and nothing else. Most messages are of the ordinary
-- urgency or below it and do not stand in the last one.
CREATE INDEX messages_recipient_status_idx ON messages (recipient_id, status, id) WHERE recipient_id IS NOT NULL;
CREATE INDEX messages_recipient_sender_idx ON messages (recipient_id, sender_id, id) WHERE recipient_id IS NOT NULL;
CREATE INDEX messages_recipient_urgent_idx ON messages (recipient_id, priority, id)
    WHERE recipient_id IS NOT NULL AND priority > 5;

-- What a text is depends on its name as well, so the type stands with the name: whoever brings a content
-- that is known already learns nothing of how others call it. That of `attachments` is the first one's,
-- for whoever runs the server.
ALTER TABLE attachment_uploads ADD COLUMN mime_type TEXT NOT NULL DEFAULT 'application/octet-stream';
ALTER TABLE message_attachments ADD COLUMN mime_type TEXT NOT NULL DEFAULT 'application/octet-stream';
UPDATE attachment_uploads
   SET mime_type = (SELECT a.mime_type FROM attachments a WHERE a.hash = attachment_uploads.hash);
UPDATE message_attachments
   SET mime_type = (SELECT a.mime_type FROM attachments a WHERE a.hash = message_attachments.hash);

-- The last claim on a message, so that whoever says twice how it ended is known by their token and by
-- nothing that could be guessed.
ALTER TABLE messages ADD COLUMN last_claim TEXT;

-- Those who have gone, so that what was on its way to them in that moment is found.
CREATE INDEX participants_deleted_at_idx ON participants (deleted_at) WHERE deleted_at IS NOT NULL;
