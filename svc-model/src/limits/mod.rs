//! Every number that limits something, in one place; nothing else repeats one.

mod identity;
mod machines;
mod queues;

use std::time::Duration;

pub use identity::*;
pub use machines::*;
pub use queues::*;

/// Rows of a list when the caller does not say.
pub const PAGE_DEFAULT: u32 = 50;
/// Rows of a list at most.
pub const PAGE_MAX: u32 = 200;

/// How long events stay in the log for readers that resume.
pub const EVENT_RETENTION: Duration = Duration::from_hours(7 * 24);
/// A named reader that has not moved for this long no longer keeps events from being swept.
pub const READER_ABANDONED: Duration = Duration::from_hours(30 * 24);
/// Length of an event's kind.
pub const EVENT_KIND_MAX: usize = 64;
/// Size of an event's payload as JSON text.
pub const EVENT_PAYLOAD_MAX: usize = 256 * 1024;

/// How long an idempotency key protects its first answer.
pub const IDEMPOTENCY_RETENTION: Duration = Duration::from_hours(24);
/// Length of an idempotency key.
pub const IDEMPOTENCY_KEY_MAX: usize = 255;

/// Traces written together at most.
pub const TRACE_BATCH_MAX: usize = 64;
/// How long a trace waits for company.
pub const TRACE_BATCH_DELAY: Duration = Duration::from_millis(100);
/// Traces waiting to be written before recording one has to wait.
pub const TRACE_QUEUE: usize = 4096;
/// How long traces are kept unless configured.
pub const TRACE_RETENTION: Duration = Duration::from_hours(30 * 24);

/// Traces read at once while they are exported.
pub const TRACE_EXPORT_PAGE: u32 = 500;
/// An agent that left a trace during this time is active.
pub const AGENT_ACTIVE: Duration = Duration::from_mins(15);

/// How long the counts of messages by five minutes are kept; those by day stay for good.
pub const ROLLUP_MINUTES_KEPT: Duration = Duration::from_hours(2 * 24);
/// How long the counts of messages by hour are kept.
pub const ROLLUP_HOURS_KEPT: Duration = Duration::from_hours(40 * 24);
/// Rows of a ranking when the caller does not say.
pub const RANKING_DEFAULT: u32 = 5;
/// Rows of a ranking at most; more are not refused but not given either.
pub const RANKING_MAX: u32 = 100;

/// Writes that may share one commit on SQLite.
pub const WRITE_BATCH_MAX: usize = 256;
/// Writes waiting for the SQLite writer before the next one has to wait.
pub const WRITE_QUEUE: usize = 1024;

/// Room on the disk, in bytes, that opening a store takes besides what is there.
pub const START_ROOM: usize = 128 * 1024;
/// Room on the disk, in bytes, that is kept for a start on a full disk.
pub const ROOM_RESERVE: usize = 1024 * 1024;

/// How soon a process notices what another wrote to the same SQLite file.
pub const FOREIGN_WRITE_POLL: Duration = Duration::from_millis(20);
/// How often a process looks whether the files of its SQLite store are still there; it also does with every write.
pub const STORE_LOOK: Duration = Duration::from_secs(1);
/// How often the event log is looked at even when nobody called.
pub const EVENT_FALLBACK_POLL: Duration = Duration::from_secs(1);
/// How long a new stream of an MCP client waits for transactions that hold up the event log.
pub const EVENTS_SETTLE_MAX: Duration = Duration::from_secs(2);

/// How often a process on a shared database shows that it is alive.
pub const NODE_BEAT: Duration = Duration::from_secs(10);
/// A process on a shared database that was not seen for this long has died.
pub const NODE_LEASE: Duration = Duration::from_secs(30);

/// How long a worker's lease lasts without renewal.
pub const WORKER_LEASE: Duration = Duration::from_secs(15);
/// The first and the longest pause before a failed worker runs again.
pub const WORKER_BACKOFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));

/// Faults of a request that are told at once; of more, how many.
pub const FAULTS_TOLD_MAX: usize = 10;

