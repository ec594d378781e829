//! The environment of a run. Nothing of the server's is in it.

use std::collections::BTreeMap;
use std::path::Path;

use super::RunJob;

/// The variable with the credential, from which `svc-mcp-stdio` and generated configurations read it.
const CREDENTIAL: &str = "SVC_AGENT_KEY";
/// The variable that names the server whose run it is, by which leftovers are found.
pub(super) const SERVER: &str = "SVC_RUN_SERVER";
/// The variable with the run.
pub(super) const RUN: &str = "SVC_RUN_ID";

/// The places that a run is told of.
pub(super) struct Places<'a> {
    pub(super) work: &'a Path,
    pub(super) home: &'a Path,
    pub(super) temporary: &'a Path,
}

/// The variables of a run: secrets, then those of the harness, then those of the hub.
pub(super) fn environment(job: &RunJob, places: &Places<'_>, path: &str, server: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::from([
        ("PATH".to_owned(), path.to_owned()),
        ("LANG".to_owned(), "C.UTF-8".to_owned()),
        ("HOME".to_owned(), text(places.home)),
        ("TMPDIR".to_owned(), text(places.temporary)),
    ]);
    all.extend(job.secrets.iter().map(|(name, value)| (name.clone(), value.clone())));
    all.extend(job.settings.env.iter().map(|(name, value)| (name.clone(), value.clone())));
    let mut own = vec![
        (RUN, job.run.to_string()),
        ("SVC_AGENT", job.agent.clone()),
        ("SVC_DEPTH", job.depth.to_string()),
        ("SVC_PROMPT_FILE", text(&places.work.join("prompt.md"))),
        ("SVC_MESSAGES_FILE", text(&places.work.join("messages.json"))),
        ("SVC_RESULT_FILE", text(&places.work.join("result.json"))),
        (CREDENTIAL, job.credential.clone()),
        (SERVER, server.to_owned()),
    ];
    own.extend(job.hub_url.clone().map(|url| ("SVC_URL", url)));
    own.extend(job.session_id.clone().map(|id| ("SVC_SESSION_ID", id)));
    own.extend(job.traceparent.clone().map(|context| ("TRACEPARENT", context)));
    // A secret may have any name, but none takes the place of these.
    all.retain(|name, _| !name.starts_with("SVC_"));
    all.extend(own.into_iter().map(|(name, value)| (name.to_owned(), value)));
    all.retain(|_, value| !value.contains('\0'));
    all
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
