//! Networks that outgoing requests may reach although they are not public.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

use super::ssrf::is_public;
use crate::error::{Error, Result};

/// A list of networks, written as `10.0.0.0/8,fd00::/8`; empty by default. A single address stands for itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedNetworks(Vec<IpNet>);

impl AllowedNetworks {
    /// Whether a request may connect to this address: it is public, or in one of the networks.
    pub(crate) fn permit(&self, address: IpAddr) -> bool {
        is_public(address) || self.0.iter().any(|network| network.contains(&address))
    }
}

impl FromStr for AllowedNetworks {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parse = |part: &str| {
            part.parse::<IpNet>().or_else(|_| part.parse::<IpAddr>().map(IpNet::from)).map_err(|_| {
                Error::invalid("allow_private_networks", "must be networks such as 10.0.0.0/8, separated by commas")
            })
        };
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        Ok(Self(parts.map(parse).collect::<Result<_>>()?))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn exceptions_hold_for_their_networks_only() {
        let allowed: AllowedNetworks = "10.1.0.0/16, ::1,127.0.0.1".parse().unwrap();
        for (address, permitted) in [
            ("10.1.2.3", true),
            ("10.2.0.0", false),
            ("::1", true),
            ("::ffff:10.1.2.3", false),
            ("127.0.0.1", true),
            ("127.0.0.2", false),
            ("1.1.1.1", true),
        ] {
            assert_eq!(allowed.permit(address.parse().unwrap()), permitted, "{address}");
        }
        for text in ["10.0.0.0/33", "example.com", "10.0.0.0/8;::1"] {
            assert!(text.parse::<AllowedNetworks>().is_err(), "{text}");
        }
        assert_eq!("".parse::<AllowedNetworks>().unwrap(), AllowedNetworks::default());
    }

    proptest! {
        #[test]
        fn without_exceptions_public_addresses_are_permitted_and_no_others(bits: u128, short: u32) {
            for address in [IpAddr::V6(bits.into()), IpAddr::V4(short.into())] {
                prop_assert_eq!(AllowedNetworks::default().permit(address), is_public(address));
            }
        }
    }
}
