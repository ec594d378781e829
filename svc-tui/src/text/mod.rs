//! Text for the screen: cleaning, measuring, wrapping and Markdown.
//!
//! Invariants: everything that comes from the hub passes through [`clean`], [`one_line`], [`fit`], [`padded`] or
//! [`markdown`] before it is drawn, so that no message acts on the terminal. Widths are columns, measured as ratatui
//! draws. No function panics or takes more than linear time, whatever the text.

mod clean;
mod highlight;
mod markdown;
mod moment;
mod table;
mod wrap;

pub(crate) use self::clean::{clean, one_line};
pub(crate) use self::markdown::{links, markdown};
pub(crate) use self::moment::{ago, clock, day};
pub(crate) use self::wrap::{fit, padded, width, wrap_spans, wrapped};
