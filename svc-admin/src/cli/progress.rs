//! Progress of long operations, on a terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

const BYTES: &str = "{msg} {bar:40} {bytes}/{total_bytes}, {eta} left";

const COUNTER: &str = "{spinner} {msg} {bytes} ({elapsed})";

/// Interval of the animation.
const TICK: Duration = Duration::from_millis(120);

/// A bar for `total` entries, or a counter when their number is unknown. It is drawn on standard error, and only if
/// that is a terminal and nothing else is written to it.
pub(super) fn bar(total: Option<u64>, alone: bool) -> ProgressBar {
    if !alone {
        return ProgressBar::hidden();
    }
    let (bar, style) = match total {
        Some(total) => (ProgressBar::new(total), "{bar:40} {pos}/{len} entries, {eta} left"),
        None => (ProgressBar::no_length(), "{spinner} {pos} entries"),
    };
    styled(bar, style)
}

/// A bar for a number of bytes.
pub(super) fn bytes(what: &'static str, total: u64) -> ProgressBar {
    styled(ProgressBar::new(total), BYTES).with_message(what)
}

/// A count of bytes whose total is unknown.
pub(super) fn counter(what: &'static str) -> ProgressBar {
    let counter = styled(ProgressBar::no_length(), COUNTER).with_message(what);
    counter.enable_steady_tick(TICK);
    counter
}

/// Shows that the server is working.
pub(super) fn spinner(what: &'static str) -> ProgressBar {
    let spinner = styled(ProgressBar::new_spinner(), "{spinner} {msg} ({elapsed})").with_message(what);
    spinner.enable_steady_tick(TICK);
    spinner
}

fn styled(bar: ProgressBar, style: &str) -> ProgressBar {
    match ProgressStyle::with_template(style) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_styles_are_understood() {
        for style in [
            "{bar:40} {pos}/{len} entries, {eta} left",
            "{spinner} {pos} entries",
            "{spinner} {msg} ({elapsed})",
            BYTES,
            COUNTER,
        ] {
            assert!(ProgressStyle::with_template(style).is_ok(), "{style}");
        }
    }
}
