//! Metrics as messages of OTLP, from the text of `/metrics`, so that both have the same names and values.
//!
//! Counters and histograms are cumulative, since the start of the server, or the differences to an earlier export. The
//! text is this server's own; a line that is not understood is left out.

use std::borrow::Cow;

use svc_core::telemetry::Attribute;

use super::encoding::{Encoding, Fields};
use super::resource::{Resource, attributes};

/// The time from which counters and histograms count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Temporality {
    /// The start of the server.
    Cumulative,
    /// The last export that was accepted.
    Delta,
}

impl Temporality {
    /// The number in exports.
    fn number(self) -> u32 {
        match self {
            Self::Delta => 1,
            Self::Cumulative => 2,
        }
    }
}

/// A metric with its points.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    name: String,
    about: String,
    points: Points,
}

#[derive(Debug, Clone, PartialEq)]
enum Points {
    Gauge(Vec<(Labels, Number)>),
    Counter(Vec<(Labels, Number)>),
    Histogram(Vec<(Labels, Distribution)>),
}

type Labels = Vec<(String, String)>;

/// A value. Whole numbers are those that are written without a point, so a metric is always of one kind.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Number {
    Whole(i64),
    Real(f64),
}

impl Number {
    fn read(text: &str) -> Option<Self> {
        text.parse().map(Self::Whole).ok().or_else(|| text.parse().map(Self::Real).ok())
    }

    fn since(self, before: Self) -> Self {
        match (self, before) {
            (Self::Whole(now), Self::Whole(before)) if now >= before => Self::Whole(now - before),
            (Self::Real(now), Self::Real(before)) if now >= before => Self::Real(now - before),
            (now, _) => now,
        }
    }
}

/// A histogram: counts up to each bound, and beyond the last.
#[derive(Debug, Clone, Default, PartialEq)]
struct Distribution {
    bounds: Vec<f64>,
    counts: Vec<u64>,
    count: u64,
    sum: f64,
}

impl Distribution {
    fn since(&mut self, before: &Self) {
        if self.bounds != before.bounds || self.counts.len() != before.counts.len() || self.count < before.count {
            return;
        }
        self.count -= before.count;
        self.sum -= before.sum;
        for (count, before) in self.counts.iter_mut().zip(&before.counts) {
            *count = count.saturating_sub(*before);
        }
    }
}

/// The time that an export is about, in nanoseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub(super) struct Period {
    pub(super) start: u64,
    pub(super) now: u64,
    pub(super) temporality: Temporality,
}

/// The metrics with that which counters and histograms have counted since earlier ones. A value that has become smaller
/// began anew.
pub(super) fn since(figures: &[Figure], before: &[Figure]) -> Vec<Figure> {
    let mut figures = figures.to_vec();
    for figure in &mut figures {
        let Some(earlier) = before.iter().find(|earlier| earlier.name == figure.name) else { continue };
        match (&mut figure.points, &earlier.points) {
            (Points::Counter(points), Points::Counter(earlier)) => {
                for (labels, value) in points {
                    if let Some((_, before)) = earlier.iter().find(|(known, _)| *known == *labels) {
                        *value = value.since(*before);
                    }
                }
            }
            (Points::Histogram(points), Points::Histogram(earlier)) => {
                for (labels, value) in points {
                    if let Some((_, before)) = earlier.iter().find(|(known, _)| *known == *labels) {
                        value.since(before);
                    }
                }
            }
            _ => {}
        }
    }
    figures
}

/// Encodes an export of metrics.
pub(super) fn encode(encoding: Encoding, resource: &Resource, figures: &[Figure], period: Period) -> Vec<u8> {
    let write = |index: usize, fields: &mut dyn Fields| figure(&figures[index], period, fields);
    encoding.encode(&resource.export(("resourceMetrics", "scopeMetrics", "metrics"), (figures.len(), &write)))
}

fn figure(figure: &Figure, period: Period, fields: &mut dyn Fields) {
    fields.text((1, "name"), &figure.name);
    fields.text((2, "description"), &figure.about);
    let unit = [("_seconds", "s"), ("_bytes", "By")].iter().find(|(ending, _)| figure.name.ends_with(ending));
    if let Some((_, unit)) = unit {
        fields.text((3, "unit"), unit);
    }
    match &figure.points {
        Points::Gauge(points) => fields.message((5, "gauge"), &|fields| {
            fields.messages((1, "dataPoints"), points.len(), &|index, fields| number(&points[index], period, fields));
        }),
        Points::Counter(points) => fields.message((7, "sum"), &|fields| {
            fields.messages((1, "dataPoints"), points.len(), &|index, fields| number(&points[index], period, fields));
            fields.number((2, "aggregationTemporality"), period.temporality.number());
            fields.flag((3, "isMonotonic"), true);
        }),
        Points::Histogram(points) => fields.message((9, "histogram"), &|fields| {
            fields.messages((1, "dataPoints"), points.len(), &|index, fields| {
                distribution(&points[index], period, fields);
            });
            fields.number((2, "aggregationTemporality"), period.temporality.number());
        }),
    }
}

