//! The Job and the Secret of a run, as the API server gets them.

use std::collections::BTreeMap;

use k8s_openapi::ByteString;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::Secret;
use serde_json::{Value, json};

use crate::automation::harness::presets::CommandLine;
use crate::automation::harness::{Pod, RunJob, mcp_files};
use crate::ids::RunId;
use crate::limits;

/// The label of everything that the hub creates, with the value `svc`.
pub(super) const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
/// The label with the id of the hub.
pub(super) const HUB: &str = "svc/hub";
/// The label with the run.
pub(super) const RUN: &str = "svc/run";
const AGENT: &str = "svc/agent";
const HANDLER: &str = "svc/handler";
/// The annotation with the name of the agent, which a label may not be able to hold.
const NAME: &str = "svc/agent-name";
/// The container of the agent.
pub(super) const CONTAINER: &str = "agent";
/// Where the files of a run are in its container.
const FILES: &str = "/svc";
/// The directory that a command works in.
const WORK: &str = "/work";
/// Where a container leaves its report. The cluster keeps 4 KiB of it.
const REPORT: &str = "/dev/termination-log";
/// Lays the files of a run into the work directory, and starts a command there that reads the prompt.
const START: &str = "cp -RL /svc/. /work && exec \"$@\" < /work/prompt.md";

/// The name of the Job of a run.
pub(super) fn name(agent: &str, run: RunId) -> String {
    let end = format!("-{run}");
    let room = limits::LABEL_MAX.saturating_sub("svc-".len() + end.len());
    let plain: String = agent
        .to_ascii_lowercase()
        .chars()
        .map(|letter| if letter.is_ascii_lowercase() || letter.is_ascii_digit() { letter } else { '-' })
        .take(room)
        .collect();
    let plain = plain.trim_matches('-');
    format!("svc-{}{end}", if plain.is_empty() { "agent" } else { plain })
}

/// A text as the value of a label.
fn label(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '-' })
        .take(limits::LABEL_MAX)
        .collect();
    plain.trim_matches(|letter: char| !letter.is_ascii_alphanumeric()).to_owned()
}

/// The selector of the objects of a hub.
pub(super) fn selector(hub: &str) -> String {
    format!("{MANAGED_BY}=svc,{HUB}={}", label(hub))
}

fn labels(hub: &str, job: &RunJob, pod: &Pod) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::from([
        (MANAGED_BY.to_owned(), "svc".to_owned()),
        (HUB.to_owned(), label(hub)),
        (AGENT.to_owned(), label(&job.agent)),
        (RUN.to_owned(), job.run.to_string()),
    ]);
    if let Some(handler) = pod.handler {
        labels.insert(HANDLER.to_owned(), handler.to_string());
    }
    labels
}

/// Whether labels are those of a run of a hub.
pub(super) fn is_ours(labels: &BTreeMap<String, String>, hub: &str, run: RunId) -> bool {
    labels.get(HUB) == Some(&label(hub)) && labels.get(RUN) == Some(&run.to_string())
}

/// The content of the Secret of a run.
pub(super) struct Contents {
    /// Variables that must not be read by everybody who sees the Job, by name.
    variables: BTreeMap<String, String>,
    /// Files below [`FILES`]: their paths and their texts.
    files: Vec<(String, String)>,
}