/// JSON request bodies.
pub const JSON_BODY_MAX: usize = 1024 * 1024;
/// Request bodies of those who are not known yet: logins, forms of the server's own pages, OAuth.
pub const AUTH_BODY_MAX: usize = 16 * 1024;
/// How long a request body of up to [`JSON_BODY_MAX`] may take unless configured. Only time in which the server waits
/// for the client counts.
pub const BODY_TIME: Duration = Duration::from_mins(1);
/// What each further mebibyte of a body adds to [`BODY_TIME`].
pub const BODY_TIME_PER_MIB: Duration = Duration::from_secs(64);
/// The least that a client sends of a body, in bytes per second, unless configured.
pub const BODY_RATE_MIN: u64 = 1024;
/// How long a body may take before its rate counts.
pub const BODY_GRACE: Duration = Duration::from_secs(10);

/// How long the headers of a request may take unless configured, from their first byte.
pub const HEADER_TIME: Duration = Duration::from_secs(10);
/// Headers of a request over HTTP/1, with its first line, in bytes.
pub const HTTP1_HEADERS_MAX: usize = 64 * 1024;
/// Headers of a request over HTTP/2, in bytes.
pub const HTTP2_HEADERS_MAX: u32 = 16 * 1024;
/// Requests that may be under way on one connection over HTTP/2.
pub const HTTP2_STREAMS_MAX: u32 = 100;
/// Streams of HTTP/2 that a client takes back before they were looked at, until its connection is ended.
pub const HTTP2_RESETS_MAX: usize = 20;
/// Bytes of one request body over HTTP/2 that a client may send before they are read.
pub const HTTP2_WINDOW: u32 = 256 * 1024;
/// The same for all request bodies of one connection.
pub const HTTP2_CONNECTION_WINDOW: u32 = 1024 * 1024;
/// How often a client over HTTP/2 is asked whether it is there, and how long it may take to answer.
pub const HTTP2_PING: Duration = Duration::from_secs(30);

/// Open connections unless configured, where the limit on open files allows that many.
pub const CONNECTIONS: usize = 16_384;
/// Connections beyond the limit on which health checks are answered, and nothing else; fewer where few files may be
/// open.
pub const CONNECTIONS_RESERVE: usize = 64;
/// How long the headers of a request may take on a connection of the reserve.
pub const RESERVE_HEADER_TIME: Duration = Duration::from_secs(2);
/// How long a connection of the reserve may last.
pub const RESERVE_TIME: Duration = Duration::from_secs(10);
/// The part of all connections that one address may have unless configured, as a divisor.
pub const CONNECTIONS_ADDRESS_PART: usize = 4;
/// The least that one address may have unless configured.
pub const CONNECTIONS_ADDRESS_MIN: usize = 64;
/// When whoever was turned away for lack of connections may come back.
pub const CONNECTIONS_RETRY: Duration = Duration::from_secs(5);
/// Open files that are kept for the store, attachments and connections to other servers; a quarter of all where few
/// files may be open.
pub const FILES_KEPT: usize = 256;
/// Below this limit on open files the log says at start that it is low.
pub const FILES_ADVISED: usize = 4096;

