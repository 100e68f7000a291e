//! Decides which addresses a client may connect to. Decisions only; no I/O.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The hosts whose addresses may be private, because the configuration names them. Every other host must have a public
/// address.
#[derive(Debug, Clone)]
pub(crate) struct AddressPolicy {
    configured: BTreeSet<String>,
    /// The advice for the operator on how to allow a private host.
    remedy: &'static str,
}

impl Default for AddressPolicy {
    fn default() -> Self {
        Self {
            configured: BTreeSet::new(),
            remedy: "the operator can allow it by naming the host in the configuration",
        }
    }
}

impl AddressPolicy {
    /// Allows private addresses for these hosts only.
    pub(crate) fn for_hosts<'a>(hosts: impl IntoIterator<Item = &'a str>) -> Self {
        Self { configured: hosts.into_iter().map(str::to_ascii_lowercase).collect(), ..Self::default() }
    }

    /// Sets what the operator does to allow a private host.
    #[cfg(feature = "web")]
    pub(crate) fn allowed_by(self, remedy: &'static str) -> Self {
        Self { remedy, ..self }
    }

    /// Returns what the operator does to allow an address of this kind, in words.
    pub(crate) fn remedy(&self, address: IpAddr) -> &'static str {
        match is_link_local(address) {
            true => "such an address is used only if the configuration has it in place of a name",
            false => self.remedy,
        }
    }

    /// Tells whether a client may connect to this address of a host.
    ///
    /// Link-local addresses, where clouds serve credentials, are allowed only if the configuration has the address
    /// itself: no name needs to resolve to one.
    pub(crate) fn allows(&self, host: &str, address: IpAddr) -> bool {
        if is_public(address) {
            return true;
        }
        let is_literal = host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        self.configured.contains(&host.to_ascii_lowercase()) && (is_literal || !is_link_local(address))
    }
}

fn is_link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => match embedded(address) {
            Some(address) => address.is_link_local(),
            // The second range is where AWS serves instance metadata.
            None => address.is_unicast_link_local() || address.segments()[..2] == [0xfd00, 0x0ec2],
        },
    }
}

/// Tells whether an address is on the public Internet.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match embedded(address) {
            Some(embedded) => is_public_v4(embedded),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = match (first, second, third) {
        // This network, private networks, loopback, benchmarking, multicast and reserved addresses.
        (0 | 10 | 127 | 224..=255, _, _) | (172, 16..=31, _) | (192, 168, _) | (198, 18 | 19, _) => true,
        // Carrier-grade NAT, link-local, protocol assignments, documentation.
        (100, 64..=127, _) | (169, 254, _) | (192, 0, 0 | 2) | (192, 88, 99) | (198, 51, 100) | (203, 0, 113) => true,
        _ => false,
    };
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // Only 2000::/3 is assigned for global unicast. Within it are protocol assignments and documentation.
    match address.segments() {
        [0x2001, second, ..] => second >= 0x0200 && second != 0x0db8,
        [0x3fff, second, ..] => second >= 0x1000,
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

/// Returns the IPv4 address that an IPv6 address stands for: mapped, compatible, NAT64 and 6to4.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let from = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        Ipv4Addr::new(a, b, c, d)
    };
    match address.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(from(high, low)),
        [0x2002, high, low, ..] => Some(from(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        let public = ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2001:4860:4860::8888"];
        let special = [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.9.9.9",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.168.1.1",
            "198.18.0.1",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::10.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2002:a9fe:a9fe::",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001:db8::1",
            "2001::1",
            "100::1",
            "3fff::1",
        ];
        for address in public {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in special {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn a_configured_host_may_be_private_and_metadata_needs_its_address() {
        let policy = AddressPolicy::for_hosts(["Intranet.example", "localhost", "169.254.169.254", "[::1]"]);
        for (host, address, expected) in [
            ("intranet.EXAMPLE", "10.0.0.1", true),
            ("localhost", "127.0.0.1", true),
            ("[::1]", "::1", true),
            ("intranet.example", "169.254.169.254", false),
            ("intranet.example", "fe80::1", false),
            ("intranet.example", "fd00:ec2::254", false),
            ("intranet.example", "::ffff:169.254.169.254", false),
            ("169.254.169.254", "169.254.169.254", true),
            ("elsewhere.example", "10.0.0.1", false),
            ("elsewhere.example", "127.0.0.1", false),
            ("elsewhere.example", "8.8.8.8", true),
        ] {
            assert_eq!(policy.allows(host, address.parse().unwrap()), expected, "{host} {address}");
        }
    }
}
