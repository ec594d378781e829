//! `svc-admin webhooks`.

use clap::Subcommand;
use svc_core::ids::{DeliveryId, WebhookId};
use svc_core::webhooks::{Delivery, DeliveryAttempt, DeliveryPage, DeliveryStatus, Webhook, WebhookList};

use super::context::Context;
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::{ask, when, words};
use crate::methods::webhooks::{
    Create, CreateParams, Delete, Deliveries, DeliveriesParams, Disable, Enable, List, ListParams, Retry, RetryParams,
    Test, WebhookParams,
};

#[derive(Debug, Subcommand)]
pub(super) enum WebhooksCommand {
    /// List webhooks, without their secrets.
    #[command(after_help = "Example:\n  svc-admin webhooks list --agent reviewer")]
    List {
        /// Only webhooks of this agent.
        #[arg(long, value_name = "AGENT")]
        agent: Option<String>,
    },
    /// Create a webhook and print its secret, which is shown once.
    #[command(
        after_help = "Example:\n  svc-admin webhooks create reviewer https://example.org/hook --event message.received"
    )]
    Create {
        /// The agent whose events it receives.
        #[arg(value_name = "AGENT")]
        agent: String,
        /// The URL that events are posted to.
        #[arg(value_name = "URL")]
        url: String,
        /// An event that it receives, such as message.received; can be repeated [default: all].
        #[arg(long = "event", value_name = "EVENT")]
        events: Vec<String>,
    },
    /// Enable a webhook and reset its count of failures.
    #[command(after_help = "Example:\n  svc-admin webhooks enable 7")]
    Enable {
        /// Id of the webhook, as in `webhooks list`.
        id: i64,
    },
    /// Disable a webhook: nothing is sent to it until it is enabled.
    #[command(after_help = "Example:\n  svc-admin webhooks disable 7")]
    Disable {
        /// Id of the webhook.
        id: i64,
    },
    /// Send a test event at once and show the outcome.
    #[command(after_help = "Example:\n  svc-admin webhooks test 7")]
    Test {
        /// Id of the webhook.
        id: i64,
    },
    /// Delete a webhook with its deliveries.
    #[command(after_help = "Example:\n  svc-admin webhooks delete 7 --yes")]
    Delete {
        /// Id of the webhook.
        id: i64,
        /// Skip the confirmation.
        #[arg(long, short)]
        yes: bool,
    },
    /// List the deliveries of a webhook, newest first.
    #[command(after_help = "Example:\n  svc-admin webhooks deliveries 7 --status dead")]
    Deliveries {
        /// Id of the webhook.
        id: i64,
        /// Only deliveries with this status: pending, delivering, delivered, retrying, dead or stopped.
        #[arg(long, value_name = "STATUS", value_parser = words::delivery_status())]
        status: Option<DeliveryStatus>,
        /// Only deliveries before this one.
        #[arg(long, value_name = "ID")]
        before: Option<i64>,
        /// Number of deliveries.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: i64,
    },
    /// Send a delivery again that has ended.
    #[command(after_help = "Example:\n  svc-admin webhooks retry 4711")]
    Retry {
        /// Id of the delivery, as in `webhooks deliveries`.
        id: i64,
    },
}

