//! The report: a table on the terminal, JSON, and a plot.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

/// Required bound of a ratio.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bar {
    /// This value or more.
    AtLeast(f64),
    /// This value or less.
    AtMost(f64),
}

/// Unit of the two figures of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unit {
    PerSecond,
    Microseconds,
    Kibibytes,
}

impl Unit {
    fn as_str(self) -> &'static str {
        match self {
            Self::PerSecond => "/s",
            Self::Microseconds => "µs",
            Self::Kibibytes => "Ki",
        }
    }
}

/// One ratio.
pub(crate) struct Row {
    name: String,
    subject: f64,
    reference: f64,
    unit: Unit,
    bar: Bar,
}

/// All ratios of a run.
pub(crate) struct Report {
    pub(crate) rows: Vec<Row>,
    pub(crate) notes: Vec<String>,
}

impl Row {
    pub(crate) fn new(name: &str, subject: f64, reference: f64, bar: Bar) -> Self {
        Self { name: name.into(), subject, reference, unit: Unit::PerSecond, bar }
    }

    /// A row of durations.
    pub(crate) fn micros(name: &str, subject: f64, reference: f64, bar: Bar) -> Self {
        Self { unit: Unit::Microseconds, ..Self::new(name, subject, reference, bar) }
    }

    /// A row of memory.
    pub(crate) fn kibibytes(name: &str, subject: f64, reference: f64, bar: Bar) -> Self {
        Self { unit: Unit::Kibibytes, ..Self::new(name, subject, reference, bar) }
    }

    fn ratio(&self) -> f64 {
        self.subject / self.reference
    }

    fn met(&self) -> bool {
        match self.bar {
            Bar::AtLeast(bar) => self.ratio() >= bar,
            Bar::AtMost(bar) => self.ratio() <= bar,
        }
    }

    fn bar_text(&self) -> String {
        match self.bar {
            Bar::AtLeast(bar) => format!("≥ {bar}"),
            Bar::AtMost(bar) => format!("≤ {bar}"),
        }
    }
}

impl Report {
    pub(crate) fn all_met(&self) -> bool {
        self.rows.iter().all(Row::met)
    }

    pub(crate) fn print(&self) {
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        println!("{:width$}  {:>12}  {:>12}  {:>6}  {:>7}", "what", "measured", "reference", "ratio", "bar");
        for row in &self.rows {
            println!(
                "{:width$}  {:>10.0}{unit}  {:>10.0}{unit}  {:>6.2}  {:>7}  {}",
                row.name,
                row.subject,
                row.reference,
                row.ratio(),
                row.bar_text(),
                if row.met() { "met" } else { "MISSED" },
                unit = row.unit.as_str(),
            );
        }
        for note in &self.notes {
            println!("{note}");
        }
    }

    pub(crate) fn write(&self, folder: impl AsRef<Path>) -> std::io::Result<()> {
        let folder = folder.as_ref();
        std::fs::create_dir_all(folder)?;
        let rows: Vec<_> = self
            .rows
            .iter()
            .map(|row| {
                json!({
                    "what": row.name, "measured": row.subject, "reference": row.reference, "unit": row.unit.as_str(),
                    "ratio": row.ratio(), "bar": row.bar_text(), "met": row.met(),
                })
            })
            .collect();
        let text = serde_json::to_string_pretty(&json!({ "rows": rows, "notes": self.notes }))?;
        #[expect(clippy::disallowed_methods, reason = "the benchmark is over; nothing else runs")]
        {
            std::fs::write(folder.join("hub.json"), text)?;
            std::fs::write(folder.join("hub.svg"), self.plot())
        }
    }

    /// One pair of bars per row: the reference above, the subject below.
    fn plot(&self) -> String {
        let height = 40 + self.rows.len() * 74;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"{height}\" \
             font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        for (index, row) in self.rows.iter().enumerate() {
            let top = 20 + index * 74;
            let largest = row.subject.max(row.reference);
            let mut bar = |y: usize, value: f64, colour: &str| {
                let width = value / largest * 560.0;
                writeln!(
                    svg,
                    "<rect x=\"20\" y=\"{y}\" width=\"{width:.1}\" height=\"16\" fill=\"{colour}\"/>\
                     <text x=\"{:.1}\" y=\"{}\">{value:.0}{}</text>",
                    width + 26.0,
                    y + 13,
                    row.unit.as_str()
                )
            };
            let drawn = bar(top + 20, row.reference, "#c3c9d4").and_then(|()| bar(top + 40, row.subject, "#3b5bdb"));
            let titled = drawn.and_then(|()| {
                writeln!(
                    svg,
                    "<text x=\"20\" y=\"{}\" font-weight=\"600\">{} — {:.2} (bar {})</text>",
                    top + 12,
                    row.name,
                    row.ratio(),
                    row.bar_text()
                )
            });
            titled.expect("writing to a string does not fail");
        }
        svg.push_str("</svg>\n");
        svg
    }
}
