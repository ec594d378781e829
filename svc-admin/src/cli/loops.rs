//! `svc-admin loops`.

use clap::Subcommand;
use svc_core::governance::{Loop, LoopList};
use svc_core::ids::LoopId;

use super::context::Context;
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::when;
use crate::methods::loops::{Lift, LiftParams, List, ListParams};

#[derive(Debug, Subcommand)]
pub(super) enum LoopsCommand {
    /// List loops that are held.
    #[command(after_help = "Example:\n  svc-admin loops list --all")]
    List {
        /// Also loops of the last 30 days that were lifted.
        #[arg(long)]
        all: bool,
    },
    /// Lift a loop, so that messages between its agents start runs again.
    #[command(after_help = "Example:\n  svc-admin loops lift 7")]
    Lift {
        /// Id of the loop, as in `loops list`.
        id: i64,
    },
}

pub(super) async fn run(command: &LoopsCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        LoopsCommand::List { all } => {
            let list = context.call::<List>(&ListParams { all: *all }).await?;
            let outcome = Outcome::new(context.output.render(&list, draw));
            if list.loops.is_empty() {
                return Ok(outcome.remark(&context.output, "No loops."));
            }
            Ok(outcome)
        }
        LoopsCommand::Lift { id } => {
            let lifted = context.call::<Lift>(&LiftParams { id: LoopId(*id) }).await?;
            Ok(Outcome::sentence(&context.output, &lifted, &format!("Loop {id} is lifted.")))
        }
    }
}

fn draw(output: &Output, list: &LoopList) -> String {
    let now = when::now();
    let row = |found: &Loop| {
        let state = match found.lifted_at {
            None => Cell::toned("held", Tone::Bad),
            Some(_) => Cell::toned("lifted", Tone::Good),
        };
        vec![
            Cell::whole(found.id.to_string()),
            Cell::new(found.kind.as_str()),
            Cell::new(&found.agent),
            Cell::new(found.other.as_deref().unwrap_or("everybody")),
            Cell::whole(found.count.to_string()),
            state,
            Cell::whole(when::relative(found.held_at, now)),
        ]
    };
    let rows: Vec<_> = list.loops.iter().map(row).collect();
    table::draw(output, &["ID", "KIND", "AGENT", "OTHER", "COUNT", "STATE", "FOUND"], &rows)
}
