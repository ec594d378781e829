//! Rules of display names: none may be confused with another participant.

use super::store;
use crate::error::{Error, Result};
use crate::store::db::Tx;
use crate::text::looks::shapes;

/// Names of the hub itself.
const RESERVED: [&str; 4] = ["system", "the hub", "hub", "svc"];

/// Rejects a display name that resembles the hub, or the handle of another participant. A participant's own
/// handle is always allowed.
pub(super) async fn check(tx: &mut Tx, handle: &str, display_name: &str) -> Result<()> {
    if handle.eq_ignore_ascii_case(display_name) {
        return Ok(());
    }
    let looks = shapes(display_name);
    if RESERVED.iter().any(|name| shapes(name).iter().any(|shape| looks.contains(shape))) {
        let rule = format!("must not resemble the hub's own name, and {display_name:?} does: choose another");
        return Err(Error::invalid("display_name", rule));
    }
    let (Some(one), Some(other)) = (looks.first(), looks.last()) else { return Ok(()) };
    match store::looks_like(tx, [one, other], &handle.to_ascii_lowercase()).await? {
        Some(of) => {
            let rule = format!("must not resemble another participant's name, and {display_name:?} resembles {of}");
            Err(Error::invalid("display_name", rule))
        }
        None => Ok(()),
    }
}
