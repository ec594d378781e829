//! Which endpoints there are, and which of them are due: pure.

use std::collections::BTreeMap;

use url::Url;

use super::store::Seen;
use crate::ids::WebhookId;
use crate::limits;
use crate::timestamp::Timestamp;

/// Who uses an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It is the address of this hub.
    Hub,
    /// It is the service of the bucket with the files.
    Files,
    /// A webhook posts to it.
    Webhook(WebhookId),
}

impl Purpose {
    /// The word in the store.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Hub => "hub",
            Self::Files => "files",
            Self::Webhook(_) => "webhook",
        }
    }

    pub(super) fn webhook(self) -> Option<WebhookId> {
        match self {
            Self::Hub | Self::Files => None,
            Self::Webhook(id) => Some(id),
        }
    }
}

/// The host and the port of a URL; `None` if it is not https.
pub(super) fn endpoint(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(|url| url.scheme() == "https")?;
    Some(format!("{}:{}", url.host_str()?, url.port_or_known_default()?))
}

/// The endpoints of some URLs, each with the first purpose that it has, up to the limit.
pub(super) fn wanted(urls: impl IntoIterator<Item = (Purpose, String)>) -> BTreeMap<String, Purpose> {
    let mut found = BTreeMap::new();
    for (purpose, url) in urls {
        if found.len() == limits::CERTIFICATES_MAX {
            break;
        }
        if let Some(endpoint) = endpoint(&url) {
            found.entry(endpoint).or_insert(purpose);
        }
    }
    found
}

/// Whether an endpoint is to be looked at.
pub(super) fn is_due(seen: &Seen, now: Timestamp) -> bool {
    let Some(looked_at) = seen.looked_at else { return true };
    let is_fine = !seen.has_error && seen.ends_at.is_some_and(|end| end > now.plus(limits::CERTIFICATE_WARNING));
    let pause = if is_fine { limits::CERTIFICATE_EVERY } else { limits::CERTIFICATE_EVERY_SOON };
    // A look in the future was made before the clock was set back.
    looked_at > now || now.since(looked_at) >= pause
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_endpoint_is_a_host_with_its_port() {
        for (url, found) in [
            ("https://Hooks.Example.org/a?b", Some("hooks.example.org:443")),
            ("https://hooks.example.org:8443", Some("hooks.example.org:8443")),
            ("https://[2001:db8::1]/", Some("[2001:db8::1]:443")),
            ("http://hooks.example.org/", None),
            ("hooks.example.org", None),
        ] {
            assert_eq!(endpoint(url).as_deref(), found, "{url}");
        }
    }

    #[test]
    fn the_first_purpose_counts_and_the_number_is_limited() {
        let webhook = |id: i64, host: &str| (Purpose::Webhook(WebhookId(id)), format!("https://{host}/hook"));
        let found =
            wanted([(Purpose::Hub, "https://a.example".to_owned()), webhook(1, "a.example"), webhook(2, "b.example")]);
        let expected = [("a.example:443", Purpose::Hub), ("b.example:443", Purpose::Webhook(WebhookId(2)))];
        assert_eq!(found.iter().map(|(name, purpose)| (name.as_str(), *purpose)).collect::<Vec<_>>(), expected);
        let many = wanted((0..1_000).map(|id| webhook(id, &format!("h{id}.example"))));
        assert_eq!(many.len(), limits::CERTIFICATES_MAX);
    }

    #[test]
    fn what_is_wrong_is_looked_at_more_often() {
        let now = Timestamp::from_micros(1_767_225_600_000_000);
        let (hour, day) = (Duration::from_hours(1), Duration::from_hours(24));
        let due = |age: Duration, left: Duration, has_error: bool| {
            let ends_at = Some(now.plus(left));
            is_due(&Seen { endpoint: String::new(), ends_at, looked_at: Some(now.minus(age)), has_error }, now)
        };
        assert_eq!([due(hour, day * 90, false), due(day, day * 90, false)], [false, true]);
        assert_eq!([due(hour / 2, day * 3, false), due(hour, day * 3, false)], [false, true]);
        assert_eq!([due(hour / 2, day * 90, true), due(hour, day * 90, true)], [false, true]);
        assert!(is_due(&Seen { endpoint: String::new(), ends_at: None, looked_at: None, has_error: false }, now));
    }
}
