//! The export of traces and metrics, as a collector gets it.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::harness::{RunEnd, RunFailure, RunResult, Usage};
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::child::{TestChild, program};
use crate::support::otlp::{Collector, GuardedCollector, Observed, attribute, export, telemetry};
use crate::support::people::PASSWORD;
use crate::support::receiver::{Receiver, Reply};
use crate::support::server::{TestServer, told};
use crate::support::wait::{soon, until};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";
const BODY: &str = "the-text-of-a-message";

fn is(name: &'static str) -> impl Fn(&Value) -> bool {
    move |span| span["name"] == name
}

/// The attributes with these names.
fn attributes<const N: usize>(span: &Value, names: [&str; N]) -> [String; N] {
    names.map(|name| attribute(span, name).unwrap_or_else(|| panic!("{name} is not in {span}")))
}

#[both_engines]
async fn a_request_is_a_span_below_its_caller(test: Observed) {
    let Observed { server, mut collector } = test;
    let (ann, _bob) = (server.person("ann").await, server.person("bob").await);
    let request = server.request_as(&ann, Method::POST, "/api/messages");
    let request = request.header("traceparent", format!("00-{TRACE}-{PARENT}-01")).header("x-request-id", "r-7");
    let sent = told(request.json(&json!({ "to": "bob", "body": BODY })).send().await.unwrap(), 201).await;
    assert_eq!(sent["traceparent"], format!("00-{TRACE}-{PARENT}-01"));
    let span = collector.span("the request", is("POST /api/messages")).await;
    assert_eq!((&span["traceId"], &span["parentSpanId"], &span["kind"]), (&json!(TRACE), &json!(PARENT), &json!(2)));
    let names = ["http.request.method", "http.route", "http.response.status_code", "url.scheme", "svc.request.id"];
    assert_eq!(attributes(&span, names), ["POST", "/api/messages", "201", "http", "r-7"]);
    assert_eq!(span.get("status"), None);
    let time = |name: &str| span[name].as_str().unwrap().parse::<u64>().unwrap();
    let now = u64::try_from(server.hub.clock().now().as_micros()).unwrap() * 1000;
    assert!(time("startTimeUnixNano") <= now && time("startTimeUnixNano") <= time("endTimeUnixNano"), "{span}");
    // A client's mistake is no error of the server, and its path has no id.
    server.request_as(&ann, Method::GET, "/api/messages/999999").send().await.unwrap();
    let missed = collector.span("the mistake", is("GET /api/messages/{id}")).await;
    assert_eq!(attributes(&missed, ["http.response.status_code", "svc.problem.code"]), ["404", "not_found"]);
    assert_eq!((missed.get("status"), missed.get("parentSpanId")), (None, None));
    // The caller decides about the whole trace.
    let quiet = format!("00-{}-{PARENT}-00", "1".repeat(32));
    server.request_as(&ann, Method::GET, "/api/channels").header("traceparent", quiet).send().await.unwrap();
    server.get("/healthz").await;
    server.request_as(&ann, Method::GET, "/api/agents").send().await.unwrap();
    collector.span("the last request", is("GET /api/agents")).await;
    let names: Vec<_> = collector.spans().iter().map(|span| span["name"].as_str().unwrap().to_owned()).collect();
    assert!(!names.iter().any(|name| name.contains("/api/channels") || name.contains("healthz")), "{names:?}");
    // Who sends, and what nobody sends.
    let first = collector.received.iter().find(|received| received.path.ends_with("/hook/v1/traces")).unwrap();
    assert_eq!(first.header("x-team"), "red");
    let resource = export(first)["resourceSpans"][0]["resource"].clone();
    let names = ["service.name", "service.version", "service.instance.id"];
    assert_eq!(attributes(&resource, names), ["svc", env!("CARGO_PKG_VERSION"), server.hub.node()]);
    for received in &collector.received {
        for secret in [BODY, PASSWORD, ann.cookie.split_once('=').unwrap().1] {
            assert!(!received.text.contains(secret), "{}", received.text);
        }
    }
    server.stop().await;
}

