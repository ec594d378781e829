//! `messages.*`: what participants say to each other.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use svc_core::{
    BrowseFilter, Error, Message, MessageId, MessagePage, MessageStatus, NewMessage, Page, Prune, Pruned, Receipts,
    Result, SearchFilter, SearchPage, limits,
};

use super::{Method, Server, root};

/// Lists messages.
pub struct List;

/// What [`List`] takes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only direct messages to this participant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Only those by this participant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Only those in this channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Only direct messages in this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<MessageStatus>,
    /// Only those before this one, for the next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<MessageId>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

impl Method for List {
    const NAME: &'static str = "messages.list";
    const ABOUT: &'static str = "Lists messages of everybody, newest first.";
    type Params = ListParams;
    type Answer = MessagePage;

    async fn run(server: &Server, params: ListParams) -> Result<MessagePage> {
        let ListParams { to, from, channel, status, before, limit } = params;
        let filter = BrowseFilter { to, from, channel, status, before, limit };
        server.hub.messages().browse(&root(), filter).await
    }
}

/// Finds messages.
pub struct Search;

impl Method for Search {
    const NAME: &'static str = "messages.search";
    const ABOUT: &'static str = "Finds messages of everybody by their words, their channel, their sender and more.";
    type Params = SearchFilter;
    type Answer = SearchPage;

    async fn run(server: &Server, params: SearchFilter) -> Result<SearchPage> {
        server.hub.search().messages(&root(), SearchFilter { peek: true, ..params }).await
    }
}

/// Shows one message.
pub struct Show;

/// What [`Show`] takes.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowParams {
    /// The message.
    pub id: MessageId,
}

/// A message and how far it has come.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Shown {
    /// The message.
    pub message: Message,
    /// How far it has come with those it is for, the first 200.
    pub receipts: Receipts,
}

impl Method for Show {
    const NAME: &'static str = "messages.show";
    const ABOUT: &'static str = "Shows a message with its receipts.";
    type Params = ShowParams;
    type Answer = Shown;

    async fn run(server: &Server, params: ShowParams) -> Result<Shown> {
        let messages = server.hub.messages();
        let message = messages.get(&root(), params.id).await.map_err(|error| missing(params.id, error))?;
        let page = Page::new(Some(limits::PAGE_MAX.into()), None)?;
        Ok(Shown { receipts: messages.receipts(&root(), params.id, page).await?, message })
    }
}

fn missing(id: MessageId, error: Error) -> Error {
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
    const ABOUT: &'static str = "Sends a message as the system, to a participant or into a channel.";
    type Params = NewMessage;
    type Answer = Message;

    async fn run(server: &Server, params: NewMessage) -> Result<Message> {
        server.hub.messages().send(&root(), params).await
    }
}

/// Removes old messages.
pub struct Remove;

/// What [`Remove`] takes.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PruneParams {
    /// How old, in seconds, a message is that is removed.
    pub older_than_seconds: u64,
    /// Only counts them.
    #[serde(default)]
    pub dry_run: bool,
}

impl Method for Remove {
    const NAME: &'static str = "messages.purge";
    const ABOUT: &'static str = "Removes messages that are older than this and wait for nobody.";
    type Params = PruneParams;
    type Answer = Pruned;

    async fn run(server: &Server, params: PruneParams) -> Result<Pruned> {
        let prune = if params.dry_run { Prune::Count } else { Prune::Remove };
        let older_than = Duration::from_secs(params.older_than_seconds);
        server.hub.messages().prune(&root(), older_than, prune).await
    }
}
