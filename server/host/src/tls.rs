//! The server's TLS certificate.

use std::fs::OpenOptions;
use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use rustls::ServerConfig;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

/// The source of the certificate.
#[derive(Debug, Clone)]
pub enum Certificate {
    /// PEM files.
    Files {
        /// The certificate and its chain.
        chain: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
    /// Created at the first start and kept in the data directory.
    SelfSigned,
}

/// The acceptor of TLS connections.
///
/// # Errors
/// When a file is missing or invalid.
pub fn acceptor(
    certificate: &Certificate,
    data_dir: &Path,
    listen: SocketAddr,
) -> anyhow::Result<TlsAcceptor> {
    let (chain, key) = match certificate {
        Certificate::Files { chain, key } => (chain.clone(), key.clone()),
        Certificate::SelfSigned => self_signed(data_dir, listen)?,
    };
    let certificates: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(&chain)
        .and_then(Iterator::collect)
        .with_context(|| format!("{} is not a certificate in PEM form", chain.display()))?;
    if certificates.is_empty() {
        bail!("{} holds no certificate in PEM form", chain.display());
    }
    let private = PrivateKeyDer::from_pem_file(&key)
        .with_context(|| format!("{} is not a private key in PEM form", key.display()))?;
    let mut config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(certificates, private)
        .with_context(|| {
            format!(
                "{} and {} do not belong together",
                chain.display(),
                key.display()
            )
        })?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn self_signed(data_dir: &Path, listen: SocketAddr) -> anyhow::Result<(PathBuf, PathBuf)> {
    let (chain, key) = (data_dir.join("tls.crt"), data_dir.join("tls.key"));
    if chain.exists() && key.exists() {
        return Ok((chain, key));
    }
    let mut names = vec![
        "localhost".to_owned(),
        "127.0.0.1".to_owned(),
        "::1".to_owned(),
    ];
    if !listen.ip().is_unspecified() && !listen.ip().is_loopback() {
        names.push(listen.ip().to_string());
    }
    let made =
        rcgen::generate_simple_self_signed(names).context("no certificate could be created")?;
    super::data_dir::make(data_dir)?;
    let write = |path: &Path, text: &str, mode: u32| {
        OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(mode)
            .open(path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .with_context(|| format!("{} cannot be written", path.display()))
    };
    write(&key, &made.signing_key.serialize_pem(), 0o600)?;
    write(&chain, &made.cert.pem(), 0o644)?;
    Ok((chain, key))
}
