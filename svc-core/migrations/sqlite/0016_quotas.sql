-- What each human has uploaded, with all their agents, and is still stored: each content once, whoever of
-- them uploaded it how often, and how many bytes that comes to. The store keeps both by itself, so that
-- whoever adds or removes a content need not think of it.
CREATE TABLE owner_contents (
    owner_id INTEGER NOT NULL,
    hash     TEXT    NOT NULL,
    size     INTEGER NOT NULL,
    CONSTRAINT owner_contents_pkey PRIMARY KEY (owner_id, hash),
    CONSTRAINT owner_contents_hash_fkey FOREIGN KEY (hash) REFERENCES attachments (hash) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX owner_contents_hash_idx ON owner_contents (hash);

CREATE TABLE owner_files (
    owner_id INTEGER NOT NULL,
    bytes    INTEGER NOT NULL,
    CONSTRAINT owner_files_pkey PRIMARY KEY (owner_id)
) WITHOUT ROWID;

INSERT INTO owner_contents (owner_id, hash, size)
SELECT DISTINCT coalesce(g.owner_id, u.participant_id), a.hash, a.size
  FROM attachment_uploads u
  JOIN attachments a ON a.hash = u.hash
  LEFT JOIN agents g ON g.id = u.participant_id;

INSERT INTO owner_files (owner_id, bytes)
SELECT owner_id, sum(size) FROM owner_contents GROUP BY owner_id;

CREATE TRIGGER attachment_uploads_noted AFTER INSERT ON attachment_uploads BEGIN
    INSERT INTO owner_contents (owner_id, hash, size)
    SELECT coalesce((SELECT g.owner_id FROM agents g WHERE g.id = NEW.participant_id), NEW.participant_id), a.hash, a.size
      FROM attachments a
     WHERE a.hash = NEW.hash
    ON CONFLICT (owner_id, hash) DO NOTHING;
END;

CREATE TRIGGER owner_contents_added AFTER INSERT ON owner_contents BEGIN
    INSERT INTO owner_files (owner_id, bytes)
    VALUES (NEW.owner_id, NEW.size)
    ON CONFLICT (owner_id) DO UPDATE SET bytes = owner_files.bytes + excluded.bytes;
END;

CREATE TRIGGER owner_contents_removed AFTER DELETE ON owner_contents BEGIN
    UPDATE owner_files SET bytes = bytes - OLD.size WHERE owner_id = OLD.owner_id;
END;
