//! Avatars: drawn from a picture, stored as they are sent.

use bytes::Bytes;
use sha2::{Digest, Sha256};
use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::profiles::Profile;

use super::change::own;
use super::service::{self, Profiles};
use super::store;
use crate::clock::hex;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::identity::{agents, participants};
use crate::ids::ParticipantId;
use crate::limits;
use crate::messaging::attachments::Thumbnail;
use crate::store::db::Tx;

/// An avatar as it is sent.
#[derive(Debug, Clone)]
pub struct Avatar {
    /// `image/png` or `image/jpeg`.
    pub mime_type: &'static str,
    /// The content.
    pub content: Bytes,
}

/// Whose avatar is changed.
#[derive(Debug, Clone)]
enum Whose {
    /// That of the caller.
    Own(ParticipantId),
    /// That of an agent of the caller.
    Agent(Box<Caller>, String),
}

#[boxed_futures]
impl Profiles {
    /// Sets the avatar of the caller from a PNG, JPEG, WebP or GIF.
    pub async fn set_avatar(&self, caller: &Caller, picture: Vec<u8>) -> Result<Profile> {
        let (id, _) = own(caller)?;
        self.replace(caller, Whose::Own(id), Some(picture)).await
    }

    /// Removes the avatar of the caller. One that is not there is no error.
    pub async fn remove_avatar(&self, caller: &Caller) -> Result<Profile> {
        let (id, _) = own(caller)?;
        self.replace(caller, Whose::Own(id), None).await
    }

    /// Sets the avatar of an agent of the caller.
    pub async fn set_avatar_of(&self, caller: &Caller, agent: &str, picture: Vec<u8>) -> Result<Profile> {
        caller.require_manager()?;
        self.existing(caller, agent).await?;
        self.replace(caller, Whose::Agent(Box::new(caller.clone()), agent.to_owned()), Some(picture)).await
    }

    /// Removes the avatar of an agent of the caller. One that is not there is no error.
    pub async fn remove_avatar_of(&self, caller: &Caller, agent: &str) -> Result<Profile> {
        caller.require_manager()?;
        self.replace(caller, Whose::Agent(Box::new(caller.clone()), agent.to_owned()), None).await
    }

    /// The avatar with this hash, which is the end of its path in profiles.
    pub async fn avatar(&self, caller: &Caller, hash: &str) -> Result<Avatar> {
        caller.require(Permission::Read)?;
        caller.require_direct()?;
        if !is_hash(hash) {
            return Err(Error::not_found("avatar"));
        }
        let found = self.db.read(hash.to_owned(), |tx, hash| Box::pin(store::avatar(tx, hash))).await?;
        let (mime_type, content) = found.ok_or_else(|| Error::not_found("avatar"))?;
        let mime_type = if mime_type == "image/png" { "image/png" } else { "image/jpeg" };
        Ok(Avatar { mime_type, content: Bytes::from(content) })
    }

    /// Fails before a picture is drawn for an agent that is not there.
    async fn existing(&self, caller: &Caller, agent: &str) -> Result<()> {
        let input = (agents::reach(caller), agent.to_owned());
        self.db
            .read(input, |tx, (reach, name)| {
                Box::pin(async move { agents::existing(tx, *reach, name).await.map(drop) })
            })
            .await
    }

    async fn replace(&self, caller: &Caller, whose: Whose, picture: Option<Vec<u8>>) -> Result<Profile> {
        let drawn = match picture {
            Some(picture) if picture.len() > limits::AVATAR_BYTES_MAX => {
                return Err(Error::invalid("file", format!("must have at most {} bytes", limits::AVATAR_BYTES_MAX)));
            }
            Some(picture) => Some(self.attachments.square(picture).await?),
            None => None,
        };
        let input = (whose, drawn, caller.participant());
        self.db.write(input, |tx, (whose, drawn, me)| Box::pin(replace(tx, whose, drawn.as_ref(), *me))).await
    }
}

async fn replace(tx: &mut Tx, whose: &Whose, drawn: Option<&Thumbnail>, me: Option<ParticipantId>) -> Result<Profile> {
    let id = match whose {
        Whose::Own(id) => *id,
        Whose::Agent(caller, name) => ParticipantId(agents::store::held(tx, agents::reach(caller), name).await?.id.0),
    };
    let has_changed = match drawn {
        Some(Thumbnail { mime_type, content }) => {
            let hash = hex(&Sha256::digest(content));
            store::hold(tx, id).await?;
            store::set_avatar(tx, id, &hash, mime_type, content).await?
        }
        None => store::remove_avatar(tx, id).await?,
    };
    if has_changed {
        participants::profile_changed(tx, id).await?;
    }
    service::of(tx, id, me).await
}

/// Whether a text could be the hash of an avatar: 64 hexadecimal digits in lowercase.
fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
