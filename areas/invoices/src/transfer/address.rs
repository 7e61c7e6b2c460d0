//! The addresses of a server that files may go to.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use tokio::net::{TcpStream, lookup_host};

use super::{CONNECT_MAX, TransferError, named};
use crate::rules::upload_target::Target;

/// Addresses of one name that are tried.
const ADDRESSES_MAX: usize = 4;

/// A connection to a server, by the first of its addresses that answers.
pub(super) async fn connect(target: &Target) -> Result<TcpStream, TransferError> {
    let failed = |reason: String| TransferError::Connect {
        server: named(target),
        reason,
    };
    let found = tokio::time::timeout(
        CONNECT_MAX,
        lookup_host((target.host.as_str(), target.port)),
    );
    let found = found
        .await
        .map_err(|_| failed("its name was not found in time".to_owned()))?;
    let found: Vec<SocketAddr> = found
        .map_err(|_| failed("there is no server of this name".to_owned()))?
        .collect();
    let allowed = found.iter().filter(|address| is_allowed(address.ip()));
    let allowed: Vec<SocketAddr> = allowed.copied().take(ADDRESSES_MAX).collect();
    if allowed.is_empty() && !found.is_empty() {
        return Err(TransferError::Forbidden {
            server: named(target),
        });
    }
    let mut reason = "there is no server of this name".to_owned();
    for address in allowed {
        match tokio::time::timeout(CONNECT_MAX, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => reason = error.to_string(),
            Err(_) => reason = format!("no answer within {} s", CONNECT_MAX.as_secs()),
        }
    }
    Err(failed(reason))
}

/// A library's accounting may stand in its own network, or on this machine. What answers on a link only, as the
/// metadata of a cloud's machine do, is no such server, and no address of many.
fn is_allowed(address: IpAddr) -> bool {
    let of_four = |address: Ipv4Addr| {
        !(address.is_link_local()
            || address.is_unspecified()
            || address.is_multicast()
            || address.is_broadcast())
    };
    match address.to_canonical() {
        IpAddr::V4(address) => of_four(address),
        IpAddr::V6(address) => {
            // fd00:ec2::254 is where one cloud has its metadata.
            let is_metadata = address.segments()[..2] == [0xfd00, 0x0ec2];
            !(address.is_unicast_link_local()
                || address.is_unspecified()
                || address.is_multicast()
                || is_metadata)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_metadata_are_no_servers() {
        for (address, expected) in [
            ("127.0.0.1", true),
            ("10.1.2.3", true),
            ("192.0.2.7", true),
            ("169.254.169.254", false),
            ("::ffff:169.254.169.254", false),
            ("0.0.0.0", false),
            ("255.255.255.255", false),
            ("224.0.0.1", false),
            ("::", false),
            ("fe80::1", false),
            ("ff02::1", false),
            ("fd00:ec2::254", false),
            ("fd12:3456::1", true),
            ("2001:db8::1", true),
        ] {
            let address: IpAddr = address.parse().expect("an address");
            assert_eq!(is_allowed(address), expected, "{address}");
        }
    }
}
