//! Messages that humans have saved for later. The handle is `hub.saved()`.

pub use crate::messaging::saved::SavedMessages;

#[doc(inline)]
pub use svc_model::saved::{SaveMessage, SavedFilter, SavedMessage, SavedPage};
