//! A connection, plain or TLS, with the few operations that the client needs.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

use super::endpoint::Endpoint;

/// An open connection.
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Stream {
    /// Connects to the first address that answers, with a TLS handshake if necessary.
    pub(super) async fn open(endpoint: &Endpoint) -> io::Result<Self> {
        let tcp = TcpStream::connect(endpoint.addresses.as_slice()).await?;
        // Requests are written whole; waiting to join them with more would only delay them.
        tcp.set_nodelay(true)?;
        match &endpoint.tls {
            None => Ok(Stream::Plain(tcp)),
            Some((connector, name)) => {
                let tls = connector.connect(name.clone(), tcp).await?;
                Ok(Stream::Tls(Box::new(tls)))
            }
        }
    }

    /// Whether the server has closed the connection, or sent something unsolicited, while it was
    /// idle.
    pub(super) fn is_stale(&self, context: &mut Context<'_>) -> bool {
        let tcp = match self {
            Stream::Plain(tcp) => tcp,
            Stream::Tls(tls) => tls.get_ref().0,
        };
        let mut byte = [0];
        tcp.poll_peek(context, &mut ReadBuf::new(&mut byte))
            .is_ready()
    }

    pub(super) fn poll_read(
        &mut self,
        context: &mut Context<'_>,
        into: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let mut buffer = ReadBuf::new(into);
        let poll = match self {
            Stream::Plain(tcp) => Pin::new(tcp).poll_read(context, &mut buffer),
            Stream::Tls(tls) => Pin::new(tls).poll_read(context, &mut buffer),
        };
        poll.map_ok(|()| buffer.filled().len())
    }

    pub(super) fn poll_write(
        &mut self,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self {
            Stream::Plain(tcp) => Pin::new(tcp).poll_write(context, bytes),
            Stream::Tls(tls) => Pin::new(tls).poll_write(context, bytes),
        }
    }

    /// TLS buffers written bytes until it is flushed.
    pub(super) fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Stream::Plain(_) => Poll::Ready(Ok(())),
            Stream::Tls(tls) => Pin::new(tls).poll_flush(context),
        }
    }
}