impl Contents {
    pub(super) fn of(job: &RunJob, pod: &Pod) -> Self {
        let mut variables: BTreeMap<String, String> = job
            .secrets
            .iter()
            // A secret may have any name, but none takes the place of these.
            .filter(|(name, value)| !name.starts_with("SVC_") && !value.contains('\0'))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        variables.retain(|name, _| !job.settings.env.contains_key(name));
        variables.insert("SVC_AGENT_KEY".to_owned(), job.credential.clone());
        let mut files = Vec::new();
        let mut add = |path: &str, text: &str| files.push((path.to_owned(), text.to_owned()));
        match &pod.event {
            Some(event) => add("event.json", event),
            None => add("prompt.md", &job.prompt),
        }
        add("messages.json", &format!("{:#}\n", job.messages));
        for name in ["AGENTS.md", "CLAUDE.md", "GEMINI.md"] {
            add(name, &job.instructions);
        }
        for (path, text) in &job.settings.files {
            add(path, text);
        }
        for file in mcp_files::files(&job.mcp_config, &job.settings).iter().filter(|file| !file.is_home) {
            add(file.path, &file.text);
        }
        for (name, text) in &job.skills {
            add(&format!("skills/{name}.md"), text);
        }
        Self { variables, files }
    }

    /// Whether a Secret can hold it.
    pub(super) fn fits(&self) -> bool {
        let files = self.files.iter().map(|(path, text)| path.len() + text.len());
        let variables = self.variables.iter().map(|(name, value)| name.len() + value.len());
        files.chain(variables).sum::<usize>() <= limits::CLUSTER_FILES_MAX
    }
}

/// The key of a variable in the Secret. Those of files are numbers.
fn key(variable: &str) -> String {
    format!("env.{variable}")
}

/// The Secret of a run, which belongs to its Job.
pub(super) fn secret(hub: &str, name: &str, job: &RunJob, pod: &Pod, contents: &Contents, owner: &str) -> Secret {
    let bytes = |text: &str| ByteString(text.as_bytes().to_vec());
    let variables = contents.variables.iter().map(|(name, value)| (key(name), bytes(value)));
    let files = contents.files.iter().enumerate().map(|(number, (_, text))| (format!("file.{number}"), bytes(text)));
    let mut secret = Secret { data: Some(variables.chain(files).collect()), ..Secret::default() };
    secret.metadata.name = Some(name.to_owned());
    secret.metadata.labels = Some(labels(hub, job, pod));
    secret.metadata.owner_references = serde_json::from_value(json!([
        { "apiVersion": "batch/v1", "kind": "Job", "name": name, "uid": owner }
    ]))
    .ok();
    secret.immutable = Some(true);
    secret
}

/// The variables of a run, in the form of a container.
fn variables(name: &str, job: &RunJob, pod: &Pod, contents: &Contents) -> Vec<Value> {
    let mut plain = job.settings.env.clone();
    plain.retain(|name, value| !name.starts_with("SVC_") && !value.contains('\0'));
    let mut own = vec![
        ("SVC_RUN_ID", job.run.to_string()),
        ("SVC_AGENT", job.agent.clone()),
        ("SVC_DEPTH", job.depth.to_string()),
        ("SVC_MESSAGES_FILE", format!("{FILES}/messages.json")),
        ("SVC_RESULT_FILE", REPORT.to_owned()),
    ];
    own.push(match pod.event {
        Some(_) => ("SVC_EVENT_FILE", format!("{FILES}/event.json")),
        None => ("SVC_PROMPT_FILE", format!("{FILES}/prompt.md")),
    });
    own.extend(job.hub_url.clone().map(|url| ("SVC_URL", url)));
    own.extend(job.session_id.clone().map(|id| ("SVC_SESSION_ID", id)));
    own.extend(job.traceparent.clone().map(|context| ("TRACEPARENT", context)));
    plain.extend(own.into_iter().map(|(name, value)| (name.to_owned(), value)));
    let secret = contents.variables.keys().map(
        |variable| json!({ "name": variable, "valueFrom": { "secretKeyRef": { "name": name, "key": key(variable) } } }),
    );
    plain.into_iter().map(|(name, value)| json!({ "name": name, "value": escaped(&value) })).chain(secret).collect()
}

/// A value in which the cluster replaces nothing: `$(NAME)` would be the value of another variable, and `$$` a `$`.
fn escaped(value: &str) -> String {
    value.replace('$', "$$")
}