#[both_engines]
async fn a_run_and_what_it_causes_are_in_the_trace_of_its_message(test: Observed) {
    let Observed { server, mut collector } = test;
    let mut receiver = Receiver::start().await;
    let ann = server.person("ann").await;
    let key = server.reactive(&ann, "scout").await;
    server.hook(&ann, "scout", &receiver.url, &["message.received"]).await;
    let usage =
        Usage { tokens_in: 1200, tokens_out: 80, tokens_cached: 200, cost_micros: Some(4500), is_imputed: true };
    server.harness.ends(RunEnd::Succeeded(RunResult {
        response: Some("It is green.".into()),
        session_id: Some("s-1".into()),
        usage,
        ..RunResult::default()
    }));
    let asked = server.say(&ann, json!({ "to": "scout", "body": BODY })).await;
    let run = collector.span("the run", is("invoke_agent scout")).await;
    let request = collector.span("the request", |span| is("POST /api/messages")(span)).await;
    assert_eq!((&run["traceId"], &run["parentSpanId"]), (&request["traceId"], &request["spanId"]));
    let context = |span: &Value| {
        let id = |name: &str| span[name].as_str().unwrap().to_owned();
        format!("00-{}-{}-01", id("traceId"), id("spanId"))
    };
    assert_eq!(asked["traceparent"], context(&request));
    // The program of the agent goes on below the run.
    assert_eq!(server.harness.job(1).await.traceparent, Some(context(&run)));
    let names = ["gen_ai.operation.name", "gen_ai.agent.name", "svc.run.status", "svc.run.backend", "svc.run.cause"];
    assert_eq!(attributes(&run, names), ["invoke_agent", "scout", "succeeded", "subprocess", "message"]);
    let names = ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "gen_ai.usage.cache_read.input_tokens"];
    assert_eq!(attributes(&run, names), ["1200", "80", "200"]);
    assert_eq!(attributes(&run, ["svc.run.cost_usd", "gen_ai.conversation.id"]), ["0.0045", "s-1"]);
    assert_eq!((&run["kind"], run.get("status")), (&json!(1), None));
    // The delivery to the webhook.
    let delivery = collector.span("the delivery", is("POST")).await;
    assert_eq!((&delivery["traceId"], &delivery["kind"]), (&request["traceId"], &json!(3)));
    assert_eq!(receiver.next().await.header("traceparent"), context(&delivery));
    let names = ["http.request.method", "server.address", "http.response.status_code", "svc.webhook.event"];
    assert_eq!(attributes(&delivery, names), ["POST", "127.0.0.1", "204", "message.received"]);
    // A call of a tool is below its request.
    server.tool(&key, "list_runs", json!({})).await;
    let call = collector.span("the call", is("tools/call list_runs")).await;
    let through = collector.span("its request", |span| span["spanId"] == call["parentSpanId"]).await;
    assert_eq!((&through["name"], &through["traceId"]), (&json!("POST /mcp"), &call["traceId"]));
    let names = ["mcp.method.name", "gen_ai.operation.name", "gen_ai.tool.name", "gen_ai.agent.name"];
    assert_eq!(attributes(&call, names), ["tools/call", "execute_tool", "list_runs", "scout"]);
    // A failure says which, and not more.
    server.harness.fails(RunFailure::ExitCode, BODY);
    server.say(&ann, json!({ "to": "scout", "body": BODY })).await;
    let failed = collector.span("the failure", |span| attribute(span, "svc.run.status").as_deref() == Some("failed"));
    let failed = failed.await;
    assert_eq!((attributes(&failed, ["error.type"]), &failed["status"]["code"]), (["exit_code".into()], &json!(2)));
    for received in &collector.received {
        for secret in [BODY, &key, "It is green."] {
            assert!(!received.text.contains(secret), "{}", received.text);
        }
    }
    server.stop().await;
}

/// The values of an export by name and labels, as `/metrics` writes them.
fn exported(metrics: &Value) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    let scope = &metrics["resourceMetrics"][0]["scopeMetrics"][0];
    for metric in scope["metrics"].as_array().unwrap() {
        let name = metric["name"].as_str().unwrap();
        for kind in ["gauge", "sum", "histogram"] {
            for point in metric[kind]["dataPoints"].as_array().into_iter().flatten() {
                let labels = point["attributes"].as_array().cloned().unwrap_or_default();
                let label = |pair: &Value| format!("{}={}", pair["key"], pair["value"]["stringValue"]).replace('"', "");
                let labels: Vec<_> = labels.iter().map(label).collect();
                let number = |name: &str| point[name].as_str().and_then(|text| text.parse::<f64>().ok());
                let value = number("asInt").or_else(|| point["asDouble"].as_f64()).or_else(|| number("count"));
                found.insert(format!("{name}{labels:?}"), value.unwrap());
            }
        }
    }
    found
}

