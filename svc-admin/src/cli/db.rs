//! `svc-admin db`.

use super::Verdict;
use super::output::{Output, Tone};
use super::table::{self, Cell};
use crate::client::{Client, ClientError};
use crate::methods::NoParams;
use crate::methods::db::{Check, CheckReport};

pub(super) async fn check(client: &mut Client, output: &Output) -> Result<(String, Verdict), ClientError> {
    let report = client.call::<Check>(&NoParams {}).await?;
    let verdict = if report.ok { Verdict::Fine } else { Verdict::Wrong };
    Ok((output.render(&report, draw), verdict))
}

fn draw(output: &Output, report: &CheckReport) -> String {
    let mut rows = Vec::new();
    for check in &report.checks {
        if check.faults.is_empty() {
            rows.push(vec![Cell::new(&check.name), Cell::toned("ok", Tone::Good), Cell::new("")]);
        }
        for fault in &check.faults {
            rows.push(vec![Cell::new(&check.name), Cell::toned("fault", Tone::Bad), Cell::new(fault)]);
        }
    }
    let mut drawn = table::draw(output, &["CHECK", "RESULT", "WHAT IS WRONG"], &rows);
    drawn.push_str(&closing(output, report));
    drawn
}

fn closing(output: &Output, report: &CheckReport) -> String {
    let CheckReport { engine, tables, migrations, .. } = report;
    if report.ok {
        let sound = output.paint(Tone::Good, "sound");
        return format!("\nThe store is {sound} ({engine}; tables: {tables}, migrations: {migrations}).\n");
    }
    let unsound = output.paint(Tone::Bad, "not sound");
    format!("\nThe store is {unsound}: stop the server and restore the latest backup.\n")
}
