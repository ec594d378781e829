//! Request counters and durations by route class and status class, for `/metrics`.
//!
//! Invariants: the labels come from short fixed lists, so unusual paths cannot increase their number.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use poem::{Endpoint, IntoResponse, Request, Response, Result};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode_registry;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::area::Area;
use crate::state::AppState;

/// Bucket bounds in seconds, from a cached page to the timeout of a proxy.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    route: &'static str,
    status: &'static str,
}

/// Metrics since the server started.
pub(crate) struct RequestFigures {
    registry: Mutex<Registry>,
    requests: Family<Labels, Counter>,
    durations: Family<Labels, Histogram, fn() -> Histogram>,
}

impl RequestFigures {
    pub(crate) fn new() -> Self {
        let requests = Family::<Labels, Counter>::default();
        let durations =
            Family::<Labels, Histogram, fn() -> Histogram>::new_with_constructor(|| Histogram::new(BUCKETS));
        let mut registry = Registry::default();
        registry.register("http_requests", "Requests answered by this process", requests.clone());
        registry.register(
            "http_request_duration_seconds",
            "Time until an answer of this process began, in seconds",
            durations.clone(),
        );
        Self { registry: Mutex::new(registry), requests, durations }
    }

    fn count(&self, area: Area, status: u16, seconds: f64) {
        let labels = Labels { route: area.label(), status: status_class(status) };
        self.requests.get_or_create(&labels).inc();
        self.durations.get_or_create(&labels).observe(seconds);
    }

    /// Writes the metrics as text, without the closing line.
    pub(crate) fn encode(&self, text: &mut String) -> fmt::Result {
        encode_registry(text, &self.registry.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Counts and times the request.
pub(crate) async fn count<E: Endpoint>(state: AppState, next: Arc<E>, request: Request) -> Result<Response> {
    let started = Instant::now();
    let area = Area::of(request.uri().path());
    let response = next.call(request).await?.into_response();
    state.requests().count(area, response.status().as_u16(), started.elapsed().as_secs_f64());
    Ok(response)
}

fn status_class(status: u16) -> &'static str {
    match status {
        ..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        500.. => "5xx",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusual_paths_add_no_labels() {
        let route_class = |path| Area::of(path).label();
        assert_eq!(route_class("/api/agents"), "api");
        for path in ["", "/", "/apix", "/../api", "//api", "/some/page"] {
            assert_eq!(route_class(path), "web", "{path}");
        }
    }

    #[test]
    fn names_are_written_once() {
        let figures = RequestFigures::new();
        figures.count(Area::Health, 200, 0.002);
        let mut text = String::new();
        figures.encode(&mut text).unwrap();
        assert!(text.contains("http_requests_total{route=\"healthz\",status=\"2xx\"} 1"), "{text}");
        assert!(!text.contains("_total_total"));
    }
}
