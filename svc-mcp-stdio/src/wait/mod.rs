//! Waits for a message outside of a model's turn: prints one line about it, and consumes nothing.
//!
//! Invariants: it decides by stored messages, so those from before its start count; it claims nothing and marks
//! nothing as read; bodies are not shown. The key is checked again at least once a minute, so a wait does not outlive
//! the agent's permission to read.

mod remote;
mod store;
mod summary;

use std::process::ExitCode;
use std::time::Duration;

use svc_core::Result;
use tokio::time::Instant;

pub(crate) use summary::Summary;

use crate::cli::WaitFlags;
use crate::hooks::output;
use crate::key::Key;
use crate::location::{HubLocation, Target};

/// Interval of key checks during a wait.
const STRETCH: Duration = Duration::from_secs(55);
/// The exit code of a wait that ended without a message.
const NOTHING: u8 = 3;

/// Parameters of a wait.
#[derive(Debug, Clone, Copy)]
struct WaitRequest {
    after: Option<i64>,
    end: Instant,
}

impl WaitRequest {
    fn left(self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Time until the next check of the key.
    fn stretch(self) -> Duration {
        self.left().min(STRETCH)
    }
}

/// Waits, and prints the result.
pub(crate) async fn run(location: HubLocation, flags: WaitFlags) -> Result<ExitCode> {
    let hook_event = if flags.hook { Some(output::hook_event().await) } else { None };
    if hook_event.as_ref().is_some_and(output::HookEvent::is_repeated) {
        return Ok(ExitCode::SUCCESS);
    }
    let found = find(location, &flags).await?;
    match (found, hook_event) {
        (Some(summary), Some(hook_event)) => println!("{}", hook_event.line(&summary)),
        (None, Some(_)) => {}
        (Some(summary), None) => println!("{}", summary.line()),
        (None, None) => return Ok(ExitCode::from(NOTHING)),
    }
    Ok(ExitCode::SUCCESS)
}

async fn find(location: HubLocation, flags: &WaitFlags) -> Result<Option<Summary>> {
    let target = location.target()?;
    let key = Key::from_environment()?;
    let request = WaitRequest { after: flags.after, end: Instant::now() + flags.timeout };
    match target {
        Target::Store(config) => store::wait(*config, &key, request).await,
        Target::Remote(address) => remote::wait(&address, &key, request).await,
    }
}
