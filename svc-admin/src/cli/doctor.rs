//! `svc-admin doctor`.

use svc_core::health::{Finding, FindingState, HealthReport};

use super::context::Context;
use super::outcome::{Failure, Outcome, Verdict};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::words::word;
use crate::methods::NoParams;
use crate::methods::doctor::Show;

pub(super) async fn show(context: &mut Context) -> Result<Outcome, Failure> {
    let report = context.call::<Show>(&NoParams {}).await?;
    let verdict = if report.state == FindingState::Problem { Verdict::Wrong } else { Verdict::Fine };
    Ok(Outcome::new(context.output.render(&report, draw)).verdict(verdict))
}

fn draw(output: &Output, report: &HealthReport) -> String {
    let rows: Vec<_> = report.findings.iter().map(row).collect();
    let mut drawn = table::draw(output, &["CHECK", "STATE", "FINDING"], &rows);
    for finding in &report.findings {
        if let Some(advice) = &finding.advice {
            drawn.extend(["\n", &finding.check, ": ", advice, "\n"]);
        }
    }
    drawn
}

fn row(finding: &Finding) -> Vec<Cell> {
    let tone = match finding.state {
        FindingState::Ok => Tone::Good,
        FindingState::Warning => Tone::Warning,
        FindingState::Problem => Tone::Bad,
    };
    vec![Cell::new(&finding.check), Cell::toned(word(&finding.state), tone), Cell::new(&finding.summary)]
}
