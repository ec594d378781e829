//! All limits, timeouts and retention times of the hub. No other code repeats one of these numbers.

mod backup;
mod cluster;
mod goals;
mod governance;
mod harness;
mod identity;
mod machines;
mod push;
mod queues;
mod runs;
mod telemetry;
mod watching;
mod webhooks;
mod wiki;

use std::time::Duration;

pub use backup::*;
pub use cluster::*;
pub use goals::*;
pub use governance::*;
pub use harness::*;
pub use identity::*;
pub use machines::*;
pub use push::*;
pub use queues::*;
pub use runs::*;
pub use telemetry::*;
pub use watching::*;
pub use webhooks::*;
pub use wiki::*;

/// Default number of rows in a list.
pub const PAGE_DEFAULT: u32 = 50;
/// Maximum number of rows in a list.
pub const PAGE_MAX: u32 = 200;

/// Retention time of events in the log, for readers that resume.
pub const EVENT_RETENTION: Duration = Duration::from_hours(7 * 24);
/// A named reader that has not advanced for this long no longer keeps events from being swept.
pub const READER_ABANDONED: Duration = Duration::from_hours(30 * 24);
/// Maximum length of an event's kind.
pub const EVENT_KIND_MAX: usize = 64;
/// Maximum size of an event's payload as JSON text, in bytes.
pub const EVENT_PAYLOAD_MAX: usize = 256 * 1024;

/// Time for which an idempotency key protects its first response.
pub const IDEMPOTENCY_RETENTION: Duration = Duration::from_hours(24);
/// Maximum length of an idempotency key.
pub const IDEMPOTENCY_KEY_MAX: usize = 255;

/// Maximum number of traces in one batch.
pub const TRACE_BATCH_MAX: usize = 64;
/// Maximum wait of a trace for others to be written in the same batch.
pub const TRACE_BATCH_DELAY: Duration = Duration::from_millis(100);
/// Maximum number of traces waiting to be written; beyond it, recording blocks.
pub const TRACE_QUEUE: usize = 4096;
/// Default retention time of traces.
pub const TRACE_RETENTION: Duration = Duration::from_hours(30 * 24);

/// Number of traces read at once during an export.
pub const TRACE_EXPORT_PAGE: u32 = 500;
/// An agent that left a trace within this time is active.
pub const AGENT_ACTIVE: Duration = Duration::from_mins(15);

/// Retention time of message counts per five minutes; daily counts are kept forever.
pub const ROLLUP_MINUTES_KEPT: Duration = Duration::from_hours(2 * 24);
/// Retention time of message counts per hour.
pub const ROLLUP_HOURS_KEPT: Duration = Duration::from_hours(40 * 24);
/// Default number of rows in a ranking.
pub const RANKING_DEFAULT: u32 = 5;
/// Maximum number of rows in a ranking; a larger limit is accepted and capped.
pub const RANKING_MAX: u32 = 100;

/// Maximum number of writes in one commit on SQLite.
pub const WRITE_BATCH_MAX: usize = 256;
/// Maximum number of writes waiting for the SQLite writer; beyond it, callers wait.
pub const WRITE_QUEUE: usize = 1024;

/// Disk space, in bytes, that opening a store takes in addition to existing files.
pub const START_ROOM: usize = 128 * 1024;
/// Disk space, in bytes, that is reserved for a start on a full disk.
pub const ROOM_RESERVE: usize = 1024 * 1024;

/// Interval at which a process checks for writes of other processes to its SQLite file.
pub const FOREIGN_WRITE_POLL: Duration = Duration::from_millis(20);
/// Interval at which a process checks that the files of its SQLite store still exist; every write checks too.
pub const STORE_LOOK: Duration = Duration::from_secs(1);
/// Interval at which the event log is polled when no notification arrives.
pub const EVENT_FALLBACK_POLL: Duration = Duration::from_secs(1);
/// Maximum wait of a new stream of an MCP client for transactions that hold up the event log.
pub const EVENTS_SETTLE_MAX: Duration = Duration::from_secs(2);

