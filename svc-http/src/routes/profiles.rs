//! `/api/directory`, `/api/profiles/…`, `/api/profile`: people and agents as others see them; `/api/avatars/…`.

use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};
use poem_openapi::param::{Path, Query};
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::{ApiResponse, OpenApi};
use svc_core::Error;
use svc_core::participants::ParticipantKind;
use svc_core::profiles::{Avatar, DirectoryFilter, DirectoryPage, Profile, ProfileChange};

use super::Chapter;
use super::attachments::form::UploadForm;
use crate::answer::Answer;
use crate::body::JsonBody;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The path of an avatar names its content, so it never changes. Only the caller's own browser may keep it.
const KEPT: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable, no-transform");
/// The picture can do nothing, whatever a browser takes it for.
const SANDBOX: HeaderValue = HeaderValue::from_static("sandbox; default-src 'none'");

/// The routes.
pub(crate) struct ProfileRoutes {
    pub(crate) state: AppState,
}

/// An avatar.
struct AvatarAnswer(Response);

impl AvatarAnswer {
    fn of(hash: &str, avatar: Avatar) -> Self {
        let response = Response::builder()
            .header(header::ETAG, format!("\"{hash}\""))
            .header(header::CACHE_CONTROL, KEPT)
            .header(header::CONTENT_DISPOSITION, "inline")
            .header(header::CONTENT_SECURITY_POLICY, SANDBOX)
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            .content_type(avatar.mime_type);
        Self(response.body(avatar.content))
    }

    fn not_modified(hash: &str) -> Self {
        let response = Response::builder().status(StatusCode::NOT_MODIFIED);
        Self(response.header(header::ETAG, format!("\"{hash}\"")).header(header::CACHE_CONTROL, KEPT).finish())
    }
}

impl IntoResponse for AvatarAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}

impl ApiResponse for AvatarAnswer {
    fn meta() -> MetaResponses {
        let picture = |content_type| {
            let schema = MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "binary")));
            MetaMediaType { content_type, schema }
        };
        let answer = |status, description, content| MetaResponse {
            description,
            status: Some(status),
            status_range: None,
            content,
            headers: Vec::new(),
        };
        MetaResponses {
            responses: vec![
                answer(200, "The picture.", ["image/jpeg", "image/png"].into_iter().map(picture).collect()),
                answer(304, "The caller has it already.", Vec::new()),
            ],
        }
    }

    fn register(_: &mut Registry) {}
}

#[OpenApi(tag = "Chapter::Profiles")]
impl ProfileRoutes {
    /// List people and agents
    ///
    /// By handle, with status, avatar and when they were last seen, as far as people show it. `next_cursor` leads to
    /// the next page.
    #[oai(path = "/api/directory", method = "get", operation_id = "list_directory")]
    async fn directory(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only those whose handle or display name contains this, in any case; at most 200 characters.
        query: Query<Option<String>>,
        /// `human` or `agent`.
        kind: Query<Option<String>>,
        /// The `next_cursor` of the page before.
        cursor: Query<Option<String>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<DirectoryPage>, Problem> {
        let kind = kind.0.as_deref().map(kind_of).transpose()?;
        let filter = DirectoryFilter { query: query.0, kind, cursor: cursor.0, limit: limit.0 };
        Ok(Answer(self.state.hub().profiles().directory(&caller, filter).await?))
    }

    /// Get a profile
    ///
    /// Of a person or an agent.
    #[oai(path = "/api/profiles/:handle", method = "get", operation_id = "get_profile")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Handle of the person or the agent.
        handle: Path<String>,
    ) -> Result<Answer<Profile>, Problem> {
        Ok(Answer(self.state.hub().profiles().get(&caller, &handle.0).await?))
    }

    /// Change your profile
    ///
    /// A `status` replaces the one before, and an empty one removes it. `presence` says who may see when you were last
    /// seen. For example `{"status": {"text": "At lunch", "emoji": "🍕", "until": "2027-01-01T13:00:00Z"}}`.
    #[oai(path = "/api/profile", method = "patch", operation_id = "update_profile")]
    async fn update(
        &self,
        AnyCaller(caller): AnyCaller,
        JsonBody(body): JsonBody<ProfileChange>,
    ) -> Result<Answer<Profile>, Problem> {
        Ok(Answer(self.state.hub().profiles().update(&caller, body).await?))
    }

    /// Set your avatar
    ///
    /// A form (`multipart/form-data`) with one field, `file`: a PNG, JPEG, WebP or GIF, in a request of at most 1 MiB.
    /// Its middle is drawn as a square of 128 by 128 pixels, and nothing else of it is kept. For example `curl -X PUT -F
    /// file=@me.png -H "Authorization: Bearer $KEY" $HUB/api/profile/avatar`.
    #[oai(path = "/api/profile/avatar", method = "put", operation_id = "set_avatar")]
    async fn set_avatar(&self, AnyCaller(caller): AnyCaller, form: UploadForm) -> Result<Answer<Profile>, Problem> {
        let picture = form.content().await?;
        Ok(Answer(self.state.hub().profiles().set_avatar(&caller, picture).await?))
    }

    /// Remove your avatar
    ///
    /// The initials of your name are shown instead.
    #[oai(path = "/api/profile/avatar", method = "delete", operation_id = "remove_avatar")]
    async fn remove_avatar(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<Profile>, Problem> {
        Ok(Answer(self.state.hub().profiles().remove_avatar(&caller).await?))
    }

    /// Set the avatar of an agent
    ///
    /// For its owner. See `PUT /api/profile/avatar`.
    #[oai(path = "/api/agents/:name/avatar", method = "put", operation_id = "set_agent_avatar")]
    async fn set_avatar_of(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the agent.
        name: Path<String>,
        form: UploadForm,
    ) -> Result<Answer<Profile>, Problem> {
        let picture = form.content().await?;
        Ok(Answer(self.state.hub().profiles().set_avatar_of(&caller, &name.0, picture).await?))
    }

    /// Remove the avatar of an agent
    ///
    /// For its owner.
    #[oai(path = "/api/agents/:name/avatar", method = "delete", operation_id = "remove_agent_avatar")]
    async fn remove_avatar_of(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the agent.
        name: Path<String>,
    ) -> Result<Answer<Profile>, Problem> {
        Ok(Answer(self.state.hub().profiles().remove_avatar_of(&caller, &name.0).await?))
    }

    /// Get an avatar
    ///
    /// At the path that a profile names. The content at a path never changes.
    #[oai(path = "/api/avatars/:hash", method = "get", operation_id = "get_avatar")]
    async fn avatar(
        &self,
        AnyCaller(caller): AnyCaller,
        headers: &HeaderMap,
        /// SHA-256 of the content.
        hash: Path<String>,
    ) -> Result<AvatarAnswer, Problem> {
        let avatar = self.state.hub().profiles().avatar(&caller, &hash.0).await?;
        let tag = format!("\"{}\"", hash.0);
        let had = headers.get(header::IF_NONE_MATCH).and_then(|had| had.to_str().ok());
        if had.is_some_and(|had| had.split(',').any(|had| had.trim().trim_start_matches("W/") == tag)) {
            return Ok(AvatarAnswer::not_modified(&hash.0));
        }
        Ok(AvatarAnswer::of(&hash.0, avatar))
    }
}

/// The kind of participants to list. The hub itself is not in the directory.
fn kind_of(word: &str) -> Result<ParticipantKind, Error> {
    match word {
        "human" => Ok(ParticipantKind::Human),
        "agent" => Ok(ParticipantKind::Agent),
        _ => Err(Error::invalid("kind", "must be human or agent")),
    }
}
