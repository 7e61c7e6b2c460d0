//! The client's address: that of the connection, or the one that a trusted proxy reports.

use std::net::IpAddr;

use http::{Extensions, HeaderMap, HeaderName};

/// The header in which proxies report the address.
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");
/// The most elements of the list that are examined.
const HOPS_MAX: usize = 16;

/// The remote address of a connection.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub IpAddr);

/// The client's address: the last in the list that is not one of the trusted proxies.
pub(crate) fn address(
    extensions: &Extensions,
    headers: &HeaderMap,
    proxies: &[IpAddr],
) -> Option<IpAddr> {
    let Peer(peer) = *extensions.get::<Peer>()?;
    let mut address = peer.to_canonical();
    if !proxies.contains(&address) {
        return Some(address);
    }
    let lines = headers.get_all(FORWARDED).iter().rev();
    let hops = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.rsplit(','));
    for hop in hops.take(HOPS_MAX) {
        let Ok(before) = hop.trim().parse::<IpAddr>() else {
            break;
        };
        address = before.to_canonical();
        if !proxies.contains(&address) {
            break;
        }
    }
    Some(address)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn only_proxies_are_believed() {
        let proxies = [ip("10.0.0.1"), ip("10.0.0.2")];
        for (peer, forwarded, expected) in [
            ("192.0.2.1", &["198.51.100.7"][..], "192.0.2.1"),
            ("10.0.0.1", &["198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", &["203.0.113.9, 198.51.100.7"], "198.51.100.7"),
            (
                "10.0.0.1",
                &["203.0.113.9, 198.51.100.7, 10.0.0.2"],
                "198.51.100.7",
            ),
            ("10.0.0.1", &["203.0.113.9", "198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", &["nonsense"], "10.0.0.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("::ffff:10.0.0.1", &["2001:db8::1"], "2001:db8::1"),
        ] {
            let mut extensions = Extensions::new();
            extensions.insert(Peer(ip(peer)));
            let mut headers = HeaderMap::new();
            for line in forwarded {
                headers.append(FORWARDED, HeaderValue::from_static(line));
            }
            let found = address(&extensions, &headers, &proxies);
            assert_eq!(found, Some(ip(expected)), "{peer} {forwarded:?}");
        }
        assert_eq!(
            address(&Extensions::new(), &HeaderMap::new(), &proxies),
            None
        );
    }
}
