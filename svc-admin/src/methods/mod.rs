//! All methods, in one table.
//!
//! A method is a type that implements [`Method`]: its name, a summary, its parameters and its result. The server
//! finds it in the table below, the client calls it by its type.
//!
//! Invariants: a method has the name of its subcommand, with `_` where the command line has `-`: `users set-role` is
//! `users.set_role`. A subcommand without a verb shows something: `status` is `status.show`. `audit export` and
//! `traces export` page through the lists; `machines check`, `machines keygen`,
//! `backup verify` and `backup restore` need no server.

pub mod agents;
pub mod attachments;
pub mod audit;
pub mod backup;
pub mod channels;
pub mod clients;
mod confidential;
pub mod db;
pub mod dead_letters;
pub mod doctor;
pub mod goals;
pub mod handlers;
pub mod invites;
pub mod keys;
pub mod loops;
pub mod machines;
pub mod messages;
mod missing;
pub mod onboarding;
mod params;
mod restores;
pub mod rpc;
pub mod runs;
pub mod secrets;
pub mod status;
mod streams;
pub mod tasks;
pub mod traces;
pub mod users;
pub mod webhooks;
pub mod wiki;

pub use confidential::Confidential;
pub use params::{Deleted, Named, NoParams, OwnerPaged, Paged};
pub use restores::Restores;
pub use streams::BackupStreams;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_core::auth::{Surface, Visit};
use svc_core::{Caller, FieldError, Hub, Result, Timestamp};
use tokio_util::sync::CancellationToken;

use crate::error;
use crate::wire::Fault;

/// A method, `noun.verb`, with the words of its subcommand.
pub trait Method {
    /// Its name on the wire.
    const NAME: &'static str;
    /// Summary in one line.
    const ABOUT: &'static str;
    /// Its parameters.
    type Params: Serialize + DeserializeOwned + Send;
    /// Its result.
    type Answer: Serialize + DeserializeOwned + Send;

    /// Runs it on the server.
    fn run(server: &Server, params: Self::Params) -> impl Future<Output = Result<Self::Answer>> + Send;
}

/// Context of a method.
#[derive(Clone)]
pub struct Server {
    /// The hub that is administered.
    pub hub: Hub,
    /// Start of the server.
    pub started_at: Timestamp,
    /// Restores in progress.
    pub restores: Arc<Restores>,
    /// Backups in progress.
    pub backups: Arc<BackupStreams>,
    /// Cancelled when the server stops, which then waits for the requests in progress.
    pub stop: CancellationToken,
}

/// Every caller that may open the socket has all permissions.
fn root() -> Caller {
    Caller::root().visiting(Visit::through(Surface::Admin))
}

type Running<'a> = Pin<Box<dyn Future<Output = Result<Value, Fault>> + Send + 'a>>;

/// An entry of the table.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) run: for<'a> fn(&'a Server, Option<Value>) -> Running<'a>,
}

macro_rules! table {
    ($($method:ty),+ $(,)?) => {
        /// All methods, in the order of `rpc.discover`.
        pub(crate) static TABLE: &[Entry] = &[$(Entry {
            name: <$method as Method>::NAME,
            about: <$method as Method>::ABOUT,
            run: |server, params| Box::pin(run::<$method>(server, params)),
        }),+];
    };
}

