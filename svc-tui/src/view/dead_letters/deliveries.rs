//! Webhooks, deliveries, and one delivery with its request, its answers and its attempts.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use serde_json::Value;
use svc_core::webhooks::{
    Delivery, DeliveryAttempt, DeliveryDetails, DeliveryError, DeliveryStatus, DisabledReason, Webhook, WebhookEvent,
};

use super::super::runs::facts::{self, Cell, Story, moment};
use super::super::runs::words::{Sign, sign, span};
use super::super::{View, parts};
use crate::state::dead_letters::{DeadLetters, is_open};
use crate::text;

/// Lines of the body of a request that are shown.
const BODY: usize = 200;

/// Draws the list of webhooks, or the deliveries of the one that is opened.
pub(super) fn lists(screen: &mut DeadLetters, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    if screen.deliveries.opened.is_none() {
        return webhooks(screen, frame, area, view);
    }
    let more = if screen.deliveries.has_more() { "+" } else { "" };
    let count = screen.deliveries.sent.get().map_or_else(String::new, |all| format!(" ({}{more})", all.len()));
    let to = screen.deliveries.opened_webhook().map_or_else(String::new, |webhook| format!(" to {}", webhook.url));
    let inside = parts::pane(frame, area, &format!("Deliveries{count}{to}"), !screen.in_details, view);
    let part = &mut screen.deliveries;
    let Some(deliveries) = parts::here(frame, inside, &part.sent, view) else { return };
    if deliveries.is_empty() {
        let hint = "Events of the agent are delivered here. They are kept for 7 days, failed ones for 30.";
        return parts::centered(frame, inside, "No deliveries.", hint, view);
    }
    let titles = delivery_cells(["STATUS", "EVENT", "WHEN", "TRIES", "RESULT"], view);
    screen.area = facts::titles(frame, inside, &titles, view);
    let row = |index: usize, columns| deliveries.get(index).map_or_else(Line::default, |one| line(one, columns, view));
    parts::rows(frame, screen.area, &mut part.list, deliveries.len(), !screen.in_details, view, row);
}

fn webhooks(screen: &mut DeadLetters, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let part = &mut screen.deliveries;
    let count = part.webhooks.get().map_or_else(String::new, |all| format!(" ({})", all.len()));
    let inside = parts::pane(frame, area, &format!("Webhooks{count}"), !screen.in_details, view);
    let Some(webhooks) = parts::here(frame, inside, &part.webhooks, view) else { return };
    if webhooks.is_empty() {
        let hint = "A webhook sends the events of an agent to a URL. Add one on the page of the agent in the web UI.";
        return parts::centered(frame, inside, "No webhooks.", hint, view);
    }
    let titles = webhook_cells(["STATE", "AGENT", "FAILED", "URL"], view);
    screen.area = facts::titles(frame, inside, &titles, view);
    let row = |index: usize, columns: usize| {
        let Some(webhook) = webhooks.get(index) else { return Line::default() };
        let sign = state(webhook, view);
        let (state, agent) = (format!("{} {}", sign.glyph, sign.word), format!("@{}", webhook.agent));
        let failed = failures(webhook);
        let mut cells = webhook_cells([&state, &agent, &failed, &webhook.url], view);
        cells[0].2 = sign.style;
        facts::row(&cells, columns)
    };
    parts::rows(frame, screen.area, &mut part.webhook_list, webhooks.len(), !screen.in_details, view, row);
}

fn failures(webhook: &Webhook) -> String {
    if webhook.consecutive_failures == 0 { String::new() } else { webhook.consecutive_failures.to_string() }
}

fn webhook_cells<'c>(texts: [&'c str; 4], view: &View<'_>) -> [Cell<'c>; 4] {
    let [state, agent, failed, url] = texts;
    [(state, 10, view.look.text), (agent, 18, view.look.agent), (failed, 6, view.look.bad), (url, 0, view.look.text)]
}

fn delivery_cells<'c>(texts: [&'c str; 5], view: &View<'_>) -> [Cell<'c>; 5] {
    let [status, event, when, tries, result] = texts;
    let (text, dim) = (view.look.text, view.look.dim);
    [(status, 11, text), (event, 23, text), (when, 8, dim), (tries, 5, dim), (result, 0, text)]
}

