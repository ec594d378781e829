//! Spans as messages of OTLP.

use svc_core::telemetry::{Attribute, Span, SpanKind};

use super::encoding::{Encoding, Fields};
use super::resource::{Resource, attributes};

/// The status of a span that failed.
const ERROR: u32 = 2;

/// Encodes an export of spans.
pub(super) fn encode(encoding: Encoding, resource: &Resource, spans: &[Span]) -> Vec<u8> {
    let write = |index: usize, fields: &mut dyn Fields| span(&spans[index], fields);
    encoding.encode(&resource.export(("resourceSpans", "scopeSpans", "spans"), (spans.len(), &write)))
}

fn span(span: &Span, fields: &mut dyn Fields) {
    let started = nanoseconds(span.started_at.as_micros());
    let took = u64::try_from(span.took.as_nanos()).unwrap_or(u64::MAX);
    fields.id((1, "traceId"), &span.context.trace_id.to_be_bytes());
    fields.id((2, "spanId"), &span.context.span_id.to_be_bytes());
    if let Some(parent) = span.parent {
        fields.id((4, "parentSpanId"), &parent.to_be_bytes());
    }
    fields.text((5, "name"), &span.name);
    let kind = match span.kind {
        SpanKind::Internal => 1,
        SpanKind::Server => 2,
        SpanKind::Client => 3,
    };
    fields.number((6, "kind"), kind);
    fields.fixed((7, "startTimeUnixNano"), started);
    fields.fixed((8, "endTimeUnixNano"), started.saturating_add(took));
    let mut all = span.attributes.clone();
    all.extend(span.error.clone().map(|error| ("error.type", Attribute::Text(error))));
    attributes(fields, (9, "attributes"), &all);
    if span.error.is_some() {
        fields.message((15, "status"), &|fields| fields.number((3, "code"), ERROR));
    }
}

/// Nanoseconds since 1970, from microseconds.
pub(super) fn nanoseconds(micros: i64) -> u64 {
    u64::try_from(micros).unwrap_or(0).saturating_mul(1000)
}
