//! `loops.*`: loops between agents.

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_core::governance::{Loop, LoopFilter, LoopList};
use svc_core::ids::LoopId;

use super::{Method, Server, root};

/// Lists loops.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Also loops that were lifted.
    #[serde(default)]
    pub all: bool,
}

impl Method for List {
    const NAME: &'static str = "loops.list";
    const ABOUT: &'static str = "List loops between agents that are held, or all of the last 30 days.";
    type Params = ListParams;
    type Answer = LoopList;

    async fn run(server: &Server, params: ListParams) -> Result<LoopList> {
        let held = if params.all { None } else { Some(true) };
        server.hub.governance().loops(&root(), LoopFilter { held }).await
    }
}

/// Lifts a loop.
pub struct Lift;

/// Parameters of [`Lift`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LiftParams {
    /// Id of the loop.
    pub id: LoopId,
}

impl Method for Lift {
    const NAME: &'static str = "loops.lift";
    const ABOUT: &'static str = "Lift a loop, so that messages between its agents start runs again.";
    type Params = LiftParams;
    type Answer = Loop;

    async fn run(server: &Server, params: LiftParams) -> Result<Loop> {
        server.hub.governance().lift_loop(&root(), params.id).await
    }
}
