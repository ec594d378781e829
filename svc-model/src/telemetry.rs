//! Spans: pieces of work with their time, for collectors of telemetry.
//!
//! A [`Tracer`] begins spans and passes those that are sampled to a [`SpanSink`] when they end. Without a sink it does
//! nothing.
//!
//! Invariants: attributes name what was done, by whom and with which outcome. No text of a message, no credential and
//! no address that somebody registered is among them. A sink neither waits nor fails.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::clock::{Clock, Entropy};
use crate::timestamp::Timestamp;

/// Length of a version `00` trace context.
const LENGTH: usize = 55;
/// The flag of a trace that is recorded.
const SAMPLED: u8 = 1;

/// A W3C trace context: a trace, a span of it, and whether the trace is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceContext {
    /// The trace; not zero.
    pub trace_id: u128,
    /// The span; not zero.
    pub span_id: u64,
    flags: u8,
}

impl TraceContext {
    /// Reads the header `traceparent`; none for an invalid one.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let first = text.get(..LENGTH)?;
        let mut parts = first.split('-');
        let (version, trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let is_hex = |part: &str, length: usize| {
            part.len() == length && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        let well_formed = is_hex(version, 2) && is_hex(trace, 32) && is_hex(parent, 16) && is_hex(flags, 2);
        // Later versions may append further fields.
        let rest = &text[LENGTH..];
        let rest_fits = rest.is_empty() || version != "00" && rest.starts_with('-');
        if !well_formed || version == "ff" || !rest_fits {
            return None;
        }
        let trace_id = u128::from_str_radix(trace, 16).ok().filter(|id| *id != 0)?;
        let span_id = u64::from_str_radix(parent, 16).ok().filter(|id| *id != 0)?;
        Some(Self { trace_id, span_id, flags: u8::from_str_radix(flags, 16).ok()? })
    }

    /// Whether the trace is recorded.
    pub fn is_sampled(&self) -> bool {
        self.flags & SAMPLED != 0
    }
}

impl fmt::Display for TraceContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "00-{:032x}-{:016x}-{:02x}", self.trace_id, self.span_id, self.flags)
    }
}

/// The side of a piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    /// Work inside the hub.
    Internal,
    /// A request that the hub answered.
    Server,
    /// A request that the hub sent.
    Client,
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Attribute {
    /// Text.
    Text(Cow<'static, str>),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Real(f64),
}

impl From<&'static str> for Attribute {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Attribute {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<i64> for Attribute {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

/// Attributes by name. The names follow the semantic conventions of OpenTelemetry, as far as there are some.
pub type Attributes = Vec<(&'static str, Attribute)>;

/// A piece of work that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// The span itself.
    pub context: TraceContext,
    /// The span that caused it.
    pub parent: Option<u64>,
    /// Its name, one of a small set.
    pub name: Cow<'static, str>,
    /// Its side.
    pub kind: SpanKind,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took.
    pub took: Duration,
    /// Its attributes.
    pub attributes: Attributes,
    /// The kind of its failure, if it failed.
    pub error: Option<Cow<'static, str>>,
}

/// Takes spans that have ended. It must neither block nor fail.
pub trait SpanSink: fmt::Debug + Send + Sync {
    /// Whether the spans of a trace are wanted.
    fn samples(&self, trace_id: u128, parent: Option<&TraceContext>) -> bool;

    /// Takes a span.
    fn take(&self, span: Span);
}

/// Begins spans. Clones share the sink.
#[derive(Debug, Clone, Default)]
pub struct Tracer(Option<Arc<Inner>>);

#[derive(Debug)]
struct Inner {
    sink: Arc<dyn SpanSink>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

impl Tracer {
    /// A tracer for this sink; without one, it does nothing.
    pub fn new(sink: Option<Arc<dyn SpanSink>>, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self {
        Self(sink.map(|sink| Arc::new(Inner { sink, clock, entropy })))
    }

    /// Whether there is a sink.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Begins a span below the parent, or a new trace. Returns nothing without a sink.
    pub fn start(&self, parent: Option<TraceContext>) -> Option<OpenSpan> {
        let inner = self.0.as_ref()?;
        let trace_id = parent.map_or_else(|| inner.random_trace(), |parent| parent.trace_id);
        let is_sampled = inner.sink.samples(trace_id, parent.as_ref());
        let flags = parent.map_or(0, |parent| parent.flags & !SAMPLED) | u8::from(is_sampled);
        Some(OpenSpan {
            context: TraceContext { trace_id, span_id: inner.random_span(), flags },
            parent: parent.map(|parent| parent.span_id),
            started_at: inner.clock.now(),
            begun: Instant::now(),
            inner: inner.clone(),
        })
    }
}

impl Inner {
    fn random_trace(&self) -> u128 {
        let mut bytes = [0; 16];
        self.entropy.fill(&mut bytes);
        u128::from_be_bytes(bytes).max(1)
    }

    fn random_span(&self) -> u64 {
        let mut bytes = [0; 8];
        self.entropy.fill(&mut bytes);
        u64::from_be_bytes(bytes).max(1)
    }
}

/// A piece of work in progress. One that is dropped is forgotten.
#[derive(Debug)]
#[must_use = "a span is passed on when it ends"]
pub struct OpenSpan {
    context: TraceContext,
    parent: Option<u64>,
    started_at: Timestamp,
    begun: Instant,
    inner: Arc<Inner>,
}

impl OpenSpan {
    /// The context for work that this span causes.
    pub fn context(&self) -> TraceContext {
        self.context
    }

    /// Passes the span on, if it is sampled. `started_at` is given for work that another process began.
    pub fn end(
        self,
        name: impl Into<Cow<'static, str>>,
        kind: SpanKind,
        attributes: Attributes,
        error: Option<Cow<'static, str>>,
        started_at: Option<Timestamp>,
    ) {
        if !self.context.is_sampled() {
            return;
        }
        let earlier = started_at.map_or(Duration::ZERO, |at| self.started_at.since(at));
        self.inner.sink.take(Span {
            context: self.context,
            parent: self.parent,
            name: name.into(),
            kind,
            started_at: self.started_at.minus(earlier),
            took: self.begun.elapsed() + earlier,
            attributes,
            error,
        });
    }
}
