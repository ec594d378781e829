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
use super::store::{self, ParticipantRow};
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::{MessageId, UserId};
use crate::limits;
use crate::messaging::messages::quoted_in;

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
        let known = self.db.read(keys, |tx, keys| Box::pin(store::participants(tx, keys))).await?;
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
