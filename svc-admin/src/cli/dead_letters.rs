//! `svc-admin dead-letters`.

use clap::Subcommand;
use svc_core::dead_letters::{DeadLetter, DeadLetterKind, DeadLetterPage};
use svc_core::ids::DeadLetterId;

use super::context::{Context, PageArguments};
use super::moments::{Range, RangeArguments};
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::{when, words};
use crate::methods::dead_letters::{Discard, LetterParams, List, ListParams, Retry, Show};

#[derive(Debug, Subcommand)]
pub(super) enum DeadLettersCommand {
    /// List dead letters, newest first. They are kept for 30 days.
    #[command(after_help = "Examples:\n  svc-admin dead-letters list --not-discarded\n  \
                            svc-admin dead-letters list --kind webhook --owner ann --since 24h")]
    List {
        /// Only dead letters of this kind.
        #[arg(long, value_name = "KIND", value_parser = words::dead_letter_kind())]
        kind: Option<DeadLetterKind>,
        /// Only those of this human and of their agents.
        #[arg(long, value_name = "USERNAME")]
        owner: Option<String>,
        /// Only those that were discarded.
        #[arg(long)]
        discarded: bool,
        /// Only those that were not discarded.
        #[arg(long, conflicts_with = "discarded")]
        not_discarded: bool,
        #[command(flatten)]
        range: RangeArguments,
        #[command(flatten)]
        page: PageArguments,
    },
    /// Show a dead letter with its message.
    #[command(after_help = "Example:\n  svc-admin dead-letters show 7")]
    Show {
        /// Id of the dead letter, as in `dead-letters list`.
        id: i64,
    },
    /// Offer the message to its recipient again, or attempt the delivery again.
    #[command(after_help = "Example:\n  svc-admin dead-letters retry 7")]
    Retry {
        /// Id of the dead letter.
        id: i64,
    },
    /// Discard a dead letter: it stays in the list, and its owner need not look at it.
    #[command(visible_alias = "acknowledge", after_help = "Example:\n  svc-admin dead-letters discard 7")]
    Discard {
        /// Id of the dead letter.
        id: i64,
    },
}

pub(super) async fn run(command: &DeadLettersCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        DeadLettersCommand::List { kind, owner, discarded, not_discarded, range, page } => {
            let Range { since, until } = range.checked()?;
            let acknowledged = match (discarded, not_discarded) {
                (true, _) => Some(true),
                (false, true) => Some(false),
                (false, false) => None,
            };
            let params = ListParams {
                kind: *kind,
                acknowledged,
                owner: owner.clone(),
                since,
                until,
                limit: Some(page.limit),
                offset: Some(page.offset),
            };
            let letters = context.call::<List>(&params).await?;
            let outcome = Outcome::new(context.output.render(&letters, draw));
            let shown = (letters.dead_letters.len(), letters.total);
            Ok(page.remark(outcome, &context.output, shown, "No matching dead letters."))
        }
        DeadLettersCommand::Show { id } => {
            let letter = context.call::<Show>(&LetterParams { id: DeadLetterId(*id) }).await?;
            Ok(Outcome::new(context.output.render(&letter, draw_one)))
        }
        DeadLettersCommand::Retry { id } => {
            let letter = context.call::<Retry>(&LetterParams { id: DeadLetterId(*id) }).await?;
            let again = if letter.kind == DeadLetterKind::Message { "is offered again" } else { "is attempted again" };
            let sentence = format!("The {} to {} {again}.", subject(&letter), letter.participant);
            Ok(Outcome::sentence(&context.output, &letter, &sentence))
        }
        DeadLettersCommand::Discard { id } => {
            let letter = context.call::<Discard>(&LetterParams { id: DeadLetterId(*id) }).await?;
            Ok(Outcome::sentence(&context.output, &letter, &format!("Dead letter {id} is discarded.")))
        }
    }
}

/// The message or the delivery that failed.
fn subject(letter: &DeadLetter) -> String {
    match (&letter.message, letter.delivery_id) {
        (Some(message), _) => format!("message {} of {}", message.id, message.from),
        (None, Some(delivery)) => format!("delivery {delivery}"),
        (None, None) => letter.kind.as_str().to_owned(),
    }
}

fn state(letter: &DeadLetter) -> Cell {
    match (letter.retried_at, letter.acknowledged_at) {
        (Some(_), _) => Cell::toned("retried", Tone::Good),
        (None, Some(_)) => Cell::new("discarded"),
        (None, None) => Cell::toned("open", Tone::Bad),
    }
}

fn draw(output: &Output, page: &DeadLetterPage) -> String {
    let now = when::now();
    let row = |letter: &DeadLetter| {
        vec![
            Cell::whole(letter.id.to_string()),
            Cell::new(&letter.participant),
            Cell::new(subject(letter)),
            Cell::new(&letter.reason),
            Cell::whole(letter.attempts.to_string()),
            state(letter),
            Cell::whole(when::relative(letter.created_at, now)),
        ]
    };
    let rows: Vec<_> = page.dead_letters.iter().map(row).collect();
    table::draw(output, &["ID", "RECIPIENT", "ABOUT", "REASON", "ATTEMPTS", "STATE", "CREATED"], &rows)
}

fn draw_one(output: &Output, letter: &DeadLetter) -> String {
    let at = |moment| Cell::new(format!("{} UTC", when::short(moment)));
    let mut pairs = vec![
        ("dead letter", Cell::whole(letter.id.to_string())),
        ("recipient", Cell::new(&letter.participant)),
        ("about", Cell::new(subject(letter))),
        ("reason", Cell::new(&letter.reason)),
        ("attempts", Cell::new(letter.attempts.to_string())),
        ("state", state(letter)),
        ("created", at(letter.created_at)),
    ];
    pairs.extend(letter.retried_at.map(|moment| ("retried", at(moment))));
    pairs.extend(letter.acknowledged_at.map(|moment| ("discarded", at(moment))));
    let Some(message) = &letter.message else {
        return table::pairs(output, &pairs);
    };
    pairs.push(("sent", at(message.created_at)));
    if !message.subject.is_empty() {
        pairs.push(("subject", Cell::new(&message.subject)));
    }
    // Stored text must not control the terminal, but may have several lines.
    let body = message.body.replace(|letter: char| letter.is_control() && letter != '\n', " ");
    format!("{}\n{}\n", table::pairs(output, &pairs), body.trim_end())
}
