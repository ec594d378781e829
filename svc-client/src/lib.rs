//! svc-client: a client of the svc API.
//!
//! [`Client`] speaks the REST API and follows live events, with a key, a login session or the tokens of a
//! [login in a browser](Client::begin_device_login); [`machine`] signs the requests of services that are
//! registered as machine principals. The types are those of [`model`], which the hub answers with.
//!
//! ```no_run
//! use svc_client::model::messages::NewMessage;
//! use svc_client::{Client, EventsFrom};
//!
//! # async fn example() -> Result<(), svc_client::ClientError> {
//! let hub = Client::new("https://hub.example")?.with_key("svca_…");
//! let sent = hub.send(&NewMessage::to("ann", "The build is green."), Some("build-117")).await?;
//! println!("sent as {}", sent.id);
//!
//! let mut events = hub.events(EventsFrom::Now).await?;
//! while let Some(event) = events.next().await? {
//!     println!("{}: {}", event.name, event.data);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Invariants: this crate depends on `svc-model` alone. It has no database, no image codec and no object
//! store. A request has a timeout and a response has a size limit. A request that is safe to repeat is
//! repeated a few times, after the delay that the hub asks for; others are not.

mod client;
mod device;
mod error;
mod events;
pub mod machine;
mod resources;
mod session;

pub use client::Client;
pub use device::{DeviceLogin, DeviceTokens};
pub use error::{ClientError, Problem};
pub use events::{EventConnection, EventsFrom, ServerEvent, ServerEvents};
pub use resources::RunLogStream;
pub use session::LoginSession;
pub use svc_model as model;
pub use svc_model::{Error, ErrorKind, FieldError, Result};
