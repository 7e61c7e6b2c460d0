//! The server: its address as typed, resolved once, and the certificates to trust.

use std::net::SocketAddr;
use std::path::PathBuf;

use rustls_pki_types::ServerName;
use tokio_rustls::TlsConnector;

use super::tls;

/// Which certificates are accepted from an https server.
#[derive(Debug, Clone, Default)]
pub enum Trust {
    /// Those signed by an authority that the system trusts.
    #[default]
    System,
    /// Those signed by an authority in this PEM file.
    Authorities(PathBuf),
    /// Any, even expired ones. For test servers.
    Anything,
}

/// A resolved server address.
#[derive(Clone)]
pub struct Endpoint {
    /// `scheme://host[:port]`, for reports.
    pub origin: String,
    /// The value of the `Host` header.
    pub host: String,
    /// The path part of the address without a closing slash, usually empty.
    pub prefix: String,
    pub(super) addresses: Vec<SocketAddr>,
    pub(super) tls: Option<(TlsConnector, ServerName<'static>)>,
}

/// Why an address cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// Not an http or https address.
    #[error(
        "`{0}` is not a server address; write it as http://127.0.0.1:9130 or https://folio.example.org"
    )]
    NotAnAddress(String),
    /// The host has no address.
    #[error("the host of {url} cannot be found: {source}")]
    NotFound {
        /// The address as typed.
        url: String,
        source: std::io::Error,
    },
    /// No certificates to trust.
    #[error("{0}")]
    Trust(String),
}

impl Endpoint {
    /// Parses and resolves an address.
    ///
    /// # Errors
    /// When it is not an http(s) address, its host is unknown, or trusted certificates cannot be
    /// read.
    pub async fn resolve(url: &str, trust: &Trust) -> Result<Self, EndpointError> {
        let wrong = || EndpointError::NotAnAddress(url.to_owned());
        let uri: http::Uri = url.parse().map_err(|_| wrong())?;
        let authority = uri.authority().ok_or_else(wrong)?;
        let secure = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(wrong()),
        };
        if uri.query().is_some() || authority.as_str().contains('@') {
            return Err(wrong());
        }
        let name = authority
            .host()
            .trim_start_matches('[')
            .trim_end_matches(']');
        let port = authority
            .port_u16()
            .unwrap_or(if secure { 443 } else { 80 });
        let not_found = |source| EndpointError::NotFound {
            url: url.to_owned(),
            source,
        };
        let addresses = tokio::net::lookup_host((name, port))
            .await
            .map_err(not_found)?
            .collect();
        let tls = match secure {
            false => None,
            true => {
                let server = ServerName::try_from(name.to_owned()).map_err(|_| wrong())?;
                let connector = tls::connector(trust).map_err(EndpointError::Trust)?;
                Some((connector, server))
            }
        };
        let scheme = if secure { "https" } else { "http" };
        Ok(Self {
            origin: format!("{scheme}://{authority}"),
            host: authority.to_string(),
            prefix: uri.path().trim_end_matches('/').to_owned(),
            addresses,
            tls,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn reads_addresses() {
        let check = async |url: &str| Endpoint::resolve(url, &Trust::Anything).await;
        let plain = check("http://127.0.0.1:9130").await.unwrap();
        assert_eq!(
            (plain.host.as_str(), plain.prefix.as_str()),
            ("127.0.0.1:9130", "")
        );
        let deep = check("https://[::1]/okapi/").await.unwrap();
        assert_eq!(
            (deep.addresses[0].port(), deep.prefix.as_str()),
            (443, "/okapi")
        );
        assert!(deep.tls.is_some());
        for url in [
            "",
            "localhost:9130",
            "ftp://x",
            "http://",
            "http://a/?b",
            "http://u:p@h/",
        ] {
            assert!(
                matches!(check(url).await, Err(EndpointError::NotAnAddress(_))),
                "{url}"
            );
        }
    }
}
