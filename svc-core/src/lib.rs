//! svc-core: a message hub for humans and AI agents, as a library.
//!
//! Open a [`Hub`], ask it, close it. It keeps everything in one SQLite file, or on a PostgreSQL
//! server that several nodes share. No HTTP server, no command line, no terminal: those are
//! other crates around this one.
//!
//! Modules in reading order: what a hub is, what its parts stand on, then the parts.

#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
compile_error!("svc-core needs an engine: turn on the feature `sqlite` or `postgres`");

mod config;
mod data_directory;
mod error;
mod first_run;
mod hub;
mod readiness;
mod startup;

mod clock;
pub mod csv;
pub mod db;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod ids;
pub mod limits;
mod names;
mod net;
mod page;
pub mod spans;
mod text;
mod timestamp;
mod vault;
pub mod when;

mod agents;
mod api_keys;
mod audit;
mod auth;
mod oauth;
mod participants;
mod principals;
mod quotas;
mod search;
mod secrets;
mod sessions;
mod users;

mod attachments;
mod channels;
mod dead_letters;
mod messages;
mod notifications;
mod reactions;
mod tasks;
mod trust;

mod analytics;
mod events;
mod idempotency;
mod leases;
mod live;
#[cfg(any(test, feature = "machine-client"))]
pub mod machine_client;
mod nodes;
mod onboarding;
mod traces;
mod workers;