/// Size of a message's body, in bytes.
pub const BODY_MAX: usize = 64 * 1024;
/// Length of a conversation's subject, in characters.
pub const SUBJECT_MAX: usize = 200;
/// Size of a message's metadata as JSON text.
pub const METADATA_MAX: usize = 16 * 1024;
/// The most and the least urgent priority, and the one of a message that names none.
pub const PRIORITIES: std::ops::RangeInclusive<u32> = 1..=10;
/// See [`PRIORITIES`].
pub const PRIORITY_DEFAULT: u32 = 5;
/// Length of the excerpt of a message in lists and events, in characters.
pub const PREVIEW_MAX: usize = 120;
/// Files that one message carries.
pub const ATTACHMENTS_PER_MESSAGE: usize = 20;
/// Size of a file.
pub const ATTACHMENT_MAX: u64 = 50 * 1024 * 1024;
/// What a form around a file may take besides it.
pub const UPLOAD_FORM_MAX: usize = 64 * 1024;
/// Size of a file's name, in bytes.
pub const FILENAME_MAX: usize = 255;
/// How long a file that nothing refers to is kept after it was last uploaded or linked.
pub const ATTACHMENT_UNUSED: Duration = Duration::from_hours(24);
/// How long a file that is being stored is kept from being removed, when whoever stores it has died.
pub const BLOB_MOVE: Duration = Duration::from_mins(15);
/// How long storing a file may take; well within [`BLOB_MOVE`].
pub const BLOB_TIMEOUT: Duration = Duration::from_mins(10);
/// How long an upload waits for a removal of the same file, when whoever removes it has died.
pub const BLOB_REMOVAL: Duration = Duration::from_secs(30);
/// How long removing a file may take; well within [`BLOB_REMOVAL`].
pub const BLOB_REMOVAL_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a file that was removed is kept aside, from where it can come back.
pub const BLOBS_KEPT_ASIDE: Duration = Duration::from_hours(7 * 24);
/// Unused files that one round of the sweep takes, and that it may take of files that no row knows.
pub const SWEEP_FILES: u64 = 20;
/// The same as a share of all files, where that is more: one of so many.
pub const SWEEP_SHARE: u64 = 20;
/// Files that no row knows are never set aside when they are more than one of so many.
pub const SWEEP_UNKNOWN_SHARE: u64 = 2;
/// Files that no row knows that are set aside at once when it is meant.
pub const SWEEP_BATCH: usize = 10_000;
/// How long a process relies on having compared a file with its hash, while the file does not change.
pub const FILE_SOUND: Duration = Duration::from_hours(1);
/// How long a damaged file is not looked at again, while it does not change.
pub const FILE_DAMAGED: Duration = Duration::from_mins(1);
/// Files of which a process remembers that it compared them with their hashes.
pub const FILES_REMEMBERED: usize = 10_000;
/// Files that a process compares with their hashes at a time.
pub const FILES_COMPARED_AT_ONCE: usize = 4;
/// How long the answer to whether the store of the files is well may be reused.
pub const FILE_STORE_CHECKED: Duration = Duration::from_secs(5);
/// A store of files that takes longer to answer that is not well.
pub const FILE_STORE_PATIENCE: Duration = Duration::from_secs(2);
/// Damaged files that a check names; of more, how many.
pub const DAMAGED_FILES_NAMED: usize = 1000;
/// The longer side of a thumbnail, in pixels.
pub const THUMBNAIL_SIDE: u32 = 512;
/// Thumbnails that are drawn at a time.
pub const THUMBNAILS_AT_ONCE: usize = 1;
/// Thumbnails that are drawn or wait to be; the next one is turned away.
pub const THUMBNAILS_WAITING: usize = 128;
/// What thumbnails that were drawn before take on the disk, in bytes; the oldest go for it.
pub const THUMBNAILS_KEPT_MAX: u64 = 256 * 1024 * 1024;
/// Pixels of a picture of which a thumbnail is drawn.
pub const PICTURE_PIXELS_MAX: u64 = 24 * 1024 * 1024;
/// What the pixels of such a picture may take in memory, in bytes.
pub const PICTURE_MEMORY_MAX: u64 = 256 * 1024 * 1024;
/// Bytes of files that a human and their agents may have uploaded, unless configured.
pub const QUOTA_FILE_BYTES: u64 = 10 * 1024 * 1024 * 1024;
/// Messages that a human and their agents may send within [`QUOTA_WINDOW`], unless configured.
pub const QUOTA_MESSAGES: u64 = 200_000;
/// The time within which messages count, by full hours.
pub const QUOTA_WINDOW: Duration = Duration::from_hours(24);
/// How old a count of messages gets while they are let pass.
pub const QUOTA_RECOUNT: Duration = Duration::from_secs(10);
/// How old a count of messages gets while they are refused.
pub const QUOTA_RECHECK: Duration = Duration::from_secs(1);
/// Participants that one message tells of a mention.
pub const MENTIONS_MAX: usize = 50;
/// The newest answers to a message that are looked at for those in other conversations.
pub const REPLIES_LOOKED_AT: u32 = 200;
/// Messages that one claim takes.
pub const CLAIM_MAX: u32 = 50;
/// How long a claim may last, and how long it lasts unless the worker says, in seconds.
pub const LEASE_SECONDS: std::ops::RangeInclusive<u32> = 30..=86_400;
/// See [`LEASE_SECONDS`].
pub const LEASE_SECONDS_DEFAULT: u32 = 900;
/// How often a message is handed to a worker before it becomes a dead letter.
pub const CLAIM_ATTEMPTS: i64 = 5;
/// Length of the reason that a worker gives for a failure, in characters.
pub const REASON_MAX: usize = 1000;
/// When the author is told that nobody has been offered a message.
pub const UNDELIVERED_AFTER: Duration = Duration::from_hours(24);
/// How long after an agent's end messages that were on their way to it may still arrive; no send takes
/// nearly that long.
pub const LATE_ARRIVAL: Duration = Duration::from_mins(10);
/// How long dead letters are kept.
pub const DEAD_LETTER_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Messages of a direct conversation when the caller does not say how many.
pub const DM_PAGE: u32 = 100;