/// The Job of a run.
pub(super) fn job(
    hub: &str,
    name: &str,
    job: &RunJob,
    pod: &Pod,
    line: &CommandLine,
    contents: &Contents,
) -> Result<Job, serde_json::Error> {
    let labels = labels(hub, job, pod);
    let annotations = json!({ NAME: job.agent });
    let mut limits = serde_json::Map::new();
    limits.extend(pod.memory.as_ref().map(|memory| ("memory".to_owned(), json!(memory))));
    limits.extend(pod.cpu.as_ref().map(|cpu| ("cpu".to_owned(), json!(cpu))));
    let items: Vec<_> = contents
        .files
        .iter()
        .enumerate()
        .map(|(number, (path, _))| json!({ "key": format!("file.{number}"), "path": path }))
        .collect();
    let mut container = json!({
        "name": CONTAINER,
        "image": job.settings.image,
        "env": variables(name, job, pod, contents),
        "resources": { "limits": limits, "requests": limits },
        "securityContext": { "allowPrivilegeEscalation": false, "capabilities": { "drop": ["ALL"] } },
        "volumeMounts": [
            { "name": "svc", "mountPath": FILES, "readOnly": true },
            { "name": "work", "mountPath": WORK },
        ],
        "terminationMessagePath": REPORT,
    });
    match &line.command {
        Some(command) => {
            let words = [command].into_iter().chain(&line.arguments).map(|word| escaped(word));
            let start = ["/bin/sh", "-c", START, "svc"].into_iter().map(ToOwned::to_owned);
            container["command"] = start.chain(words).collect();
            container["workingDir"] = json!(WORK);
        }
        None if !line.arguments.is_empty() => {
            container["args"] = line.arguments.iter().map(|word| escaped(word)).collect();
        }
        None => {}
    }
    let mut template = json!({
        "restartPolicy": "Never",
        "automountServiceAccountToken": pod.service_account.is_some(),
        "enableServiceLinks": false,
        "securityContext": { "runAsNonRoot": true, "seccompProfile": { "type": "RuntimeDefault" } },
        "containers": [container],
        "volumes": [
            { "name": "svc", "secret": { "secretName": name, "items": items } },
            { "name": "work", "emptyDir": {} },
        ],
    });
    if let Some(account) = &pod.service_account {
        template["serviceAccountName"] = json!(account);
    }
    serde_json::from_value(json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": { "name": name, "labels": labels, "annotations": annotations },
        "spec": {
            "backoffLimit": 0,
            "completions": 1,
            "parallelism": 1,
            "activeDeadlineSeconds": job.settings.timeout_seconds,
            "ttlSecondsAfterFinished": limits::CLUSTER_TTL_SECONDS,
            "template": { "metadata": { "labels": labels, "annotations": annotations }, "spec": template },
        },
    }))
}

#[cfg(test)]
mod tests {
    use svc_model::cluster::is_label;

    use super::*;

    #[test]
    fn every_agent_has_a_name_that_a_cluster_takes() {
        for agent in ["scout", "Scout_2", "a.b", "-", "日本", &"a".repeat(100), &"-".repeat(100), "a-", "ümlaut"] {
            for run in [RunId(1), RunId(i64::MAX)] {
                let name = name(agent, run);
                assert!(is_label(&name) && name.ends_with(&format!("-{run}")), "{agent} {name}");
                let label = label(agent);
                assert!(label.len() <= limits::LABEL_MAX, "{label}");
                assert!(label.is_empty() || label.starts_with(char::is_alphanumeric), "{label}");
                assert!(label.is_empty() || label.ends_with(char::is_alphanumeric), "{label}");
            }
        }
        assert_eq!(name("scout", RunId(7)), "svc-scout-7");
    }

    #[test]
    fn a_value_is_not_expanded() {
        assert_eq!(escaped("$(SVC_AGENT_KEY) $$ x"), "$$(SVC_AGENT_KEY) $$$$ x");
    }
}