pub(super) async fn run(command: &WebhooksCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        WebhooksCommand::List { agent } => {
            let webhooks = context.call::<List>(&ListParams { agent: agent.clone() }).await?;
            let outcome = Outcome::new(context.output.render(&webhooks, draw));
            if webhooks.webhooks.is_empty() {
                let hint = "No webhooks: `svc-admin webhooks create AGENT URL` creates one.";
                return Ok(outcome.remark(&context.output, hint));
            }
            Ok(outcome)
        }
        WebhooksCommand::Create { agent, url, events } => {
            let params = CreateParams { agent: agent.clone(), url: url.clone(), events: events.clone() };
            let created = context.call::<Create>(&params).await?;
            let sentence = format!("Created webhook {} of {agent}. Its secret is shown only once:", created.webhook.id);
            Ok(Outcome::shown_once(&context.output, &created, &sentence, &created.secret))
        }
        WebhooksCommand::Enable { id } => {
            let webhook = context.call::<Enable>(&WebhookParams { id: WebhookId(*id) }).await?;
            Ok(Outcome::sentence(&context.output, &webhook, &format!("Webhook {id} is enabled.")))
        }
        WebhooksCommand::Disable { id } => {
            let webhook = context.call::<Disable>(&WebhookParams { id: WebhookId(*id) }).await?;
            Ok(Outcome::sentence(&context.output, &webhook, &format!("Webhook {id} is disabled.")))
        }
        WebhooksCommand::Test { id } => {
            let attempt = context.call::<Test>(&WebhookParams { id: WebhookId(*id) }).await?;
            Ok(Outcome::sentence(&context.output, &attempt, &tested(&attempt)))
        }
        WebhooksCommand::Delete { id, yes } => {
            ask::confirm(&format!("This deletes webhook {id} with its deliveries."), *yes)?;
            let deleted = context.call::<Delete>(&WebhookParams { id: WebhookId(*id) }).await?;
            Ok(Outcome::sentence(&context.output, &deleted, &format!("Webhook {id} is deleted.")))
        }
        WebhooksCommand::Deliveries { id, status, before, limit } => {
            let before = before.map(DeliveryId);
            let params = DeliveriesParams { id: WebhookId(*id), status: *status, before, limit: Some(*limit) };
            let page = context.call::<Deliveries>(&params).await?;
            let outcome = Outcome::new(context.output.render(&page, draw_deliveries));
            Ok(match page.next_cursor {
                Some(next) => outcome.remark(&context.output, &format!("More with --before {next}.")),
                None if page.deliveries.is_empty() => outcome.remark(&context.output, "No deliveries."),
                None => outcome,
            })
        }
        WebhooksCommand::Retry { id } => {
            let delivery = context.call::<Retry>(&RetryParams { id: DeliveryId(*id) }).await?;
            Ok(Outcome::sentence(&context.output, &delivery, &format!("Delivery {id} is queued again.")))
        }
    }
}

fn tested(attempt: &DeliveryAttempt) -> String {
    let took = attempt.duration_ms;
    match (attempt.error, attempt.status) {
        (None, Some(status)) => format!("The endpoint accepted it with the status {status} in {took} ms."),
        (Some(error), Some(status)) => format!("It failed ({error}) with the status {status} in {took} ms."),
        (Some(error), None) => format!("It failed ({error}) in {took} ms."),
        (None, None) => format!("It was accepted in {took} ms."),
    }
}

fn draw(output: &Output, list: &WebhookList) -> String {
    let now = when::now();
    let row = |webhook: &Webhook| {
        let state = match webhook.disabled_reason {
            None if webhook.consecutive_failures == 0 => Cell::toned("enabled", Tone::Good),
            None => Cell::toned(format!("{} failures", webhook.consecutive_failures), Tone::Warning),
            Some(reason) => Cell::toned(format!("disabled: {reason}"), Tone::Bad),
        };
        let events: Vec<_> = webhook.events.iter().map(|event| event.as_str()).collect();
        vec![
            Cell::whole(webhook.id.to_string()),
            Cell::new(&webhook.agent),
            Cell::new(&webhook.url),
            Cell::new(events.join(", ")),
            state,
            Cell::whole(when::relative_or(webhook.last_success_at, now, "never")),
        ]
    };
    let rows: Vec<_> = list.webhooks.iter().map(row).collect();
    table::draw(output, &["ID", "AGENT", "URL", "EVENTS", "STATE", "LAST SUCCESS"], &rows)
}

fn draw_deliveries(output: &Output, page: &DeliveryPage) -> String {
    let now = when::now();
    let row = |delivery: &Delivery| {
        let tone = match delivery.status {
            DeliveryStatus::Delivered => Tone::Good,
            DeliveryStatus::Dead => Tone::Bad,
            _ => Tone::Warning,
        };
        vec![
            Cell::whole(delivery.id.to_string()),
            Cell::new(&delivery.event),
            Cell::toned(delivery.status.as_str(), tone),
            Cell::whole(delivery.attempts.to_string()),
            Cell::new(delivery.response_status.map_or_else(String::new, |status| status.to_string())),
            Cell::new(delivery.error.map_or("", svc_core::webhooks::DeliveryError::as_str)),
            Cell::whole(when::relative(delivery.created_at, now)),
        ]
    };
    let rows: Vec<_> = page.deliveries.iter().map(row).collect();
    table::draw(output, &["ID", "EVENT", "STATUS", "ATTEMPTS", "ANSWER", "ERROR", "CREATED"], &rows)
}
