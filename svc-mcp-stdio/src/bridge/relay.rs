//! From a message of the client to the responses of the hub.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::answers::Answers;
use super::envelope::{Envelope, Fault};
use super::headers::{self, Known, LAST_EVENT};
use super::refusal::Refusal;
use super::remote::{Remote, Sent};
use super::session::Session;

/// Maximum number of concurrent requests to the hub.
const AT_ONCE: usize = 64;
/// Maximum number of unanswered requests, so that a cancellation behind them is still read.
const PENDING_MAX: usize = 1024;
/// Number of attempts to resume a broken response, and the first delay before that.
const RESUMES: u32 = 3;
const RESUME_PAUSE: Duration = Duration::from_millis(250);

/// The bridge between one client and one hub.
pub(super) struct Relay {
    pub(super) remote: Remote,
    pub(super) session: Session,
    /// Lines for the client.
    out: mpsc::Sender<String>,
    /// Unanswered requests, by their id as text.
    pending: Mutex<HashMap<String, CancellationToken>>,
    permits: Semaphore,
    pub(super) tasks: TaskTracker,
    /// Notified when the client is ready for a stream of its session.
    pub(super) ready: Notify,
}

impl Relay {
    pub(super) fn new(remote: Remote, out: mpsc::Sender<String>) -> Arc<Self> {
        Arc::new(Self {
            remote,
            session: Session::default(),
            out,
            pending: Mutex::default(),
            permits: Semaphore::new(AT_ONCE),
            tasks: TaskTracker::new(),
            ready: Notify::new(),
        })
    }

    /// Handles a line. Steps that must stay in order are done when this returns; requests continue in the background.
    pub(super) async fn take(self: &Arc<Self>, line: &str) {
        let message = match Envelope::read(line) {
            Ok(message) => message,
            Err(Fault::Unreadable) => {
                tracing::warn!(target: "svc::mcp", "ignored a line that is not JSON");
                return;
            }
            Err(Fault::NoMessage) => return self.write_line(Refusal::no_message().line(&Value::Null)).await,
        };
        match (&message.id, message.is_request()) {
            (Some(id), true) if message.is("initialize") => {
                let line = match self.session.begin(&self.remote, message.clone()).await {
                    Ok(reply) => reply.text,
                    Err(refusal) => refusal.line(id),
                };
                self.write_line(line).await;
            }
            (Some(id), true) => self.start_request(id.clone(), message).await,
            _ => self.send_notification(message).await,
        }
    }

    /// Writes a line to the client. A closed pipe is not an error.
    pub(super) async fn write_line(&self, line: String) {
        self.out.send(line).await.ok();
    }

    fn pending(&self) -> std::sync::MutexGuard<'_, HashMap<String, CancellationToken>> {
        // The lock is never held across a panic, and its content is consistent at every moment.
        self.pending.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Sends a notification, or the response to a request of the hub.
    async fn send_notification(self: &Arc<Self>, message: Envelope) {
        let (known, turn) = self.session.known();
        if message.is("notifications/cancelled") {
            let cancellation = message.params.request_id.as_ref().and_then(|id| self.pending().remove(&id.to_string()));
            if known.session.is_some() && message.version().is_none() {
                self.forward(&message, &known, turn).await;
            }
            // Without a session the closed connection tells the hub.
            if let Some(cancellation) = cancellation {
                cancellation.cancel();
            }
            return;
        }
        self.forward(&message, &known, turn).await;
        if message.is("notifications/initialized") {
            self.ready.notify_one();
        }
    }

    async fn forward(&self, message: &Envelope, known: &Known, turn: u64) {
        let sent = self.remote.post(message.text.clone(), headers::of_message(message, known)).await;
        let sent = match sent {
            Ok(Sent::Forgotten) => match self.session.renew(&self.remote, turn).await {
                Ok(()) => {
                    let (known, _) = self.session.known();
                    self.remote.post(message.text.clone(), headers::of_message(message, &known)).await
                }
                Err(refusal) => Err(refusal),
            },
            other => other,
        };
        // A notification has no response, so the error is logged.
        if let Err(refusal) = sent {
            tracing::warn!(target: "svc::mcp", code = refusal.code, "a notification was lost: {}", refusal.message);
        }
    }

