//! `/api/attachments`: files of messages.

mod disposition;
mod file;
pub(in crate::routes) mod form;
mod range;

use poem::Request;
use poem::http::HeaderMap;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use svc_core::Caller;
use svc_core::attachments::Attachment;

use self::file::{FileAnswer, PictureAnswer};
use self::form::UploadForm;
use super::Chapter;
use crate::answer::{Answer, Created};
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct AttachmentRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Attachments")]
impl AttachmentRoutes {
    /// Upload a file
    ///
    /// A form (`multipart/form-data`) with one field, `file`, of at most 50 MiB. Its type is detected by its bytes
    /// and then by its name: PNG, JPEG, GIF, WebP, AVIF, PDF, and text in UTF-8 are accepted; others result in 415
    /// `type_not_allowed`. Identical content is stored once. The `hash` of the response goes into `attachments` of a
    /// message; a file that no message references is removed after a day. An upload beyond the quota of you and your
    /// agents (`/api/usage`) results in 413 `file_quota_exceeded`. For example `curl -F file=@report.pdf -H
    /// "Authorization: Bearer $KEY" $HUB/api/attachments`.
    #[oai(path = "/api/attachments", method = "post", operation_id = "upload_attachment")]
    async fn upload(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Accepted for clients that always send one: uploading the same file again returns the same response anyway.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        form: UploadForm,
    ) -> Result<Created<Attachment>, Problem> {
        Ok(Created(form.upload(self.state.hub(), &idempotency_key.of(caller)?).await?))
    }

    /// Get a file
    ///
    /// For those who uploaded it and those who may see a message with it. Supports one byte `Range` (206), and
    /// `If-None-Match` with the `ETag` (304). Pictures, PDF and plain text are displayed in a browser, everything
    /// else is saved.
    #[oai(path = "/api/attachments/:hash", method = "get", operation_id = "get_attachment")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        request: &Request,
        /// SHA-256 of the content.
        hash: Path<String>,
    ) -> Result<FileAnswer, Problem> {
        let file = self.state.hub().attachments().open_file(&caller, &hash.0).await?;
        Ok(FileAnswer::of(&file, request.headers()).await?)
    }

    /// Get the metadata of a file
    ///
    /// Its name, size and type, as in messages.
    #[oai(path = "/api/attachments/:hash/meta", method = "get", operation_id = "get_attachment_meta")]
    async fn meta(
        &self,
        AnyCaller(caller): AnyCaller,
        /// SHA-256 of the content.
        hash: Path<String>,
    ) -> Result<Answer<Attachment>, Problem> {
        Ok(Answer(self.state.hub().attachments().meta(&caller, &hash.0).await?))
    }

    /// Get a thumbnail
    ///
    /// A JPEG or PNG of at most 512 by 512 pixels, for PNG, JPEG, GIF and WebP; 404 `no_thumbnail` if it cannot be
    /// rendered and `picture_too_large` above 24 megapixels.
    #[oai(path = "/api/attachments/:hash/thumbnail", method = "get", operation_id = "get_attachment_thumbnail")]
    async fn thumbnail(
        &self,
        AnyCaller(caller): AnyCaller,
        headers: &HeaderMap,
        /// SHA-256 of the content.
        hash: Path<String>,
    ) -> Result<PictureAnswer, Problem> {
        self.draw(&caller, headers, &hash.0).await
    }
}

impl AttachmentRoutes {
    async fn draw(&self, caller: &Caller, headers: &HeaderMap, hash: &str) -> Result<PictureAnswer, Problem> {
        let attachments = self.state.hub().attachments();
        // A client that has it need not wait for rendering, if it still may see it.
        let meta = attachments.meta(caller, hash).await?;
        if meta.is_image && PictureAnswer::is_had(&meta.hash, headers) {
            return Ok(PictureAnswer::not_modified(&meta.hash));
        }
        let picture = attachments.thumbnail(caller, hash).await?;
        Ok(PictureAnswer::of(&meta.hash, picture))
    }
}
