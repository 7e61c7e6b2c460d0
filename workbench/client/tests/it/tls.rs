//! https: a self-signed server is trusted only on request.

use std::sync::Arc;

use octavo_client::{Client, Endpoint, Limits, Trust};
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::support::TempFile;

/// Answers every connection once over TLS; returns its address and certificate.
async fn server() -> (String, String) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!(
        "https://localhost:{}",
        listener.local_addr().unwrap().port()
    );
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let mut request = vec![0; 1000];
            let _ = stream.read(&mut request).await;
            let _ = stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")
                .await;
            let _ = stream.shutdown().await;
        }
    });
    (url, made.cert.pem())
}

async fn ask(url: &str, trust: Trust) -> Result<String, String> {
    let endpoint = Endpoint::resolve(url, &trust)
        .await
        .map_err(|error| error.to_string())?;
    let mut client = Client::new(Arc::new(endpoint), Limits::default());
    let request = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let exchange = client
        .exchange(request, true)
        .await
        .map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(client.body(&exchange)).into_owned())
}

#[tokio::test]
async fn a_self_signed_server_needs_leave() {
    let (url, certificate) = server().await;
    assert_eq!(ask(&url, Trust::Anything).await.unwrap(), "secret");
    let file = TempFile::new(&certificate);
    let trusted = Trust::Authorities(file.path().to_owned());
    assert_eq!(ask(&url, trusted).await.unwrap(), "secret");
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let file = TempFile::new(&other.cert.pem());
    let refused = ask(&url, Trust::Authorities(file.path().to_owned()))
        .await
        .unwrap_err();
    assert!(refused.contains("certificate"), "{refused}");
}

#[tokio::test]
async fn a_file_without_certificates_is_named() {
    let file = TempFile::new("nothing");
    let trust = Trust::Authorities(file.path().to_owned());
    let error = ask("https://localhost:1", trust).await.unwrap_err();
    assert!(error.contains("holds no certificate"), "{error}");
}
