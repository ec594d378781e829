//! The id types of all resources, so that no signature has a bare integer.

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident;)*) => {$(
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        #[cfg_attr(feature = "openapi", derive(poem_openapi::NewType))]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl crate::column::Column for $name {
            const KIND: crate::column::Kind = crate::column::Kind::Integer;

            fn into_value(self) -> crate::column::Value {
                crate::column::Value::Integer(self.0)
            }

            fn from_value(value: crate::column::Value) -> Result<Self, crate::column::Mismatch> {
                i64::from_value(value).map(Self)
            }
        }
    )*};
}

ids! {
    /// The position of an event in the log; later events have larger ones.
    EventSeq;
    /// A recorded action.
    TraceId;
    /// A participant: a human, an agent, or the hub itself.
    ParticipantId;
    /// A human account; the same number as its participant.
    UserId;
    /// An agent; the same number as its participant.
    AgentId;
    /// A login session of a human.
    SessionId;
    /// A browser in which a human has logged in.
    DeviceId;
    /// An agent key or a managed key.
    ApiKeyId;
    /// An invitation to create an account.
    InviteId;
    /// The grant of an OAuth client.
    GrantId;
    /// A stored secret.
    SecretId;
    /// An entry of the audit log.
    AuditId;
    /// A channel.
    ChannelId;
    /// A conversation: the messages of a channel, or of a pair and a subject.
    ConversationId;
    /// A message.
    MessageId;
    /// A pin: a message that is pinned in its conversation.
    PinId;
    /// A message that a human has saved for later.
    SavedMessageId;
    /// A message that is sent later.
    ScheduledMessageId;
    /// A message template.
    TemplateId;
    /// A dead letter.
    DeadLetterId;
    /// A task.
    TaskId;
    /// A bid for a task.
    BidId;
    /// An event that a machine principal reported.
    MachineEventId;
    /// An item of a queue.
    QueueItemId;
    /// A webhook.
    WebhookId;
    /// A delivery of an event to a webhook.
    DeliveryId;
    /// A handler that turns events into Jobs of a cluster.
    HandlerId;
    /// A run of an agent.
    RunId;
    /// An entry of an agent's reputation.
    ReputationEntryId;
    /// A loop between agents.
    LoopId;
    /// A goal.
    GoalId;
    /// A task of a goal; tasks of the auction have ids of their own.
    GoalTaskId;
    /// An article of the wiki.
    ArticleId;
    /// A request of an agent for a secret.
    SecretRequestId;
    /// A browser that receives push messages.
    PushSubscriptionId;
}
