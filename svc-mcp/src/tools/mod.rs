//! The tools, a file for each noun, in the order in which they are listed: what an agent does every day
//! first.

mod actions;
mod agents;
mod attachments;
mod channels;
mod claims;
mod inbox;
mod messages;
mod reactions;
mod search;
mod status;
mod tasks;

use crate::catalogue::Entry;

/// Every tool. The order is part of the interface: clients keep the list in their prompts' caches.
pub(crate) fn all() -> Vec<Entry> {
    let all = [
        status::tools(),
        inbox::tools(),
        messages::tools(),
        claims::tools(),
        search::tools(),
        channels::tools(),
        reactions::tools(),
        agents::tools(),
        attachments::tools(),
        tasks::tools(),
        actions::tools(),
    ];
    all.into_iter().flatten().collect()
}
