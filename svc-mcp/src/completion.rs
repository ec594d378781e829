//! Completion of the arguments of prompts and of resource templates.

use rmcp::model::{CompleteRequestParams, CompleteResult};
use svc_core::{Caller, Hub, Result};

pub(crate) async fn complete(_: &Hub, _: &Caller, _: CompleteRequestParams) -> Result<CompleteResult> {
    Ok(CompleteResult::default())
}
