//! Runs as Jobs of a Kubernetes cluster.
//!
//! Invariants:
//! - The name of a Job follows from its run, so a Job that is created again is the one that exists. A Job of another hub
//!   or another run under that name is left alone.
//! - The Secret of a Job has the Job as its owner, so the cluster removes it with the Job.
//! - All Jobs of a namespace are followed by two lists and two watches, however many there are.
//! - A Job that is not followed to its end is deleted, unless its node stops: then another node follows it.

use std::time::Duration;

use svc_model::cluster::ClusterStatus;

use crate::limits;

#[cfg(feature = "k8s")]
mod client;
#[cfg(feature = "k8s")]
mod errors;
#[cfg(feature = "k8s")]
mod follow;
#[cfg(feature = "k8s")]
mod logs;
#[cfg(feature = "k8s")]
mod observer;
#[cfg(feature = "k8s")]
mod sight;
#[cfg(feature = "k8s")]
mod spec;
#[cfg(not(feature = "k8s"))]
mod without;

#[cfg(feature = "k8s")]
pub(super) use follow::Kubernetes;
#[cfg(not(feature = "k8s"))]
pub(super) use without::Kubernetes;

/// The advice for a hub without a cluster.
const HOW: &str = "There is no cluster to run it on: start the server inside one, or set KUBECONFIG.";

/// The cluster of a hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterConfig {
    /// The paths of kubeconfig files, separated by colons. Without one, the service account of the pod is used in which
    /// the hub runs; outside of a pod there is no cluster.
    pub kubeconfig: Option<String>,
    /// The id of the hub, a label of its Jobs. A hub sets it itself.
    pub hub: String,
    /// Time that a container has to leave a state such as an image that cannot be pulled, before its Job is given up.
    pub patience: Duration,
}

impl Default for ClusterConfig {
    fn default() -> Self {
        Self { kubeconfig: None, hub: String::new(), patience: limits::CLUSTER_WAITING }
    }
}

pub(super) fn no_cluster() -> ClusterStatus {
    ClusterStatus { configured: false, namespace: None, problem: Some(HOW.to_owned()) }
}
