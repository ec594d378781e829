//! Response types of routes: JSON serialized straight to bytes, with the status in the type.

use poem::http::{HeaderName, HeaderValue, StatusCode};
use poem::{Body, IntoResponse, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::Type;
use serde::Serialize;

const JSON: &str = "application/json; charset=utf-8";

/// 200 with a body.
pub(crate) struct Answer<T>(pub(crate) T);
/// 201 with the created object.
pub(crate) struct Created<T>(pub(crate) T);
/// 202 with an account of what will be done.
pub(crate) struct Accepted<T>(pub(crate) T);
/// 201 with an object that was created, or 200 with one that was there and was replaced.
pub(crate) struct Stored<T> {
    pub(crate) value: T,
    pub(crate) is_new: bool,
}
/// 204.
pub(crate) struct NoContent;
/// Any of these responses with one more header.
pub(crate) struct WithHeader<A>(pub(crate) A, pub(crate) HeaderName, pub(crate) HeaderValue);

fn json<T: Serialize>(status: StatusCode, value: &T) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => Response::builder().status(status).content_type(JSON).body(Body::from(bytes)),
        Err(error) => {
            let error = svc_core::Error::internal(format!("a response cannot be serialized: {error}"));
            let problem = crate::error::Problem::from(error);
            problem.log();
            problem.into_response()
        }
    }
}

fn described(status: u16, description: &'static str, content: Vec<MetaMediaType>) -> MetaResponses {
    let headers = Vec::new();
    MetaResponses {
        responses: vec![MetaResponse { description, status: Some(status), status_range: None, content, headers }],
    }
}

macro_rules! json_answers {
    ($($name:ident, $status:ident, $number:literal, $description:literal;)*) => {$(
        impl<T: Serialize + Send> IntoResponse for $name<T> {
            fn into_response(self) -> Response {
                json(StatusCode::$status, &self.0)
            }
        }

        impl<T: Serialize + Type> ApiResponse for $name<T> {
            fn meta() -> MetaResponses {
                described($number, $description, vec![MetaMediaType { content_type: JSON, schema: T::schema_ref() }])
            }

            fn register(registry: &mut Registry) {
                T::register(registry);
            }
        }
    )*};
}

json_answers! {
    Answer, OK, 200, "Done.";
    Created, CREATED, 201, "Created.";
    Accepted, ACCEPTED, 202, "Accepted; it will be done soon.";
}

impl<T: Serialize + Send> IntoResponse for Stored<T> {
    fn into_response(self) -> Response {
        json(if self.is_new { StatusCode::CREATED } else { StatusCode::OK }, &self.value)
    }
}

impl<T: Serialize + Type> ApiResponse for Stored<T> {
    fn meta() -> MetaResponses {
        let mut responses = Created::<T>::meta().responses;
        responses.extend(Answer::<T>::meta().responses);
        MetaResponses { responses }
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl ApiResponse for NoContent {
    fn meta() -> MetaResponses {
        described(204, "Done; the response has no body.", Vec::new())
    }

    fn register(_: &mut Registry) {}
}

impl<A: IntoResponse> IntoResponse for WithHeader<A> {
    fn into_response(self) -> Response {
        let mut response = self.0.into_response();
        response.headers_mut().append(self.1, self.2);
        response
    }
}

impl<A: ApiResponse> ApiResponse for WithHeader<A> {
    fn meta() -> MetaResponses {
        A::meta()
    }

    fn register(registry: &mut Registry) {
        A::register(registry);
    }
}
