//! Bodies and streams of a connection that report to its visit when they wait for the client.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::connections::ClientWait;
use super::leftover::Leftover;

/// A possible wait for the client.
#[derive(Debug)]
struct Wait {
    client_wait: Arc<ClientWait>,
    going_on: bool,
}

impl Wait {
    fn new(client_wait: Arc<ClientWait>) -> Wait {
        Wait {
            client_wait,
            going_on: false,
        }
    }

    fn see<T>(&mut self, poll: Poll<T>) -> Poll<T> {
        match (poll.is_pending(), self.going_on) {
            (true, false) => self.client_wait.wait(),
            (false, true) => self.client_wait.work(),
            _ => {}
        }
        self.going_on = poll.is_pending();
        poll
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        if self.going_on {
            self.client_wait.work();
        }
    }
}

/// The body of a request: while no chunk arrives, the client is waited for.
#[derive(Debug)]
pub(super) struct Request {
    body: Option<Incoming>,
    ended: bool,
    left: Option<Leftover>,
    wait: Wait,
}

impl Request {
    /// A rest that is not read is put into `left`.
    pub(super) fn new(
        body: Incoming,
        client_wait: Arc<ClientWait>,
        left: Option<Leftover>,
    ) -> Request {
        Request {
            ended: body.is_end_stream(),
            body: Some(body),
            left,
            wait: Wait::new(client_wait),
        }
    }
}

impl hyper::body::Body for Request {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let frame = Pin::new(&mut *body).poll_frame(context);
        let ended = match &frame {
            Poll::Ready(Some(Ok(_))) => body.is_end_stream(),
            Poll::Ready(Some(Err(_)) | None) => true,
            Poll::Pending => false,
        };
        self.ended |= ended;
        self.wait.see(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.ended || self.body.as_ref().is_none_or(Incoming::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body
            .as_ref()
            .map(Incoming::size_hint)
            .unwrap_or_default()
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        if let (Some(body), Some(left), false) = (self.body.take(), &self.left, self.ended) {
            left.put(body);
        }
    }
}

/// Work on a request, from its head to the last byte of its response.
#[derive(Debug)]
pub(super) struct Work(Arc<ClientWait>);

impl Work {
    pub(super) fn begin(client_wait: &Arc<ClientWait>) -> Work {
        client_wait.work();
        Work(Arc::clone(client_wait))
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.wait();
    }
}

/// The body of a response: the work on the request ends with it.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) body: Body,
    pub(super) _work: Work,
}

impl hyper::body::Body for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection's stream: while it accepts no bytes, the client does not read.
#[derive(Debug)]
pub(super) struct Stream<S> {
    stream: S,
    wait: Wait,
}

impl<S> Stream<S> {
    pub(super) fn new(stream: S, client_wait: Arc<ClientWait>) -> Stream<S> {
        let wait = Wait::new(client_wait);
        Stream { stream, wait }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wait.see(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.wait.see(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Flushing a socket never waits, so it reveals nothing about the client.
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
