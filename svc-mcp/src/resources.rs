//! The resources.

use rmcp::model::{ErrorData, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult};
use svc_core::{Caller, Error, Hub, Result};

use crate::error::protocol;

pub(crate) async fn list(_: &Hub, _: &Caller, _: Option<String>) -> Result<ListResourcesResult> {
    Ok(ListResourcesResult::with_all_items(Vec::new()))
}

pub(crate) fn templates() -> ListResourceTemplatesResult {
    ListResourceTemplatesResult::with_all_items(Vec::new())
}

pub(crate) async fn read(_: &Hub, _: &Caller, _: &str) -> Result<ReadResourceResult, ErrorData> {
    Err(protocol(Error::not_found("resource")))
}
