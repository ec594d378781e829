//! svc-core: a message hub for humans and AI agents, as a library.
//!
//! Open a [`Hub`], ask it, close it. It keeps everything in one SQLite file, or on a PostgreSQL
//! server that several nodes share. No HTTP server, no command line, no terminal: those are
//! other crates around this one.
//!
//! Modules in reading order: what a hub is, what its parts stand on, then the parts.

#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
compile_error!("svc-core needs an engine: turn on the feature `sqlite` or `postgres`");

// The base: types and parsers without a store.
mod clock;
mod column;
pub mod csv;
mod error;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod ids;
pub mod limits;
#[cfg(any(test, feature = "machine-client"))]
pub mod machine_client;
mod names;
mod net;
mod page;
mod span;
pub mod spans;
mod surface;
mod text;
mod timestamp;
pub mod when;

// The floors: each imports only those before it.
mod store;

mod identity;

mod messaging;

mod knowledge;

mod insight;

mod hub;

pub use store::db;

pub use clock::{Clock, Entropy, SystemClock, SystemEntropy};
pub use error::{Error, ErrorKind, FieldError, Result};
pub use hub::config::HubConfig;
#[cfg(unix)]
pub use hub::data_directory::keep_new_files_private;
pub use hub::data_directory::prepare_data_directory;
pub use hub::first_run::FirstAdmin;
pub use hub::readiness::{Readiness, ReadyState, StoreHealth};
pub use hub::startup::refuse_lost_store;
pub use hub::{Hub, HubBuilder};
pub use identity::agents::{Agent, AgentFilter, AgentPage, AgentSettings, Agents, CreatedAgent, NewAgent, TriggerMode};
pub use identity::api_keys::{
    ApiKey, ApiKeyFilter, ApiKeyPage, ApiKeys, CreatedKey, KeyKind, KeyStatus, McpProfile, NewApiKey,
};
pub use identity::audit::{Audit, AuditEntry, AuditEvent, AuditFilter, AuditStats};
pub use identity::auth::{
    Actor, AgentActor, Auth, Caller, Credential, Identity, KeyLimits, Password, Permission, Token, TokenKind,
    UserActor, Visit,
};
pub use identity::oauth::{
    AuthorizationRequest, AuthorizeParameters, AuthorizeRefusal, Client, ClientAuthMethod, ClientClaim,
    ClientDocuments, ClientPage, ClientSource, Clients, CreatedClient, DeviceAuthorization, DeviceRequest, Grant,
    GrantPage, GrantType, IssuedTokens, NewClient, OAuth, TokenFacts, TokenRequest, shown_host,
};
pub use identity::participants::{
    Participant, ParticipantFilter, ParticipantKind, ParticipantPage, Participants, SYSTEM_HANDLE,
};
pub use identity::principals::{
    ACCEPT_SIGNATURE, Audience, Fault, FaultCode, Faults, Loaded, LoadedRegistry, Machine, MachineKey,
    MachineKeyStatus, Principal, Principals, PublicKey, REGISTRY_SCHEMA, Registry, RegistryChanges, RegistryFile,
    RegistryFileState, RegistryPrincipal, RegistryProblem, RegistryView, Rejection, Scope, SignedHead, SignedRequest,
    is_kid, is_principal_id, load_registry, normal_authority,
};
pub use identity::principals::{NewRuntimeStatus, RuntimeStatus, SourceConfig, SourceVersion, exact_json};
pub use identity::secrets::{Secret, SecretFilter, SecretPage, SecretScope, SecretValue, Secrets};
pub use identity::sessions::{NewSession, Session, SessionList, Sessions};
pub use identity::users::{
    CreatedUser, Invite, NewAccount, NewInvite, NewUser, Registration, Role, User, UserPage, UserUpdate, Users,
};
pub use ids::{
    AgentId, ApiKeyId, AuditId, BidId, ChannelId, ConversationId, DeadLetterId, DeviceId, EventSeq, GrantId, InviteId,
    MachineEventId, MessageId, ParticipantId, QueueItemId, SecretId, SessionId, TaskId, TraceId, UserId,
};
pub use insight::analytics::{Activity, ActivityBucket, AgentRank, Analytics, ChannelRank, Summary};
pub use insight::live::{
    AgentNews, ChannelNews, Feed, Hello, Live, LiveBody, LiveEvent, MachineNews, MessageNews, ReactionNews, Reset,
    ResetReason, UnreadNews, UpdateNews, WorkflowNews,
};
pub use insight::principals::{
    Evidence, EvidenceFilter, EvidencePage, IngestStatus, Ingested, IngestedEvent, NewMachineEvent, PurgedEvents,
};
pub use insight::traces::{
    ActionCount, NewTrace, PurgedTraces, Trace, TraceCounts, TraceExport, TraceFilter, TracePage, TraceStats, Traces,
};
pub use knowledge::onboarding::{
    Archetype, ArchetypeList, ArchetypeSummary, ClientConfig, ClientKind, ConfigFormat, ConfigRequest, Connection,
    Onboarding, SeenCredential, Skill, SkillList, SkillSummary, ToolExample, Transport, named_tools,
};
pub use messaging::attachments::{
    Attachment, AttachmentPage, Attachments, BlobAside, BlobStamp, BlobStore, BlobStream, CheckedFiles, Collected,
    ContentHash, Download, FileStoreHealth, ObjectBlobs, OpenBlob, RestoreFacts, Restored, StoredAttachment,
    StoredBlob, Thumbnail, UploadFact, Uploaded,
};
pub use messaging::channels::{
    Channel, ChannelFilter, ChannelPage, ChannelSettings, ChannelUpdate, Channels, GENERAL, Member, MemberPage,
    NewChannel,
};
pub use messaging::dead_letters::{DeadLetter, DeadLetterFilter, DeadLetterKind, DeadLetterPage, DeadLetters};
pub use messaging::messages::{
    Backlog, BrowseFilter, ClaimRequest, ClaimedMessage, ClaimedMessages, Conversation, ConversationKind,
    ConversationPage, ConversationView, DirectFilter, Ending, Finish, InboxFilter, LastMessage, Message, MessagePage,
    MessageStatus, Messages, NewMessage, Prune, Pruned, Receipt, ReceiptState, Receipts, Replies, Thread, Timeline,
    TimelineFilter,
};
pub use messaging::notifications::{Mark, Notifications, Partner, Unread};
pub use messaging::quotas::{FileUsage, MessageUsage, QuotaRefusals, Quotas, Usage};
pub use messaging::reactions::{
    MessageReactions, Reaction, ReactionAction, ReactionChange, ReactionKind, Reactions, StateFilter, StatePage,
    WorkflowState,
};
pub use messaging::search::{Search, SearchFilter, SearchHit, SearchPage};
pub use messaging::tasks::{
    Bid, BidStatus, NewBid, NewTask, Task, TaskClosing, TaskEnding, TaskFilter, TaskPage, TaskStatus, TaskView,
    TaskViewPage, Tasks,
};
pub use messaging::trust::{Acquaintance, AgentTrust, OwnerRelation, Standing, Trust, TrustScore};
pub use names::{AgentName, ChannelName, SecretName, Username};
pub use page::{Page, checked_limit};
pub use span::Span;
pub use store::events::{After, Event, EventLog, NewEvent, Subscription};
pub use store::idempotency::{IdempotencyKey, Once};
pub use store::leases::{Lease, Leases};
pub use store::queue::{
    Backoff, ClaimedItem, Enqueued, Failure, ItemStatus, NewItem, Queue, QueueItem, QueueRules, Queues, Rate,
};
pub use store::vault::SecretKey;
pub use store::workers::{Cadence, Progress, Worker, WorkerHealth, WorkerState, Workers};
pub use surface::Surface;
pub use text::looks;
pub use timestamp::Timestamp;

/// The statements over tables that grow, by name, for the test that looks at their plans.
#[doc(hidden)]
pub fn listed_queries() -> Vec<(&'static str, &'static str)> {
    [
        &insight::analytics::listed(),
        identity::api_keys::LISTED,
        messaging::attachments::LISTED,
        identity::audit::LISTED,
        identity::auth::backoff::LISTED,
        messaging::dead_letters::LISTED,
        store::events::LISTED,
        store::idempotency::LISTED,
        &store::queue::listed(),
        insight::live::LISTED,
        messaging::messages::LISTED,
        messaging::quotas::LISTED,
        messaging::messages::WORK_LISTED,
        messaging::channels::LISTED,
        messaging::messages::timeline::LISTED,
        messaging::notifications::LISTED,
        &identity::oauth::listed(),
        knowledge::onboarding::LISTED,
        &identity::principals::listed(),
        &insight::principals::listed(),
        identity::participants::LISTED,
        messaging::reactions::LISTED,
        messaging::search::LISTED,
        &identity::sessions::listed(),
        messaging::tasks::LISTED,
        &insight::traces::listed(),
        messaging::trust::LISTED,
        identity::users::store::LISTED,
    ]
    .concat()
}
