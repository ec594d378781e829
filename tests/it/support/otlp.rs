//! A collector of telemetry: it decodes what servers export, by the published field numbers of OTLP.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig as TlsConfig, ServerConnection, StreamOwned};
use serde_json::{Map, Value, json};
use svc_core::clock::hex;
use svc_http::{ServerConfig, TelemetrySettings};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::receiver::{Received, Receiver};
use super::server::TestServer;
use super::wait::{PATIENCE, soon};

/// A field of a message: its number, its name in JSON and its type.
type Schema = &'static [(u64, &'static str, Type)];

#[derive(Clone, Copy)]
enum Type {
    Text,
    Id,
    Number,
    Flag,
    Integer,
    Fixed,
    Signed,
    Real,
    FixedList,
    RealList,
    One(Schema),
    Many(Schema),
}

const VALUE: Schema = &[(1, "stringValue", Type::Text), (3, "intValue", Type::Integer), (4, "doubleValue", Type::Real)];
const PAIR: Schema = &[(1, "key", Type::Text), (2, "value", Type::One(VALUE))];
const RESOURCE: Schema = &[(1, "attributes", Type::Many(PAIR))];
const SCOPE: Schema = &[(1, "name", Type::Text), (2, "version", Type::Text)];
const STATUS: Schema = &[(2, "message", Type::Text), (3, "code", Type::Number)];
const SPAN: Schema = &[
    (1, "traceId", Type::Id),
    (2, "spanId", Type::Id),
    (4, "parentSpanId", Type::Id),
    (5, "name", Type::Text),
    (6, "kind", Type::Number),
    (7, "startTimeUnixNano", Type::Fixed),
    (8, "endTimeUnixNano", Type::Fixed),
    (9, "attributes", Type::Many(PAIR)),
    (15, "status", Type::One(STATUS)),
];
const SCOPE_SPANS: Schema = &[(1, "scope", Type::One(SCOPE)), (2, "spans", Type::Many(SPAN))];
const RESOURCE_SPANS: Schema = &[(1, "resource", Type::One(RESOURCE)), (2, "scopeSpans", Type::Many(SCOPE_SPANS))];
const TRACES: Schema = &[(1, "resourceSpans", Type::Many(RESOURCE_SPANS))];

const NUMBER_POINT: Schema = &[
    (2, "startTimeUnixNano", Type::Fixed),
    (3, "timeUnixNano", Type::Fixed),
    (4, "asDouble", Type::Real),
    (6, "asInt", Type::Signed),
    (7, "attributes", Type::Many(PAIR)),
];
const HISTOGRAM_POINT: Schema = &[
    (2, "startTimeUnixNano", Type::Fixed),
    (3, "timeUnixNano", Type::Fixed),
    (4, "count", Type::Fixed),
    (5, "sum", Type::Real),
    (6, "bucketCounts", Type::FixedList),
    (7, "explicitBounds", Type::RealList),
    (9, "attributes", Type::Many(PAIR)),
];
const GAUGE: Schema = &[(1, "dataPoints", Type::Many(NUMBER_POINT))];
const SUM: Schema = &[
    (1, "dataPoints", Type::Many(NUMBER_POINT)),
    (2, "aggregationTemporality", Type::Number),
    (3, "isMonotonic", Type::Flag),
];
const HISTOGRAM: Schema =
    &[(1, "dataPoints", Type::Many(HISTOGRAM_POINT)), (2, "aggregationTemporality", Type::Number)];
const METRIC: Schema = &[
    (1, "name", Type::Text),
    (2, "description", Type::Text),
    (3, "unit", Type::Text),
    (5, "gauge", Type::One(GAUGE)),
    (7, "sum", Type::One(SUM)),
    (9, "histogram", Type::One(HISTOGRAM)),
];
const SCOPE_METRICS: Schema = &[(1, "scope", Type::One(SCOPE)), (2, "metrics", Type::Many(METRIC))];
const RESOURCE_METRICS: Schema =
    &[(1, "resource", Type::One(RESOURCE)), (2, "scopeMetrics", Type::Many(SCOPE_METRICS))];
const METRICS: Schema = &[(1, "resourceMetrics", Type::Many(RESOURCE_METRICS))];

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let (first, rest) = bytes.split_first().expect("a number ends");
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            break;
        }
    }
    value
}

fn eight(bytes: &mut &[u8]) -> [u8; 8] {
    let (first, rest) = bytes.split_first_chunk().expect("eight bytes");
    *bytes = rest;
    *first
}

