//! Follows all Jobs of a hub in a namespace: lists them and their pods every 15 seconds, and watches them in between.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, ListParams, WatchEvent, WatchParams};
use kube::{Client, Resource};
use serde::de::DeserializeOwned;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::errors::{Fault, fault};
use super::sight::{JobView, PodView, Sight};
use crate::limits;

/// The label of a pod with the name of its Job.
const JOB_NAME: &str = "batch.kubernetes.io/job-name";
/// The first pause after an error; it doubles up to the interval of lists.
const PAUSE: Duration = Duration::from_secs(1);

/// The observers of a hub, one for each namespace in which a Job is followed.
pub(super) struct Observers {
    client: Client,
    selector: String,
    pace: Arc<Pace>,
    namespaces: Mutex<HashMap<String, Arc<Observer>>>,
}

/// The followed Jobs of a namespace.
struct Observer {
    followed: Mutex<HashMap<String, watch::Sender<Sight>>>,
    /// Somebody wants to know the state of a Job that may not change any more.
    asked: Notify,
}

/// A Job that is followed until this is dropped.
pub(super) struct Watched {
    observers: Arc<Observers>,
    namespace: String,
    name: String,
    pub(super) sight: watch::Receiver<Sight>,
}

impl Observers {
    pub(super) fn new(client: Client, selector: String) -> Self {
        Self { client, selector, pace: Arc::default(), namespaces: Mutex::default() }
    }

    /// Follows a Job. It need not exist yet.
    pub(super) fn follow(self: &Arc<Self>, namespace: &str, name: &str) -> Watched {
        let (sender, sight) = watch::channel(Sight::default());
        let mut namespaces = lock(&self.namespaces);
        let observer = if let Some(observer) = namespaces.get(namespace) {
            observer.clone()
        } else {
            let observer = Arc::new(Observer { followed: Mutex::default(), asked: Notify::new() });
            namespaces.insert(namespace.to_owned(), observer.clone());
            tokio::spawn(self.clone().observe(namespace.to_owned(), observer.clone()));
            observer
        };
        lock(&observer.followed).insert(name.to_owned(), sender);
        drop(namespaces);
        Watched { observers: self.clone(), namespace: namespace.to_owned(), name: name.to_owned(), sight }
    }

    /// Observes a namespace while a Job in it is followed.
    async fn observe(self: Arc<Self>, namespace: String, observer: Arc<Observer>) {
        let jobs: Api<Job> = Api::namespaced(self.client.clone(), &namespace);
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), &namespace);
        let mut pause = PAUSE;
        loop {
            {
                let mut namespaces = lock(&self.namespaces);
                if lock(&observer.followed).is_empty() {
                    namespaces.remove(&namespace);
                    return;
                }
            }
            match self.round(&observer, &jobs, &pods).await {
                Ok(()) => pause = PAUSE,
                Err(fault) => {
                    let is_final = matches!(fault, Fault::Final(..) | Fault::Unknown(_) | Fault::Missing(_));
                    let (reason, detail) = fault.into_failure();
                    tracing::warn!(namespace, detail, "the jobs of the cluster cannot be followed");
                    observer.all(|_, sight| {
                        sight.trouble = Some((reason, detail.clone(), is_final));
                        true
                    });
                    sleep(pause).await;
                    pause = (pause * 2).min(limits::CLUSTER_POLL);
                }
            }
        }
    }

    /// One list, and the watches after it.
    async fn round(&self, observer: &Observer, jobs: &Api<Job>, pods: &Api<Pod>) -> Result<(), Fault> {
        let begun = Instant::now();
        let deadline = begun + limits::CLUSTER_POLL;
        // Pods first: a Job that has ended is judged by what is known of its pod.
        let (found_pods, pods_version) = self.list(pods).await?;
        let (found_jobs, jobs_version) = self.list(jobs).await?;
        observer.listed(begun, &found_jobs, &found_pods);
        drop((found_jobs, found_pods));
        let params = WatchParams::default().labels(&self.selector).timeout(seconds(limits::CLUSTER_POLL));
        let mut pod_events = self.watch(pods, &params, &pods_version).await?;
        let mut job_events = self.watch(jobs, &params, &jobs_version).await?;
        loop {
            tokio::select! {
                event = pod_events.next() => match event {
                    Some(Ok(WatchEvent::Added(pod) | WatchEvent::Modified(pod))) => observer.pod(&pod, false),
                    Some(Ok(WatchEvent::Deleted(pod))) => observer.pod(&pod, true),
                    Some(Ok(WatchEvent::Bookmark(_))) => {}
                    // The version is too old, or the watch is over: the next list tells everything.
                    Some(Ok(WatchEvent::Error(_)) | Err(_)) | None => break,
                },
                event = job_events.next() => match event {
                    Some(Ok(WatchEvent::Added(job) | WatchEvent::Modified(job))) => observer.job(&job, false),
                    Some(Ok(WatchEvent::Deleted(job))) => observer.job(&job, true),
                    Some(Ok(WatchEvent::Bookmark(_))) => {}
                    Some(Ok(WatchEvent::Error(_)) | Err(_)) | None => break,
                },
                () = observer.asked.notified() => return Ok(()),
                () = sleep_until(deadline) => return Ok(()),
            }
        }
        // A watch that ended early must not become a loop of requests.
        tokio::select! {
            () = sleep_until(deadline.min(Instant::now() + PAUSE)) => {}
            () = observer.asked.notified() => {}
        }
        Ok(())
    }

    /// All objects of the hub, page by page, and the version of the list.
    pub(super) async fn list<K>(&self, api: &Api<K>) -> Result<(Vec<K>, String), Fault>
    where
        K: Clone + DeserializeOwned + std::fmt::Debug,
    {
        let mut found = Vec::new();
        let mut params = ListParams::default().labels(&self.selector).limit(limits::CLUSTER_PAGE);
        loop {
            self.pace.wait().await;
            let page = timeout(limits::CLUSTER_REQUEST, api.list(&params)).await;
            let page = page.map_err(|_| late())?.map_err(|error| fault(&error))?;
            found.extend(page.items);
            match page.metadata.continue_.filter(|token| !token.is_empty()) {
                Some(token) => params = params.continue_token(&token),
                None => return Ok((found, page.metadata.resource_version.unwrap_or_default())),
            }
        }
    }

    async fn watch<K>(
        &self,
        api: &Api<K>,
        params: &WatchParams,
        version: &str,
    ) -> Result<futures_util::stream::BoxStream<'static, kube::Result<WatchEvent<K>>>, Fault>
    where
        K: Clone + DeserializeOwned + std::fmt::Debug + Send + 'static,
    {
        self.pace.wait().await;
        let events = timeout(limits::CLUSTER_REQUEST, api.watch(params, version)).await;
        Ok(events.map_err(|_| late())?.map_err(|error| fault(&error))?.into_stream().boxed())
    }
}

