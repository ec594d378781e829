//! The normalized authority of a request, on which signer and verifier agree.

/// Normalizes a host with its port: lower case, and without a default port, which is 80, or 443 over TLS (RFC
/// 9421, section 2.2.3).
///
/// ```
/// assert_eq!(svc_model::signature::normal_authority("Hub.Example:443", true), "hub.example");
/// assert_eq!(svc_model::signature::normal_authority("127.0.0.1:8080", false), "127.0.0.1:8080");
/// ```
pub fn normal_authority(host: &str, over_tls: bool) -> String {
    let host = host.to_ascii_lowercase();
    let usual = if over_tls { ":443" } else { ":80" };
    match host.strip_suffix(usual) {
        // An IPv6 address outside of brackets is not a host; its apparent port is a part of the address.
        Some(bare) if !bare.contains(':') || bare.ends_with(']') => bare.to_owned(),
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_ports_are_removed() {
        for (host, over_tls, expected) in [
            ("Hub.Example", true, "hub.example"),
            ("hub.example:443", true, "hub.example"),
            ("hub.example:443", false, "hub.example:443"),
            ("hub.example:80", false, "hub.example"),
            ("hub.example:8080", false, "hub.example:8080"),
            ("[::1]:80", false, "[::1]"),
            ("[::80]", false, "[::80]"),
            ("::80", false, "::80"),
            ("", false, ""),
        ] {
            assert_eq!(normal_authority(host, over_tls), expected, "{host}");
        }
    }
}
