//! TLS to PostgreSQL, with the same trusted certificates as for https servers.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use octavo_client::Trust;
use rustls_pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client;

/// Makes encrypted connections.
#[derive(Clone)]
pub(super) struct Tls(TlsConnector);

/// A connection to a server with this name; none when no certificate can contain the name.
pub(super) struct TlsTo(TlsConnector, Option<ServerName<'static>>);

/// An encrypted connection.
pub(super) struct Encrypted(Box<client::TlsStream<Socket>>);

impl Tls {
    pub(super) fn new(trust: &Trust) -> Result<Self, String> {
        octavo_client::connector(trust).map(Self)
    }
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Encrypted;
    type TlsConnect = TlsTo;
    type Error = io::Error;

    fn make_tls_connect(&mut self, name: &str) -> Result<TlsTo, io::Error> {
        // A Unix socket has no name, and is not encrypted.
        let name = ServerName::try_from(name.to_owned()).ok();
        Ok(TlsTo(self.0.clone(), name))
    }
}

impl TlsConnect<Socket> for TlsTo {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Encrypted, io::Error>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let Self(connector, name) = self;
            let name = name.ok_or_else(|| io::Error::other("the host has no name for TLS"))?;
            let stream = connector.connect(name, socket).await?;
            Ok(Encrypted(Box::new(stream)))
        })
    }
}

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