impl Observer {
    /// Changes what is known of each followed Job.
    fn all(&self, mut change: impl FnMut(&str, &mut Sight) -> bool) {
        for (name, sender) in lock(&self.followed).iter() {
            sender.send_if_modified(|sight| change(name, sight));
        }
    }

    fn one(&self, name: &str, change: impl FnOnce(&mut Sight)) {
        if let Some(sender) = lock(&self.followed).get(name) {
            sender.send_modify(change);
        }
    }

    /// Takes a list that began at a time.
    fn listed(&self, begun: Instant, jobs: &[Job], pods: &[Pod]) {
        let jobs: HashMap<&str, &Job> = jobs.iter().filter_map(|job| Some((name_of(job)?, job))).collect();
        let mut newest: HashMap<&str, &Pod> = HashMap::new();
        for pod in pods {
            let Some(job) = job_of(pod) else { continue };
            let is_newer =
                newest.get(job).is_none_or(|known| known.metadata.creation_timestamp < pod.metadata.creation_timestamp);
            if is_newer {
                newest.insert(job, pod);
            }
        }
        self.all(|name, sight| {
            sight.trouble = None;
            match newest.get(name) {
                Some(pod) => sight.renew(PodView::of(pod)),
                None => sight.pod.iter_mut().for_each(|pod| pod.is_deleted = true),
            }
            match jobs.get(name) {
                Some(job) => {
                    sight.job = Some(JobView::of(job));
                    sight.missing = None;
                }
                None => sight.missing = Some(begun),
            }
            true
        });
    }

    fn job(&self, job: &Job, is_deleted: bool) {
        let Some(name) = name_of(job) else { return };
        self.one(name, |sight| {
            sight.job = Some(JobView::of(job));
            sight.missing = is_deleted.then(Instant::now);
            sight.trouble = None;
        });
    }

    fn pod(&self, pod: &Pod, is_deleted: bool) {
        let Some(job) = job_of(pod) else { return };
        let mut view = PodView::of(pod);
        view.is_deleted |= is_deleted;
        self.one(job, |sight| sight.renew(view));
    }
}

impl Sight {
    fn renew(&mut self, newer: PodView) {
        match &mut self.pod {
            Some(pod) => pod.renew(newer),
            None => self.pod = Some(newer),
        }
    }
}

impl Watched {
    /// Asks for a list now: the Job may be in its last state already.
    pub(super) fn ask(&self) {
        if let Some(observer) = lock(&self.observers.namespaces).get(&self.namespace) {
            observer.asked.notify_one();
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(observer) = lock(&self.observers.namespaces).get(&self.namespace) {
            let mut followed = lock(&observer.followed);
            // The run may have been taken up again in this process, and is followed anew under its name.
            if followed.get(&self.name).is_some_and(|sender| sender.subscribe().same_channel(&self.sight)) {
                followed.remove(&self.name);
            }
        }
    }
}

/// Keeps requests apart, so that following Jobs never is a load for the API server.
#[derive(Default)]
struct Pace {
    next: tokio::sync::Mutex<Option<Instant>>,
}

impl Pace {
    async fn wait(&self) {
        let mut next = self.next.lock().await;
        if let Some(at) = *next {
            sleep_until(at).await;
        }
        *next = Some(Instant::now() + limits::CLUSTER_PACE);
    }
}

fn name_of<K: Resource>(object: &K) -> Option<&str> {
    object.meta().name.as_deref()
}

fn job_of(pod: &Pod) -> Option<&str> {
    let labels = pod.metadata.labels.as_ref()?;
    labels.get(JOB_NAME).or_else(|| labels.get("job-name")).map(String::as_str)
}

fn late() -> Fault {
    Fault::Transient("it did not answer in time".to_owned())
}

fn seconds(time: Duration) -> u32 {
    u32::try_from(time.as_secs()).unwrap_or(u32::MAX)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_job_that_is_followed_anew_stays_followed() {
        // Nothing answers there, and nothing needs to.
        let config = kube::Config::new("http://127.0.0.1:9".parse().unwrap());
        let observers = Arc::new(Observers::new(Client::try_from(config).unwrap(), "svc/hub=h".to_owned()));
        let (first, second) = (observers.follow("agents", "svc-scout-1"), observers.follow("agents", "svc-scout-1"));
        drop(first);
        assert!(second.sight.has_changed().is_ok(), "somebody tells of it");
        drop(second);
        assert!(lock(&lock(&observers.namespaces)["agents"].followed).is_empty());
    }
}
