//! Tools, one file per noun, in listing order: everyday tools of an agent first.

mod actions;
mod agents;
mod attachments;
mod channels;
mod claims;
mod cluster;
mod goals;
mod governance;
mod inbox;
mod messages;
mod reactions;
mod runs;
mod search;
mod secrets;
mod status;
mod tasks;
mod webhooks;
mod wiki;

use crate::catalogue::Entry;

/// All tools. The order is part of the interface: clients keep the list in their prompt caches.
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
        webhooks::tools(),
        runs::tools(),
        cluster::tools(),
        governance::tools(),
        goals::tools(),
        secrets::tools(),
        wiki::tools(),
        actions::tools(),
    ];
    all.into_iter().flatten().collect()
}
