//! The header `Idempotency-Key`: a repeated request with the same key and body gets the first response again.

use poem::{Request, RequestBody, Result};
use poem_openapi::registry::{MetaParamIn, MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use svc_core::{Caller, Error};

use crate::error::Problem;

/// The key of the request, if there is one. A value that is not visible ASCII is rejected, because ignoring it would
/// execute twice what should happen once.
pub(crate) struct IdempotencyHeader(Option<String>);

impl IdempotencyHeader {
    /// The caller with the key of the request.
    pub(crate) fn of(self, caller: Caller) -> Result<Caller, Problem> {
        Ok(match self.0 {
            Some(key) => caller.once(&key)?,
            None => caller,
        })
    }
}

impl<'a> ApiExtractor<'a> for IdempotencyHeader {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::Parameter];
    const PARAM_IS_REQUIRED: bool = false;
    type ParamType = Option<String>;
    type ParamRawType = String;

    fn register(registry: &mut Registry) {
        <Option<String> as Type>::register(registry);
    }

    fn param_in() -> Option<MetaParamIn> {
        Some(MetaParamIn::Header)
    }

    fn param_schema_ref() -> Option<MetaSchemaRef> {
        Some(Option::<String>::schema_ref())
    }

    fn param_raw_type(&self) -> Option<&String> {
        self.0.as_ref()
    }

    async fn from_request(
        request: &'a Request,
        _: &mut RequestBody,
        _: ExtractParamOptions<Self::ParamType>,
    ) -> Result<Self> {
        let Some(value) = request.headers().get("idempotency-key") else {
            return Ok(Self(None));
        };
        let refuse = || Problem::from(Error::invalid("Idempotency-Key", "must be visible ASCII characters"));
        Ok(Self(Some(value.to_str().map_err(|_| refuse())?.to_owned())))
    }
}