/// Heartbeat interval of a process on a shared database.
pub const NODE_BEAT: Duration = Duration::from_secs(2);
/// A process on a shared database whose heartbeat another one has missed this many times in a row counts as dead: its
/// work goes to the others.
pub const NODE_MISSED_BEATS: u32 = 4;
/// A process on a shared database that has sent no heartbeat for this long is not registered any more.
pub const NODE_LEASE: Duration = Duration::from_secs(30);
/// Interval at which a process looks whether a newer one has migrated the store.
pub const SCHEMA_CHECK: Duration = Duration::from_secs(5);
/// Maximum number of processes in the list of nodes.
pub const NODES_LISTED: u32 = 1000;

/// Duration of a worker's lease without renewal.
pub const WORKER_LEASE: Duration = Duration::from_secs(15);
/// The first and the longest pause before a failed worker runs again.
pub const WORKER_BACKOFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));

/// Maximum number of invalid fields that one error lists; the rest is only counted.
pub const FAULTS_TOLD_MAX: usize = 10;

/// Maximum size of a JSON request body, in bytes.
pub const JSON_BODY_MAX: usize = 1024 * 1024;
/// Maximum size of a request body before authentication: logins, forms of the server's own pages, OAuth.
pub const AUTH_BODY_MAX: usize = 16 * 1024;
/// Default timeout of a request body of up to [`JSON_BODY_MAX`]. Only time in which the server waits for the
/// client counts.
pub const BODY_TIME: Duration = Duration::from_mins(1);
/// Additional time per further mebibyte of a body, on top of [`BODY_TIME`].
pub const BODY_TIME_PER_MIB: Duration = Duration::from_secs(64);
/// Default minimum rate at which a client must send a body, in bytes per second.
pub const BODY_RATE_MIN: u64 = 1024;
/// Time before [`BODY_RATE_MIN`] is enforced.
pub const BODY_GRACE: Duration = Duration::from_secs(10);

/// Default timeout of the request headers, from their first byte.
pub const HEADER_TIME: Duration = Duration::from_secs(10);
/// Maximum size of the headers of an HTTP/1 request with its first line, in bytes.
pub const HTTP1_HEADERS_MAX: usize = 64 * 1024;
/// Maximum size of the headers of an HTTP/2 request, in bytes.
pub const HTTP2_HEADERS_MAX: u32 = 16 * 1024;
/// Maximum number of concurrent requests on one HTTP/2 connection.
pub const HTTP2_STREAMS_MAX: u32 = 100;
/// Maximum number of HTTP/2 streams that a client may reset before they are handled; then the connection is
/// closed.
pub const HTTP2_RESETS_MAX: usize = 20;
/// Flow control window of one HTTP/2 request body, in bytes.
pub const HTTP2_WINDOW: u32 = 256 * 1024;
/// Flow control window of all request bodies of one HTTP/2 connection, in bytes.
pub const HTTP2_CONNECTION_WINDOW: u32 = 1024 * 1024;
/// Ping interval and ping timeout of HTTP/2 connections.
pub const HTTP2_PING: Duration = Duration::from_secs(30);

/// Default maximum number of open connections, where the limit on open files allows that many.
pub const CONNECTIONS: usize = 16_384;
/// Connections beyond the limit that only answer health checks; fewer where the limit on open files is low.
pub const CONNECTIONS_RESERVE: usize = 64;
/// Timeout of the request headers on a reserved connection.
pub const RESERVE_HEADER_TIME: Duration = Duration::from_secs(2);
/// Maximum duration of a reserved connection.
pub const RESERVE_TIME: Duration = Duration::from_secs(10);
/// Default share of all connections that one address may have, as a divisor.
pub const CONNECTIONS_ADDRESS_PART: usize = 4;
/// Default minimum number of connections that one address may have.
pub const CONNECTIONS_ADDRESS_MIN: usize = 64;
/// `Retry-After` of a connection that was rejected because of the limit.
pub const CONNECTIONS_RETRY: Duration = Duration::from_secs(5);
/// Open files reserved for the store, attachments and connections to other servers; a quarter of all where
/// the limit on open files is low.
pub const FILES_KEPT: usize = 256;
/// Below this limit on open files, the server logs a warning at start.
pub const FILES_ADVISED: usize = 4096;