table! {
    status::Show,
    doctor::Show,
    users::Create,
    users::Invite,
    users::List,
    users::Passwd,
    users::SetRole,
    users::Disable,
    users::Enable,
    users::Delete,
    users::Sessions,
    invites::List,
    invites::Revoke,
    agents::Create,
    agents::List,
    agents::Show,
    agents::Update,
    agents::RotateKey,
    onboarding::Config,
    onboarding::Instructions,
    agents::Pause,
    agents::Resume,
    agents::Unquarantine,
    agents::Budget,
    agents::ShowReputation,
    agents::Delete,
    keys::List,
    keys::Revoke,
    messages::List,
    messages::Search,
    messages::Show,
    messages::Send,
    messages::Delete,
    messages::Remove,
    clients::Create,
    clients::List,
    clients::Delete,
    channels::List,
    channels::Show,
    channels::Create,
    channels::Update,
    channels::Archive,
    channels::Members,
    channels::Invite,
    channels::Remove,
    dead_letters::List,
    dead_letters::Show,
    dead_letters::Retry,
    dead_letters::Discard,
    tasks::List,
    tasks::Show,
    tasks::Cancel,
    webhooks::List,
    webhooks::Create,
    webhooks::Enable,
    webhooks::Disable,
    webhooks::Test,
    webhooks::Delete,
    webhooks::Deliveries,
    webhooks::Retry,
    runs::List,
    runs::Show,
    runs::Logs,
    runs::Retry,
    runs::Cancel,
    runs::Start,
    runs::Preview,
    handlers::List,
    handlers::Create,
    handlers::Delete,
    handlers::Runs,
    handlers::Show,
    handlers::Logs,
    goals::List,
    goals::Show,
    goals::Approve,
    goals::Reject,
    goals::Cancel,
    wiki::Export,
    wiki::Import,
    loops::List,
    loops::Lift,
    secrets::Set,
    secrets::List,
    secrets::Unset,
    machines::Load,
    machines::Show,
    machines::Purge,
    attachments::List,
    attachments::Gc,
    attachments::Backup,
    attachments::Restore,
    audit::List,
    audit::Stats,
    traces::List,
    traces::Stats,
    traces::Purge,
    backup::Create,
    backup::Schedule,
    backup::List,
    db::Check,
    db::Vacuum,
    db::Migrate,
    rpc::Discover,
}

/// Parses the parameters, runs the method, serializes the result.
async fn run<M: Method>(server: &Server, params: Option<Value>) -> Result<Value, Fault> {
    let params = parse(params)?;
    let answer = M::run(server, params).await.map_err(|error| error::fault(&error))?;
    serde_json::to_value(answer).map_err(|error| error::fault(&svc_core::Error::internal(error.to_string())))
}

/// Parameters are named; a list is only accepted when it is empty.
fn parse<P: DeserializeOwned>(params: Option<Value>) -> Result<P, Fault> {
    let named = match params {
        None => Value::Object(serde_json::Map::new()),
        Some(Value::Array(list)) if list.is_empty() => Value::Object(serde_json::Map::new()),
        Some(Value::Array(_)) => return Err(error::bad_params("params", "must be an object: parameters go by name")),
        Some(named) => named,
    };
    serde_path_to_error::deserialize(named).map_err(|error| {
        let message = error.inner().to_string();
        let fault = FieldError::of_serde("params", &error.path().to_string(), &message);
        error::bad_params(&fault.field, &message)
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        #[expect(dead_code, reason = "only read by serde")]
        limit: u32,
        #[expect(dead_code, reason = "only read by serde")]
        inner: Option<Inner>,
    }

    #[derive(Debug, Deserialize)]
    struct Inner {
        #[expect(dead_code, reason = "only read by serde")]
        name: String,
    }

    fn faulty_field(params: Value) -> String {
        let fault = parse::<Sample>(Some(params)).unwrap_err();
        assert_eq!(fault.code, error::INVALID_PARAMS);
        fault.data.unwrap().errors[0].field.clone()
    }

    #[test]
    fn the_faulty_field_is_named() {
        assert_eq!(faulty_field(json!({ "limit": "ten" })), "limit");
        assert_eq!(faulty_field(json!({})), "limit");
        assert_eq!(faulty_field(json!({ "limit": 1, "colour": "red" })), "colour");
        assert_eq!(faulty_field(json!({ "limit": 1, "inner": { "name": 7 } })), "inner.name");
        assert_eq!(faulty_field(json!({ "limit": 1, "inner": {} })), "inner.name");
        assert_eq!(faulty_field(json!([1])), "params");
    }

    #[test]
    fn no_parameters_may_be_left_out_or_empty() {
        for params in [None, Some(json!({})), Some(json!([]))] {
            assert!(parse::<NoParams>(params).is_ok());
        }
    }

    #[test]
    fn every_method_is_a_noun_and_a_verb_with_one_line_about_it() {
        for (index, entry) in TABLE.iter().enumerate() {
            let (noun, verb) = entry.name.split_once('.').unwrap();
            assert!(!noun.is_empty() && !verb.is_empty(), "{}", entry.name);
            assert!(entry.about.ends_with('.') && !entry.about.contains('\n'), "{}", entry.name);
            assert!(TABLE[..index].iter().all(|earlier| earlier.name != entry.name), "{} stands twice", entry.name);
        }
    }
}
