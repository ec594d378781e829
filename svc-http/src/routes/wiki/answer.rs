//! Answers with an article: its entity tag, its address, and 304 for a client that has it already.

use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response, ResponseBuilder};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{
    MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry,
};
use poem_openapi::types::Type;
use svc_core::Error;
use svc_core::wiki::Article;

use super::tag;
use crate::error::Problem;
use crate::middleware::compression;

const JSON: &str = "application/json; charset=utf-8";
/// Only the caller's own browser may cache it, and revalidates each time.
const CACHED: HeaderValue = HeaderValue::from_static("private, no-cache");

/// An article that was asked for.
pub(super) struct FoundArticle(Response);
/// An article that was created.
pub(super) struct CreatedArticle(Response);
/// An article that was changed.
pub(super) struct SavedArticle(Response);

impl FoundArticle {
    pub(super) fn of(article: &Article, headers: &HeaderMap) -> Result<Self, Problem> {
        let Encoded { body, tag } = Encoded::of(article, headers)?;
        let response = addressed(article, &tag).header(header::CACHE_CONTROL, CACHED);
        if !tag::is_had(headers, &tag) {
            return Ok(Self(response.content_type(JSON).body(body)));
        }
        let shrinks = compression::is_worth_it(JSON, body.len());
        let response = if shrinks { response.header(header::VARY, "accept-encoding") } else { response };
        Ok(Self(response.status(StatusCode::NOT_MODIFIED).finish()))
    }
}

impl CreatedArticle {
    pub(super) fn of(article: &Article, headers: &HeaderMap) -> Result<Self, Problem> {
        let Encoded { body, tag } = Encoded::of(article, headers)?;
        let response = addressed(article, &tag).status(StatusCode::CREATED).header(header::LOCATION, address(article));
        Ok(Self(response.content_type(JSON).body(body)))
    }
}

impl SavedArticle {
    pub(super) fn of(article: &Article, headers: &HeaderMap) -> Result<Self, Problem> {
        let Encoded { body, tag } = Encoded::of(article, headers)?;
        Ok(Self(addressed(article, &tag).content_type(JSON).body(body)))
    }
}

/// An article as it is sent.
struct Encoded {
    body: Vec<u8>,
    tag: String,
}

impl Encoded {
    fn of(article: &Article, headers: &HeaderMap) -> Result<Self, Problem> {
        let refusal = |error| Error::internal(format!("an article cannot be serialized: {error}"));
        let body = serde_json::to_vec(article).map_err(refusal)?;
        let tag = tag::of(article.revision, &body, JSON, headers);
        Ok(Self { body, tag })
    }
}

/// A response with the tag, and the current address if the request had a former one.
fn addressed(article: &Article, tag: &str) -> ResponseBuilder {
    let response = Response::builder().header(header::ETAG, tag);
    match article.redirected_from {
        Some(_) => response.header(header::CONTENT_LOCATION, address(article)),
        None => response,
    }
}

fn address(article: &Article) -> String {
    format!("/api/wiki/articles/{}", article.slug)
}

fn heading(name: &str, description: &str, required: bool) -> MetaHeader {
    MetaHeader {
        name: name.to_owned(),
        description: Some(description.to_owned()),
        required,
        deprecated: false,
        schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
    }
}

fn tagged() -> MetaHeader {
    heading("ETag", "The revision and a hash of the answer; send it in `If-None-Match` or `If-Match`.", true)
}

fn moved() -> MetaHeader {
    heading("Content-Location", "The current address, if the request had a former slug.", false)
}

fn described(status: u16, description: &'static str, headers: Vec<MetaHeader>) -> MetaResponse {
    let content = vec![MetaMediaType { content_type: JSON, schema: Article::schema_ref() }];
    MetaResponse { description, status: Some(status), status_range: None, content, headers }
}

macro_rules! article_answers {
    ($($name:ident, $responses:expr;)*) => {$(
        impl IntoResponse for $name {
            fn into_response(self) -> Response {
                self.0
            }
        }

        impl ApiResponse for $name {
            fn meta() -> MetaResponses {
                MetaResponses { responses: $responses }
            }

            fn register(registry: &mut Registry) {
                Article::register(registry);
            }
        }
    )*};
}

article_answers! {
    FoundArticle, vec![
        described(200, "Done.", vec![tagged(), moved()]),
        MetaResponse { content: Vec::new(), ..described(304, "The caller has it already.", vec![tagged()]) },
    ];
    CreatedArticle, vec![described(201, "Created.", vec![tagged(), heading("Location", "Its address.", true)])];
    SavedArticle, vec![described(200, "Done.", vec![tagged(), moved()])];
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn article(redirected_from: Option<&str>) -> Article {
        let article = json!({
            "slug": "deploy", "title": "Deploy", "body": "x".repeat(5000), "revision": 7, "size": 5000,
            "protected": null, "stale_after": null, "is_stale": false, "verified_by": null, "verified_at": null,
            "verified_revision": null, "backlink_count": 0, "redirects": [], "redirected_from": redirected_from,
            "created_by": "ann", "created_at": "2026-11-15T02:00:00.000Z", "updated_by": "ann",
            "updated_at": "2026-11-15T02:00:00.000Z",
        });
        serde_json::from_value(article).unwrap()
    }

    #[test]
    fn a_client_that_has_the_article_gets_no_body() {
        let mut headers = HeaderMap::new();
        let first = FoundArticle::of(&article(None), &headers).unwrap().0;
        let tag = first.headers()[header::ETAG].clone();
        assert_eq!((first.status(), first.headers().get(header::CONTENT_LOCATION)), (StatusCode::OK, None));
        headers.insert(header::IF_NONE_MATCH, tag.clone());
        let again = FoundArticle::of(&article(None), &headers).unwrap().0;
        assert_eq!((again.status(), &again.headers()[header::ETAG]), (StatusCode::NOT_MODIFIED, &tag));
        assert_eq!(again.headers()[header::VARY], "accept-encoding");
        assert!(again.into_body().is_empty());
        // A changed answer of the same revision has another tag.
        let other = Article { backlink_count: 1, ..article(None) };
        assert_eq!(FoundArticle::of(&other, &headers).unwrap().0.status(), StatusCode::OK);
    }

    #[test]
    fn answers_name_the_address() {
        let headers = HeaderMap::new();
        let made = CreatedArticle::of(&article(None), &headers).unwrap().0;
        assert_eq!(made.status(), StatusCode::CREATED);
        assert_eq!(made.headers()[header::LOCATION], "/api/wiki/articles/deploy");
        let found = FoundArticle::of(&article(Some("release")), &headers).unwrap().0;
        assert_eq!(found.headers()[header::CONTENT_LOCATION], "/api/wiki/articles/deploy");
        let saved = SavedArticle::of(&article(None), &headers).unwrap().0;
        assert_eq!(saved.headers()[header::ETAG], made.headers()[header::ETAG]);
    }
}
