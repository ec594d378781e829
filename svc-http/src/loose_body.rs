//! Optional JSON bodies, and bodies with one object or a list of objects.

use poem::{FromRequest, Request, RequestBody, Result};
use poem_openapi::payload::{Json, Payload};
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_core::{Error, FieldError};

use crate::body::{JsonBody, json_bytes, read_json};
use crate::error::Problem;

/// The body of a request, or the default value if there is none.
pub(crate) struct OptionalBody<T>(pub(crate) T);

impl<'a, T: DeserializeOwned + Default + Type> ApiExtractor<'a> for OptionalBody<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        JsonBody::<T>::request_meta().map(|meta| MetaRequest { required: false, ..meta })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        options: ExtractParamOptions<Self::ParamType>,
    ) -> Result<Self> {
        let bytes = <Vec<u8> as FromRequest>::from_request(request, body).await?;
        if bytes.is_empty() {
            return Ok(Self(T::default()));
        }
        let JsonBody(value) = JsonBody::from_request(request, &mut RequestBody::new(bytes.into()), options).await?;
        Ok(Self(value))
    }
}

/// The objects in the body of a request.
pub(crate) struct OneOrMore<T>(pub(crate) Vec<T>);

impl<'a, T: DeserializeOwned + Type> ApiExtractor<'a> for OneOrMore<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let either = MetaSchema { one_of: vec![T::schema_ref(), Vec::<T>::schema_ref()], ..MetaSchema::ANY };
        let schema = MetaSchemaRef::Inline(Box::new(either));
        Some(MetaRequest {
            description: None,
            content: vec![MetaMediaType { content_type: Json::<T>::CONTENT_TYPE, schema }],
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _: ExtractParamOptions<Self::ParamType>,
    ) -> Result<Self> {
        let bytes = json_bytes(request, body).await?;
        let value = read_json(&bytes).map_err(Problem::from)?;
        Ok(Self(read(value).map_err(Problem::from)?))
    }
}

fn read<T: DeserializeOwned>(value: Value) -> Result<Vec<T>, Error> {
    match value {
        Value::Array(items) => {
            items.into_iter().enumerate().map(|(index, item)| one(item, &format!("[{index}]"))).collect()
        }
        item => Ok(vec![one(item, "")?]),
    }
}

/// Deserializes one item; an error names its index and field.
fn one<T: DeserializeOwned>(item: Value, place: &str) -> Result<T, Error> {
    if !item.is_object() {
        let field = if place.is_empty() { "body" } else { place };
        return Err(Error::invalid(field, "must be an object"));
    }
    serde_path_to_error::deserialize(item).map_err(|error| {
        let fault = FieldError::of_serde("body", &error.path().to_string(), &error.inner().to_string());
        let field = if place.is_empty() { fault.field } else { format!("{place}.{}", fault.field) };
        Error::invalid(field, fault.message)
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        name: String,
    }

    #[test]
    fn one_object_is_read_like_a_list_of_one() {
        let ann = || Sample { name: "ann".into() };
        assert_eq!(read::<Sample>(json!({ "name": "ann" })).unwrap(), [ann()]);
        assert_eq!(read::<Sample>(json!([{ "name": "ann" }, { "name": "ann" }])).unwrap(), [ann(), ann()]);
        assert!(read::<Sample>(json!([])).unwrap().is_empty());
    }

    #[test]
    fn an_error_names_its_index_and_field() {
        for (value, field) in [
            (json!({ "nam": "ann" }), "nam"),
            (json!([{ "name": "ann" }, { "name": 7 }]), "[1].name"),
            (json!([{ "name": "ann" }, ["ann"]]), "[1]"),
            (json!("ann"), "body"),
        ] {
            assert_eq!(read::<Sample>(value).unwrap_err().fields()[0].field, field);
        }
    }
}