/// Maximum size of a message body, in bytes.
pub const BODY_MAX: usize = 64 * 1024;
/// Default time in which the author of a message can edit it.
pub const EDIT_WINDOW: Duration = Duration::from_hours(24);
/// Maximum number of texts of a message, all of which are kept.
pub const MESSAGE_VERSIONS_MAX: u32 = 100;
/// How far the clocks of two nodes may differ when an event of a known time is looked for in the log.
pub const EVENT_CLOCK_SKEW: Duration = Duration::from_mins(1);
/// Maximum length of a subject, in characters.
pub const SUBJECT_MAX: usize = 200;
/// Maximum size of a message's metadata as JSON text, in bytes.
pub const METADATA_MAX: usize = 16 * 1024;
/// The allowed priorities; 10 is the most urgent.
pub const PRIORITIES: std::ops::RangeInclusive<u32> = 1..=10;
/// Default priority. See [`PRIORITIES`].
pub const PRIORITY_DEFAULT: u32 = 5;
/// Length of a message preview in lists and events, in characters.
pub const PREVIEW_MAX: usize = 120;
/// Maximum number of files attached to one message.
pub const ATTACHMENTS_PER_MESSAGE: usize = 20;
/// Maximum size of a file, in bytes.
pub const ATTACHMENT_MAX: u64 = 50 * 1024 * 1024;
/// Maximum size of an upload form without its file, in bytes.
pub const UPLOAD_FORM_MAX: usize = 64 * 1024;
/// Maximum size of a file's name, in bytes.
pub const FILENAME_MAX: usize = 255;
/// Retention time of an unreferenced file after it was last uploaded or linked.
pub const ATTACHMENT_UNUSED: Duration = Duration::from_hours(24);
/// Time for which a file that is being stored is protected from removal if the storing process has died.
pub const BLOB_MOVE: Duration = Duration::from_mins(15);
/// Timeout of storing a file; well within [`BLOB_MOVE`].
pub const BLOB_TIMEOUT: Duration = Duration::from_mins(10);
/// Maximum wait of an upload for a removal of the same file if the removing process has died.
pub const BLOB_REMOVAL: Duration = Duration::from_secs(30);
/// Timeout of removing a file; well within [`BLOB_REMOVAL`].
pub const BLOB_REMOVAL_TIMEOUT: Duration = Duration::from_secs(10);
/// Retention time of a removed file that is kept aside, from where it can be restored.
pub const BLOBS_KEPT_ASIDE: Duration = Duration::from_hours(7 * 24);
/// Number of unused files that one sweep may remove, and number of untracked files that it may set aside.
pub const SWEEP_FILES: u64 = 20;
/// Share of all files that one sweep may remove when that is more than [`SWEEP_FILES`], as a divisor.
pub const SWEEP_SHARE: u64 = 20;
/// Untracked files are never set aside when they exceed this share of all files, given as a divisor.
pub const SWEEP_UNKNOWN_SHARE: u64 = 2;
/// Maximum number of untracked files that are set aside in one explicitly requested sweep.
pub const SWEEP_BATCH: usize = 10_000;
/// Time for which a verified file counts as sound while it does not change.
pub const FILE_SOUND: Duration = Duration::from_hours(1);
/// Time for which a damaged file is not checked again while it does not change.
pub const FILE_DAMAGED: Duration = Duration::from_mins(1);
/// Number of files whose verification result a process remembers.
pub const FILES_REMEMBERED: usize = 10_000;
/// Number of files that a process verifies at the same time.
pub const FILES_COMPARED_AT_ONCE: usize = 4;
/// Lifetime of a cached health check of the file store.
pub const FILE_STORE_CHECKED: Duration = Duration::from_secs(5);
/// Timeout of a health check of the file store.
pub const FILE_STORE_PATIENCE: Duration = Duration::from_secs(2);
/// Maximum number of damaged files that a check lists; the rest is only counted.
pub const DAMAGED_FILES_NAMED: usize = 1000;
/// The longer side of a thumbnail, in pixels.
pub const THUMBNAIL_SIDE: u32 = 512;
/// Number of thumbnails that are rendered at the same time.
pub const THUMBNAILS_AT_ONCE: usize = 1;
/// Maximum number of thumbnails that are being rendered or wait for it; further requests are rejected.
pub const THUMBNAILS_WAITING: usize = 128;
/// Maximum disk space of cached thumbnails, in bytes; the oldest are evicted.
pub const THUMBNAILS_KEPT_MAX: u64 = 256 * 1024 * 1024;
/// Maximum number of pixels of an image for which a thumbnail is rendered.
pub const PICTURE_PIXELS_MAX: u64 = 24 * 1024 * 1024;
/// Maximum memory for the pixels of such an image, in bytes.
pub const PICTURE_MEMORY_MAX: u64 = 256 * 1024 * 1024;
/// Default storage quota of a human and their agents, in bytes.
pub const QUOTA_FILE_BYTES: u64 = 10 * 1024 * 1024 * 1024;
/// Default number of messages that a human and their agents may send within [`QUOTA_WINDOW`].
pub const QUOTA_MESSAGES: u64 = 200_000;
/// The time window of the message quota, in full hours.
pub const QUOTA_WINDOW: Duration = Duration::from_hours(24);
/// Maximum age of a cached message count while the quota is not exhausted.
pub const QUOTA_RECOUNT: Duration = Duration::from_secs(10);
/// Maximum age of a cached message count while the quota is exhausted.
pub const QUOTA_RECHECK: Duration = Duration::from_secs(1);
/// Maximum number of participants whom one message notifies of a mention.
pub const MENTIONS_MAX: usize = 50;
/// Number of newest replies that are checked for replies in other conversations.
pub const REPLIES_LOOKED_AT: u32 = 200;
/// Maximum number of messages in one claim.
pub const CLAIM_MAX: u32 = 50;
/// Allowed durations of a claim's lease, in seconds.
pub const LEASE_SECONDS: std::ops::RangeInclusive<u32> = 30..=86_400;
/// Default duration of a claim's lease, in seconds. See [`LEASE_SECONDS`].
pub const LEASE_SECONDS_DEFAULT: u32 = 900;
/// Number of times that a message is claimed before it becomes a dead letter.
pub const CLAIM_ATTEMPTS: i64 = 5;
/// Maximum length of a failure reason, in characters.
pub const REASON_MAX: usize = 1000;
/// The sender of a message that was not offered to its recipient within this time is notified.
pub const UNDELIVERED_AFTER: Duration = Duration::from_hours(24);
/// Time after an agent's deletion within which messages in transit to it may still arrive; no send takes
/// nearly that long.
pub const LATE_ARRIVAL: Duration = Duration::from_mins(10);
/// Retention time of dead letters.
pub const DEAD_LETTER_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Default number of messages of a direct conversation in a page.
pub const DM_PAGE: u32 = 100;

