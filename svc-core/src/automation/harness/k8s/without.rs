//! The backend of a hub that was built without the feature `k8s`.

use async_trait::async_trait;
use svc_model::harness::RunFailure;
use tokio_util::sync::CancellationToken;

use super::ClusterConfig;
use crate::automation::harness::{Harness, LogSink, RunEnd, RunJob};

pub(in crate::automation::harness) struct Kubernetes;

impl Kubernetes {
    pub(in crate::automation::harness) fn new(_: ClusterConfig) -> Self {
        Self
    }
}

#[async_trait]
impl Harness for Kubernetes {
    async fn run(&self, _: &RunJob, _: &LogSink, _: CancellationToken) -> RunEnd {
        RunEnd::failed(RunFailure::ClusterUnavailable, "This hub was built without the feature k8s.")
    }
}
