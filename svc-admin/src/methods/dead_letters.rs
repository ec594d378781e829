//! `dead_letters.*`: messages and deliveries to webhooks that failed for good.

use serde::{Deserialize, Serialize};
use svc_core::dead_letters::{DeadLetter, DeadLetterFilter, DeadLetterKind, DeadLetterPage};
use svc_core::ids::DeadLetterId;
use svc_core::{Error, ErrorKind, Page, Result, Timestamp};

use super::{Method, Server, missing, root};

/// Lists dead letters.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only dead letters of this kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<DeadLetterKind>,
    /// Only those that are acknowledged, or only those that are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledged: Option<bool>,
    /// Only those of this user and their agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Only those from this time on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// Only those before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// Page size; default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// Number of entries to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

impl Method for List {
    const NAME: &'static str = "dead_letters.list";
    const ABOUT: &'static str = "List dead letters, newest first, of one user or of all.";
    type Params = ListParams;
    type Answer = DeadLetterPage;

    async fn run(server: &Server, params: ListParams) -> Result<DeadLetterPage> {
        let ListParams { kind, acknowledged, owner, since, until, limit, offset } = params;
        let page = Page::new(limit, offset)?;
        let owner = match owner {
            None => None,
            Some(name) => Some(missing::existing_user(server, &name).await?.id),
        };
        let filter = DeadLetterFilter { kind, acknowledged, owner, since, until, page };
        server.hub.dead_letters().list(&root(), filter).await
    }
}

/// A dead letter as the only parameter.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LetterParams {
    /// Its id.
    pub id: DeadLetterId,
}

/// Shows a dead letter.
pub struct Show;

impl Method for Show {
    const NAME: &'static str = "dead_letters.show";
    const ABOUT: &'static str = "Show a dead letter with its message.";
    type Params = LetterParams;
    type Answer = DeadLetter;

    async fn run(server: &Server, params: LetterParams) -> Result<DeadLetter> {
        server.hub.dead_letters().get(&root(), params.id).await.map_err(|error| unknown(params.id, error))
    }
}

/// Retries a dead letter.
pub struct Retry;

impl Method for Retry {
    const NAME: &'static str = "dead_letters.retry";
    const ABOUT: &'static str = "Offer the message of a dead letter again, or attempt its delivery again.";
    type Params = LetterParams;
    type Answer = DeadLetter;

    async fn run(server: &Server, params: LetterParams) -> Result<DeadLetter> {
        server.hub.dead_letters().retry(&root(), params.id).await.map_err(|error| unknown(params.id, error))
    }
}

/// Discards a dead letter.
pub struct Discard;

impl Method for Discard {
    const NAME: &'static str = "dead_letters.discard";
    const ABOUT: &'static str = "Acknowledge a dead letter: it stays in the list, and nothing is done about it.";
    type Params = LetterParams;
    type Answer = DeadLetter;

    async fn run(server: &Server, params: LetterParams) -> Result<DeadLetter> {
        server.hub.dead_letters().acknowledge(&root(), params.id).await.map_err(|error| unknown(params.id, error))
    }
}

fn unknown(id: DeadLetterId, error: Error) -> Error {
    if error.kind() != ErrorKind::NotFound {
        return error;
    }
    let sentence = format!("There is no dead letter {id}: `svc-admin dead-letters list` shows them all.");
    Error::new(ErrorKind::NotFound, "not_found", sentence)
}
