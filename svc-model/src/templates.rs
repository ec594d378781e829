//! Message templates: texts that a human writes often.

use serde::{Deserialize, Serialize};

use crate::ids::TemplateId;
use crate::timestamp::Timestamp;

/// A message template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MessageTemplate {
    /// Its id.
    pub id: TemplateId,
    /// Its name.
    pub name: String,
    /// The text, as Markdown.
    pub body: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// All templates of the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MessageTemplates {
    /// The templates by name, at most 100.
    pub templates: Vec<MessageTemplate>,
}

/// The request to make a message template.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(deny_unknown_fields)]
pub struct NewMessageTemplate {
    /// Its name: 1 to 60 characters in one line, unique for each human regardless of case.
    pub name: String,
    /// The text, as Markdown: 1 byte to 64 KiB.
    pub body: String,
}

/// The request to change a message template. Absent parts stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct MessageTemplateUpdate {
    /// The new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The new text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}