    /// Starts a request in the background.
    async fn start_request(self: &Arc<Self>, id: Value, message: Envelope) {
        let cancelled = CancellationToken::new();
        let is_full = {
            let mut pending = self.pending();
            let is_full = pending.len() >= PENDING_MAX;
            if !is_full {
                pending.insert(id.to_string(), cancelled.clone());
            }
            is_full
        };
        if is_full {
            return self.write_line(Refusal::too_many().line(&id)).await;
        }
        let relay = self.clone();
        self.tasks.spawn(async move {
            tokio::select! {
                () = relay.run_request(&id, &message) => {}
                () = cancelled.cancelled() => {}
            }
            relay.pending().remove(&id.to_string());
        });
    }

    async fn run_request(&self, id: &Value, message: &Envelope) {
        let Ok(_permit) = self.permits.acquire().await else { return };
        match self.ask(id, message).await {
            Ok(()) => self.session.note(message),
            Err(refusal) => self.write_line(refusal.line(id)).await,
        }
    }

    async fn ask(&self, id: &Value, message: &Envelope) -> Result<(), Refusal> {
        let (known, turn) = self.session.known();
        let sent = self.remote.post(message.text.clone(), headers::of_message(message, &known)).await?;
        if let Sent::Forgotten = sent {
            self.session.renew(&self.remote, turn).await?;
            let (known, _) = self.session.known();
            let again = self.remote.post(message.text.clone(), headers::of_message(message, &known)).await?;
            return self.pass_on(id, again, &known).await;
        }
        self.pass_on(id, sent, &known).await
    }

    /// Passes the messages of a response on to the client, until the request is answered.
    async fn pass_on(&self, id: &Value, sent: Sent, known: &Known) -> Result<(), Refusal> {
        let mut answers = match sent {
            Sent::Answered { answers, .. } => answers,
            Sent::Forgotten => return Err(Refusal::no_session()),
            Sent::Refused(reply) => {
                let mut message = reply.value();
                if reply.is_unaddressed() {
                    message["id"] = id.clone();
                }
                self.write_line(message.to_string()).await;
                return Ok(());
            }
        };
        let mut tries = 0;
        loop {
            match self.drain(id, &mut answers).await {
                Ok(true) => return Ok(()),
                Ok(false) | Err(_) if tries < RESUMES && known.session.is_some() && answers.last_event.is_some() => {
                    tokio::time::sleep(RESUME_PAUSE * 2_u32.pow(tries)).await;
                    tries += 1;
                    answers = self.resume(answers, known).await?;
                }
                Ok(false) => return Err(Refusal::broken_off()),
                Err(refusal) => return Err(refusal),
            }
        }
    }

    /// Returns whether the response to the request was among the messages.
    async fn drain(&self, id: &Value, answers: &mut Answers) -> Result<bool, Refusal> {
        while let Some(reply) = answers.next().await? {
            let is_last = reply.answers(id);
            self.write_line(reply.text).await;
            if is_last {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Resumes a response after the last event that arrived.
    async fn resume(&self, broken: Answers, known: &Known) -> Result<Answers, Refusal> {
        let mut headers = headers::of_session(known);
        if let Some(Ok(last)) = broken.last_event.as_deref().map(str::parse) {
            headers.insert(LAST_EVENT, last);
        }
        match self.remote.get(headers).await {
            Ok(Sent::Answered { mut answers, .. }) => {
                answers.last_event = answers.last_event.or(broken.last_event);
                Ok(answers)
            }
            Err(refusal) if refusal.is_passing => Ok(broken),
            _ => Err(Refusal::broken_off()),
        }
    }
}
