//! The text forms of durations, moments, tables and names that every surface of the hub uses.

#[doc(inline)]
pub use svc_model::exact_json::exact_json;
#[doc(inline)]
pub use svc_model::text::{looks, neutral};
#[doc(inline)]
pub use svc_model::{csv, spans, when};
