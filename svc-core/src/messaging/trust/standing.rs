//! The relation of other participants to a caller, shown with everything that an agent reads from
//! them.

use std::collections::{BTreeSet, HashMap};

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::messages::Message;
use svc_model::participants::ParticipantKind;
use svc_model::trust::{Acquaintance, OwnerRelation, Standing};

use super::rule;
use super::service::Trust;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::{MessageId, UserId};
use crate::limits;
use crate::messaging::messages::quoted_in;
use crate::store::db::{Tx, placeholders};

crate::row! {
    struct ParticipantRow {
        handle: String,
        kind: ParticipantKind,
        owner_id: Option<UserId>,
        score: Option<u32>,
    }
}

/// Handles per query.
const BATCH: usize = 200;

impl Trust {
    /// The relation of these participants to the caller, by handle. Unknown participants are
    /// omitted.
    pub async fn acquaintances(
        &self,
        caller: &Caller,
        handles: impl IntoIterator<Item = String> + Send,
    ) -> Result<HashMap<String, Acquaintance>> {
        caller.require(Permission::Read)?;
        let keys: BTreeSet<String> = handles.into_iter().map(|handle| handle.to_ascii_lowercase()).collect();
        if keys.is_empty() {
            return Ok(HashMap::new());
        }
        let keys: Vec<String> = keys.into_iter().collect();
        let owner = caller.owner();
        let known = self.db.read(keys, |tx, keys| Box::pin(find(tx, keys))).await?;
        Ok(known.into_iter().map(|known| (known.handle.clone(), acquaintance(owner, &known))).collect())
    }
}

#[boxed_futures]
impl Trust {
    /// The relation of the authors of these messages to the caller. For a system message that
    /// quotes others, the quoted author counts, of several the least trusted one. An unknown author
    /// counts as a stranger without trust.
    pub async fn voices(&self, caller: &Caller, messages: &[Message]) -> Result<HashMap<MessageId, Acquaintance>> {
        let speakers: Vec<(&Message, Vec<String>)> = messages
            .iter()
            .map(|message| match quoted_in(message) {
                quotes if quotes.is_empty() => (message, vec![message.from.clone()]),
                quotes => (message, quotes),
            })
            .collect();
        let handles: Vec<String> = speakers.iter().flat_map(|(_, handles)| handles.iter().cloned()).collect();
        let known = self.acquaintances(caller, handles).await?;
        let voices = speakers.iter().map(|(message, handles)| {
            let each = handles.iter().map(|handle| {
                known.get(handle).map_or((OwnerRelation::Other, Standing::Score(0.0)), |one| (one.owner, one.trust))
            });
            let least = each.reduce(|(owner, trust), (other_owner, other_trust)| {
                let owner = if other_owner == OwnerRelation::Other { other_owner } else { owner };
                (owner, trust.least(other_trust))
            });
            let (owner, trust) = least.unwrap_or((OwnerRelation::Other, Standing::Score(0.0)));
            (message.id, Acquaintance { kind: message.from_kind, owner, trust })
        });
        Ok(voices.collect())
    }
}

async fn find(tx: &mut Tx, keys: &[String]) -> Result<Vec<ParticipantRow>> {
    let mut found = Vec::with_capacity(keys.len());
    for keys in keys.chunks(BATCH) {
        let text = format!(
            "SELECT p.handle, p.kind,
                    CASE WHEN p.kind = 'human' THEN p.id ELSE a.owner_id END AS owner_id, t.score
               FROM participants p
               LEFT JOIN agents a ON a.id = p.id
               LEFT JOIN trust_scores t ON t.agent_id = p.id AND t.action_type = 'publish'
              WHERE p.handle_key IN ({})",
            placeholders(1, keys.len())
        );
        let query = keys.iter().fold(tx.query(text), |query, key| query.bind(key.as_str()));
        found.extend(query.fetch_all::<ParticipantRow>().await?);
    }
    Ok(found)
}

fn acquaintance(owner: Option<UserId>, known: &ParticipantRow) -> Acquaintance {
    let is_hub = known.kind == ParticipantKind::System;
    let relation =
        if is_hub || (owner.is_some() && known.owner_id == owner) { OwnerRelation::Same } else { OwnerRelation::Other };
    let trust = match known.kind {
        ParticipantKind::Human => Standing::Human,
        ParticipantKind::System => Standing::Score(1.0),
        ParticipantKind::Agent => {
            let beginning = u32::try_from(limits::TRUST_BEGINNING).unwrap_or_default();
            Standing::Score(rule::number(known.score.unwrap_or(beginning)))
        }
    };
    Acquaintance { kind: known.kind, owner: relation, trust }
}
