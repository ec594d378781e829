//! The client's address: the peer of the connection, or the address that a trusted proxy reports.
//!
//! Invariants: a header counts only when the peer is trusted; the right-most hop that is not a trusted proxy is the
//! client, because everything further left is unverified; a hop that is not an address ends the search.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;

use poem::http::HeaderMap;
use poem::{Endpoint, IntoResponse, Request, Response, Result};
use svc_core::Error;

const HEADER: &str = "x-forwarded-for";

/// The address of the client; handlers find it in the request's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// The scheme that the client used, as reported by a trusted proxy; in the request's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PublicScheme {
    Http,
    Https,
}

impl PublicScheme {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// The trusted proxies. The default is this machine itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedProxies(Vec<Network>);

/// All addresses that share the first `length` bits of `address`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Network {
    address: IpAddr,
    length: u32,
}

impl TrustedProxies {
    /// No proxies: the peer of the connection is the client.
    pub fn none() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }

    /// The scheme that the client used to reach the first proxy, if the peer is trusted.
    fn scheme(&self, peer: IpAddr, headers: &HeaderMap) -> PublicScheme {
        // With several proxies the first entry is the client's.
        let claimed =
            headers.get("x-forwarded-proto").and_then(|value| value.as_bytes().split(|byte| *byte == b',').next());
        let claimed = claimed.map(<[u8]>::trim_ascii);
        let secure = claimed.is_some_and(|claimed| claimed.eq_ignore_ascii_case(b"https"));
        if secure && self.trusts(peer.to_canonical()) { PublicScheme::Https } else { PublicScheme::Http }
    }

    /// The client's address, given the peer and the request's headers.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.to_canonical();
        let lines: Vec<_> = headers.get_all(HEADER).iter().collect();
        for hop in lines.into_iter().rev().flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b',')) {
            if !self.trusts(client) {
                break;
            }
            match std::str::from_utf8(hop).ok().and_then(hop_address) {
                Some(address) => client = address,
                None => break,
            }
        }
        client
    }
}

impl Default for TrustedProxies {
    fn default() -> Self {
        Self(vec![
            Network { address: Ipv4Addr::new(127, 0, 0, 0).into(), length: 8 },
            Network { address: Ipv6Addr::LOCALHOST.into(), length: 128 },
        ])
    }
}

impl FromStr for TrustedProxies {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        entries.map(Network::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl Network {
    fn parse(text: &str) -> Result<Self, Error> {
        let refuse = || {
            let rule = format!("must list addresses and networks such as 10.0.0.1,10.1.0.0/16; {text:?} is neither");
            Error::invalid("trusted_proxies", rule)
        };
        let (address, length) = text.split_once('/').map_or((text, None), |(address, length)| (address, Some(length)));
        let address: IpAddr = address.parse().map_err(|_| refuse())?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let length = match length {
            None => longest,
            Some(digits) => digits.parse().ok().filter(|length| *length <= longest).ok_or_else(refuse)?,
        };
        Ok(Self { address, length })
    }

    fn contains(&self, address: IpAddr) -> bool {
        let (ours, theirs, width) = match (self.address, address) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => (u128::from(ours.to_bits()), u128::from(theirs.to_bits()), 32),
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => (ours.to_bits(), theirs.to_bits(), 128),
            _ => return false,
        };
        // A shift by the whole width is undefined, and means that every address matches.
        let shift = width - self.length;
        ours.checked_shr(shift).unwrap_or(0) == theirs.checked_shr(shift).unwrap_or(0)
    }
}

/// Parses a hop: an address, with a port in the notation of some proxies.
fn hop_address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse::<IpAddr>().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()))?;
    Some(address.to_canonical())
}

/// The part of an address that identifies a client: one customer holds a whole IPv6 /64.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & !u128::from(u64::MAX)).into()),
    }
}

