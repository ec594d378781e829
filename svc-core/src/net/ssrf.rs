//! Classification of IP addresses; no network access.
//!
//! Invariants: an address is public only when its registry declares it globally reachable; a form that hides an
//! IPv4 address (mapped, NAT64, 6to4, Teredo) is never public, whatever it hides; anything not known to be public
//! is not public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The kind of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AddressClass {
    /// Globally reachable.
    Public,
    /// This machine.
    Loopback,
    /// No particular machine; some systems treat it as their own address.
    Unspecified,
    /// A private network.
    Private,
    /// The link of this machine; the metadata services of clouds are here.
    LinkLocal,
    /// Shared by the customers of a carrier.
    CarrierNat,
    /// A group of machines.
    Multicast,
    /// All machines of the link.
    Broadcast,
    /// For examples in documents.
    Documentation,
    /// For measurements between networks.
    Benchmarking,
    /// Inside IPv6 and standing for an IPv4 address: mapped, NAT64, 6to4 or Teredo.
    Embedded,
    /// Reserved for other purposes, or not assigned.
    Reserved,
}

/// IPv4 networks that are not globally reachable, with their prefix lengths. The first match counts.
const V4: [(Ipv4Addr, u32, AddressClass); 17] = [
    (Ipv4Addr::UNSPECIFIED, 8, AddressClass::Unspecified),
    (Ipv4Addr::new(10, 0, 0, 0), 8, AddressClass::Private),
    (Ipv4Addr::new(100, 64, 0, 0), 10, AddressClass::CarrierNat),
    (Ipv4Addr::new(127, 0, 0, 0), 8, AddressClass::Loopback),
    (Ipv4Addr::new(169, 254, 0, 0), 16, AddressClass::LinkLocal),
    (Ipv4Addr::new(172, 16, 0, 0), 12, AddressClass::Private),
    (Ipv4Addr::new(192, 0, 0, 0), 24, AddressClass::Reserved),
    (Ipv4Addr::new(192, 0, 2, 0), 24, AddressClass::Documentation),
    // The former relays of 6to4.
    (Ipv4Addr::new(192, 88, 99, 0), 24, AddressClass::Embedded),
    (Ipv4Addr::new(192, 168, 0, 0), 16, AddressClass::Private),
    (Ipv4Addr::new(198, 18, 0, 0), 15, AddressClass::Benchmarking),
    (Ipv4Addr::new(198, 51, 100, 0), 24, AddressClass::Documentation),
    (Ipv4Addr::new(203, 0, 113, 0), 24, AddressClass::Documentation),
    (Ipv4Addr::new(233, 252, 0, 0), 24, AddressClass::Documentation),
    (Ipv4Addr::new(224, 0, 0, 0), 4, AddressClass::Multicast),
    (Ipv4Addr::BROADCAST, 32, AddressClass::Broadcast),
    (Ipv4Addr::new(240, 0, 0, 0), 4, AddressClass::Reserved),
];

/// IPv6 networks that are not globally reachable, with their prefix lengths. The first match counts.
const V6: [(Ipv6Addr, u32, AddressClass); 16] = [
    (Ipv6Addr::UNSPECIFIED, 128, AddressClass::Unspecified),
    (Ipv6Addr::LOCALHOST, 128, AddressClass::Loopback),
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96, AddressClass::Embedded),
    // The old form of an IPv4 address, without a prefix.
    (Ipv6Addr::UNSPECIFIED, 96, AddressClass::Embedded),
    (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96, AddressClass::Embedded),
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48, AddressClass::Embedded),
    // Teredo.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 32, AddressClass::Embedded),
    (Ipv6Addr::new(0x2001, 2, 0, 0, 0, 0, 0, 0), 48, AddressClass::Benchmarking),
    // Other protocol assignments, such as ORCHID.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, AddressClass::Reserved),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, AddressClass::Documentation),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, AddressClass::Embedded),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, AddressClass::Documentation),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, AddressClass::Private),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, AddressClass::LinkLocal),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, AddressClass::Private),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, AddressClass::Multicast),
];

/// The kind of an address.
pub(super) fn classify(address: IpAddr) -> AddressClass {
    match address {
        IpAddr::V4(address) => classify_v4(address),
        IpAddr::V6(address) => classify_v6(address),
    }
}

/// Whether this address is globally reachable.
pub(super) fn is_public(address: IpAddr) -> bool {
    classify(address) == AddressClass::Public
}

fn classify_v4(address: Ipv4Addr) -> AddressClass {
    let within = |network: Ipv4Addr, length: u32| (address.to_bits() ^ network.to_bits()) >> (32 - length) == 0;
    V4.iter()
        .find(|(network, length, _)| within(*network, *length))
        .map_or(AddressClass::Public, |(_, _, class)| *class)
}

fn classify_v6(address: Ipv6Addr) -> AddressClass {
    let within = |network: Ipv6Addr, length: u32| (address.to_bits() ^ network.to_bits()) >> (128 - length) == 0;
    if let Some((_, _, class)) = V6.iter().find(|(network, length, _)| within(*network, *length)) {
        return *class;
    }
    // Only this eighth of the space is assigned.
    if within(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3) { AddressClass::Public } else { AddressClass::Reserved }
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
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
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
        ] {
            assert!(public(text), "{text}");
        }
    }

    #[test]
    fn each_kind_of_address_has_its_name() {
        for (text, class) in [
            ("127.0.0.1", AddressClass::Loopback),
            ("::1", AddressClass::Loopback),
            ("0.0.0.0", AddressClass::Unspecified),
            ("::", AddressClass::Unspecified),
            ("192.168.0.1", AddressClass::Private),
            ("fd00::1", AddressClass::Private),
            ("169.254.169.254", AddressClass::LinkLocal),
            ("fe80::1", AddressClass::LinkLocal),
            ("100.64.0.1", AddressClass::CarrierNat),
            ("224.0.0.1", AddressClass::Multicast),
            ("ff02::1", AddressClass::Multicast),
            ("255.255.255.255", AddressClass::Broadcast),
            ("192.0.2.1", AddressClass::Documentation),
            ("2001:db8::1", AddressClass::Documentation),
            ("198.18.0.1", AddressClass::Benchmarking),
            ("2001:2::1", AddressClass::Benchmarking),
            ("2001:10::1", AddressClass::Reserved),
            ("240.0.0.1", AddressClass::Reserved),
            ("1.1.1.1", AddressClass::Public),
        ] {
            assert_eq!(classify(text.parse().unwrap()), class, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_form_that_embeds_an_ipv4_address_is_public(bits: u32) {
            let plain = Ipv4Addr::from_bits(bits);
            let low = u128::from(bits);
            let teredo = Ipv6Addr::from_bits((0x2001_0000_u128 << 96) | low);
            let nat64 = Ipv6Addr::from_bits((0x0064_ff9b_u128 << 96) | low);
            let six_to_four = Ipv6Addr::from_bits((0x2002_u128 << 112) | (low << 80) | 1);
            for address in [plain.to_ipv6_mapped(), nat64, six_to_four, teredo] {
                prop_assert_eq!(classify(address.into()), AddressClass::Embedded);
            }
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
            if address.segments()[0] >> 13 != 1 {
                prop_assert!(!is_public(address.into()));
            }
        }
    }
}