/// Allowed lengths of a channel's name.
pub const CHANNEL_NAME: std::ops::RangeInclusive<usize> = 1..=CHANNEL_NAME_MAX;
/// Maximum length of a channel's name. See [`CHANNEL_NAME`].
pub const CHANNEL_NAME_MAX: usize = 80;
/// Maximum length of a channel's topic, in characters.
pub const TOPIC_MAX: usize = 250;
/// Maximum length of a channel's description, in characters.
pub const DESCRIPTION_MAX: usize = 2000;
/// Maximum number of participants that one request may invite, or with which a channel may be created.
pub const INVITE_BATCH_MAX: usize = 100;
/// The longest time until a reminder that can be set.
pub const STALEMATE_MAX: Duration = Duration::from_hours(365 * 24);
/// The initial trust of an agent, in millionths.
pub const TRUST_BEGINNING: i64 = 500_000;
/// The maximum trust, in millionths.
pub const TRUST_FULL: i64 = 1_000_000;
/// Trust that a human's approval adds, in millionths.
pub const TRUST_APPROVE: i64 = 50_000;
/// Trust that a human's rejection subtracts, in millionths.
pub const TRUST_REJECT: i64 = 100_000;
/// Maximum size of a reaction's metadata as JSON text, in bytes.
pub const REACTION_METADATA_MAX: usize = 4 * 1024;
/// Maximum number of different emoji under a message.
pub const EMOJI_PER_MESSAGE: usize = 20;
/// Maximum number of different emoji of one participant under a message.
pub const EMOJI_PER_PARTICIPANT: usize = 10;
/// The number of participants who are named for each emoji under a message.
pub const EMOJI_NAMES: u32 = 10;
/// Maximum length of an emoji, in bytes.
pub const EMOJI_BYTES_MAX: usize = 48;
/// Maximum number of pinned messages of a conversation.
pub const PINS_MAX: i64 = 100;
/// Maximum number of messages that a human has saved for later.
pub const SAVED_MAX: i64 = 1000;
/// Maximum length of the note of a saved message, in characters.
pub const SAVED_NOTE_MAX: usize = 200;
/// Maximum number of messages of an owner and their agents that wait to be sent.
pub const SCHEDULED_MAX: i64 = 100;
/// Minimum time until a scheduled message is sent.
pub const SCHEDULE_MIN: Duration = Duration::from_mins(1);
/// Maximum time until a scheduled message is sent.
pub const SCHEDULE_MAX: Duration = Duration::from_hours(365 * 24);
/// Time after which a scheduled message that cannot be sent because of a defect of the hub is refused.
pub const SCHEDULED_PATIENCE: Duration = Duration::from_hours(1);
/// Time for which scheduled messages that were sent or refused are listed.
pub const SCHEDULED_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Maximum number of message templates of a human.
pub const TEMPLATES_MAX: i64 = 100;
/// Maximum length of the name of a message template, in characters.
pub const TEMPLATE_NAME_MAX: usize = 60;
/// Maximum length of an action type.
pub const ACTION_TYPE_MAX: usize = 64;
/// Heartbeat interval of a live stream.
pub const HEARTBEAT: Duration = Duration::from_secs(15);
/// Maximum number of open live streams of one participant.
pub const FEEDS_PER_PARTICIPANT: usize = 50;
/// A live stream is closed when its reader takes longer than this for one event.
pub const FEED_STALL: Duration = Duration::from_secs(30);
/// Interval at which unread messages are counted for live streams.
pub const UNREAD_PACE: Duration = Duration::from_millis(200);
/// Allowed lengths of a handle in a mention.
pub const HANDLE: std::ops::RangeInclusive<usize> = 2..=HANDLE_MAX;
/// Maximum length of a handle. See [`HANDLE`].
pub const HANDLE_MAX: usize = 64;

