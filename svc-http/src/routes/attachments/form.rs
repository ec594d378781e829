//! The upload form, parsed as it arrives.

use poem::http::{StatusCode, header};
use poem::web::Multipart;
use poem::{FromRequest, Request, RequestBody, Result};
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchema, MetaSchemaRef};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use svc_core::attachments::Uploaded;
use svc_core::{Caller, Error, Hub};

use crate::error::Problem;

/// The field that contains the file.
const FIELD: &str = "file";
/// Maximum number of other fields before the file.
const OTHER_FIELDS_MAX: usize = 16;

/// A form with a file.
pub(in crate::routes) struct UploadForm(Multipart);

impl<'a> ApiExtractor<'a> for UploadForm {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn request_meta() -> Option<MetaRequest> {
        let file = MetaSchema { description: Some("The file."), ..MetaSchema::new_with_format("string", "binary") };
        let form = MetaSchema {
            required: vec![FIELD],
            properties: vec![(FIELD, MetaSchemaRef::Inline(Box::new(file)))],
            ..MetaSchema::new("object")
        };
        Some(MetaRequest {
            description: Some("A form with the file."),
            content: vec![MetaMediaType {
                content_type: "multipart/form-data",
                schema: MetaSchemaRef::Inline(Box::new(form)),
            }],
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _: ExtractParamOptions<Self::ParamType>,
    ) -> Result<Self> {
        let content_type = request.header(header::CONTENT_TYPE).unwrap_or_default();
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("multipart/form-data") {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                "Send the file as a form, with the header Content-Type: multipart/form-data.",
            )
            .into());
        }
        let form =
            <Multipart as FromRequest>::from_request(request, body).await.map_err(|_| Problem::from(no_form()))?;
        Ok(Self(form))
    }
}

impl UploadForm {
    /// The content of the file, which the limit of the path bounds.
    pub(in crate::routes) async fn content(mut self) -> Result<Vec<u8>, Problem> {
        let mut content = None;
        for _ in 0..=OTHER_FIELDS_MAX {
            let Some(field) = self.0.next_field().await.map_err(|_| no_form())? else { break };
            if field.name() == Some(FIELD) {
                content = Some(field.bytes().await.map_err(|_| no_form())?);
                break;
            }
        }
        // A client that is still sending would miss the response.
        while let Ok(Some(_)) = self.0.next_field().await {}
        let missing = || Error::invalid(FIELD, "is missing: send the file in a field of this name");
        content.ok_or_else(|| Problem::from(missing()))
    }

    /// Passes the file on to the hub while it arrives.
    pub(super) async fn upload(mut self, hub: &Hub, caller: &Caller) -> Result<Uploaded, Problem> {
        for _ in 0..=OTHER_FIELDS_MAX {
            let field = self.0.next_field().await.map_err(|_| no_form())?;
            let Some(field) = field else { break };
            if field.name() != Some(FIELD) {
                continue;
            }
            // Browsers escape only quotes, in this way.
            let name = field.file_name().unwrap_or_default().replace("%22", "\"");
            let outcome = hub.attachments().upload(caller, &name, field.into_async_read()).await;
            // The rest is small, and a client that is still sending would miss the response.
            while let Ok(Some(_)) = self.0.next_field().await {}
            return Ok(outcome?);
        }
        Err(Error::invalid(FIELD, "is missing: send the file in a field of this name").into())
    }
}

fn no_form() -> Error {
    Error::invalid("body", "must be a complete form with a file in the field `file`")
}
