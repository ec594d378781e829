//! The measurements of a soak: a table, a picture, and a judgement about growth.

use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::support::child::TestChild;

const MIB: f64 = 1024.0 * 1024.0;

/// The state of a server at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    pub(super) seconds: f64,
    pub(super) requests: usize,
    /// Of all requests since the sample before, in milliseconds.
    pub(super) median: f64,
    pub(super) p99: f64,
    pub(super) memory_mib: f64,
    pub(super) descriptors: f64,
    pub(super) wal_mib: f64,
    /// The time of a fixed piece of work that has nothing to do with the server, in milliseconds.
    pub(super) machine: f64,
}

impl Sample {
    /// Looks at a server. `times` are the durations of requests since the last sample.
    pub(super) async fn take(at: Duration, server: &TestChild, wal: Option<&Path>, mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let percentile = |part: usize| {
            let found = times.get((times.len() * part / 100).min(times.len().saturating_sub(1)));
            found.map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        let wal = match wal {
            Some(path) => tokio::fs::metadata(path).await.map_or(0, |found| found.len()),
            None => 0,
        };
        Self {
            seconds: at.as_secs_f64(),
            requests: times.len(),
            median: percentile(50),
            p99: percentile(99),
            memory_mib: as_number(server.resident().await) / MIB,
            descriptors: as_number(descriptors(server).await),
            wal_mib: as_number(wal) / MIB,
            machine: tokio::task::spawn_blocking(fixed_work).await.unwrap().as_secs_f64() * 1000.0,
        }
    }
}

/// Hashes some bytes and writes a few of them to the disk. It takes longer when other programs use the machine.
fn fixed_work() -> Duration {
    let bytes = vec![7_u8; 4 * 1024 * 1024];
    let mut file = tempfile::tempfile().unwrap();
    let began = Instant::now();
    let hash = Sha256::digest(&bytes);
    for _ in 0..4 {
        file.write_all(&hash).unwrap();
        file.sync_data().unwrap();
    }
    began.elapsed()
}

#[expect(clippy::cast_precision_loss, reason = "it is drawn and compared, not counted")]
fn as_number(value: u64) -> f64 {
    value as f64
}

async fn descriptors(server: &TestChild) -> u64 {
    let mut count = 0;
    let mut found = tokio::fs::read_dir(format!("/proc/{}/fd", server.id())).await.unwrap();
    while found.next_entry().await.unwrap().is_some() {
        count += 1;
    }
    count
}

type Read = fn(&Sample) -> f64;

/// How much a curve may grow from the second quarter to the last.
#[derive(Debug, Clone, Copy)]
enum Allowed {
    /// By a factor and an addition.
    Alone(f64, f64),
    /// By these, and as much as the machine itself has become slower.
    WithMachine(f64, f64),
    /// It says something about the machine, and nothing about the server.
    Anything,
}

struct Curve {
    name: &'static str,
    read: Read,
    may_grow: Allowed,
}

const CURVES: [Curve; 6] = [
    Curve { name: "memory, MiB", read: |sample| sample.memory_mib, may_grow: Allowed::Alone(1.1, 8.0) },
    Curve { name: "descriptors", read: |sample| sample.descriptors, may_grow: Allowed::Alone(1.0, 16.0) },
    Curve { name: "write-ahead log, MiB", read: |sample| sample.wal_mib, may_grow: Allowed::Alone(1.5, 16.0) },
    Curve { name: "latency, median, ms", read: |sample| sample.median, may_grow: Allowed::WithMachine(1.5, 5.0) },
    Curve { name: "latency, p99, ms", read: |sample| sample.p99, may_grow: Allowed::WithMachine(2.0, 20.0) },
    Curve { name: "fixed work without the server, ms", read: |sample| sample.machine, may_grow: Allowed::Anything },
];

/// The curves that have grown, in one sentence each. The first quarter warms up, and is not looked at.
pub(super) fn growth(samples: &[Sample]) -> Vec<String> {
    let quarter = samples.len() / 4;
    if quarter == 0 {
        return vec![format!("{} samples are too few", samples.len())];
    }
    let middle = |samples: &[Sample], read: Read| {
        let mut values: Vec<_> = samples.iter().map(read).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let quarters =
        |read: Read| (middle(&samples[quarter..2 * quarter], read), middle(&samples[samples.len() - quarter..], read));
    // Other programs on the machine are not growth of the server.
    let (calm, busy) = quarters(|sample| sample.machine);
    let slower = if calm > 0.0 { (busy / calm).max(1.0) } else { 1.0 };
    let mut grown = Vec::new();
    for Curve { name, read, may_grow } in CURVES {
        let (before, after) = quarters(read);
        let most = match may_grow {
            Allowed::Alone(factor, addition) => before * factor + addition,
            Allowed::WithMachine(factor, addition) => (before * factor + addition) * slower,
            Allowed::Anything => continue,
        };
        if after > most {
            grown.push(format!("{name}: {before:.1} in the second quarter, {after:.1} in the last"));
        }
    }
    grown
}

/// The samples as comma-separated values.
pub(super) fn table(samples: &[Sample]) -> String {
    let mut text = String::from("seconds,requests,median_ms,p99_ms,memory_mib,descriptors,wal_mib,machine_ms\n");
    for sample in samples {
        let Sample { seconds, requests, median, p99, memory_mib, descriptors, wal_mib, machine } = sample;
        write!(text, "{seconds:.1},{requests},{median:.2},{p99:.2},").unwrap();
        writeln!(text, "{memory_mib:.1},{descriptors:.0},{wal_mib:.2},{machine:.2}").unwrap();
    }
    text
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 110.0;
const LEFT: f64 = 60.0;

/// The colours, on a background of their own, so that the picture can be read on light and on dark pages.
const STYLE: &str = "<style>\n\
    .frame, .curve { fill: none }\n\
    .page { fill: #fff } text { fill: #222 } .frame { stroke: #bbb } .curve { stroke: #2459a8 }\n\
    @media (prefers-color-scheme: dark) {\n\
    .page { fill: #15181d } text { fill: #e6e6e6 } .frame { stroke: #4a4f57 } .curve { stroke: #7fb0ff }\n\
    }\n</style>\n";

/// The samples as an SVG picture, one field for each curve.
pub(super) fn picture(title: &str, samples: &[Sample]) -> String {
    let height = 40.0 + as_number(CURVES.len() as u64) * (HEIGHT + 40.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {height:.0}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n{STYLE}<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"16\">{title}: 64 agents, 8 people</text>\n",
        LEFT + WIDTH + 20.0
    );
    let end = samples.last().map_or(1.0, |sample| sample.seconds).max(1.0);
    let mut top = 50.0;
    for curve in &CURVES {
        field(&mut svg, curve, samples, (top, end));
        top += HEIGHT + 40.0;
    }
    svg.push_str("</svg>\n");
    svg
}

fn field(svg: &mut String, curve: &Curve, samples: &[Sample], (top, end): (f64, f64)) {
    let most = samples.iter().map(curve.read).fold(1.0, f64::max) * 1.1;
    let bottom = top + HEIGHT;
    let points: Vec<_> = samples
        .iter()
        .map(|sample| {
            let x = LEFT + sample.seconds / end * WIDTH;
            let y = bottom - (curve.read)(sample) / most * HEIGHT;
            format!("{x:.1},{y:.1}")
        })
        .collect();
    writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{:.0}\">{}</text>\n\
         <rect class=\"frame\" x=\"{LEFT}\" y=\"{top:.0}\" width=\"{WIDTH:.0}\" height=\"{HEIGHT:.0}\"/>\n\
         <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{most:.0}</text>\n\
         <text x=\"{:.0}\" y=\"{bottom:.0}\" text-anchor=\"end\">0</text>\n\
         <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{:.0} min</text>\n\
         <polyline class=\"curve\" stroke-width=\"1.5\" points=\"{}\"/>",
        top - 6.0,
        curve.name,
        LEFT - 6.0,
        top + 10.0,
        LEFT - 6.0,
        LEFT + WIDTH,
        bottom + 14.0,
        end / 60.0,
        points.join(" ")
    )
    .unwrap();
}

fn sample(number: u32) -> Sample {
    Sample {
        seconds: f64::from(number) * 10.0,
        requests: 500,
        median: 2.0,
        p99: 9.0,
        memory_mib: 120.0,
        descriptors: 300.0,
        wal_mib: 4.0,
        machine: 10.0,
    }
}

#[test]
fn growth_is_noticed_and_its_absence_is_not() {
    let steady: Vec<_> = (0..100).map(sample).collect();
    assert_eq!(growth(&steady), Vec::<String>::new());
    // It needs memory at first, and stays there.
    let warm: Vec<_> =
        (0..100).map(|n| Sample { memory_mib: 50.0 + f64::from(n.min(20)) * 4.0, ..sample(n) }).collect();
    assert_eq!(growth(&warm), Vec::<String>::new());
    let leak: Vec<_> = (0..100).map(|n| Sample { memory_mib: 100.0 + f64::from(n), ..sample(n) }).collect();
    assert_eq!(growth(&leak), ["memory, MiB: 137.0 in the second quarter, 187.0 in the last"]);
    let open: Vec<_> = (0..100).map(|n| Sample { descriptors: 300.0 + f64::from(n), ..sample(n) }).collect();
    assert_eq!(growth(&open).len(), 1);
    let slower: Vec<_> = (0..100).map(|n| Sample { p99: f64::from(n + 1) * 4.0, median: 2.0, ..sample(n) }).collect();
    assert_eq!(growth(&slower), ["latency, p99, ms: 152.0 in the second quarter, 352.0 in the last"]);
    // Everything on the machine became slower, and memory does not grow by that.
    let busy = |n: u32| if n < 50 { 10.0 } else { 30.0 };
    let shared: Vec<_> = slower.iter().zip(0..).map(|(sample, n)| Sample { machine: busy(n), ..*sample }).collect();
    assert_eq!(growth(&shared), Vec::<String>::new());
    let leak: Vec<_> = leak.iter().zip(0..).map(|(sample, n)| Sample { machine: busy(n), ..*sample }).collect();
    assert_eq!(growth(&leak).len(), 1);
    // One sample that took long is no growth.
    let peak: Vec<_> = (0..100).map(|n| Sample { p99: if n == 95 { 9000.0 } else { 9.0 }, ..sample(n) }).collect();
    assert_eq!(growth(&peak), Vec::<String>::new());
}
