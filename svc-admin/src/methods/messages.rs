//! `messages.*`: direct messages and channel messages.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use svc_core::ids::MessageId;
use svc_core::messages::{BrowseFilter, Message, MessagePage, MessageStatus, NewMessage, Prune, Pruned, Receipts};
use svc_core::search::{SearchFilter, SearchPage};
use svc_core::{Error, Page, Result, limits};

use super::{Method, Server, missing, root};

/// Lists messages.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only direct messages to this participant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Only messages from this participant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Only messages in this channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Only direct messages with this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<MessageStatus>,
    /// Only messages before this id, for the next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<MessageId>,
    /// Page size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

impl Method for List {
    const NAME: &'static str = "messages.list";
    const ABOUT: &'static str = "List all messages, newest first.";
    type Params = ListParams;
    type Answer = MessagePage;

    async fn run(server: &Server, params: ListParams) -> Result<MessagePage> {
        let ListParams { to, from, channel, status, before, limit } = params;
        let filter = BrowseFilter { to, from, channel, status, before, limit };
        server.hub.messages().browse(&root(), filter).await
    }
}

/// Searches messages.
pub struct Search;

/// Parameters of [`Search`]: those of a search over REST, and a user.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchParams {
    /// Only messages that this user sees; all messages by default.
    #[serde(rename = "as", skip_serializing_if = "Option::is_none")]
    pub viewer: Option<String>,
    /// Words, `"phrases"`, `-word`, `prefix*`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// Names of channels, separated by commas; `-` before a name excludes that channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Handles of senders, separated by commas; `-` before a handle excludes that sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Only messages from this day or time on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Only messages before this day or time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Only messages in one of these statuses, separated by commas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Only messages that have all of these: `attachment`, `reaction`, `mention`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has: Option<String>,
    /// Only messages in one of these workflow states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// `relevance` or `newest`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// Page size; default 50.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// Number of messages to skip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// Without effect, because a search by an operator never counts as an offer.
    pub peek: bool,
}

impl Method for Search {
    const NAME: &'static str = "messages.search";
    const ABOUT: &'static str = "Search all messages, or those that a user sees, by words, channel, sender and more.";
    type Params = SearchParams;
    type Answer = SearchPage;

    async fn run(server: &Server, params: SearchParams) -> Result<SearchPage> {
        let SearchParams { viewer, q, channel, agent, after, before, status, has, state, sort, limit, offset, .. } =
            params;
        let peek = true;
        let filter = SearchFilter { q, channel, agent, after, before, status, has, state, sort, limit, offset, peek };
        match viewer {
            None => server.hub.search().messages(&root(), filter).await,
            Some(name) => {
                let user = missing::existing_user(server, &name).await?;
                server.hub.search().messages_of(&root(), user.id, filter).await
            }
        }
    }
}

/// Shows one message.
pub struct Show;

/// Parameters of [`Show`] and [`Delete`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowParams {
    /// Id of the message.
    pub id: MessageId,
}

/// A message and its receipts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Shown {
    /// The message.
    pub message: Message,
    /// Delivery status for its recipients, the first 200.
    pub receipts: Receipts,
}

impl Method for Show {
    const NAME: &'static str = "messages.show";
    const ABOUT: &'static str = "Show a message with its receipts.";
    type Params = ShowParams;
    type Answer = Shown;

    async fn run(server: &Server, params: ShowParams) -> Result<Shown> {
        let messages = server.hub.messages();
        let message = messages.get(&root(), params.id).await.map_err(|error| unknown(params.id, error))?;
        let page = Page::new(Some(limits::PAGE_MAX.into()), None)?;
        Ok(Shown { receipts: messages.receipts(&root(), params.id, page).await?, message })
    }
}

fn unknown(id: MessageId, error: Error) -> Error {
    if error.kind() != svc_core::ErrorKind::NotFound {
        return error;
    }
    let sentence = format!("There is no message {id}: `svc-admin messages list` shows the newest ones.");
    Error::new(svc_core::ErrorKind::NotFound, "not_found", sentence)
}

/// Sends a message.
pub struct Send;

impl Method for Send {
    const NAME: &'static str = "messages.send";
    const ABOUT: &'static str = "Send a message as the system, to a participant or to a channel.";
    type Params = NewMessage;
    type Answer = Message;

    async fn run(server: &Server, params: NewMessage) -> Result<Message> {
        server.hub.messages().send(&root(), params).await
    }
}

/// Deletes a message.
pub struct Delete;

impl Method for Delete {
    const NAME: &'static str = "messages.delete";
    const ABOUT: &'static str = "Delete a message of anybody; a tombstone remains.";
    type Params = ShowParams;
    type Answer = Message;

    async fn run(server: &Server, params: ShowParams) -> Result<Message> {
        server.hub.messages().delete(&root(), params.id).await.map_err(|error| unknown(params.id, error))
    }
}

/// Deletes old messages.
pub struct Remove;

/// Parameters of [`Remove`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PruneParams {
    /// Minimum age of the messages to delete, in seconds.
    pub older_than_seconds: u64,
    /// Only count them.
    #[serde(default)]
    pub dry_run: bool,
}

impl Method for Remove {
    const NAME: &'static str = "messages.purge";
    const ABOUT: &'static str = "Delete messages older than a given age, except pending and claimed ones.";
    type Params = PruneParams;
    type Answer = Pruned;

    async fn run(server: &Server, params: PruneParams) -> Result<Pruned> {
        let prune = if params.dry_run { Prune::Count } else { Prune::Remove };
        let older_than = Duration::from_secs(params.older_than_seconds);
        server.hub.messages().prune(&root(), older_than, prune).await
    }
}
