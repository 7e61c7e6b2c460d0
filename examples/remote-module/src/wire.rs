//! A connection that can be made to send garbage. An HTTP library only ever writes valid HTTP;
//! tests need a module that does not.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The bytes sent in place of a response.
const GARBAGE: &[u8] = b"\x16\x03\x01 this is no HTTP\r\n\r\n\0\xff";

#[derive(Debug)]
pub struct Wire {
    stream: TcpStream,
    spoilt: Spoiler,
    /// How many bytes of the garbage have been sent.
    sent: usize,
}

/// Spoils the connection of a request.
#[derive(Debug, Clone, Default)]
pub struct Spoiler(Arc<AtomicBool>);

impl Spoiler {
    /// From now on the connection sends garbage and then nothing.
    pub fn spoil(&self) {
        self.0.store(true, Ordering::Release);
    }
}

impl Wire {
    /// A connection and its spoiler.
    pub fn new(stream: TcpStream) -> (Wire, Spoiler) {
        let spoilt = Spoiler::default();
        let wire = Wire {
            stream,
            spoilt: spoilt.clone(),
            sent: 0,
        };
        (wire, spoilt)
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if !self.spoilt.0.load(Ordering::Acquire) {
            return Pin::new(&mut self.stream).poll_write(context, bytes);
        }
        while self.sent < GARBAGE.len() {
            let rest = &GARBAGE[self.sent..];
            self.sent += ready!(Pin::new(&mut self.stream).poll_write(context, rest))?;
        }
        Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