/// Length of a channel's name.
pub const CHANNEL_NAME: std::ops::RangeInclusive<usize> = 1..=CHANNEL_NAME_MAX;
/// See [`CHANNEL_NAME`].
pub const CHANNEL_NAME_MAX: usize = 80;
/// Length of a channel's topic and of its description, in characters.
pub const TOPIC_MAX: usize = 250;
/// See [`TOPIC_MAX`].
pub const DESCRIPTION_MAX: usize = 2000;
/// Participants that a channel can be made with, or that are invited at once.
pub const INVITE_BATCH_MAX: usize = 100;
/// The longest time until a reminder that can be set.
pub const STALEMATE_MAX: Duration = Duration::from_hours(365 * 24);
/// The trust of an agent whom nobody has judged, in millionths.
pub const TRUST_BEGINNING: i64 = 500_000;
/// The most trust there is, in millionths.
pub const TRUST_FULL: i64 = 1_000_000;
/// What a human's approval adds, in millionths.
pub const TRUST_APPROVE: i64 = 50_000;
/// What a human's rejection takes, in millionths.
pub const TRUST_REJECT: i64 = 100_000;
/// Size of what is said with a reaction, as JSON text.
pub const REACTION_METADATA_MAX: usize = 4 * 1024;
/// Length of a kind of action.
pub const ACTION_TYPE_MAX: usize = 64;
/// How often a live stream without news gives a sign of life.
pub const HEARTBEAT: Duration = Duration::from_secs(15);
/// Live streams that one participant may have open.
pub const FEEDS_PER_PARTICIPANT: usize = 50;
/// A reader of a live stream that takes longer for one event is cut off.
pub const FEED_STALL: Duration = Duration::from_secs(30);
/// How often what is unread is counted for live streams.
pub const UNREAD_PACE: Duration = Duration::from_millis(200);
/// Length of a handle in a mention.
pub const HANDLE: std::ops::RangeInclusive<usize> = 2..=HANDLE_MAX;
/// See [`HANDLE`].
pub const HANDLE_MAX: usize = 64;

/// Length of a task's title, in characters.
pub const TASK_TITLE_MAX: usize = 200;
/// Size of a task's description, in bytes.
pub const TASK_BODY_MAX: usize = 16 * 1024;
/// Length of what is said with a bid, in characters.
pub const TASK_NOTE_MAX: usize = 1000;
/// Length of what is said when a task ends, in characters.
pub const TASK_SUMMARY_MAX: usize = 2000;
/// Bids for one task.
pub const TASK_BIDS_MAX: i64 = 100;
/// The largest budget and the largest amount of a bid.
pub const TASK_AMOUNT_MAX: f64 = 1_000_000_000.0;
/// How far away a deadline may be.
pub const TASK_DEADLINE_MAX: Duration = Duration::from_hours(365 * 24);