/// Decodes a message into the form that it has in JSON. A field that is not in the schema is an error.
fn decoded(schema: Schema, mut bytes: &[u8]) -> Value {
    let mut object = Map::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let (_, name, kind) = schema.iter().find(|(number, ..)| *number == tag >> 3).expect("a known field");
        let value = match tag & 7 {
            0 => {
                let value = varint(&mut bytes);
                match kind {
                    Type::Number => json!(value),
                    Type::Flag => json!(value == 1),
                    Type::Integer => json!(value.cast_signed().to_string()),
                    _ => panic!("{name} is no number of variable length"),
                }
            }
            1 => {
                let value = eight(&mut bytes);
                match kind {
                    Type::Fixed => json!(u64::from_le_bytes(value).to_string()),
                    Type::Signed => json!(i64::from_le_bytes(value).to_string()),
                    Type::Real => json!(f64::from_le_bytes(value)),
                    _ => panic!("{name} is no number of eight bytes"),
                }
            }
            2 => {
                let length = usize::try_from(varint(&mut bytes)).unwrap();
                let (mut value, rest) = bytes.split_at(length);
                bytes = rest;
                match kind {
                    Type::Text => json!(std::str::from_utf8(value).unwrap()),
                    Type::Id => json!(hex(value)),
                    Type::One(inner) => decoded(inner, value),
                    Type::Many(inner) => {
                        let list = object.entry((*name).to_owned()).or_insert_with(|| json!([]));
                        list.as_array_mut().unwrap().push(decoded(inner, value));
                        continue;
                    }
                    Type::FixedList | Type::RealList => {
                        let mut list = Vec::new();
                        while !value.is_empty() {
                            let one = eight(&mut value);
                            list.push(match kind {
                                Type::FixedList => json!(u64::from_le_bytes(one).to_string()),
                                _ => json!(f64::from_le_bytes(one)),
                            });
                        }
                        json!(list)
                    }
                    _ => panic!("{name} has no length"),
                }
            }
            other => panic!("the wire type {other} is not used"),
        };
        object.insert((*name).to_owned(), value);
    }
    Value::Object(object)
}

/// An export as JSON, whatever its encoding was.
pub(crate) fn export(received: &Received) -> Value {
    let schema = if received.path.ends_with("/v1/traces") { TRACES } else { METRICS };
    match received.header("content-type") {
        "application/x-protobuf" => decoded(schema, &received.bytes),
        "application/json" => received.body(),
        other => panic!("the content type is {other}"),
    }
}

/// The value of an attribute as text.
pub(crate) fn attribute(holder: &Value, name: &str) -> Option<String> {
    let all = holder["attributes"].as_array()?;
    let value = &all.iter().find(|pair| pair["key"] == name)?["value"];
    let text = |kind: &str| value[kind].as_str().map(ToOwned::to_owned);
    text("stringValue").or_else(|| text("intValue")).or_else(|| value["doubleValue"].as_f64().map(|n| n.to_string()))
}

/// The settings of an export.
pub(crate) fn telemetry(variables: &[(&str, &str)]) -> Option<TelemetrySettings> {
    let find = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    TelemetrySettings::from_variables(find).unwrap()
}

/// A server that exports to a collector.
pub(crate) struct Observed {
    pub(crate) server: TestServer,
    pub(crate) collector: Collector,
}

impl Observed {
    pub(crate) async fn sqlite() -> Self {
        let collector = Collector::start().await;
        let server = TestServer::start(|config| collector.watch(config, &[])).await;
        Self { server, collector }
    }

    pub(crate) async fn postgres() -> Option<Self> {
        let collector = Collector::start().await;
        let server = TestServer::start_on_postgres(|config| collector.watch(config, &[])).await?;
        Some(Self { server, collector })
    }
}

/// The collector, with all that it has received.
pub(crate) struct Collector {
    pub(crate) receiver: Receiver,
    pub(crate) received: Vec<Received>,
}

impl Collector {
    pub(crate) async fn start() -> Self {
        Self { receiver: Receiver::start().await, received: Vec::new() }
    }

    /// Makes a server export to it, soon.
    pub(crate) fn watch(&self, config: &mut ServerConfig, variables: &[(&str, &str)]) {
        let usual = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", self.receiver.url.as_str()),
            ("OTEL_EXPORTER_OTLP_HEADERS", "x-team=red"),
            ("OTEL_BSP_SCHEDULE_DELAY", "20"),
            ("OTEL_METRIC_EXPORT_INTERVAL", "100"),
        ];
        config.telemetry = telemetry(&[variables, &usual].concat());
    }

    fn items(&self, signal: [&str; 3]) -> Vec<Value> {
        let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
        let mut found = Vec::new();
        for export in self.received.iter().map(export) {
            for resource in list(&export, signal[0]) {
                for scope in list(&resource, signal[1]) {
                    found.extend(list(&scope, signal[2]));
                }
            }
        }
        found
    }

    /// All spans so far.
    pub(crate) fn spans(&mut self) -> Vec<Value> {
        self.received.extend(self.receiver.rest());
        self.items(["resourceSpans", "scopeSpans", "spans"])
    }

    /// Waits for a span.
    pub(crate) async fn span(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            if let Some(found) = self.spans().into_iter().find(|span| wanted(span)) {
                return found;
            }
            assert!(started.elapsed() < PATIENCE, "waited in vain for: {what}");
            let next = self.receiver.next().await;
            self.received.push(next);
        }
    }

    /// Waits for the next export of metrics, and returns it.
    pub(crate) async fn metrics(&mut self) -> Value {
        loop {
            let next = self.receiver.next().await;
            if next.path.ends_with("/v1/metrics") {
                return export(&next);
            }
            self.received.push(next);
        }
    }
}

