//! Cluster jobs: the events of an agent, each handled by one Job of a Kubernetes cluster. The handle is `hub.cluster()`.

pub use crate::automation::cluster::Cluster;
pub use crate::automation::harness::ClusterConfig;

#[doc(inline)]
pub use svc_model::cluster::{
    ClusterHandler, ClusterHandlerList, ClusterRun, ClusterRunFilter, ClusterRunPage, ClusterStatus, HandlerFilter,
    NewHandler,
};