/// Matches of a search that are counted and compared; of more, the newest.
pub const SEARCH_MATCHES_MAX: i64 = 10_000;
/// Terms of a search query that count; what follows them is not looked at.
pub const SEARCH_TERMS_MAX: usize = 16;
/// Words of one phrase that count.
pub const SEARCH_PHRASE_MAX: usize = 16;
/// Bytes of one word; a longer word is looked for by its beginning.
pub const SEARCH_WORD_MAX: usize = 255;
/// Letters that the beginning of a word has at least; a shorter one is looked for as a whole word, unless
/// it is a letter of [`SEARCH_PREFIX_BYTES`], which stands for a syllable or a word.
pub const SEARCH_PREFIX_MIN: usize = 2;
/// See [`SEARCH_PREFIX_MIN`].
pub const SEARCH_PREFIX_BYTES: usize = 3;
/// How long a search looks, unless configured; then it answers with what it has found. Whoever waits for
/// their turn to search waits as long.
pub const SEARCH_DEADLINE: Duration = Duration::from_secs(2);
/// Searches that run at a time, on connections that nothing else uses.
pub const SEARCHES_AT_ONCE: usize = 2;
/// Of these newest messages a search that found nothing in time tells which fit, on PostgreSQL.
pub const SEARCH_RECENT: i64 = 5_000;
/// Channels, or senders, that one search names.
pub const SEARCH_NAMES_MAX: usize = 100;
/// Length of the part of a message that shows why it was found, in characters.
pub const SNIPPET_MAX: usize = 200;

/// How long the answer of the store to the last readiness probe counts.
pub const READINESS_KEPT: Duration = Duration::from_secs(1);

/// A unit of work that only reads is ended after this, so that no question keeps the others waiting.
pub const READ_DEADLINE: Duration = Duration::from_secs(10);

/// Channels and partners whose unread messages are told at once.
pub const UNREAD_MAX: u32 = 1000;
/// Conversations that are marked as read at once.
pub const MARKS_MAX: usize = 100;

/// Bytes of the words by which participants are looked for.
pub const DIRECTORY_QUERY_MAX: usize = 200;

/// How long a tool waits for messages unless it is told, and at most, in seconds.
pub const WAIT_SECONDS_DEFAULT: u32 = 25;
/// See [`WAIT_SECONDS_DEFAULT`].
pub const WAIT_SECONDS_MAX: u32 = 55;
/// How much a reading tool answers unless it is told, in tokens.
pub const READ_TOKENS_DEFAULT: u32 = 2_000;
/// The least and the most that it can be told.
pub const READ_TOKENS: std::ops::RangeInclusive<u32> = 100..=100_000;
/// What `tools/list` takes at most, in bytes, whole and in the compact profile.
pub const TOOL_LIST_MAX: usize = 26 * 1024;
/// See [`TOOL_LIST_MAX`].
pub const COMPACT_TOOL_LIST_MAX: usize = 6 * 1024;
/// Arguments of one call of a tool; more are not looked at.
pub const TOOL_ARGUMENTS_MAX: usize = 64;
/// No cursor of a list is longer, in bytes.
pub const MCP_CURSOR_MAX: usize = 200;
/// The longest question for a search through MCP, in characters.
pub const MCP_QUERY_MAX: usize = 4_096;
/// The longest text of a file that is sent as an argument, in bytes; the whole request has its own bound.
pub const MCP_UPLOAD_MAX: usize = 4 * 1024 * 1024;
/// Messages in one batch of a client of the revision that has batches.
pub const MCP_BATCH_MAX: usize = 20;
/// What a prompt takes at most, in bytes.
pub const PROMPT_MAX: usize = 8 * 1024;
/// Resources that one session, or one stream, can be told of.
pub const RESOURCE_SUBSCRIPTIONS_MAX: usize = 1_000;
/// Streams of one client that may be about to begin at the same time.
pub const STREAMS_BEGINNING_MAX: usize = 64;
/// How long changes of a resource are gathered before a client is told of them.
pub const RESOURCE_UPDATE_PAUSE: Duration = Duration::from_millis(50);
/// How long a session of the older protocol revisions lasts when nothing moves in it.
pub const MCP_SESSION_IDLE: Duration = Duration::from_mins(30);
/// How many such sessions one credential has at most; the oldest gives way.
pub const MCP_SESSIONS_PER_CREDENTIAL: usize = 64;
/// The largest request body at `/mcp`.
pub const MCP_BODY_MAX: usize = 8 * 1024 * 1024;
