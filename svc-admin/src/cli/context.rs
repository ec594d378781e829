//! Context of every command: a connection, an output, paging arguments.

use clap::Args;

use super::outcome::{Failure, Outcome};
use super::output::Output;
use super::refusal;
use crate::client::Client;
use crate::methods::{Method, Paged};

/// A connection to the hub and an output.
pub(super) struct Context {
    pub(super) client: Client,
    pub(super) output: Output,
}

impl Context {
    /// Calls a method.
    pub(super) async fn call<M: Method>(&mut self, params: &M::Params) -> Result<M::Answer, Failure> {
        self.client.call::<M>(params).await.map_err(|error| refusal::as_typed(error, M::NAME).into())
    }
}

/// Paging of a list.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct PageArguments {
    /// Page size, 1 to 200.
    #[arg(long, value_name = "N", default_value_t = svc_core::limits::PAGE_DEFAULT.into())]
    pub(super) limit: i64,
    /// Number of entries to skip.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) offset: i64,
}

impl PageArguments {
    pub(super) fn paged(self) -> Paged {
        Paged { limit: Some(self.limit), offset: Some(self.offset) }
    }

    /// Adds a hint when a list is empty, or when it continues.
    pub(super) fn remark(
        self,
        outcome: Outcome,
        output: &Output,
        (shown, total): (usize, i64),
        empty: &str,
    ) -> Outcome {
        let end = self.offset.saturating_add(i64::try_from(shown).unwrap_or(i64::MAX));
        match total {
            0 => outcome.remark(output, empty),
            total if end < total => {
                outcome.remark(output, &format!("{shown} of {total} are shown: --offset {end} shows the next ones."))
            }
            total if shown == 0 => outcome.remark(output, &format!("There are only {total}: use a smaller --offset.")),
            _ => outcome,
        }
    }
}