/// Maximum length of a task's title, in characters.
pub const TASK_TITLE_MAX: usize = 200;
/// Maximum size of a task's description, in bytes.
pub const TASK_BODY_MAX: usize = 16 * 1024;
/// Maximum length of the note of a bid, in characters.
pub const TASK_NOTE_MAX: usize = 1000;
/// Maximum length of the closing summary of a task, in characters.
pub const TASK_SUMMARY_MAX: usize = 2000;
/// Maximum number of bids for one task.
pub const TASK_BIDS_MAX: i64 = 100;
/// Maximum budget and maximum amount of a bid.
pub const TASK_AMOUNT_MAX: f64 = 1_000_000_000.0;
/// Maximum time until a deadline.
pub const TASK_DEADLINE_MAX: Duration = Duration::from_hours(365 * 24);

/// Maximum number of search matches that are counted and ranked; beyond it, the newest count.
pub const SEARCH_MATCHES_MAX: i64 = 10_000;
/// Maximum number of terms of a search query; the rest is ignored.
pub const SEARCH_TERMS_MAX: usize = 16;
/// Maximum number of words of one phrase.
pub const SEARCH_PHRASE_MAX: usize = 16;
/// Maximum size of one search word, in bytes; a longer word is searched by its prefix.
pub const SEARCH_WORD_MAX: usize = 255;
/// Minimum number of letters of a prefix search; a shorter one is searched as a whole word, unless it is a
/// letter of [`SEARCH_PREFIX_BYTES`], which stands for a syllable or a word.
pub const SEARCH_PREFIX_MIN: usize = 2;
/// Minimum size in bytes of a single letter that may be a prefix. See [`SEARCH_PREFIX_MIN`].
pub const SEARCH_PREFIX_BYTES: usize = 3;
/// Default timeout of a search; then it returns the matches found so far. The wait for a free search slot has
/// the same timeout.
pub const SEARCH_DEADLINE: Duration = Duration::from_secs(2);
/// Number of concurrent searches, on dedicated connections.
pub const SEARCHES_AT_ONCE: usize = 2;
/// On PostgreSQL, a search that timed out without a match checks this number of newest messages.
pub const SEARCH_RECENT: i64 = 5_000;
/// Maximum number of channels, or of senders, in one search.
pub const SEARCH_NAMES_MAX: usize = 100;
/// Length of a search snippet, in characters.
pub const SNIPPET_MAX: usize = 200;

