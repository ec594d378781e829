//! The log of a pod, read while it grows.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::io::{AsyncRead, AsyncReadExt};
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, LogParams};
use svc_model::harness::RunFailure;
use tokio::time::sleep;

use super::errors::{Fault, fault};
use super::spec::CONTAINER;
use crate::automation::harness::LogSink;
use crate::automation::harness::output::Output;
use crate::limits;

/// The number of times that a broken log is opened again.
const TRIES: u32 = 30;
/// The number of refusals after which it is given up.
const REFUSALS: u32 = 5;
/// The pause before it is opened again.
const PAUSE: Duration = Duration::from_secs(1);
/// The size of a read, in bytes.
const CHUNK: usize = 16 * 1024;

/// Reads the log of a pod to its end. What breaks off is opened again, without what was read already.
pub(super) async fn read(pods: Api<Pod>, pod: String, sink: LogSink, output: Arc<Mutex<Output>>) {
    let params = LogParams {
        container: Some(CONTAINER.to_owned()),
        follow: true,
        limit_bytes: Some(limits::CLUSTER_LOG_READ),
        ..LogParams::default()
    };
    let mut read = 0;
    for number in 0..TRIES {
        match pods.log_stream(&pod, &params).await {
            Ok(stream) => match copy(stream, &mut read, &sink, &output).await {
                Ok(()) => return,
                Err(error) => tracing::debug!(pod, %error, "the log of a pod broke off"),
            },
            Err(error) => match fault(&error) {
                Fault::Missing(_) => return,
                // An API server that has just started may not know the rights of the hub yet.
                Fault::Unknown(detail) | Fault::Final(RunFailure::ClusterForbidden, detail) if number >= REFUSALS => {
                    sink.note(&format!("the log cannot be read: {detail}"));
                    return;
                }
                // The container may not have begun to write.
                other => tracing::debug!(pod, ?other, "the log of a pod cannot be read yet"),
            },
        }
        sleep(PAUSE).await;
    }
}

/// Copies a log that begins anew, after the bytes that were read before.
async fn copy(
    mut stream: impl AsyncRead + Unpin,
    read: &mut u64,
    sink: &LogSink,
    output: &Mutex<Output>,
) -> std::io::Result<()> {
    let mut skip = *read;
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = stream.read(&mut chunk).await?;
        if count == 0 {
            return Ok(());
        }
        let known = usize::try_from(skip).unwrap_or(usize::MAX).min(count);
        skip -= known as u64;
        let new = &chunk[known..count];
        *read += new.len() as u64;
        sink.write(new);
        output.lock().unwrap_or_else(PoisonError::into_inner).take(new);
    }
}
