//! svc-core: a message hub for humans and AI agents, as a library.
//!
//! Open a [`Hub`], use its handles, close it. All data is stored in one SQLite file, or on a
//! PostgreSQL server that several nodes share. The HTTP server, the command line and other surfaces
//! are separate crates.
//!
//! Modules are listed in reading order: shared types, then the layers from the store upwards.

#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
compile_error!("svc-core needs an engine: turn on the feature `sqlite` or `postgres`");

#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod net;

// Layers: each imports only those before it.
mod store;

mod identity;

mod messaging;

mod automation;

mod knowledge;

mod insight;

mod hub;

pub use store::db;

pub use svc_model as model;
pub use svc_model::events::EventBody;
pub use svc_model::{csv, limits, row, spans, text_enum, when};

use svc_model::{clock, column, error, ids, names, page, span, surface, text, timestamp};

pub use automation::webhooks::{DeliveryCounts, LatencyBuckets, WebhookSettings, Webhooks};
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
pub use identity::agents::{Agents, CreatedAgent};
pub use identity::api_keys::{ApiKeys, CreatedKey};
pub use identity::audit::Audit;
pub use identity::auth::{
    Actor, AgentActor, Auth, Caller, CallerRun, Credential, KeyLimits, Password, Token, TokenKind, UserActor, Visit,
};
pub use identity::oauth::{
    AuthorizationRequest, AuthorizeParameters, AuthorizeRefusal, ClientDocuments, Clients, CreatedClient,
    DeviceAuthorization, IssuedTokens, OAuth, TokenRequest, shown_host,
};
pub use identity::participants::Participants;
pub use identity::principals::{
    ACCEPT_SIGNATURE, Loaded, Machine, Principals, REGISTRY_SCHEMA, RegistryFile, RegistryFileState, Rejection,
    SignedHead, SignedRequest, is_kid, is_principal_id, load_registry, normal_authority,
};
pub use identity::secrets::Secrets;
pub use identity::sessions::{NewSession, Sessions};
pub use identity::users::{CreatedUser, Invite, NewAccount, NewInvite, NewUser, Registration, UserUpdate, Users};
pub use ids::{
    AgentId, ApiKeyId, AuditId, BidId, ChannelId, ConversationId, DeadLetterId, DeliveryId, DeviceId, EventSeq,
    GrantId, InviteId, MachineEventId, MessageId, ParticipantId, QueueItemId, RunId, SecretId, SessionId, TaskId,
    TraceId, UserId, WebhookId,
};
pub use insight::analytics::Analytics;
pub use insight::live::{Feed, FeedPosition, Live, LiveEvent};
pub use insight::traces::{TraceExport, Traces};
pub use knowledge::onboarding::{
    Archetype, ArchetypeList, ArchetypeSummary, ClientConfig, ClientKind, ConfigFormat, ConfigRequest, Connection,
    Onboarding, SeenCredential, Skill, SkillList, SkillSummary, ToolExample, Transport, named_tools,
};
pub use messaging::attachments::{
    Attachments, BlobAside, BlobStamp, BlobStore, BlobStream, Download, FileStoreHealth, ObjectBlobs, OpenBlob,
    StoredBlob, Thumbnail,
};
pub use messaging::channels::{Channels, GENERAL};
pub use messaging::dead_letters::DeadLetters;
pub use messaging::messages::Messages;
pub use messaging::notifications::Notifications;
pub use messaging::quotas::Quotas;
pub use messaging::reactions::Reactions;
pub use messaging::search::Search;
pub use messaging::tasks::Tasks;
pub use messaging::trust::Trust;
pub use names::{AgentName, ChannelName, SecretName, Username};
pub use net::AllowedNetworks;
pub use page::{Page, checked_limit};
pub use span::Span;
pub use store::events::{After, Event, EventLog, NewEvent, Subscription};
pub use store::idempotency::{IdempotencyKey, Once};
pub use store::leases::{Lease, Leases};
pub use store::queue::{
    Backoff, ClaimedItem, Enqueued, Failure, ItemStatus, NewItem, Queue, QueueItem, QueueRules, Queues, Rate,
};
pub use store::vault::SecretKey;
pub use store::workers::{Cadence, Placement, Progress, Worker, WorkerHealth, WorkerState, Workers};
pub use surface::Surface;
pub use svc_model::agents::{Agent, AgentFilter, AgentPage, AgentSettings, NewAgent, TriggerMode};
pub use svc_model::analytics::{Activity, ActivityBucket, AgentRank, ChannelRank, Summary};
pub use svc_model::api_keys::{ApiKey, ApiKeyFilter, ApiKeyPage, KeyKind, KeyStatus, McpProfile, NewApiKey};
pub use svc_model::attachments::{
    Attachment, AttachmentPage, CheckedFiles, Collected, ContentHash, RestoreFacts, Restored, StoredAttachment,
    UploadFact, Uploaded,
};
pub use svc_model::audit::{AuditEntry, AuditEvent, AuditFilter, AuditStats};
pub use svc_model::auth::{Identity, Permission};
pub use svc_model::channels::{
    Channel, ChannelFilter, ChannelPage, ChannelSettings, ChannelUpdate, Member, MemberPage, NewChannel,
};
pub use svc_model::conversations::{
    Conversation, ConversationKind, ConversationPage, ConversationView, DirectFilter, LastMessage, Timeline,
    TimelineFilter,
};
pub use svc_model::dead_letters::{DeadLetter, DeadLetterFilter, DeadLetterKind, DeadLetterPage};
pub use svc_model::exact_json::exact_json;
pub use svc_model::live::{
    AgentNews, ChannelNews, Hello, LiveBody, MachineNews, MessageNews, ReactionNews, Reset, ResetReason, UnreadNews,
    UpdateNews, WorkflowNews,
};
pub use svc_model::messages::{
    Backlog, BrowseFilter, ClaimRequest, ClaimedMessage, ClaimedMessages, Ending, Finish, InboxFilter, Message,
    MessagePage, MessageStatus, NewMessage, Prune, Pruned, Receipt, ReceiptState, Receipts, Replies, Thread,
};
pub use svc_model::notifications::{Mark, Partner, Unread};
pub use svc_model::oauth::{
    Client, ClientAuthMethod, ClientClaim, ClientPage, ClientSource, DeviceRequest, Grant, GrantPage, GrantType,
    NewClient, TokenFacts,
};
pub use svc_model::participants::{Participant, ParticipantFilter, ParticipantKind, ParticipantPage, SYSTEM_HANDLE};
pub use svc_model::principals::{
    Audience, Fault, FaultCode, Faults, LoadedRegistry, MachineKey, MachineKeyStatus, Principal, PublicKey, Registry,
    RegistryChanges, RegistryPrincipal, RegistryProblem, RegistryView, Scope,
};
pub use svc_model::principals::{
    Evidence, EvidenceFilter, EvidencePage, IngestStatus, Ingested, IngestedEvent, NewMachineEvent, PurgedEvents,
};
pub use svc_model::principals::{NewRuntimeStatus, RuntimeStatus, SourceConfig, SourceVersion};
pub use svc_model::quotas::{FileUsage, MessageUsage, QuotaRefusals, Usage};
pub use svc_model::reactions::{
    MessageReactions, Reaction, ReactionAction, ReactionChange, ReactionKind, StateFilter, StatePage, WorkflowState,
};
pub use svc_model::search::{SearchFilter, SearchHit, SearchPage};
pub use svc_model::secrets::{Secret, SecretFilter, SecretPage, SecretScope, SecretValue};
pub use svc_model::sessions::{Session, SessionList};
pub use svc_model::tasks::{
    Bid, BidStatus, NewBid, NewTask, Task, TaskClosing, TaskEnding, TaskFilter, TaskPage, TaskStatus, TaskView,
    TaskViewPage,
};
pub use svc_model::traces::{
    ActionCount, NewTrace, PurgedTraces, Trace, TraceCounts, TraceFilter, TracePage, TraceStats,
};
pub use svc_model::trust::{Acquaintance, AgentTrust, OwnerRelation, Standing, TrustScore};
pub use svc_model::users::{Role, User, UserPage};
pub use svc_model::webhooks::{
    Delivery, DeliveryAttempt, DeliveryDetails, DeliveryError, DeliveryFilter, DeliveryPage, DeliveryRequest,
    DeliveryStatus, DisabledReason, NewWebhook, RecentAttempt, RecoverWebhook, Recovered, RequestHeader, Webhook,
    WebhookDetails, WebhookEvent, WebhookFilter, WebhookList, WebhookUpdate, WebhookWithSecret,
};
pub use text::looks;
pub use timestamp::Timestamp;

/// SQL statements over growing tables, by name, for the query-plan test.
#[doc(hidden)]
pub fn listed_queries() -> Vec<(&'static str, &'static str)> {
    [
        &insight::analytics::listed(),
        identity::api_keys::LISTED,
        messaging::attachments::LISTED,
        automation::webhooks::LISTED,
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
