//! The settings of the export, from the variables that OpenTelemetry names.
//!
//! Invariants: without an endpoint nothing is exported; an invalid value is an error that names its variable; a header
//! is never printed, because it may be a credential.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use svc_core::{Error, ErrorKind, Result, limits};
use url::Url;

use super::encoding::Encoding;
use super::figures::Temporality;
use super::resource::Resource;
use super::sampler::Sampler;
use super::tls::{NamedFile, TlsFiles};

/// Where exporters send to when they are on and no endpoint is set.
const USUAL_ENDPOINT: &str = "http://localhost:4318";

/// The export of traces and metrics to a collector.
#[derive(Clone)]
pub struct TelemetrySettings {
    pub(super) resource: Resource,
    pub(super) traces: Option<TraceSettings>,
    pub(super) metrics: Option<MetricSettings>,
}

/// The export of spans.
#[derive(Clone)]
pub(super) struct TraceSettings {
    pub(super) target: Target,
    pub(super) sampler: Sampler,
    pub(super) queue: usize,
    pub(super) batch: usize,
    pub(super) delay: Duration,
}

/// The export of metrics.
#[derive(Clone)]
pub(super) struct MetricSettings {
    pub(super) target: Target,
    pub(super) interval: Duration,
    pub(super) temporality: Temporality,
}

/// Where a signal is sent, and how.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) timeout: Duration,
    pub(super) encoding: Encoding,
    pub(super) is_compressed: bool,
    pub(super) tls: TlsFiles,
}

/// The kind of what is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    Traces,
    Metrics,
}

impl Signal {
    fn word(self) -> &'static str {
        match self {
            Self::Traces => "TRACES",
            Self::Metrics => "METRICS",
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::Traces => "v1/traces",
            Self::Metrics => "v1/metrics",
        }
    }
}

impl fmt::Debug for TelemetrySettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (traces, metrics) = (self.traces.is_some(), self.metrics.is_some());
        formatter
            .debug_struct("TelemetrySettings")
            .field("traces", &traces)
            .field("metrics", &metrics)
            .finish_non_exhaustive()
    }
}

impl TelemetrySettings {
    /// Reads the variables through `variable`, which returns the value of a name. Returns nothing when nothing is to be
    /// exported.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>> {
        let variables = Variables(&variable);
        if variables.flag("OTEL_SDK_DISABLED")? {
            return Ok(None);
        }
        let traces = match variables.target(Signal::Traces)? {
            Some(target) => Some(variables.traces(target)?),
            None => None,
        };
        let metrics = match variables.target(Signal::Metrics)? {
            Some(target) => Some(variables.metrics(target)?),
            None => None,
        };
        if traces.is_none() && metrics.is_none() {
            return Ok(None);
        }
        Ok(Some(Self { resource: variables.resource()?, traces, metrics }))
    }
}

/// The variables of the process, or of a test.
struct Variables<'a>(&'a dyn Fn(&str) -> Option<String>);

/// The error of an invalid value.
pub(super) fn refused(name: &str, rule: &str) -> Error {
    Error::new(ErrorKind::Invalid, "telemetry", format!("The variable {name} {rule}."))
}

