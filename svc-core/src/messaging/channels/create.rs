//! Creating a channel.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::channels::{Channel, NewChannel};
use svc_model::participants::ParticipantKind;

use super::announce;
use super::change::Texts;
use super::members::resolve;
use super::membership::{self, MemberRef};
use super::service::Channels;
use super::store::{self, NewRow};
use crate::error::{Error, FieldError, Result};
use crate::identity::auth::{Actor, Caller};
use crate::limits;
use crate::messaging::messages::store as messages;
use crate::messaging::messages::viewer::Viewer;
use crate::names::ChannelName;
use crate::store::db::Tx;

/// Reports every error at once that can be found without store access.
fn checked(mut new: NewChannel) -> Result<NewChannel> {
    let mut faults = Vec::new();
    if let Err(error) = ChannelName::parse("name", &new.name) {
        faults.extend(error.fields().to_vec());
    }
    let texts = Texts { description: new.description.take(), topic: new.topic.take() }.checked(&mut faults);
    (new.description, new.topic) = (texts.description, texts.topic);
    if new.members.as_ref().is_some_and(|members| members.len() > limits::INVITE_BATCH_MAX) {
        let message = format!("must be at most {}; invite the others later", limits::INVITE_BATCH_MAX);
        faults.push(FieldError { field: "members".into(), message });
    }
    if faults.is_empty() { Ok(new) } else { Err(Error::invalid_fields(faults)) }
}

#[boxed_futures]
impl Channels {
    /// Creates a channel. The caller is its owner and first member.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let releases = NewChannel { topic: Some("What goes out next".into()), ..NewChannel::named("releases") };
    /// let channel = hub.channels().create(&ann, releases).await?;
    /// assert_eq!(channel.owner, "ann");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewChannel) -> Result<Channel> {
        self.create_owned(caller, None, new).await
    }

    /// Creates a channel for the participant with this handle. Only for [`Caller::root`].
    pub async fn create_for(&self, caller: &Caller, owner: &str, new: NewChannel) -> Result<Channel> {
        self.create_owned(caller, Some(owner.to_owned()), new).await
    }

    async fn create_owned(&self, caller: &Caller, owner: Option<String>, new: NewChannel) -> Result<Channel> {
        caller.require(Permission::Write)?;
        let new = checked(new)?;
        caller.require_channel(&new.name)?;
        let once = caller.idempotency("channels.create", &(&owner, &new))?;
        let input = (caller.clone(), owner, new);
        let created = self
            .db
            .write_once(once, input, |tx, (caller, owner, new)| Box::pin(create(tx, caller, owner.as_deref(), new)));
        Ok(created.await?.value)
    }
}

async fn create(tx: &mut Tx, caller: &Caller, owner_handle: Option<&str>, new: &NewChannel) -> Result<Channel> {
    let owner = owner(tx, caller, owner_handle).await?;
    let members = resolve(tx, new.members.as_deref().unwrap_or_default()).await?;
    let row = NewRow {
        name: &new.name,
        description: new.description.as_deref().unwrap_or_default(),
        topic: new.topic.as_deref().unwrap_or_default(),
        public: new.public.unwrap_or(true),
        owner: owner.id,
    };
    // Names of private channels are taken too; this cannot be hidden.
    let taken = || Error::conflict("channel_exists", "This name is taken: choose another.");
    let channel_ref = store::insert(tx, &row).await?.ok_or_else(taken)?;
    announce::created(tx, &channel_ref, announce::actor(caller)).await?;
    let all: Vec<_> = std::iter::once(owner).chain(members).collect();
    membership::join_all(tx, &channel_ref, &all).await?;
    store::get(tx, &Viewer::of(caller), &new.name).await
}

/// The owner of a new channel: the caller, or for the admin socket the named participant.
async fn owner(tx: &mut Tx, caller: &Caller, named: Option<&str>) -> Result<MemberRef> {
    let key = match (caller.actor(), named) {
        (Actor::Root, None) => return Err(Error::invalid("owner", "is missing: name the owner of the channel")),
        (Actor::Root, Some(owner)) => owner.strip_prefix('@').unwrap_or(owner).to_ascii_lowercase(),
        (_, Some(_)) => return Err(Error::invalid("owner", "cannot be set: you become the owner")),
        (_, None) => announce::actor(caller).to_ascii_lowercase(),
    };
    let party = messages::party(tx, &key).await?.filter(|party| party.kind != ParticipantKind::System);
    party.as_ref().map(MemberRef::from).ok_or_else(|| Error::invalid("owner", "is not a user or agent of this hub"))
}
