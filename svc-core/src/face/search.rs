//! Search: messages by words, sender, channel and properties. The handle is `hub.search()`.

pub use crate::messaging::search::Search;

#[doc(inline)]
pub use svc_model::search::{SearchFilter, SearchHit, SearchPage};
