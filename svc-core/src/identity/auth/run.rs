//! The run that a caller acts in, and the depth in a chain of messages that it acts at.

use super::caller::Caller;
use crate::ids::RunId;
use crate::limits;

/// The run whose credential a caller uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerRun {
    /// The run.
    pub id: RunId,
    /// The depth of the message that started it.
    pub depth: u32,
}

impl Caller {
    /// Sets the depth in a chain of messages that the caller was told of, by the header `Svc-Depth` for example.
    #[must_use]
    pub fn at_depth(mut self, depth: u32) -> Self {
        self.depth = depth.min(limits::DEPTH_MAX);
        self
    }

    /// Sets the run whose credential the caller uses.
    #[must_use]
    pub fn in_run(mut self, run: CallerRun) -> Self {
        self.run = Some(run);
        self
    }

    /// The run whose credential the caller uses.
    pub fn run(&self) -> Option<CallerRun> {
        self.run
    }

    /// The depth that the caller acts at: the larger one of its run and of what it was told.
    pub fn depth(&self) -> u32 {
        self.depth.max(self.run.map_or(0, |run| run.depth))
    }
}
