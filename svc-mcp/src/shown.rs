//! A message as an agent reads it: content, author, the author's owner and trust; no empty fields, and nothing twice.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use svc_core::attachments::Attachment;
use svc_core::auth::Actor;
use svc_core::formats::neutral;
use svc_core::ids::MessageId;
use svc_core::messages::{Message, MessageStatus};
use svc_core::participants::ParticipantKind;
use svc_core::reactions::WorkflowState;
use svc_core::trust::{Acquaintance, OwnerRelation, Standing};
use svc_core::{Caller, Hub, Timestamp, limits};

use crate::answers;
use crate::budget::{beginning, tokens};
use crate::error::Refusal;

/// A message as an agent reads it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Shown {
    #[schemars(with = "answers::Id")]
    pub(crate) id: MessageId,
    pub(crate) from: String,
    #[schemars(with = "answers::Kind")]
    pub(crate) from_kind: ParticipantKind,
    #[schemars(with = "answers::Owner")]
    pub(crate) owner: OwnerRelation,
    #[schemars(with = "answers::Trust")]
    pub(crate) trust: Standing,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) channel: Option<String>,
    /// Only where it is not the reader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) subject: String,
    pub(crate) body: String,
    /// Number of omitted characters of the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body_omitted: Option<usize>,
    /// Offset of the rest of the body, for `get_message`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from_char: Option<usize>,
    #[schemars(with = "answers::Moment")]
    pub(crate) at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    pub(crate) edited_at: Option<Timestamp>,
    /// Whether the text changed after the claim began: read it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) edited_since_claim: Option<bool>,
    /// Of a deleted message, which has no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    pub(crate) deleted_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deleted_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) priority: Option<u32>,
    /// Position in a chain of agents' messages; absent at its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Status>")]
    pub(crate) status: Option<MessageStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Id>")]
    pub(crate) reply_to: Option<MessageId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) replies: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::State>")]
    pub(crate) state: Option<WorkflowState>,
    /// Participants by reaction.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) reactions: BTreeMap<&'static str, Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) attachments: Vec<File>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) claimed_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    pub(crate) lease_expires_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) claim_token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Value>,
    /// Number of omitted bytes of metadata, and of omitted files and reactions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metadata_omitted: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) attachments_omitted: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reactions_omitted: Option<usize>,
}

/// Minimum size of a truncated body, in tokens.
const LEAST_BODY: usize = 40;

/// An attachment as an agent reads it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct File {
    pub(crate) hash: String,
    pub(crate) filename: String,
    pub(crate) size: i64,
    #[serde(rename = "type")]
    pub(crate) mime_type: String,
}

impl From<&Attachment> for File {
    fn from(attachment: &Attachment) -> Self {
        Self {
            hash: attachment.hash.clone(),
            filename: neutral(&attachment.filename).into_owned(),
            size: attachment.size,
            mime_type: attachment.mime_type.clone(),
        }
    }
}

impl Shown {
    /// Truncates the body to `keep` characters and reports the number of omitted ones.
    pub(crate) fn cut(&mut self, keep: usize) {
        let (all, begins) = (self.body.chars().count(), self.from_char.take().unwrap_or(0));
        if keep >= all {
            return;
        }
        self.body = self.body.chars().take(keep).collect();
        self.body_omitted = Some(all - keep);
        self.from_char = Some(begins + keep);
    }

    /// Keeps the body from this character on.
    pub(crate) fn skip(&mut self, characters: usize) {
        self.body = self.body.chars().skip(characters).collect();
        self.from_char = Some(characters);
    }

    /// Omits what exceeds the token limit, and reports it: first the metadata, then reactions and attachments, then
    /// the end of the body, of which some part always stays.
    pub(crate) fn shrink(&mut self, most: usize) {
        if self.price() <= most {
            return;
        }
        if let Some(metadata) = self.metadata.take() {
            self.metadata_omitted = Some(metadata.to_string().len());
        }
        if self.around() + LEAST_BODY > most {
            let reactions: usize = self.reactions.values().map(Vec::len).sum();
            self.reactions_omitted = Some(reactions).filter(|left| *left > 0);
            self.attachments_omitted = Some(self.attachments.len()).filter(|left| *left > 0);
            self.reactions.clear();
            self.attachments.clear();
        }
        let room = most.saturating_sub(self.around() + 12).max(LEAST_BODY);
        let keep = beginning(&self.body, room).chars().count();
        self.cut(keep);
    }