fn number((labels, value): &(Labels, Number), period: Period, fields: &mut dyn Fields) {
    fields.fixed((2, "startTimeUnixNano"), period.start);
    fields.fixed((3, "timeUnixNano"), period.now);
    match value {
        Number::Whole(value) => fields.signed((6, "asInt"), *value),
        Number::Real(value) => fields.real((4, "asDouble"), *value),
    }
    labels_of(fields, (7, "attributes"), labels);
}

fn distribution((labels, found): &(Labels, Distribution), period: Period, fields: &mut dyn Fields) {
    fields.fixed((2, "startTimeUnixNano"), period.start);
    fields.fixed((3, "timeUnixNano"), period.now);
    fields.fixed((4, "count"), found.count);
    fields.real((5, "sum"), found.sum);
    fields.fixed_list((6, "bucketCounts"), &found.counts);
    fields.real_list((7, "explicitBounds"), &found.bounds);
    labels_of(fields, (9, "attributes"), labels);
}

fn labels_of(fields: &mut dyn Fields, field: super::encoding::Field, labels: &Labels) {
    let all: Vec<_> =
        labels.iter().map(|(name, value)| (name.as_str(), Attribute::Text(Cow::Owned(value.clone())))).collect();
    attributes(fields, field, &all);
}

/// Reads the text of `/metrics`.
pub(super) fn read(text: &str) -> Vec<Figure> {
    let mut found: Vec<Figure> = Vec::new();
    let mut about = (String::new(), String::new());
    for line in text.lines() {
        if let Some((name, words)) = line.strip_prefix("# HELP ").and_then(|rest| rest.split_once(' ')) {
            // The library ends descriptions with a full stop.
            about = (name.to_owned(), words.trim_end_matches('.').to_owned());
        } else if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|rest| rest.split_once(' ')) {
            let words = if about.0 == name { std::mem::take(&mut about.1) } else { String::new() };
            let (name, points) = match kind {
                // The samples of a counter have a longer name, and that is the one people know.
                "counter" => (format!("{name}_total"), Points::Counter(Vec::new())),
                "histogram" => (name.to_owned(), Points::Histogram(Vec::new())),
                _ => (name.to_owned(), Points::Gauge(Vec::new())),
            };
            found.push(Figure { name, about: words, points });
        } else if let (Some(sample), Some(figure)) = (Sample::read(line), found.last_mut()) {
            figure.add(sample);
        }
    }
    for figure in &mut found {
        figure.finish();
    }
    found.retain(|figure| !figure.is_empty());
    found
}

/// A line with a value.
struct Sample<'a> {
    name: &'a str,
    labels: Labels,
    value: &'a str,
}

impl<'a> Sample<'a> {
    fn read(line: &'a str) -> Option<Self> {
        if line.starts_with('#') {
            return None;
        }
        let (front, value) = line.rsplit_once(' ')?;
        let (name, labels) = match front.split_once('{') {
            Some((name, labels)) => (name, labels_in(labels.strip_suffix('}')?)?),
            None => (front, Labels::new()),
        };
        Some(Self { name, labels, value })
    }
}

/// `name="value",…`, with `\"`, `\\` and `\n` in values.
fn labels_in(mut text: &str) -> Option<Labels> {
    let mut labels = Labels::new();
    while !text.is_empty() {
        let (name, rest) = text.split_once("=\"")?;
        let (mut value, mut rest) = (String::new(), rest.chars());
        loop {
            match rest.next()? {
                '"' => break,
                '\\' => match rest.next()? {
                    'n' => value.push('\n'),
                    other => value.push(other),
                },
                other => value.push(other),
            }
        }
        labels.push((name.to_owned(), value));
        let rest = rest.as_str();
        text = rest.strip_prefix(',').unwrap_or(rest);
    }
    Some(labels)
}

