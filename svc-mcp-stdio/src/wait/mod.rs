//! Waiting outside of a model's turn: until a message is there, one line about it, and nothing taken.
//!
//! What always holds: it decides by what is stored, so what came before it began counts; it claims
//! nothing and marks nothing as read; bodies are not shown. The key is checked again at least once a
//! minute, so a wait does not outlive the agent's right to read.

mod remote;
mod store;
mod summary;

use std::process::ExitCode;
use std::time::Duration;

use svc_core::Result;
use tokio::time::Instant;

pub(crate) use summary::Summary;

use crate::cli::WaitFlags;
use crate::hooks::telling;
use crate::key::Key;
use crate::place::{Place, Target};

/// How long a wait goes on before the key is checked again.
const STRETCH: Duration = Duration::from_secs(55);
/// The exit code of a wait that ended without a message.
const NOTHING: u8 = 3;

/// What is waited for, and until when.
#[derive(Debug, Clone, Copy)]
struct Wish {
    after: Option<i64>,
    end: Instant,
}

impl Wish {
    fn left(self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// How long to wait before the key is checked again.
    fn stretch(self) -> Duration {
        self.left().min(STRETCH)
    }
}

/// Waits, and tells what is there.
pub(crate) async fn run(place: Place, flags: WaitFlags) -> Result<ExitCode> {
    let occasion = if flags.hook { Some(telling::occasion().await) } else { None };
    if occasion.as_ref().is_some_and(telling::Occasion::is_repeated) {
        return Ok(ExitCode::SUCCESS);
    }
    let found = find(place, &flags).await?;
    match (found, occasion) {
        (Some(summary), Some(occasion)) => println!("{}", occasion.line(&summary)),
        (None, Some(_)) => {}
        (Some(summary), None) => println!("{}", summary.line()),
        (None, None) => return Ok(ExitCode::from(NOTHING)),
    }
    Ok(ExitCode::SUCCESS)
}

async fn find(place: Place, flags: &WaitFlags) -> Result<Option<Summary>> {
    let target = place.target()?;
    let key = Key::from_environment()?;
    let wish = Wish { after: flags.after, end: Instant::now() + flags.timeout };
    match target {
        Target::Store(config) => store::wait(*config, &key, wish).await,
        Target::Remote(address) => remote::wait(&address, &key, wish).await,
    }
}
