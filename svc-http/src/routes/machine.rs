//! `/api/machine`: routes for services that are not users, with signed requests.

use std::collections::HashMap;

use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};
use poem_openapi::param::{Header, Path, Query};
use poem_openapi::registry::{
    MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry,
};
use poem_openapi::types::Type;
use poem_openapi::{ApiResponse, NewType, Object, OpenApi};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use svc_core::Error;
use svc_core::formats::exact_json;
use svc_core::principals::{
    EvidenceFilter, EvidencePage, Ingested, NewMachineEvent, NewRuntimeStatus, RuntimeStatus, SourceConfig,
};

use super::Chapter;
use crate::answer::{Answer, Created};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::identity::{EventsIngest, EvidenceRead, MachineCaller, RuntimeStatusWrite, SourceConfigWrite};
use crate::state::AppState;

/// The routes.
pub(crate) struct MachineRoutes {
    pub(crate) state: AppState,
}

/// Events that a machine reports.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct Report {
    /// 1 to 500 events.
    events: Vec<NewMachineEvent>,
}

/// A configuration, stored as it was sent.
#[derive(Deserialize, NewType)]
#[oai(from_parameter = false, from_multipart = false, to_header = false)]
#[serde(transparent)]
struct Config(#[serde(deserialize_with = "exact_object")] HashMap<String, Value>);

fn exact_object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<HashMap<String, Value>, D::Error> {
    match exact_json(deserializer)? {
        Value::Object(fields) => Ok(fields.into_iter().collect()),
        _ => Err(D::Error::custom("must be an object")),
    }
}

#[OpenApi(tag = "Chapter::Machines")]
impl MachineRoutes {
    /// Set the configuration of a source
    ///
    /// The body is the configuration, a JSON object of at most 256 KiB, for example `{"interval_seconds": 30,
    /// "sensors": ["front", "back"]}`. Each principal has its own sources. The response is 201 for a new version, and
    /// 200 when the content is unchanged. With `If-Match` it is set only when that version is current, else the
    /// response is 412 `version_conflict` with the current `version`. The signature must cover `If-Match` and
    /// `If-None-Match` where they are sent, and a 412 uses it up. Names in an object must be unique, and a number
    /// with more digits than a double or 64 bits can hold must be sent as a string. The newest 20 versions are kept,
    /// of at most 50 sources. Required scope: `source-config:write`.
    #[oai(path = "/api/machine/source-configs/:source", method = "put", operation_id = "put_source_config")]
    async fn put_source_config(
        &self,
        machine: MachineCaller<SourceConfigWrite>,
        /// The source: 1 to 63 lower-case letters, digits, `.`, `_` and `-`, the first a letter or a digit.
        source: Path<String>,
        /// The expected current version, as in the `ETag`, such as `"3"`; `"0"` for none.
        #[oai(name = "If-Match")]
        if_match: Header<Option<String>>,
        /// `*` when no version may exist yet.
        #[oai(name = "If-None-Match")]
        if_none_match: Header<Option<String>>,
        JsonBody(config): JsonBody<Config>,
    ) -> Result<Versioned, Problem> {
        let expected = expected(if_match.0.as_deref(), if_none_match.0.as_deref())?;
        let config = Value::Object(config.0.into_iter().collect());
        let hub = self.state.hub();
        Ok(Versioned(hub.principals().put_source_config(&machine.0, &source.0, config, expected).await?))
    }

    /// Update my runtime status
    ///
    /// For example `{"state": "running", "heartbeat_seconds": 30, "message": "All sensors answer."}`. Repeat it at
    /// least every `heartbeat_seconds`: after three missed heartbeats the status is shown as stale. Required scope:
    /// `runtime-status:write`.
    #[oai(path = "/api/machine/runtime-status", method = "put", operation_id = "put_runtime_status")]
    async fn put_runtime_status(
        &self,
        machine: MachineCaller<RuntimeStatusWrite>,
        JsonBody(status): JsonBody<NewRuntimeStatus>,
    ) -> Result<Answer<RuntimeStatus>, Problem> {
        Ok(Answer(self.state.hub().principals().put_status(&machine.0, status).await?))
    }

    /// Report events
    ///
    /// For example `{"events": [{"event_id": "2026-11-15/1", "type": "door.opened", "data": {"by": "key"}, "channel":
    /// "general"}]}`. All events are stored or none. Each counts once: an event that was stored before under the same
    /// `event_id` of the same principal is reported as a duplicate, so a report can be signed and sent again until it
    /// is answered. An event with a `channel` is announced there in a message by `system` that names the principal.
    /// The response is 201, or 200 when nothing was new. Required scope: `events:ingest`.
    #[oai(path = "/api/machine/events", method = "post", operation_id = "ingest_events")]
    async fn ingest(
        &self,
        machine: MachineCaller<EventsIngest>,
        JsonBody(report): JsonBody<Report>,
    ) -> Result<Stored, Problem> {
        Ok(Stored(self.state.hub().principals().ingest(&machine.0, report.events).await?))
    }

    /// List events
    ///
    /// The events of all principals, newest last, each with the traces of the request that contained it. Keep
    /// `next_cursor` to read on later: nothing is missed and nothing is repeated, however much is reported meanwhile.
    /// For that reason, a new event may appear a moment later, while others are being stored. A page ends at `limit`
    /// events, or before its data exceeds 1 MiB. Traces are written a moment later than events, so those of a new
    /// event may be missing until it is read again. Events are kept until an operator purges them; messages and
    /// traces expire by their own retention. Required scope: `evidence:read`.
    #[oai(path = "/api/machine/evidence", method = "get", operation_id = "read_evidence")]
    async fn evidence(
        &self,
        machine: MachineCaller<EvidenceRead>,
        /// The `next_cursor` of the previous page; the oldest events come first without it.
        cursor: Query<Option<String>>,
        /// Page size, 1 to 500; default 100.
        limit: Query<Option<i64>>,
        /// Only events of this principal, such as `svc:sense:door-1`.
        principal: Query<Option<String>>,
        /// Only events of this type, such as `door.opened`.
        #[oai(name = "type")]
        kind: Query<Option<String>>,
    ) -> Result<Answer<EvidencePage>, Problem> {
        let filter = EvidenceFilter { cursor: cursor.0, limit: limit.0, principal: principal.0, kind: kind.0 };
        Ok(Answer(self.state.hub().principals().evidence(&machine.0, filter).await?))
    }
}

/// The expected current version, from the headers.
fn expected(if_match: Option<&str>, if_none_match: Option<&str>) -> Result<Option<i64>, Error> {
    match (if_match.map(str::trim), if_none_match.map(str::trim)) {
        (None, None) => Ok(None),
        (None, Some("*")) => Ok(Some(0)),
        (Some(tag), None) => {
            let version = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
            let version = version.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
            let version = version.and_then(|digits| digits.parse().ok());
            version.map(Some).ok_or_else(|| Error::invalid("If-Match", "must be one version in quotes, such as \"3\""))
        }
        (_, Some(_)) => Err(Error::invalid("If-None-Match", "must be *, without If-Match")),
    }
}

/// A configuration with its version as the `ETag`: 201 when it is new.
struct Versioned(SourceConfig);

impl IntoResponse for Versioned {
    fn into_response(self) -> Response {
        let tag = HeaderValue::from_str(&format!("\"{}\"", self.0.version));
        let mut response =
            if self.0.changed { Created(self.0).into_response() } else { Answer(self.0).into_response() };
        response.headers_mut().extend(tag.ok().map(|tag| (header::ETAG, tag)));
        response
    }
}

/// The result of a report: 201 when something was new.
struct Stored(Ingested);

impl IntoResponse for Stored {
    fn into_response(self) -> Response {
        if self.0.accepted > 0 { Created(self.0).into_response() } else { Answer(self.0).into_response() }
    }
}

/// Both statuses with the same body.
fn described<T: Serialize + Type>(words: [&'static str; 2], headers: fn() -> Vec<MetaHeader>) -> MetaResponses {
    let content = || vec![MetaMediaType { content_type: "application/json; charset=utf-8", schema: T::schema_ref() }];
    let answer = |status: StatusCode, description| MetaResponse {
        description,
        status: Some(status.as_u16()),
        status_range: None,
        content: content(),
        headers: headers(),
    };
    MetaResponses { responses: vec![answer(StatusCode::OK, words[0]), answer(StatusCode::CREATED, words[1])] }
}

fn tag() -> MetaHeader {
    MetaHeader {
        name: "ETag".to_owned(),
        description: Some("The current version, in quotes; send it in `If-Match`.".to_owned()),
        required: true,
        deprecated: false,
        schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
    }
}

impl ApiResponse for Versioned {
    fn meta() -> MetaResponses {
        described::<SourceConfig>(["The content is unchanged.", "A new version was stored."], || vec![tag()])
    }

    fn register(registry: &mut Registry) {
        SourceConfig::register(registry);
    }
}

impl ApiResponse for Stored {
    fn meta() -> MetaResponses {
        described::<Ingested>(["All events were stored before.", "New events were stored."], Vec::new)
    }

    fn register(registry: &mut Registry) {
        Ingested::register(registry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_expected_by_either_header() {
        let asked = |if_match, if_none_match| expected(if_match, if_none_match).map_err(|error| error.code());
        assert_eq!(asked(None, None), Ok(None));
        assert_eq!(asked(Some("\"3\""), None), Ok(Some(3)));
        assert_eq!(asked(Some(" \"0\" "), None), Ok(Some(0)));
        assert_eq!(asked(None, Some("*")), Ok(Some(0)));
        for (if_match, if_none_match) in [
            (Some("3"), None),
            (Some("*"), None),
            (Some("W/\"3\""), None),
            (Some("\"3\", \"4\""), None),
            (Some("\"-1\""), None),
            (Some("\"\""), None),
            (Some("\"99999999999999999999\""), None),
            (None, Some("\"3\"")),
            (Some("\"3\""), Some("*")),
        ] {
            assert_eq!(asked(if_match, if_none_match), Err("validation_failed"), "{if_match:?} {if_none_match:?}");
        }
    }
}