impl Variables<'_> {
    /// The value of a variable. An empty one counts as none.
    fn text(&self, name: &str) -> Option<String> {
        (self.0)(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// The variable of a signal, or that of all signals, with its name.
    fn of(&self, signal: Signal, ending: &str) -> Option<(String, String)> {
        let names = [format!("OTEL_EXPORTER_OTLP_{}_{ending}", signal.word()), format!("OTEL_EXPORTER_OTLP_{ending}")];
        names.into_iter().find_map(|name| self.text(&name).map(|text| (name, text)))
    }

    fn flag(&self, name: &str) -> Result<bool> {
        match self.text(name).map(|text| text.to_ascii_lowercase()).as_deref() {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(refused(name, "must be true or false")),
        }
    }

    fn time(&self, name: &str) -> Result<Option<Duration>> {
        self.text(name).map(|text| milliseconds(name, &text)).transpose()
    }

    fn count(&self, name: &str, usual: usize) -> Result<usize> {
        let range = limits::SPAN_QUEUES;
        let Some(text) = self.text(name) else { return Ok(usual) };
        text.parse().ok().filter(|count| range.contains(count)).ok_or_else(|| {
            refused(name, &format!("must be a number from {} to {}, not {text:?}", range.start(), range.end()))
        })
    }

    /// Where a signal is sent; none when it is not exported.
    fn target(&self, signal: Signal) -> Result<Option<Target>> {
        let name = format!("OTEL_{}_EXPORTER", signal.word());
        let is_wanted = match self.text(&name).as_deref() {
            None => false,
            Some("none") => return Ok(None),
            Some("otlp") => true,
            Some(other) => return Err(refused(&name, &format!("must be otlp or none, not {other:?}"))),
        };
        let own = format!("OTEL_EXPORTER_OTLP_{}_ENDPOINT", signal.word());
        let url = if let Some(text) = self.text(&own) {
            address(&own, &text)?
        } else {
            let all = "OTEL_EXPORTER_OTLP_ENDPOINT";
            let Some(base) = self.text(all).or_else(|| is_wanted.then(|| USUAL_ENDPOINT.to_owned())) else {
                return Ok(None);
            };
            let mut url = address(all, &base)?;
            let path = format!("{}/{}", url.path().trim_end_matches('/'), signal.path());
            url.set_path(&path);
            url
        };
        let encoding = match self.of(signal, "PROTOCOL") {
            None => Encoding::Protobuf,
            Some((name, text)) => match text.as_str() {
                "http/protobuf" => Encoding::Protobuf,
                "http/json" => Encoding::Json,
                "grpc" => {
                    let rule = "must be http/protobuf or http/json: gRPC is not supported, so use the collector's \
                                port for HTTP, which is usually 4318";
                    return Err(refused(&name, rule));
                }
                other => return Err(refused(&name, &format!("must be http/protobuf or http/json, not {other:?}"))),
            },
        };
        let is_compressed = match self.of(signal, "COMPRESSION") {
            None => false,
            Some((name, text)) => match text.as_str() {
                "none" => false,
                "gzip" => true,
                other => return Err(refused(&name, &format!("must be gzip or none, not {other:?}"))),
            },
        };
        let headers = match self.of(signal, "HEADERS") {
            None => HeaderMap::new(),
            Some((name, text)) => headers(&name, &text)?,
        };
        let timeout = match self.of(signal, "TIMEOUT") {
            None => limits::TELEMETRY_TIMEOUT,
            Some((name, text)) => milliseconds(&name, &text)?,
        };
        Ok(Some(Target { url, headers, timeout, encoding, is_compressed, tls: self.tls(signal)? }))
    }

    fn tls(&self, signal: Signal) -> Result<TlsFiles> {
        let file =
            |ending: &str| self.of(signal, ending).map(|(variable, path)| NamedFile { variable, path: path.into() });
        let identity = match (file("CLIENT_CERTIFICATE"), file("CLIENT_KEY")) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (Some(alone), None) => {
                return Err(refused(&alone.variable, "must be set together with OTEL_EXPORTER_OTLP_CLIENT_KEY"));
            }
            (None, Some(alone)) => {
                return Err(refused(
                    &alone.variable,
                    "must be set together with OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE",
                ));
            }
            (None, None) => None,
        };
        Ok(TlsFiles { authority: file("CERTIFICATE"), identity })
    }

    /// The memory that `lowmemory` saves is not used here, so it is `delta`.
    fn temporality(&self) -> Result<Temporality> {
        let name = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";
        match self.text(name).map(|text| text.to_ascii_lowercase()).as_deref() {
            None | Some("cumulative") => Ok(Temporality::Cumulative),
            Some("delta" | "lowmemory") => Ok(Temporality::Delta),
            Some(other) => Err(refused(name, &format!("must be cumulative, delta or lowmemory, not {other:?}"))),
        }
    }

    fn traces(&self, mut target: Target) -> Result<TraceSettings> {
        if let Some(timeout) = self.time("OTEL_BSP_EXPORT_TIMEOUT")? {
            target.timeout = target.timeout.min(timeout);
        }
        let queue = self.count("OTEL_BSP_MAX_QUEUE_SIZE", limits::SPAN_QUEUE)?;
        let batch = self.count("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", limits::SPAN_BATCH_MAX.min(queue))?;
        if batch > queue {
            return Err(refused("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "must not be more than OTEL_BSP_MAX_QUEUE_SIZE"));
        }
        let delay = self.time("OTEL_BSP_SCHEDULE_DELAY")?.unwrap_or(limits::SPAN_DELAY);
        Ok(TraceSettings { target, sampler: self.sampler()?, queue, batch, delay })
    }

    fn metrics(&self, mut target: Target) -> Result<MetricSettings> {
        if let Some(timeout) = self.time("OTEL_METRIC_EXPORT_TIMEOUT")? {
            target.timeout = target.timeout.min(timeout);
        }
        let interval = self.time("OTEL_METRIC_EXPORT_INTERVAL")?.unwrap_or(limits::METRICS_INTERVAL);
        Ok(MetricSettings { target, interval, temporality: self.temporality()? })
    }

    fn sampler(&self) -> Result<Sampler> {
        let name = "OTEL_TRACES_SAMPLER";
        let Some(text) = self.text(name) else { return Ok(Sampler::default()) };
        let (by_parent, rest) = match text.strip_prefix("parentbased_") {
            Some(rest) => (true, rest),
            None => (false, text.as_str()),
        };
        let ratio = match rest {
            "always_on" => 1.0,
            "always_off" => 0.0,
            "traceidratio" => self.ratio()?,
            _ => {
                let rule = format!(
                    "must be always_on, always_off, traceidratio, or one of these after parentbased_, not {text:?}"
                );
                return Err(refused(name, &rule));
            }
        };
        Ok(Sampler { by_parent, ratio })
    }

    fn ratio(&self) -> Result<f64> {
        let name = "OTEL_TRACES_SAMPLER_ARG";
        let Some(text) = self.text(name) else { return Ok(1.0) };
        let ratio = text.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
        ratio.ok_or_else(|| refused(name, &format!("must be a number from 0 to 1, not {text:?}")))
    }

    fn resource(&self) -> Result<Resource> {
        let name = "OTEL_RESOURCE_ATTRIBUTES";
        let mut all = match self.text(name) {
            Some(text) => pairs(&text).ok_or_else(|| {
                refused(name, "must be pairs such as deployment.environment.name=prod, separated by commas")
            })?,
            None => Vec::new(),
        };
        if let Some(service) = self.text("OTEL_SERVICE_NAME") {
            all.retain(|(name, _)| name != "service.name");
            all.push(("service.name".to_owned(), service));
        }
        Ok(Resource(all).with_default("service.name", "svc").with_default("service.version", env!("CARGO_PKG_VERSION")))
    }
}

fn milliseconds(name: &str, text: &str) -> Result<Duration> {
    let range = limits::TELEMETRY_MILLIS;
    let millis = text.parse().ok().filter(|millis| range.contains(millis));
    let rule = || format!("must be {} to {} milliseconds, not {text:?}", range.start(), range.end());
    millis.map(Duration::from_millis).ok_or_else(|| refused(name, &rule()))
}

/// The value is not repeated, because it may contain a password.
fn address(name: &str, text: &str) -> Result<Url> {
    let url = Url::from_str(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.ok_or_else(|| refused(name, "must be a URL such as http://localhost:4318"))
}

/// `name=value,…`, with percent-encoded values.
fn pairs(text: &str) -> Option<Vec<(String, String)>> {
    let pair = |text: &str| {
        let (name, value) = text.split_once('=')?;
        let (name, value) = (name.trim(), percent_decode_str(value.trim()).decode_utf8().ok()?);
        (!name.is_empty()).then(|| (name.to_owned(), value.into_owned()))
    };
    text.split(',').filter(|part| !part.trim().is_empty()).map(pair).collect()
}

fn headers(name: &str, text: &str) -> Result<HeaderMap> {
    let refuse = || refused(name, "must be pairs such as api-key=value, separated by commas");
    let mut headers = HeaderMap::new();
    for (name, value) in pairs(text).ok_or_else(refuse)? {
        let name = HeaderName::from_str(&name).map_err(|_| refuse())?;
        let mut value = HeaderValue::from_str(&value).map_err(|_| refuse())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDPOINT: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/otlp/");

    fn read(variables: &[(&str, &str)]) -> Result<Option<TelemetrySettings>> {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
        TelemetrySettings::from_variables(find)
    }

    fn on(variables: &[(&str, &str)]) -> TelemetrySettings {
        read(&[&[ENDPOINT], variables].concat()).unwrap().unwrap()
    }

    fn refusal(name: &str, value: &str) -> String {
        let Err(error) = read(&[ENDPOINT, (name, value)]) else { panic!("{name}={value} is accepted") };
        error.message().to_owned()
    }

    #[test]
    fn nothing_is_exported_unless_it_is_asked_for() {
        for variables in [
            &[][..],
            &[("OTEL_SERVICE_NAME", "hub")],
            &[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")],
            &[ENDPOINT, ("OTEL_SDK_DISABLED", "true")],
            &[ENDPOINT, ("OTEL_TRACES_EXPORTER", "none"), ("OTEL_METRICS_EXPORTER", "none")],
        ] {
            assert!(read(variables).unwrap().is_none(), "{variables:?}");
        }
        assert!(on(&[("OTEL_TRACES_EXPORTER", "none")]).traces.is_none());
        let metrics = read(&[("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "https://m.example/x")]).unwrap().unwrap();
        assert!(metrics.traces.is_none());
        assert_eq!(metrics.metrics.unwrap().target.url.as_str(), "https://m.example/x");
        let usual = read(&[("OTEL_TRACES_EXPORTER", "otlp")]).unwrap().unwrap();
        assert_eq!(usual.traces.unwrap().target.url.as_str(), "http://localhost:4318/v1/traces");
    }

    #[test]
    fn variables_of_a_signal_take_precedence() {
        let found = on(&[
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "2000"),
            ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "3000"),
            ("OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "http/json"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b, x-team = red"),
            ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"),
            ("OTEL_METRIC_EXPORT_INTERVAL", "5000"),
            ("OTEL_METRIC_EXPORT_TIMEOUT", "1000"),
            ("OTEL_EXPORTER_OTLP_CERTIFICATE", "/etc/ca.pem"),
            ("OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", "/etc/traces.pem"),
            ("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "Delta"),
        ]);
        let (traces, metrics) = (found.traces.unwrap(), found.metrics.unwrap());
        assert_eq!(traces.target.url.as_str(), "http://collector:4318/otlp/v1/traces");
        assert_eq!(metrics.target.url.as_str(), "http://collector:4318/otlp/v1/metrics");
        assert_eq!((traces.target.timeout.as_secs(), metrics.target.timeout.as_secs()), (3, 1));
        assert_eq!((traces.target.encoding, metrics.target.encoding), (Encoding::Protobuf, Encoding::Json));
        assert_eq!(
            (&traces.target.headers["api-key"], &traces.target.headers["x-team"]),
            (&"a b".parse().unwrap(), &"red".parse().unwrap())
        );
        assert!(!format!("{:?}", traces.target.headers).contains("red"));
        assert!(traces.target.is_compressed && metrics.interval.as_secs() == 5);
        let authority = |target: Target| target.tls.authority.unwrap().path.display().to_string();
        assert_eq!([authority(traces.target), authority(metrics.target)], ["/etc/traces.pem", "/etc/ca.pem"]);
        assert_eq!(metrics.temporality, Temporality::Delta);
    }

    #[test]
    fn the_resource_names_the_service() {
        let named = |variables: &[(&str, &str)], name: &str| {
            let all = on(variables).resource.0;
            all.into_iter().find(|(known, _)| known == name).unwrap().1
        };
        let of_operator = ("OTEL_RESOURCE_ATTRIBUTES", "service.name=a,deployment.environment.name=pro%2Cd");
        assert_eq!(named(&[], "service.name"), "svc");
        assert_eq!(named(&[of_operator], "service.name"), "a");
        assert_eq!(named(&[of_operator, ("OTEL_SERVICE_NAME", "b")], "service.name"), "b");
        assert_eq!(named(&[of_operator], "deployment.environment.name"), "pro,d");
        assert_eq!(named(&[], "service.version"), env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn samplers_have_their_names() {
        let sampler = |variables: &[(&str, &str)]| on(variables).traces.unwrap().sampler;
        assert_eq!(sampler(&[]), Sampler { by_parent: true, ratio: 1.0 });
        assert_eq!(sampler(&[("OTEL_TRACES_SAMPLER", "always_off")]), Sampler { by_parent: false, ratio: 0.0 });
        let ratio = [("OTEL_TRACES_SAMPLER", "parentbased_traceidratio"), ("OTEL_TRACES_SAMPLER_ARG", "0.25")];
        assert_eq!(sampler(&ratio), Sampler { by_parent: true, ratio: 0.25 });
    }

    #[test]
    fn an_invalid_value_names_its_variable() {
        for (name, value, rule) in [
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "gRPC is not supported"),
            ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "thrift", "http/protobuf or http/json"),
            ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "collector:4318", "a URL such as"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "10s", "milliseconds"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "0", "milliseconds"),
            ("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd", "gzip or none"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "secret", "pairs such as"),
            ("OTEL_EXPORTER_OTLP_CLIENT_KEY", "/etc/key.pem", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE"),
            ("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "some", "cumulative, delta or lowmemory"),
            ("OTEL_SDK_DISABLED", "1", "true or false"),
            ("OTEL_TRACES_EXPORTER", "zipkin", "otlp or none"),
            ("OTEL_TRACES_SAMPLER", "jaeger_remote", "always_on"),
            ("OTEL_METRIC_EXPORT_INTERVAL", "-5", "milliseconds"),
            ("OTEL_BSP_MAX_QUEUE_SIZE", "0", "a number from 1"),
            ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "4096", "OTEL_BSP_MAX_QUEUE_SIZE"),
            ("OTEL_RESOURCE_ATTRIBUTES", "prod", "pairs such as"),
        ] {
            let sentence = refusal(name, value);
            assert!(sentence.starts_with(&format!("The variable {name} must")), "{sentence}");
            assert!(sentence.contains(rule), "{sentence}");
        }
        let ratio = read(&[ENDPOINT, ("OTEL_TRACES_SAMPLER", "traceidratio"), ("OTEL_TRACES_SAMPLER_ARG", "2")]);
        assert!(ratio.unwrap_err().message().contains("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1"));
        assert!(!refusal("OTEL_EXPORTER_OTLP_HEADERS", "hunter2").contains("hunter2"));
    }
}