pub use agents::{Agent, AgentFilter, AgentPage, AgentSettings, Agents, CreatedAgent, NewAgent, TriggerMode};
pub use analytics::{Activity, ActivityBucket, AgentRank, Analytics, ChannelRank, Span, Summary};
pub use api_keys::{ApiKey, ApiKeyFilter, ApiKeyPage, ApiKeys, CreatedKey, KeyKind, KeyStatus, McpProfile, NewApiKey};
pub use attachments::{
    Attachment, AttachmentPage, Attachments, BlobAside, BlobStamp, BlobStore, BlobStream, CheckedFiles, Collected,
    ContentHash, Download, FileStoreHealth, ObjectBlobs, OpenBlob, RestoreFacts, Restored, StoredAttachment,
    StoredBlob, Thumbnail, UploadFact, Uploaded,
};
pub use audit::{Audit, AuditEntry, AuditEvent, AuditFilter, AuditStats};
pub use auth::{
    Actor, AgentActor, Auth, Caller, Credential, Identity, KeyLimits, Password, Permission, Token, TokenKind,
    UserActor, Visit,
};
pub use channels::{
    Channel, ChannelFilter, ChannelPage, ChannelSettings, ChannelUpdate, Channels, GENERAL, Member, MemberPage,
    NewChannel,
};
pub use clock::{Clock, Entropy, SystemClock, SystemEntropy};
pub use config::HubConfig;
#[cfg(unix)]
pub use data_directory::keep_new_files_private;
pub use data_directory::prepare_data_directory;
pub use dead_letters::{DeadLetter, DeadLetterFilter, DeadLetterKind, DeadLetterPage, DeadLetters};
pub use error::{Error, ErrorKind, FieldError, Result};
pub use events::{After, Event, EventLog, NewEvent, Subscription};
pub use first_run::FirstAdmin;
pub use hub::{Hub, HubBuilder};
pub use idempotency::{IdempotencyKey, Once};
pub use ids::{
    AgentId, ApiKeyId, AuditId, BidId, ChannelId, ConversationId, DeadLetterId, DeviceId, EventSeq, GrantId, InviteId,
    MachineEventId, MessageId, ParticipantId, SecretId, SessionId, TaskId, TraceId, UserId,
};
pub use leases::{Lease, Leases};
pub use live::{
    AgentNews, ChannelNews, Feed, Hello, Live, LiveBody, LiveEvent, MachineNews, MessageNews, ReactionNews, Reset,
    ResetReason, UnreadNews, UpdateNews, WorkflowNews,
};
pub use messages::{
    Backlog, BrowseFilter, ClaimRequest, ClaimedMessage, ClaimedMessages, Conversation, ConversationKind,
    ConversationPage, ConversationView, DirectFilter, Ending, Finish, InboxFilter, LastMessage, Message, MessagePage,
    MessageStatus, Messages, NewMessage, Prune, Pruned, Receipt, ReceiptState, Receipts, Replies, Thread, Timeline,
    TimelineFilter,
};
pub use names::{AgentName, ChannelName, SecretName, Username};
pub use notifications::{Mark, Notifications, Partner, Unread};
pub use oauth::{
    AuthorizationRequest, AuthorizeParameters, AuthorizeRefusal, Client, ClientAuthMethod, ClientClaim,
    ClientDocuments, ClientPage, ClientSource, Clients, CreatedClient, DeviceAuthorization, DeviceRequest, Grant,
    GrantPage, GrantType, IssuedTokens, NewClient, OAuth, TokenFacts, TokenRequest, shown_host,
};
pub use onboarding::{
    Archetype, ArchetypeList, ArchetypeSummary, ClientConfig, ClientKind, ConfigFormat, ConfigRequest, Connection,
    Onboarding, SeenCredential, Skill, SkillList, SkillSummary, ToolExample, Transport, named_tools,
};
pub use page::{Page, checked_limit};
pub use participants::{Participant, ParticipantFilter, ParticipantKind, ParticipantPage, Participants, SYSTEM_HANDLE};
pub use principals::{
    ACCEPT_SIGNATURE, Audience, Fault, FaultCode, Faults, Loaded, LoadedRegistry, Machine, MachineKey,
    MachineKeyStatus, Principal, Principals, PublicKey, REGISTRY_SCHEMA, Registry, RegistryChanges, RegistryFile,
    RegistryFileState, RegistryPrincipal, RegistryProblem, RegistryView, Rejection, Scope, SignedHead, SignedRequest,
    is_kid, is_principal_id, load_registry, normal_authority,
};
pub use principals::{
    Evidence, EvidenceFilter, EvidencePage, IngestStatus, Ingested, IngestedEvent, NewMachineEvent, NewRuntimeStatus,
    PurgedEvents, RuntimeStatus, SourceConfig, SourceVersion, exact_json,
};
pub use quotas::{FileUsage, MessageUsage, QuotaRefusals, Quotas, Usage};
pub use reactions::{
    MessageReactions, Reaction, ReactionAction, ReactionChange, ReactionKind, Reactions, StateFilter, StatePage,
    WorkflowState,
};
pub use readiness::{Readiness, ReadyState, StoreHealth};
pub use search::{Search, SearchFilter, SearchHit, SearchPage};
pub use secrets::{Secret, SecretFilter, SecretPage, SecretScope, SecretValue, Secrets};
pub use sessions::{NewSession, Session, SessionList, Sessions};
pub use startup::refuse_lost_store;
pub use tasks::{
    Bid, BidStatus, NewBid, NewTask, Task, TaskClosing, TaskEnding, TaskFilter, TaskPage, TaskStatus, TaskView,
    TaskViewPage, Tasks,
};
pub use text::looks;
pub use timestamp::Timestamp;
pub use traces::{
    ActionCount, NewTrace, PurgedTraces, Surface, Trace, TraceCounts, TraceExport, TraceFilter, TracePage, TraceStats,
    Traces,
};
pub use trust::{Acquaintance, AgentTrust, OwnerRelation, Standing, Trust, TrustScore};
pub use users::{
    CreatedUser, Invite, NewAccount, NewInvite, NewUser, Registration, Role, User, UserPage, UserUpdate, Users,
};
pub use vault::SecretKey;
pub use workers::{Cadence, Progress, Worker, WorkerHealth, WorkerState, Workers};

/// The statements over tables that grow, by name, for the test that looks at their plans.
#[doc(hidden)]
pub fn listed_queries() -> Vec<(&'static str, &'static str)> {
    [
        &analytics::listed(),
        api_keys::LISTED,
        attachments::LISTED,
        audit::LISTED,
        auth::backoff::LISTED,
        dead_letters::LISTED,
        events::LISTED,
        idempotency::LISTED,
        live::LISTED,
        messages::LISTED,
        quotas::LISTED,
        messages::WORK_LISTED,
        channels::LISTED,
        messages::timeline::LISTED,
        notifications::LISTED,
        &oauth::listed(),
        onboarding::LISTED,
        &principals::listed(),
        participants::LISTED,
        reactions::LISTED,
        search::LISTED,
        &sessions::listed(),
        tasks::LISTED,
        &traces::listed(),
        trust::LISTED,
        users::store::LISTED,
    ]
    .concat()
}
