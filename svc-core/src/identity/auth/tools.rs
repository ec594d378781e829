//! The MCP tools that an agent may call.
//!
//! An agent that was proposed by another one may have a list of tools. It has no other surface then, because no other
//! one knows tools.

use super::caller::Caller;
use crate::error::{Error, ErrorKind, Result};

impl Caller {
    /// Sets the tools that the agent may call over MCP; `None` for all.
    #[must_use]
    pub(crate) fn limited_to_tools(mut self, tools: Option<Vec<String>>) -> Self {
        self.tools = tools.map(Into::into);
        self
    }

    /// The tools that the agent may call over MCP; `None` for all. An agent with such a list has no other surface.
    pub fn tools(&self) -> Option<&[String]> {
        self.tools.as_deref()
    }

    /// Fails unless the agent may call this tool.
    pub fn require_tool(&self, name: &str) -> Result<()> {
        if self.tools().is_none_or(|tools| tools.iter().any(|tool| tool == name)) {
            return Ok(());
        }
        let message = format!("This agent may not call {name}: the tools that it was approved with do not include it.");
        Err(Error::new(ErrorKind::Forbidden, "tool_not_allowed", message))
    }
}