    fn price(&self) -> usize {
        serde_json::to_string(self).map_or(0, |text| tokens(&text))
    }

    /// Cost of everything except the body.
    fn around(&self) -> usize {
        Self { body: String::new(), ..self.clone() }.price()
    }
}

/// The reader of messages, and the relation of their authors to the reader.
pub(crate) struct Reader {
    reader: String,
    voices: HashMap<MessageId, Acquaintance>,
}

impl Reader {
    /// The caller as a reader of these messages.
    pub(crate) async fn of(hub: &Hub, caller: &Caller, messages: &[Message]) -> Result<Self, Refusal> {
        let voices = hub.trust().voices(caller, messages).await?;
        let reader = match caller.actor() {
            Actor::Agent(agent) => agent.name.to_string(),
            Actor::User(user) => user.username.to_string(),
            Actor::Root => String::new(),
        };
        Ok(Self { reader, voices })
    }

    /// Like [`Self::of`], for results that must be returned even if authors cannot be loaded: an unknown author
    /// counts as another owner's, without trust.
    pub(crate) async fn of_or_unknown(hub: &Hub, caller: &Caller, messages: &[Message]) -> Self {
        match Self::of(hub, caller, messages).await {
            Ok(reader) => reader,
            Err(_) => Self { reader: String::new(), voices: HashMap::new() },
        }
    }

    pub(crate) fn show(&self, message: &Message) -> Shown {
        let voice = self.voices.get(&message.id);
        let mut reactions: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        for reaction in &message.reactions {
            reactions.entry(reaction.reaction.as_str()).or_default().push(reaction.by.clone());
        }
        let is_direct = message.channel.is_none();
        Shown {
            id: message.id,
            from: message.from.clone(),
            from_kind: message.from_kind,
            owner: voice.map_or(OwnerRelation::Other, |voice| voice.owner),
            trust: voice.map_or(Standing::Score(0.0), |voice| voice.trust),
            channel: message.channel.clone(),
            to: message.to.clone().filter(|to| *to != self.reader),
            subject: neutral(&message.subject).into_owned(),
            body: neutral(&message.body).into_owned(),
            body_omitted: None,
            from_char: None,
            at: message.created_at,
            edited_at: message.edited_at,
            edited_since_claim: message.edited_since_claim.then_some(true),
            deleted_at: message.deleted_at,
            deleted_by: message.deleted_by.clone(),
            priority: (message.priority != limits::PRIORITY_DEFAULT).then_some(message.priority),
            depth: Some(message.depth).filter(|depth| *depth > 0),
            status: is_direct.then_some(message.status),
            reply_to: message.reply_to,
            replies: (message.reply_count > 0).then_some(message.reply_count),
            state: message.workflow_state,
            reactions,
            attachments: message.attachments.iter().map(File::from).collect(),
            claimed_by: message.claimed_by.clone(),
            lease_expires_at: message.lease_expires_at,
            claim_token: None,
            metadata: metadata(message),
            metadata_omitted: None,
            attachments_omitted: None,
            reactions_omitted: None,
        }
    }
}

/// Metadata of a message, if there is any. A system notice contains only text by the system: the reason that a worker
/// gave is left to the receipt, where the worker's name is beside it.
fn metadata(message: &Message) -> Option<Value> {
    let mut metadata = neutralized(&message.metadata);
    if message.from_kind == ParticipantKind::System
        && let Some(notice) = metadata.get_mut("non_delivery").and_then(Value::as_object_mut)
    {
        notice.remove("reason");
    }
    metadata.as_object().is_some_and(|fields| !fields.is_empty()).then_some(metadata)
}

/// A copy of the value with every string in it neutralized.
pub(crate) fn neutralized(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(neutral(text).into_owned()),
        Value::Array(items) => Value::Array(items.iter().map(neutralized).collect()),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (neutral(name).into_owned(), neutralized(value))).collect())
        }
        other => other.clone(),
    }
}