/// Stores the client's address in the request's data.
pub(crate) async fn note<E: Endpoint>(
    proxies: Arc<TrustedProxies>,
    next: Arc<E>,
    mut request: Request,
) -> Result<Response> {
    // A connection that is not over IP has no address; the placeholder is never trusted.
    let peer = request.remote_addr().as_socket_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), SocketAddr::ip);
    let client = ClientAddress(proxies.client(peer, request.headers()));
    let scheme = proxies.scheme(peer, request.headers());
    request.extensions_mut().insert(client);
    request.extensions_mut().insert(scheme);
    next.call(request).await.map(IntoResponse::into_response)
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn client(proxies: &str, peer: &str, lines: &[&[u8]]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(HEADER, HeaderValue::from_bytes(line).unwrap());
        }
        let proxies: TrustedProxies = proxies.parse().unwrap();
        proxies.client(peer.parse().unwrap(), &headers).to_string()
    }

    const PROXIES: &str = "127.0.0.1, 10.0.0.0/8, 2001:db8::/32";

    #[test]
    fn without_a_header_the_peer_is_the_client() {
        assert_eq!(client(PROXIES, "203.0.113.9", &[]), "203.0.113.9");
        assert_eq!(client(PROXIES, "10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn a_stranger_cannot_claim_another_address() {
        assert_eq!(client(PROXIES, "203.0.113.9", &[b"198.51.100.1"]), "203.0.113.9");
        assert_eq!(client("", "127.0.0.1", &[b"198.51.100.1"]), "127.0.0.1");
    }

    #[test]
    fn the_right_most_untrusted_hop_is_the_client() {
        assert_eq!(client(PROXIES, "127.0.0.1", &[b"1.1.1.1, 198.51.100.1, 10.3.2.1"]), "198.51.100.1");
        assert_eq!(client(PROXIES, "127.0.0.1", &[b"1.1.1.1", b"198.51.100.1", b"10.3.2.1"]), "198.51.100.1");
        assert_eq!(client(PROXIES, "2001:db8::5", &[b"198.51.100.1:443"]), "198.51.100.1");
        assert_eq!(client(PROXIES, "127.0.0.1", &[b"[2001:db9::1]:443"]), "2001:db9::1");
    }

    #[test]
    fn when_all_are_trusted_the_farthest_is_the_client() {
        assert_eq!(client(PROXIES, "127.0.0.1", &[b"10.0.0.7,10.0.0.8"]), "10.0.0.7");
    }

    #[test]
    fn mapped_addresses_are_the_same_as_plain_ones() {
        assert_eq!(client(PROXIES, "::ffff:127.0.0.1", &[b"::ffff:198.51.100.1"]), "198.51.100.1");
    }

    #[test]
    fn an_invalid_hop_ends_the_search() {
        assert_eq!(client(PROXIES, "127.0.0.1", &[b"unknown"]), "127.0.0.1");
        assert_eq!(client(PROXIES, "127.0.0.1", &[b"198.51.100.1, , 10.0.0.2"]), "10.0.0.2");
        assert_eq!(client(PROXIES, "127.0.0.1", &[b"\xff\xfe"]), "127.0.0.1");
        assert_eq!(client(PROXIES, "127.0.0.1", &[b""]), "127.0.0.1");
    }

    #[test]
    fn networks_are_checked_when_they_are_read() {
        for text in ["10.0.0.0/33", "::/129", "10.0.0", "host.example", "10.0.0.0/-1", "10.0.0.0/"] {
            assert!(text.parse::<TrustedProxies>().is_err(), "{text}");
        }
        assert!("0.0.0.0/0".parse::<TrustedProxies>().unwrap().trusts("203.0.113.9".parse().unwrap()));
        assert!("::/0".parse::<TrustedProxies>().unwrap().trusts("2001:db8::1".parse().unwrap()));
        assert!("127.0.0.0/8,::1".parse::<TrustedProxies>().unwrap() == TrustedProxies::default());
    }

    proptest! {
        #[test]
        fn an_untrusted_peer_is_always_the_client(line in "[ -~]{0,60}", last in 1_u8..=254) {
            let peer = format!("203.0.113.{last}");
            prop_assert_eq!(client(PROXIES, &peer, &[line.as_bytes()]), peer);
        }
    }
}
