//! HTTPS with a certificate that octavo created, over both versions of HTTP.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper::{Request, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::octavo::Octavo;
use crate::place::{DataDir, demo_database};

#[tokio::test]
async fn https_speaks_both_versions_of_http_and_keeps_its_certificate() {
    let (_database, url) = demo_database().await;
    let directory = DataDir::new();
    let arguments = [
        "--tls",
        "self-signed",
        "--database-url",
        &url,
        "--data-dir",
        directory.arg(),
    ];
    let mut octavo = Octavo::start(&arguments).await;
    assert!(
        octavo.output().contains("ready at https://"),
        "{}",
        octavo.output()
    );
    let certificate = directory.path().join("tls.crt");
    for (protocol, version) in [("h2", Version::HTTP_2), ("http/1.1", Version::HTTP_11)] {
        let stream = shake_hands(octavo.address(), &certificate, protocol).await;
        assert_eq!(
            stream.get_ref().1.alpn_protocol(),
            Some(protocol.as_bytes())
        );
        let (status, body) = ask(stream, version, octavo.address()).await;
        assert_eq!((status, body.as_str()), (200, env!("CARGO_PKG_VERSION")));
    }
    // A client that does not speak TLS is disconnected, and the others are not affected.
    let mut plain = TcpStream::connect(octavo.address())
        .await
        .expect("a connection");
    plain
        .write_all(b"GET /_/version HTTP/1.1\r\nHost: x\r\n\r\n")
        .await
        .expect("it is sent");
    let mut heard = Vec::new();
    let _ = plain.read_to_end(&mut heard).await;
    assert!(!heard.starts_with(b"HTTP/"), "{heard:?}");

    let first = fs::read(&certificate).expect("the certificate");
    octavo.terminate();
    octavo.ended_well().await;
    let octavo = Octavo::start(&arguments).await;
    assert_eq!(fs::read(&certificate).expect("the certificate"), first);
    let stream = shake_hands(octavo.address(), &certificate, "h2").await;
    assert_eq!(ask(stream, Version::HTTP_2, octavo.address()).await.0, 200);
}

/// Trusts that certificate and no other.
async fn shake_hands(
    address: SocketAddr,
    certificate: &Path,
    protocol: &str,
) -> TlsStream<TcpStream> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut roots = RootCertStore::empty();
    let trusted = CertificateDer::from_pem_file(certificate).expect("a certificate");
    roots.add(trusted).expect("it can be trusted");
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions of TLS")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let stream = TcpStream::connect(address).await.expect("a connection");
    let name = ServerName::try_from("localhost").expect("a name");
    TlsConnector::from(Arc::new(config))
        .connect(name, stream)
        .await
        .expect("a handshake")
}

async fn ask(stream: TlsStream<TcpStream>, version: Version, address: SocketAddr) -> (u16, String) {
    let request = Request::get(format!("https://{address}/_/version"))
        .version(version)
        .header("host", address.to_string())
        .body(Empty::<Bytes>::new())
        .expect("a request");
    let io = TokioIo::new(stream);
    let answer = if version == Version::HTTP_2 {
        let (mut sender, connection) =
            hyper::client::conn::http2::handshake(TokioExecutor::new(), io)
                .await
                .expect("HTTP/2");
        tokio::spawn(connection);
        sender.send_request(request).await
    } else {
        let (mut sender, connection) = hyper::client::conn::http1::handshake(io)
            .await
            .expect("HTTP/1.1");
        tokio::spawn(connection);
        sender.send_request(request).await
    };
    let answer = answer.expect("an answer");
    assert_eq!(answer.version(), version);
    let status = answer.status().as_u16();
    let body = answer
        .into_body()
        .collect()
        .await
        .expect("a body")
        .to_bytes();
    (status, String::from_utf8_lossy(&body).into_owned())
}
