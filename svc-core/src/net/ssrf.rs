//! Classification of IP addresses as public or not; no network access.
//!
//! Invariants: an address is public only when its registry declares it globally reachable; an IPv4 address
//! inside an IPv6 address is classified as that IPv4 address; anything not known to be public is not public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks that are not globally reachable, with their prefix lengths.
const PRIVATE_V4: [(Ipv4Addr, u32); 15] = [
    // "This network", which some systems treat as their own address.
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    // Shared by the customers of a carrier.
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // Link-local; the metadata services of clouds are here.
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    // The former relays of 6to4.
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    // Measurements between networks.
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // Multicast.
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    // Reserved, and the broadcast at its end.
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// Parts of the global unicast space of IPv6 that are not globally reachable.
const PRIVATE_V6: [(Ipv6Addr, u32); 4] = [
    // Protocol assignments: Teredo, benchmarking, ORCHID.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    // 6to4 leads to an IPv4 address through relays that no longer exist.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Whether this address is globally reachable.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match embedded(address) {
            Some(address) => is_public_v4(address),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let within = |network: Ipv4Addr, length: u32| (address.to_bits() ^ network.to_bits()) >> (32 - length) == 0;
    !PRIVATE_V4.iter().any(|(network, length)| within(*network, *length))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let within = |network: Ipv6Addr, length: u32| (address.to_bits() ^ network.to_bits()) >> (128 - length) == 0;
    // Only this eighth of the space is assigned; all local addresses lie outside of it.
    within(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3)
        && !PRIVATE_V6.iter().any(|(network, length)| within(*network, *length))
}

/// The IPv4 address inside an IPv6 address: mapped, or behind the well-known NAT64 prefix.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let nat64 = Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0).to_bits() >> 32;
    if address.to_bits() >> 32 == nat64 {
        let low = u32::try_from(address.to_bits() & u128::from(u32::MAX)).unwrap_or_default();
        return Some(Ipv4Addr::from_bits(low));
    }
    address.to_ipv4_mapped()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().unwrap())
    }

    #[test]
    fn non_public_addresses_are_rejected() {
        for text in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:0808:0808::1",
            "3fff::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!public(text), "{text}");
        }
    }

    #[test]
    fn public_addresses_are_accepted() {
        for text in [
            "1.1.1.1",
            "9.255.255.255",
            "100.63.255.255",
            "100.128.0.0",
            "172.32.0.1",
            "192.0.1.1",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450::1",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
        ] {
            assert!(public(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn an_embedded_address_is_classified_as_ipv4(bits: u32) {
            let plain = Ipv4Addr::from_bits(bits);
            let nat64 = Ipv6Addr::from_bits((0x0064_ff9b_u128 << 96) | u128::from(bits));
            prop_assert_eq!(is_public(plain.to_ipv6_mapped().into()), is_public(plain.into()));
            prop_assert_eq!(is_public(nat64.into()), is_public(plain.into()));
        }

        #[test]
        fn addresses_that_std_calls_local_are_not_public(bits: u32) {
            let address = Ipv4Addr::from_bits(bits);
            let local = address.is_private() || address.is_loopback() || address.is_link_local()
                || address.is_multicast() || address.is_broadcast() || address.is_unspecified()
                || address.is_documentation();
            prop_assert!(!(local && is_public(address.into())));
        }

        #[test]
        fn nothing_outside_the_global_unicast_space_is_public(bits: u128) {
            let address = Ipv6Addr::from_bits(bits);
            if address.segments()[0] >> 13 != 1 && embedded(address).is_none() {
                prop_assert!(!is_public(address.into()));
            }
        }
    }
}
