-- The certificates of the endpoints that the hub depends on, as they were seen last.
CREATE TABLE certificates (
    -- A host and a port.
    endpoint   TEXT NOT NULL,
    purpose    TEXT NOT NULL,
    -- The first webhook that uses the endpoint. Without a reference: the row goes with the next round of the worker.
    webhook_id INTEGER,
    -- The end of the validity; absent until a certificate was seen.
    ends_at    INTEGER,
    looked_at  INTEGER,
    -- Why the last look failed.
    error      TEXT,
    CONSTRAINT certificates_pkey PRIMARY KEY (endpoint),
    CONSTRAINT certificates_purpose_check CHECK (purpose IN ('hub', 'files', 'webhook')),
    CONSTRAINT certificates_webhook_check CHECK ((purpose = 'webhook') = (webhook_id IS NOT NULL))
) WITHOUT ROWID;