impl Figure {
    fn add(&mut self, sample: Sample<'_>) {
        match &mut self.points {
            Points::Gauge(points) | Points::Counter(points) if sample.name == self.name => {
                points.extend(Number::read(sample.value).map(|value| (sample.labels, value)));
            }
            Points::Histogram(points) => {
                let Some(part) = sample.name.strip_prefix(self.name.as_str()) else { return };
                let mut labels = sample.labels;
                let bound = labels.iter().position(|(name, _)| name == "le").map(|at| labels.remove(at).1);
                let at = points.iter().position(|(known, _)| *known == labels).unwrap_or(points.len());
                if at == points.len() {
                    points.push((labels, Distribution::default()));
                }
                let found = &mut points[at].1;
                let count = sample.value.parse().unwrap_or(0);
                match (part, bound.and_then(|bound| bound.parse::<f64>().ok())) {
                    ("_sum", _) => found.sum = sample.value.parse().unwrap_or(0.0),
                    ("_count", _) => found.count = count,
                    ("_bucket", Some(bound)) => {
                        found.counts.push(count);
                        if bound.is_finite() {
                            found.bounds.push(bound);
                        }
                    }
                    _ => {}
                }
            }
            Points::Gauge(_) | Points::Counter(_) => {}
        }
    }

    /// Counts of a bucket include those of all smaller ones in the text, and do not in OTLP.
    fn finish(&mut self) {
        let Points::Histogram(points) = &mut self.points else { return };
        for (_, found) in points {
            let mut before = 0;
            for count in &mut found.counts {
                before += std::mem::replace(count, count.saturating_sub(before)).saturating_sub(before);
            }
        }
    }

    fn is_empty(&self) -> bool {
        match &self.points {
            Points::Gauge(points) | Points::Counter(points) => points.is_empty(),
            Points::Histogram(points) => points.is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# HELP traces Traces written.\n# TYPE traces counter\ntraces_total 42\n\
        # HELP queue Waiting.\n# TYPE queue gauge\nqueue{kind=\"a\",name=\"b \\\"c\\\"\\n\"} 1.5\nqueue{kind=\"b\",name=\"\"} -2\n\
        # HELP took Time.\n# TYPE took histogram\ntook_sum{route=\"api\"} 3.25\ntook_count{route=\"api\"} 6\n\
        took_bucket{le=\"0.5\",route=\"api\"} 1\ntook_bucket{le=\"1.0\",route=\"api\"} 4\n\
        took_bucket{le=\"+Inf\",route=\"api\"} 6\n# HELP none Nothing.\n# TYPE none gauge\n# EOF\n";

    fn labels(all: &[(&str, &str)]) -> Labels {
        all.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn every_kind_of_metric_is_read() {
        let found = read(TEXT);
        let names: Vec<_> = found.iter().map(|figure| (figure.name.as_str(), figure.about.as_str())).collect();
        assert_eq!(names, [("traces_total", "Traces written"), ("queue", "Waiting"), ("took", "Time")]);
        assert_eq!(found[0].points, Points::Counter(vec![(Labels::new(), Number::Whole(42))]));
        let gauges = vec![
            (labels(&[("kind", "a"), ("name", "b \"c\"\n")]), Number::Real(1.5)),
            (labels(&[("kind", "b"), ("name", "")]), Number::Whole(-2)),
        ];
        assert_eq!(found[1].points, Points::Gauge(gauges));
        let took = Distribution { bounds: vec![0.5, 1.0], counts: vec![1, 3, 2], count: 6, sum: 3.25 };
        assert_eq!(found[2].points, Points::Histogram(vec![(labels(&[("route", "api")]), took)]));
    }

    #[test]
    fn differences_are_those_of_counters_and_histograms() {
        let before = read(TEXT);
        let now = TEXT
            .replace("traces_total 42", "traces_total 45")
            .replace("3.25", "4.5")
            .replace("\"+Inf\",route=\"api\"} 6", "\"+Inf\",route=\"api\"} 8");
        let now = now.replace("took_count{route=\"api\"} 6", "took_count{route=\"api\"} 8");
        let found = since(&read(&now), &before);
        assert_eq!(found[0].points, Points::Counter(vec![(Labels::new(), Number::Whole(3))]));
        assert_eq!(found[1], before[1], "a gauge stays as it is");
        let took = Distribution { bounds: vec![0.5, 1.0], counts: vec![0, 0, 2], count: 2, sum: 1.25 };
        assert_eq!(found[2].points, Points::Histogram(vec![(labels(&[("route", "api")]), took)]));
        // What is new, and what began anew, counts from nothing.
        assert_eq!(since(&before, &[]), before);
        assert_eq!(since(&before, &read(&now)), before);
    }
}