/// Lifetime of a cached readiness probe of the store.
pub const READINESS_KEPT: Duration = Duration::from_secs(1);

/// Timeout of a read-only transaction, so that no query holds up the others.
pub const READ_DEADLINE: Duration = Duration::from_secs(10);

/// Maximum number of channels and partners in one list of unread messages.
pub const UNREAD_MAX: u32 = 1000;
/// Maximum number of characters of the text of a mention in a list.
pub const MENTION_TEXT_MAX: usize = 1000;
/// Maximum number of conversations that one request marks as read.
pub const MARKS_MAX: usize = 100;

/// Maximum length of the text of a status, in characters.
pub const STATUS_TEXT_MAX: usize = 100;
/// The side of an avatar, in pixels.
pub const AVATAR_SIDE: u32 = 128;
/// Maximum size of a picture from which an avatar is made, in bytes.
pub const AVATAR_BYTES_MAX: usize = 1024 * 1024;
/// Maximum length of a query of the directory, of participants or of accounts, in characters.
pub const DIRECTORY_QUERY_MAX: usize = 200;

/// Default time that a tool waits for messages, in seconds.
pub const WAIT_SECONDS_DEFAULT: u32 = 25;
/// Maximum time that a tool waits for messages, in seconds.
pub const WAIT_SECONDS_MAX: u32 = 55;
/// Default size of the result of a reading tool, in tokens.
pub const READ_TOKENS_DEFAULT: u32 = 2_000;
/// Allowed sizes of the result of a reading tool, in tokens.
pub const READ_TOKENS: std::ops::RangeInclusive<u32> = 100..=100_000;
/// Maximum size of `tools/list` in the full profile, in bytes.
pub const TOOL_LIST_MAX: usize = 26 * 1024;
/// Maximum size of `tools/list` in the compact profile, in bytes.
pub const COMPACT_TOOL_LIST_MAX: usize = 6 * 1024;
/// Maximum number of arguments of one tool call; the rest is ignored.
pub const TOOL_ARGUMENTS_MAX: usize = 64;
/// Maximum size of a list cursor, in bytes.
pub const MCP_CURSOR_MAX: usize = 200;
/// Maximum length of a search query through MCP, in characters.
pub const MCP_QUERY_MAX: usize = 4_096;
/// Maximum size of a file that is sent as a tool argument, in bytes; the whole request has its own limit.
pub const MCP_UPLOAD_MAX: usize = 4 * 1024 * 1024;
/// Maximum number of messages in one JSON-RPC batch, in the protocol revision that has batches.
pub const MCP_BATCH_MAX: usize = 20;
/// Maximum size of a prompt, in bytes.
pub const PROMPT_MAX: usize = 8 * 1024;
/// Maximum number of resource subscriptions of one session or one stream.
pub const RESOURCE_SUBSCRIPTIONS_MAX: usize = 1_000;
/// Maximum number of streams of one client that are being opened at the same time.
pub const STREAMS_BEGINNING_MAX: usize = 64;
/// Time for which changes of a resource are gathered before a client is notified of them.
pub const RESOURCE_UPDATE_PAUSE: Duration = Duration::from_millis(50);
/// Maximum delay of such a notification while the client's feed is behind the event log.
pub const RESOURCE_UPDATE_DELAY_MAX: Duration = Duration::from_secs(1);
/// Idle timeout of a session of the older protocol revisions.
pub const MCP_SESSION_IDLE: Duration = Duration::from_mins(30);
/// Maximum number of such sessions per credential; the oldest is evicted.
pub const MCP_SESSIONS_PER_CREDENTIAL: usize = 64;
/// Maximum size of a request body at `/mcp`, in bytes.
pub const MCP_BODY_MAX: usize = 8 * 1024 * 1024;