/// The values in the text of `/metrics`; a histogram has its count.
fn shown(text: &str) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    let is_part = |name: &str| name.ends_with("_bucket") || name.ends_with("_sum");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (front, value) = line.rsplit_once(' ').unwrap();
        let (name, labels) = front.split_once('{').unwrap_or((front, ""));
        if is_part(name) {
            continue;
        }
        let labels = labels.trim_end_matches('}').replace('"', "");
        let labels: Vec<_> = labels.split(',').filter(|label| !label.is_empty()).collect();
        found.insert(format!("{}{labels:?}", name.trim_end_matches("_count")), value.parse().unwrap());
    }
    found
}

/// Metrics that do not change by themselves.
const STEADY: [&str; 6] = [
    r#"runs_total["status=succeeded"]"#,
    r#"http_requests_total["route=auth", "status=2xx"]"#,
    r#"http_request_duration_seconds["route=auth", "status=2xx"]"#,
    r#"claim_backlog["status=pending"]"#,
    "store_damaged[]",
    r#"traces_by_action["action=create_agent"]"#,
];

#[both_engines]
async fn metrics_are_those_of_the_page(test: Observed) {
    let Observed { server, mut collector } = test;
    let ann = server.person("ann").await;
    server.reactive(&ann, "scout").await;
    server.harness.answers("done");
    server.say(&ann, json!({ "to": "scout", "body": BODY })).await;
    server.until_run(&ann, "succeeded").await;
    // All of it is there, under the same names; what does not change by itself has the same value.
    let (metrics, page) = until("the same metrics", async || {
        let metrics = collector.metrics().await;
        let page = shown(&server.get("/metrics").await.text().await.unwrap());
        let found = exported(&metrics);
        let is_same = |name: &str| found.contains_key(name) && found.get(name) == page.get(name);
        (found.keys().eq(page.keys()) && STEADY.iter().all(|name| is_same(name))).then_some((metrics, page))
    })
    .await;
    assert!(page.len() > 40, "{page:?}");
    let found = exported(&metrics);
    assert_eq!(found[r#"runs_total["status=succeeded"]"#].to_bits(), 1.0_f64.to_bits());
    let all = metrics["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].as_array().unwrap();
    let metric = |name: &str| all.iter().find(|metric| metric["name"] == name).unwrap();
    let runs = &metric("runs_total")["sum"];
    assert_eq!((&runs["isMonotonic"], &runs["aggregationTemporality"]), (&json!(true), &json!(2)));
    let times = metric("http_request_duration_seconds");
    assert_eq!(times["unit"], "s");
    let point = &times["histogram"]["dataPoints"][0];
    let counts = point["bucketCounts"].as_array().unwrap();
    assert_eq!(counts.len(), point["explicitBounds"].as_array().unwrap().len() + 1);
    let sum: u64 = counts.iter().map(|count| count.as_str().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(point["count"], sum.to_string());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn json_has_the_same_content() {
    let mut collector = Collector::start().await;
    let protocol = [("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"), ("OTEL_SERVICE_NAME", "hub")];
    let server = TestServer::start(|config| collector.watch(config, &protocol)).await;
    server
        .request(Method::GET, "/api/channels")
        .header("traceparent", format!("00-{TRACE}-{PARENT}-01"))
        .send()
        .await
        .unwrap();
    let span = collector.span("the request", is("GET /api/channels")).await;
    assert_eq!((&span["traceId"], &span["parentSpanId"]), (&json!(TRACE), &json!(PARENT)));
    assert_eq!(attributes(&span, ["http.response.status_code"]), ["401"]);
    let metrics = collector.metrics().await;
    assert_eq!(attribute(&metrics["resourceMetrics"][0]["resource"], "service.name").as_deref(), Some("hub"));
    assert!(exported(&metrics).contains_key("traces_total[]"));
    server.stop().await;
}

/// The value of a metric without labels.
async fn figure(server: &TestServer, name: &str) -> f64 {
    shown(&server.get("/metrics").await.text().await.unwrap()).get(&format!("{name}[]")).copied().unwrap_or(0.0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_gone_harms_nothing() {
    // A port that nobody listens on.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let collector = Collector::start().await;
    let small = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()),
        ("OTEL_BSP_MAX_QUEUE_SIZE", "2"),
        ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1"),
    ];
    let server = TestServer::start(|config| collector.watch(config, &small)).await;
    let ann = server.person("ann").await;
    for _ in 0..20 {
        server.say(&ann, json!({ "channel": "general", "body": BODY })).await;
    }
    // Spans beyond the queue are dropped and counted, as are failed exports.
    assert!(figure(&server, "otlp_spans_dropped_total").await >= 10.0);
    until("failures are counted", async || {
        let text = server.get("/metrics").await.text().await.unwrap();
        ["traces", "metrics"]
            .iter()
            .all(|signal| text.contains(&format!("otlp_export_failures_total{{signal=\"{signal}\"}}")))
            .then_some(())
    })
    .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_returns_gets_what_waited() {
    let mut collector = Collector::start().await;
    collector.receiver.always(Reply::Status(503, ""));
    let only_traces = [("OTEL_METRICS_EXPORTER", "none"), ("OTEL_EXPORTER_OTLP_COMPRESSION", "none")];
    let server = TestServer::start(|config| collector.watch(config, &only_traces)).await;
    server.get("/api/channels").await;
    let refused = collector.receiver.next().await;
    collector.receiver.always(Reply::Status(200, ""));
    let again = collector.receiver.next().await;
    assert_eq!(export(&refused), export(&again));
    until("it is counted", async || (figure(&server, "otlp_spans_exported_total").await >= 1.0).then_some(())).await;
    // What can never be accepted is not repeated.
    collector.receiver.always(Reply::Status(400, ""));
    server.get("/api/agents").await;
    until("it is dropped", async || (figure(&server, "otlp_spans_dropped_total").await >= 1.0).then_some(())).await;
    // A collector that never answers does not keep the server from stopping.
    collector.receiver.always(Reply::Never);
    server.get("/api/channels").await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn differences_are_exported_where_they_are_preferred() {
    const LOGINS: &str = r#"http_requests_total["route=auth", "status=2xx"]"#;
    let mut collector = Collector::start().await;
    collector.receiver.always(Reply::Status(503, ""));
    let delta = [("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "delta"), ("OTEL_TRACES_EXPORTER", "none")];
    let server = TestServer::start(|config| collector.watch(config, &delta)).await;
    let on_page = async || shown(&server.get("/metrics").await.text().await.unwrap()).get(LOGINS).copied();
    let counted = |metrics: &Value| exported(metrics).get(LOGINS).copied();
    // Differences are taken from now on.
    collector.metrics().await;
    server.person("ann").await;
    let logins = on_page().await;
    assert!(logins > Some(0.0), "{logins:?}");
    // While the collector refuses, the difference stays as large as it is.
    until("a refused export", async || (counted(&collector.metrics().await) == logins).then_some(())).await;
    until("another one", async || (counted(&collector.metrics().await) == logins).then_some(())).await;
    collector.receiver.always(Reply::Status(200, ""));
    // One is accepted, and then there is no difference.
    let last = until("the end of the difference", async || {
        let metrics = collector.metrics().await;
        let found = counted(&metrics);
        assert!(found == logins || found == Some(0.0), "{found:?} of {logins:?}");
        (found != logins).then_some(metrics)
    })
    .await;
    let all = last["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].as_array().unwrap();
    let sum = &all.iter().find(|metric| metric["name"] == "http_requests_total").unwrap()["sum"];
    assert_eq!((&sum["aggregationTemporality"], &sum["isMonotonic"]), (&json!(1), &json!(true)));
    server.person("bob").await;
    let both = on_page().await;
    let mut sum = logins.unwrap();
    until("the second login", async || {
        sum += counted(&collector.metrics().await).unwrap_or(0.0);
        (Some(sum) == both).then_some(())
    })
    .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_collector_rejects_in_part_is_counted() {
    let collector = Collector::start().await;
    // A partial success: one is rejected, and the reason is "x".
    collector.receiver.always(Reply::Status(200, "\u{a}\u{5}\u{8}\u{1}\u{12}\u{1}x"));
    let server = TestServer::start(|config| collector.watch(config, &[])).await;
    server.get("/api/channels").await;
    until("both are counted", async || {
        let text = server.get("/metrics").await.text().await.unwrap();
        let is_counted = |signal: &str| text.contains(&format!("otlp_rejected_total{{signal=\"{signal}\"}}"));
        (is_counted("traces") && is_counted("metrics")).then_some(())
    })
    .await;
    assert!(figure(&server, "otlp_spans_dropped_total").await >= 1.0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_names_the_certificates_of_tls() {
    let mut collector = GuardedCollector::start().await;
    let files = TempDir::new().unwrap();
    let [certificate, key] = GuardedCollector::write_files(files.path()).await;
    let (certificate, key) = (certificate.display().to_string(), key.display().to_string());
    let usual = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.clone()),
        ("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", certificate.clone()),
        ("OTEL_EXPORTER_OTLP_CLIENT_KEY", key),
        ("OTEL_BSP_SCHEDULE_DELAY", "20".to_owned()),
        ("OTEL_METRIC_EXPORT_INTERVAL", "100".to_owned()),
    ];
    let usual: Vec<_> = usual.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let trusting = [usual.as_slice(), &[("OTEL_EXPORTER_OTLP_CERTIFICATE", certificate.as_str())]].concat();
    let server = TestServer::start(|config| config.telemetry = telemetry(&trusting)).await;
    server.get("/api/channels").await;
    collector.export_to("/v1/traces").await;
    collector.export_to("/v1/metrics").await;
    server.stop().await;
    while collector.has_more() {}
    // Nobody else vouches for this certificate.
    let server = TestServer::start(|config| config.telemetry = telemetry(&usual)).await;
    server.get("/api/channels").await;
    until("the failure is counted", async || {
        let text = server.get("/metrics").await.text().await.unwrap();
        text.contains("otlp_export_failures_total{signal=\"traces\"}").then_some(())
    })
    .await;
    assert!(!collector.has_more());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_reads_the_variables_and_exports_the_rest_when_it_stops() {
    let mut collector = Collector::start().await;
    let data = TempDir::new().unwrap();
    let path = data.path().display().to_string();
    let mut command = program("svc-http", &["--data", &path, "--listen", "127.0.0.1:0"]);
    command
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.receiver.url)
        .env("OTEL_SERVICE_NAME", "hub of the test")
        .env("OTEL_BSP_SCHEDULE_DELAY", "3600000")
        .env("OTEL_METRIC_EXPORT_INTERVAL", "3600000");
    let (server, url) = TestChild::server_by(command);
    rustls::crypto::ring::default_provider().install_default().ok();
    #[expect(clippy::disallowed_methods, reason = "the tests talk to their own server on the loopback interface")]
    let answer = reqwest::get(format!("{url}/api/channels")).await.unwrap();
    assert_eq!(answer.status(), 401);
    assert!(collector.spans().is_empty());
    server.signal("TERM");
    let (_, end) = soon("the end", tokio::task::spawn_blocking(move || server.wait())).await.unwrap();
    assert!(end.success(), "{end}");
    collector.span("the request", is("GET /api/channels")).await;
    let last = collector.received.iter().find(|received| received.path.ends_with("/v1/metrics")).unwrap();
    let service = attribute(&export(last)["resourceMetrics"][0]["resource"], "service.name");
    assert_eq!(service.as_deref(), Some("hub of the test"));
}

#[test]
fn the_program_refuses_invalid_variables() {
    for (name, value, sentence) in [
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "gRPC is not supported"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector", "must be a URL such as http://localhost:4318"),
        ("OTEL_TRACES_SAMPLER", "some", "must be always_on"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "soon", "milliseconds"),
        ("OTEL_EXPORTER_OTLP_CERTIFICATE", "/nowhere/ca.pem", "must name a file that can be read"),
    ] {
        let data = TempDir::new().unwrap();
        let mut command = program("svc-http", &["--data", data.path().to_str().unwrap(), "--listen", "127.0.0.1:0"]);
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318").env(name, value);
        let ran = TestChild::ran(command, b"");
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        let last = ran.stderr.lines().last().unwrap_or_default();
        assert!(last.contains(&format!("The variable {name}")) && last.contains(sentence), "{}", ran.stderr);
        assert!(!data.path().join("svc.db").exists());
    }
}