/// A webhook works, fails or is disabled.
fn state(webhook: &Webhook, view: &View<'_>) -> Sign {
    let look = view.look;
    match (webhook.enabled, webhook.consecutive_failures) {
        (false, _) => sign("‖", "Disabled", look.warn),
        (true, 0) => sign("●", "Enabled", look.good),
        (true, _) => sign("✗", "Failing", look.bad),
    }
}

fn status(status: DeliveryStatus, view: &View<'_>) -> Sign {
    let look = view.look;
    match status {
        DeliveryStatus::Pending => sign("○", "Pending", look.text),
        DeliveryStatus::Delivering => sign("●", "Sending", look.accent),
        DeliveryStatus::Delivered => sign("✓", "Delivered", look.good),
        DeliveryStatus::Retrying => sign("!", "Retrying", look.warn),
        DeliveryStatus::Dead => sign("✗", "Failed", look.bad),
        DeliveryStatus::Stopped => sign("–", "Stopped", look.dim),
    }
}

fn line(delivery: &Delivery, columns: usize, view: &View<'_>) -> Line<'static> {
    let sign = status(delivery.status, view);
    let state = format!("{} {}", sign.glyph, sign.word);
    let when = text::ago(delivery.created_at, view.now);
    let tries = delivery.attempts.to_string();
    let result = result(delivery.response_status, delivery.error, "");
    let mut cells = delivery_cells([&state, &delivery.event, &when, &tries, &result], view);
    cells[0].2 = sign.style;
    facts::row(&cells, columns)
}

/// `HTTP 204`, or why there was no success.
fn result(status: Option<u32>, error: Option<DeliveryError>, nothing: &str) -> String {
    let answer = status.map(|status| format!("HTTP {status}"));
    match (error, answer) {
        (None, answer) => answer.unwrap_or_else(|| nothing.to_owned()),
        (Some(DeliveryError::Status | DeliveryError::Redirect), Some(answer)) => answer,
        (Some(error), _) => error_in_words(error).0.to_owned(),
    }
}

/// A few words, and a sentence that says what to do.
fn error_in_words(error: DeliveryError) -> (&'static str, &'static str) {
    match error {
        DeliveryError::AddressRefused => (
            "Address not allowed",
            "The URL leads to an address that this server does not connect to, such as a private network.",
        ),
        DeliveryError::Connect => ("Could not connect", "The host was not found, or it refused the connection."),
        DeliveryError::Timeout => {
            ("Timed out", "The endpoint did not respond in time. It should respond first, then do the work.")
        }
        DeliveryError::Protocol => ("Invalid response", "The response was not valid HTTP, or the connection was lost."),
        DeliveryError::Redirect => ("Redirected", "Redirects are not followed. Change the URL to the final address."),
        DeliveryError::Status => ("Error response", "The endpoint did not respond with a 2xx status."),
        DeliveryError::Secret => ("Secret not readable", "This server cannot decrypt the secret. Rotate it."),
        DeliveryError::Interrupted => ("Interrupted", "The server stopped before it recorded the outcome."),
        DeliveryError::Depth => ("Chain too long", "Too many agents in a row caused this event, so it was not sent."),
        DeliveryError::Disabled => ("Webhook disabled", "The webhook was disabled before this event was sent."),
        DeliveryError::Hidden => ("No longer visible", "The agent can no longer see the message, so it was not sent."),
        DeliveryError::Backlog => {
            ("Too many waiting", "Too many deliveries of the owner were waiting, so it was not sent.")
        }
        DeliveryError::Loop => {
            ("In a loop", "The agent and the sender were in a loop that was held, so it was not sent.")
        }
    }
}

/// The details of a webhook.
pub(super) fn webhook(story: &mut Story, webhook: &Webhook, view: &View<'_>) {
    let sign = state(webhook, view);
    story.line(Line::styled(format!("{} {}", sign.glyph, sign.word), sign.style));
    if !webhook.enabled {
        let reason = match webhook.disabled_reason {
            Some(DisabledReason::Gone) => {
                "Disabled because the endpoint responded with 410 Gone. Check the URL, then enable the webhook."
            }
            Some(DisabledReason::Failures) => {
                "Disabled after too many failed attempts in a row. Fix the endpoint, then enable the webhook."
            }
            _ => "Disabled. No events are sent until you enable the webhook.",
        };
        story.text(reason, view.look.warn);
    }
    story.line(Line::default());
    story.fact_in("Agent", &format!("@{}", webhook.agent), view.look.agent);
    story.fact("URL", &webhook.url);
    let all = webhook.events.contains(&WebhookEvent::All);
    let events: Vec<_> = webhook.events.iter().map(|event| event.as_str()).collect();
    story.fact("Events", &if all { "all".to_owned() } else { events.join(", ") });
    let failed = failures(webhook);
    story.fact_in("Failures", &if failed.is_empty() { failed } else { format!("{failed} in a row") }, view.look.bad);
    story.fact("Success", &webhook.last_success_at.map_or_else(|| "never".to_owned(), |at| moment(at, view)));
    story.fact("Failure", &webhook.last_failure_at.map_or_else(|| "never".to_owned(), |at| moment(at, view)));
    story.fact("Created", &moment(webhook.created_at, view));
    story.line(Line::default());
    story.line(Line::styled("Enter shows its deliveries.", view.look.dim));
}

/// The facts of a delivery that a list has.
pub(super) fn delivery(story: &mut Story, delivery: &Delivery, view: &View<'_>) {
    let sign = status(delivery.status, view);
    story.line(Line::from(vec![
        Span::styled(format!("{} {} ", sign.glyph, sign.word), sign.style),
        Span::styled(format!("#{}", delivery.id), view.look.dim),
    ]));
    if is_open(delivery.status) {
        story.text("The next attempt is made automatically.", view.look.dim);
    } else if let Some(error) = delivery.error {
        story.text(error_in_words(error).1, view.look.text);
    }
    story.line(Line::default());
    story.fact("Event", &delivery.event);
    story.fact_in("Agent", &format!("@{}", delivery.agent), view.look.agent);
    story.fact("Created", &moment(delivery.created_at, view));
    story.fact("Attempts", &delivery.attempts.to_string());
    if let Some(sequence) = delivery.sequence {
        story.fact("Sequence", &sequence.to_string());
    }
}

/// The attempts and the request of a delivery.
pub(super) fn story(story: &mut Story, details: &DeliveryDetails, view: &View<'_>) {
    let look = view.look;
    story.section("Attempts");
    if details.attempts.is_empty() {
        story.text("No attempt was made yet.", look.dim);
    }
    // Sending again begins to count anew; here each has a number of its own.
    for (number, attempt) in (1..).zip(&details.attempts).collect::<Vec<(usize, _)>>().into_iter().rev() {
        attempted(story, number, attempt, view);
    }
    story.section("Request");
    story.text(&format!("POST {}", text::one_line(&details.request.url)), look.strong);
    for header in &details.request.headers {
        story.text(&text::one_line(&format!("{}: {}", header.name, header.value)), look.dim);
    }
    story.line(Line::default());
    story.excerpt(&formatted(&details.request.body), BODY, look.code);
}

fn attempted(story: &mut Story, number: usize, attempt: &DeliveryAttempt, view: &View<'_>) {
    let look = view.look;
    let style = if attempt.error.is_none() { look.good } else { look.bad };
    let took = span(std::time::Duration::from_millis(u64::from(attempt.duration_ms)));
    let result = result(attempt.status, attempt.error, "No response");
    let when = moment(attempt.started_at, view);
    story.line(facts::row(
        &[(&format!("{number}."), 3, look.dim), (&result, 19, style), (&format!("{took} · {when}"), 0, look.dim)],
        story.columns(),
    ));
    if let Some(answer) = attempt.excerpt.as_deref().filter(|answer| !answer.trim().is_empty()) {
        story.excerpt(answer, 6, look.code);
    }
}

/// JSON with line breaks; other text as it is.
fn formatted(body: &str) -> String {
    let parsed: Option<Value> = serde_json::from_str(body).ok();
    parsed.and_then(|body| serde_json::to_string_pretty(&body).ok()).unwrap_or_else(|| body.to_owned())
}