/// Of `collector.example.org` and 127.0.0.1, signed by itself, valid until 2120.
const CERTIFICATE: &str = "MIIBRzCB+qADAgECAgEBMAUGAytlcDAgMR4wHAYDVQQDDBVjb2xsZWN0b3IuZXhhbXBsZS5vcmcwIBcNMjAwMTAxMDAw\
                           MDAwWhgPMjEyMDAxMDEwMDAwMDBaMCAxHjAcBgNVBAMMFWNvbGxlY3Rvci5leGFtcGxlLm9yZzAqMAUGAytlcAMhANrX\
                           emt39ICc/xWGfxmH3j9aPI53pANWPtSWIpjpub2To1cwVTAmBgNVHREEHzAdghVjb2xsZWN0b3IuZXhhbXBsZS5vcmeH\
                           BH8AAAEwDAYDVR0TAQH/BAIwADAdBgNVHQ4EFgQUg+bxxKAdnHVMjIZWxdE0RjaO+PEwBQYDK2VwA0EAU6o3WAOflAQP\
                           OfTxcc8PO5YCvDzTRBtAV6JWEDnOG4PXWWhsGEdZM19eq5Dj9L25NW9zB1x2+jkdi8CtjgqtDA==";
const KEY: &str = "MC4CAQAwBQYDK2VwBCIEIPvw1qtS+wCwBIzZp3khAttKV73CtgXwSGrBArDSbogE";

/// A collector over TLS that takes exports of clients with its own certificate only.
pub(crate) struct GuardedCollector {
    pub(crate) url: String,
    paths: mpsc::UnboundedReceiver<String>,
    task: JoinHandle<()>,
}

impl Drop for GuardedCollector {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl GuardedCollector {
    pub(crate) async fn start() -> Self {
        rustls::crypto::ring::default_provider().install_default().ok();
        let certificate = CertificateDer::from(STANDARD.decode(CERTIFICATE).unwrap());
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(STANDARD.decode(KEY).unwrap()));
        let mut roots = RootCertStore::empty();
        roots.add(certificate.clone()).unwrap();
        let clients = WebPkiClientVerifier::builder(Arc::new(roots)).build().unwrap();
        let config = TlsConfig::builder().with_client_cert_verifier(clients);
        let config = Arc::new(config.with_single_cert(vec![certificate], key).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://{}", listener.local_addr().unwrap());
        let (sender, paths) = mpsc::unbounded_channel();
        let task = tokio::spawn(async move {
            loop {
                let stream = listener.accept().await.unwrap().0.into_std().unwrap();
                stream.set_nonblocking(false).unwrap();
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                let (tls, sender) = (ServerConnection::new(config.clone()).unwrap(), sender.clone());
                tokio::task::spawn_blocking(move || {
                    if let Some(path) = answered(StreamOwned::new(tls, stream)) {
                        sender.send(path).ok();
                    }
                });
            }
        });
        Self { url, paths, task }
    }

    /// Waits for an export to this path.
    pub(crate) async fn export_to(&mut self, path: &str) {
        while soon("an export", self.paths.recv()).await.unwrap() != path {}
    }

    /// Whether something arrived since.
    pub(crate) fn has_more(&mut self) -> bool {
        self.paths.try_recv().is_ok()
    }

    /// Writes its certificate and its key into a directory.
    pub(crate) async fn write_files(directory: &Path) -> [PathBuf; 2] {
        let files = ["certificate.pem", "key.pem"].map(|name| directory.join(name));
        for (file, kind, content) in [(&files[0], "CERTIFICATE", CERTIFICATE), (&files[1], "PRIVATE KEY", KEY)] {
            let pem = format!("-----BEGIN {kind}-----\n{content}\n-----END {kind}-----\n");
            tokio::fs::write(file, pem).await.unwrap();
        }
        files
    }
}

/// Answers one request with 200, and returns its path; `None` if there is no whole request.
fn answered(mut tls: StreamOwned<ServerConnection, TcpStream>) -> Option<String> {
    let (mut text, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let count = tls.read(&mut piece).ok().filter(|count| *count > 0)?;
        text.extend_from_slice(&piece[..count]);
        let Some(end) = text.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&text[..end]).to_ascii_lowercase();
        let length: usize = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok())?;
        if text.len() < end + 4 + length {
            continue;
        }
        tls.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n").ok()?;
        tls.conn.send_close_notify();
        tls.flush().ok()?;
        return head.split(' ').nth(1).map(ToOwned::to_owned);
    }
}
