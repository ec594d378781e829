//! The prompts.

use rmcp::model::{GetPromptRequestParams, GetPromptResult, ListPromptsResult};
use svc_core::{Caller, Error, Hub, Result};

pub(crate) fn list() -> ListPromptsResult {
    ListPromptsResult::with_all_items(Vec::new())
}

pub(crate) async fn get(_: &Hub, _: &Caller, _: GetPromptRequestParams) -> Result<GetPromptResult> {
    Err(Error::not_found("prompt"))
}
