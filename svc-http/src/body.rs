//! JSON request bodies: deserialized by serde, so that an error names its field, and described in the OpenAPI
//! document.

use poem::http::{StatusCode, header};
use poem::{FromRequest, Request, RequestBody, Result};
use poem_openapi::payload::{Json, Payload};
use poem_openapi::registry::{MetaMediaType, MetaRequest, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde::de::DeserializeOwned;
use svc_core::{Error, FieldError};

use crate::error::Problem;

/// Longest error message that may quote input of the caller, in characters.
const LONGEST_MESSAGE: usize = 200;

/// The body of a request.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<'a, T: DeserializeOwned + Type> ApiExtractor<'a> for JsonBody<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        Some(MetaRequest {
            description: None,
            content: vec![MetaMediaType { content_type: Json::<T>::CONTENT_TYPE, schema: T::schema_ref() }],
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _: ExtractParamOptions<Self::ParamType>,
    ) -> Result<Self> {
        let bytes = json_bytes(request, body).await?;
        Ok(Self(parse(&bytes).map_err(Problem::from)?))
    }
}

/// The bytes of a body with a JSON content type.
pub(crate) async fn json_bytes(request: &Request, body: &mut RequestBody) -> Result<Vec<u8>> {
    let content_type = request.header(header::CONTENT_TYPE).unwrap_or_default();
    if !Json::<serde_json::Value>::check_content_type(content_type) {
        return Err(unsupported().into());
    }
    <Vec<u8> as FromRequest>::from_request(request, body).await
}

fn unsupported() -> Problem {
    Problem::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "unsupported_media_type",
        "Send the body as JSON, with the header Content-Type: application/json.",
    )
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    // serde would accept a list for a struct, field by field.
    if bytes.trim_ascii_start().starts_with(b"[") {
        return Err(Error::invalid("body", "must be an object"));
    }
    read_json(bytes)
}

/// Deserializes a JSON body; an error names its field.
pub(crate) fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let inner = error.inner();
        let message = without_place(&inner.to_string());
        if inner.is_data() {
            Error::invalid_fields(vec![FieldError::of_serde("body", &error.path().to_string(), &message)])
        } else {
            Error::new(svc_core::ErrorKind::Invalid, "invalid_json", format!("The body is not JSON: {message}."))
        }
    })?;
    reader.end().map_err(|error| {
        let message = without_place(&error.to_string());
        Error::new(svc_core::ErrorKind::Invalid, "invalid_json", format!("The body is not JSON: {message}."))
    })?;
    Ok(value)
}

/// Removes line and column from a message, which mean little to the author of a program, and limits quoted input.
fn without_place(message: &str) -> String {
    let message = message.split(" at line ").next().unwrap_or(message);
    if message.chars().count() <= LONGEST_MESSAGE {
        return message.to_owned();
    }
    message.chars().take(LONGEST_MESSAGE).chain("…".chars()).collect()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        #[expect(dead_code, reason = "only read by serde")]
        name: String,
        #[expect(dead_code, reason = "only read by serde")]
        #[serde(default)]
        list: Vec<u8>,
    }

    fn fault(text: &str) -> (String, String) {
        let error = parse::<Sample>(text.as_bytes()).unwrap_err();
        let field = error.fields().first().map(|fault| fault.field.clone()).unwrap_or_default();
        (error.code().to_owned(), field)
    }

    #[test]
    fn an_error_names_its_field() {
        for (text, field) in [
            ("{}", "name"),
            (r#"{"name": 7}"#, "name"),
            (r#"{"name": "a", "colour": 1}"#, "colour"),
            (r#"{"name": "a", "name": "b"}"#, "name"),
            (r#"{"name": "a", "list": [1, 700]}"#, "list[1]"),
            ("[]", "body"),
            (r#" ["a"]"#, "body"),
            ("7", "body"),
        ] {
            assert_eq!(fault(text), ("validation_failed".to_owned(), field.to_owned()), "{text}");
        }
    }

    #[test]
    fn malformed_json_is_rejected() {
        for text in ["", "{", "{\"name\": \"a\"} x", "name=a", "\u{feff}{}", "{\"name\": \"\\ud800\"}"] {
            assert_eq!(fault(text).0, "invalid_json", "{text}");
        }
        assert_eq!(parse::<Sample>(b"{\"name\": \"\xff\"}").unwrap_err().code(), "invalid_json");
    }
}
