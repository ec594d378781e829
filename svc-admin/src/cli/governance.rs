//! Budgets and reputations of agents as tables.

use svc_core::governance::{Budget, BudgetUse, CountUse, MoneyUse, Reputation, ReputationEntry};

use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::when;

/// The limits of a budget in words.
pub(super) fn limits(budget: &Budget) -> String {
    let parts = [
        budget.usd.map(|usd| format!("${usd:.2}")),
        budget.tokens.map(|tokens| format!("{tokens} tokens")),
        budget.runs.map(|runs| format!("{runs} runs")),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    format!("{} ({})", parts.join(", "), budget.period)
}

pub(super) fn draw_budget(output: &Output, budget: &BudgetUse) -> String {
    let state = match budget.paused_reason {
        Some(reason) => Cell::toned(format!("paused: {reason}"), Tone::Warning),
        None => Cell::toned("active", Tone::Good),
    };
    let ends = budget.ends_at.map_or_else(|| "never".to_owned(), |ends| format!("{} UTC", when::short(ends)));
    table::pairs(
        output,
        &[
            ("agent", Cell::new(&budget.agent)),
            ("state", state),
            ("period", Cell::new(budget.period.as_str())),
            ("ends", Cell::new(ends)),
            ("money", Cell::new(money(&budget.usd))),
            ("tokens", Cell::new(count(&budget.tokens))),
            ("runs", Cell::new(count(&budget.runs))),
            ("runs today", Cell::new(count(&budget.daily_runs))),
            ("extensions", Cell::new(budget.extensions.to_string())),
        ],
    )
}

fn money(used: &MoneyUse) -> String {
    let limit = used.limit.map_or_else(|| "no limit".to_owned(), |limit| format!("of ${limit:.2}"));
    let forecast = used.forecast.map_or_else(String::new, |forecast| format!(", forecast ${forecast:.2}"));
    format!("${:.2} {limit}, reserved ${:.2}{forecast}", used.spent, used.reserved)
}

fn count(used: &CountUse) -> String {
    let limit = used.limit.map_or_else(|| "no limit".to_owned(), |limit| format!("of {limit}"));
    let forecast = used.forecast.map_or_else(String::new, |forecast| format!(", forecast {forecast}"));
    format!("{} {limit}, reserved {}{forecast}", used.spent, used.reserved)
}

pub(super) fn draw_reputation(output: &Output, reputation: &Reputation) -> String {
    let now = when::now();
    let tone = if reputation.quarantined_at.is_some() { Tone::Bad } else { Tone::Good };
    let score = Cell::toned(format!("{:.2}", reputation.score), tone);
    let state = if reputation.quarantined_at.is_some() { "quarantined" } else { "active" };
    let head = table::pairs(
        output,
        &[("agent", Cell::new(&reputation.agent)), ("score", score), ("state", Cell::toned(state, tone))],
    );
    let row = |entry: &ReputationEntry| {
        let cause = match (entry.run_id, entry.message_id) {
            (Some(run), _) => format!("run {run}"),
            (None, Some(message)) => format!("message {message}"),
            (None, None) => String::new(),
        };
        let (word, tone) = if entry.value == 1 { ("success", Tone::Good) } else { ("failure", Tone::Bad) };
        vec![
            Cell::whole(entry.id.to_string()),
            Cell::new(entry.kind.as_str()),
            Cell::toned(word, tone),
            Cell::new(cause),
            Cell::new(entry.by.as_deref().unwrap_or_default()),
            Cell::whole(when::relative(entry.created_at, now)),
        ]
    };
    let rows: Vec<_> = reputation.entries.iter().map(row).collect();
    format!("{head}\n{}", table::draw(output, &["ID", "CAUSE", "OUTCOME", "ABOUT", "BY", "MADE"], &rows))
}
