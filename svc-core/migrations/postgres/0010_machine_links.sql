-- Principals report independently of each other: whoever reads waits for ids that are still to come instead of
-- writers waiting for each other.
DROP TABLE machine_ingestion;

-- What a request of a machine leaves behind is known by its signature, which is taken once. The id that requests
-- have is the caller's to choose, and says nothing.
ALTER TABLE machine_events ADD COLUMN signature_id TEXT;
CREATE INDEX traces_signature_idx ON traces ((details ->> 'signature_id')) WHERE owner_id IS NULL;
DROP INDEX traces_machine_request_idx;
