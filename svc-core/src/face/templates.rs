//! Message templates: texts that humans write often. The handle is `hub.templates()`.

pub use crate::messaging::templates::Templates;

#[doc(inline)]
pub use svc_model::templates::{MessageTemplate, MessageTemplateUpdate, MessageTemplates, NewMessageTemplate};
