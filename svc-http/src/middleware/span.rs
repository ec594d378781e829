//! A span of each request, by the conventions of OpenTelemetry for HTTP servers, if spans are exported.
//!
//! Invariants: a span has the method, the pattern of the path and the status, and no input of the caller except its
//! request id. Health checks and `/metrics` have none, because programs repeat them for ever. A span ends when the
//! response begins, or when the caller disconnects before that.

use std::sync::Arc;

use poem::http::{HeaderName, HeaderValue, Method};
use poem::{Endpoint, IntoResponse, Request, Response, Result};
use svc_core::telemetry::{Attribute, Attributes, OpenSpan, SpanKind, TraceContext, Tracer};

use super::request_id::RequestId;
use crate::allowed_methods::AllowedMethods;
use crate::area::Area;
use crate::error::ProblemCode;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Dependencies of spans.
pub(crate) struct Spans {
    pub(crate) tracer: Tracer,
    /// All routes that have a pattern.
    pub(crate) routes: Arc<AllowedMethods>,
}

/// Begins the span, and ends it with the response. Work that the request causes is below the span: a request without
/// a trace context gets that of the span, which a message keeps.
pub(crate) async fn trace<E: Endpoint>(
    spans: Option<Arc<Spans>>,
    next: Arc<E>,
    mut request: Request,
) -> Result<Response> {
    let Some(mut span) = spans.and_then(|spans| RequestSpan::of(&spans, &request)) else {
        return next.call(request).await.map(IntoResponse::into_response);
    };
    if let Some(context) = span.open.as_ref().map(OpenSpan::context) {
        request.extensions_mut().insert(context);
        if !request.headers().contains_key(TRACEPARENT)
            && let Ok(value) = HeaderValue::from_str(&context.to_string())
        {
            request.headers_mut().insert(TRACEPARENT, value);
        }
    }
    let response = next.call(request).await?.into_response();
    span.end(Some(&response));
    Ok(response)
}

/// A request in progress.
struct RequestSpan {
    open: Option<OpenSpan>,
    method: &'static str,
    route: Option<String>,
    id: Option<RequestId>,
}

impl RequestSpan {
    /// `None` for a request without a span.
    fn of(spans: &Spans, request: &Request) -> Option<Self> {
        if matches!(Area::of(request.uri().path()), Area::Health | Area::Readiness | Area::Metrics) {
            return None;
        }
        let mut sent = request.headers().get_all(TRACEPARENT).into_iter();
        let parent = match (sent.next(), sent.next()) {
            (Some(one), None) => one.to_str().ok().and_then(TraceContext::parse),
            _ => None,
        };
        let open = spans.tracer.start(parent)?;
        let route = spans.routes.pattern(request.uri().path());
        Some(Self {
            open: Some(open),
            method: method(request.method()),
            route: route.map(ToOwned::to_owned),
            id: request.extensions().get::<RequestId>().cloned(),
        })
    }

    fn end(&mut self, response: Option<&Response>) {
        let Some(open) = self.open.take() else { return };
        let mut attributes: Attributes =
            vec![("http.request.method", self.method.into()), ("url.scheme", "http".into())];
        attributes.extend(self.route.clone().map(|route| ("http.route", route.into())));
        attributes.extend(self.id.take().map(|id| ("svc.request.id", id.as_str().to_owned().into())));
        let mut error = None;
        if let Some(response) = response {
            let status = response.status();
            attributes.push(("http.response.status_code", i64::from(status.as_u16()).into()));
            let code = response.extensions().get::<ProblemCode>().map(|code| code.0);
            attributes.extend(code.map(|code| ("svc.problem.code", Attribute::from(code))));
            // The mistakes of a client are no errors of the server.
            error = status.is_server_error().then(|| status.as_u16().to_string().into());
        } else {
            attributes.push(("svc.problem.code", "caller_gone".into()));
        }
        let name = match self.route.take() {
            Some(route) => format!("{} {route}", self.method).into(),
            None => std::borrow::Cow::from(self.method),
        };
        open.end(name, SpanKind::Server, attributes, error, None);
    }
}

impl Drop for RequestSpan {
    fn drop(&mut self) {
        self.end(None);
    }
}

/// The name of a method; of those that HTTP does not define, one for all.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "_OTHER",
    }
}
