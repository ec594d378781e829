//! The finding about the certificates of endpoints.

use super::judge::{count, finding, ok};
use super::{Finding, FindingState};
use crate::hub::certificates::EndpointCertificate;
use crate::limits;
use crate::timestamp::Timestamp;

/// The check of certificates.
pub(super) const CHECK: &str = "certificates";
/// The number of endpoints that a finding names.
const NAMED: usize = 5;

/// The finding about certificates, of which the one that ends first is at the beginning.
pub(super) fn certificates(found: &[EndpointCertificate], now: Timestamp) -> Finding {
    if found.is_empty() {
        return ok(CHECK, "The hub depends on no https endpoint.");
    }
    let soon = now.plus(limits::CERTIFICATE_WARNING);
    let ending: Vec<_> = found.iter().filter_map(|one| Some((one, one.ends_at.filter(|end| *end <= soon)?))).collect();
    if ending.is_empty() {
        return ok(CHECK, sound(found));
    }
    let has_ended = ending.iter().any(|(_, end)| *end <= now);
    let named: Vec<_> = ending.iter().take(NAMED).map(|(one, end)| sentence(one, *end, now)).collect();
    let more = (ending.len() > NAMED).then(|| format!("And {} more.", ending.len() - NAMED));
    let summary = named.into_iter().chain(more).collect::<Vec<_>>().join(" ");
    let state = if has_ended { FindingState::Problem } else { FindingState::Warning };
    let advice =
        "Renew the certificate, or ask the operator of the endpoint to renew it. The hub looks again every hour.";
    finding(CHECK, state, summary, advice)
}

fn sentence(one: &EndpointCertificate, end: Timestamp, now: Timestamp) -> String {
    let day: String = end.to_string().chars().take("2026-12-11".len()).collect();
    let EndpointCertificate { endpoint, used_by, .. } = one;
    if end <= now {
        return format!("The certificate of {endpoint} ({used_by}) ended on {day}.");
    }
    let days = usize::try_from(end.since(now).as_secs() / 86_400).unwrap_or(usize::MAX);
    let left = if days == 0 { "less than a day".to_owned() } else { count(days, "day", "days") };
    format!("The certificate of {endpoint} ({used_by}) ends in {left}, on {day}.")
}

/// Nothing ends soon.
fn sound(found: &[EndpointCertificate]) -> String {
    let unseen = found.iter().filter(|one| one.ends_at.is_none()).count();
    let number = count(found.len(), "https endpoint", "https endpoints");
    if unseen == 0 {
        format!("None of the certificates of {number} ends soon.")
    } else {
        format!("None of the known certificates of {number} ends soon; not seen yet: {unseen}.")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const DAY: Duration = Duration::from_hours(24);

    fn now() -> Timestamp {
        Timestamp::from_micros(1_767_225_600_000_000)
    }

    fn one(ends_at: Option<Timestamp>) -> EndpointCertificate {
        EndpointCertificate {
            endpoint: "hooks.example.org:443".to_owned(),
            used_by: "webhook 7 of scout".to_owned(),
            ends_at,
            looked_at: Some(now()),
            error: None,
        }
    }

    #[test]
    fn the_end_of_a_certificate_is_told_with_who_uses_it() {
        let told = |found: &[EndpointCertificate]| {
            let found = certificates(found, now());
            (found.state, found.summary)
        };
        assert_eq!(told(&[]).0, FindingState::Ok);
        let (state, summary) = told(&[one(Some(now().plus(DAY * 15))), one(None)]);
        assert_eq!(state, FindingState::Ok);
        assert_eq!(summary, "None of the known certificates of 2 https endpoints ends soon; not seen yet: 1.");
        let (state, summary) = told(&[one(Some(now().plus(DAY * 9))), one(Some(now().plus(DAY * 90)))]);
        assert_eq!(state, FindingState::Warning);
        let expected = "The certificate of hooks.example.org:443 (webhook 7 of scout) ends in 9 days, on 2026-01-10.";
        assert_eq!(summary, expected);
        let (state, summary) = told(&[one(Some(now().minus(DAY))), one(Some(now().plus(DAY / 2)))]);
        assert_eq!(state, FindingState::Problem);
        assert!(summary.contains("ended on 2025-12-31.") && summary.contains("ends in less than a day"), "{summary}");
        let many: Vec<_> = (0..7).map(|_| one(Some(now()))).collect();
        assert!(told(&many).1.ends_with("And 2 more."));
    }
}
