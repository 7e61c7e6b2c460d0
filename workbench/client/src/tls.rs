//! Trusted certificates. The default is the system's own bundle, so that no list of authorities
//! becomes outdated inside this program.

use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::TlsConnector;

use super::endpoint::Trust;

/// Where operating systems store their bundle of authorities.
const SYSTEM_BUNDLES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
];

/// The client side of TLS, for other protocols than HTTP.
///
/// # Errors
/// A message for the user when trusted certificates cannot be read.
pub fn connector(trust: &Trust) -> Result<TlsConnector, String> {
    Ok(TlsConnector::from(Arc::new(config(trust)?)))
}

/// The client side of TLS; an error is a message for the user.
pub(super) fn config(trust: &Trust) -> Result<ClientConfig, String> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    Ok(match trust {
        Trust::Anything => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(TrustAnything(provider)))
            .with_no_client_auth(),
        Trust::Authorities(file) => builder
            .with_root_certificates(authorities(file)?)
            .with_no_client_auth(),
        Trust::System => builder
            .with_root_certificates(system()?)
            .with_no_client_auth(),
    })
}

fn system() -> Result<RootCertStore, String> {
    let named = std::env::var_os("SSL_CERT_FILE");
    let mut files = named
        .iter()
        .map(Path::new)
        .chain(SYSTEM_BUNDLES.iter().map(Path::new));
    match files.find(|file| file.is_file()) {
        Some(file) => authorities(file),
        None => Err("this system has no bundle of certificate authorities; \
                     name one with --certificate-authority, or pass --insecure to trust any server"
            .to_owned()),
    }
}

fn authorities(file: &Path) -> Result<RootCertStore, String> {
    let unreadable = |error: &dyn std::fmt::Display| {
        format!(
            "cannot read the certificate authorities in {}: {error}",
            file.display()
        )
    };
    let mut store = RootCertStore::empty();
    let certificates = CertificateDer::pem_file_iter(file).map_err(|error| unreadable(&error))?;
    let readable: Vec<_> = certificates.filter_map(Result::ok).collect();
    let (added, _) = store.add_parsable_certificates(readable);
    if added == 0 {
        return Err(unreadable(&"it holds no certificate"));
    }
    Ok(store)
}

/// Accepts every certificate, but still checks that the server has its key.
#[derive(Debug)]
struct TrustAnything(Arc<CryptoProvider>);

impl ServerCertVerifier for TrustAnything {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
