//! One connection and the exchanges over it: writes the request, reads the response, measures the
//! times. A connection that the server closed between two requests is reopened.

use std::future::poll_fn;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::time::Sleep;

use super::endpoint::Endpoint;
use super::response::{self, BodyLength, Chunks};
use super::stream::Stream;

/// Limits of an exchange.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// To open a connection, TLS included.
    pub connect: Duration,
    /// From the first byte sent to the last byte received.
    pub response: Duration,
    /// Bytes of a body.
    pub body_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            response: Duration::from_secs(60),
            body_bytes: 64 << 20,
        }
    }
}

/// Longer heads are rejected.
const HEAD_BYTES_MAX: usize = 64 << 10;
const BUFFER_BYTES: usize = 16 << 10;
/// Larger buffers are freed after the response that needed them.
const BUFFER_BYTES_KEPT: usize = 1 << 20;
/// After so long an idle time it is worth a system call to check whether the server has closed the
/// connection.
const STALE_AFTER: Duration = Duration::from_millis(500);

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The connection failed.
    #[error("cannot connect: {0}")]
    Connect(std::io::Error),
    /// The connection took too long.
    #[error("no connection within {} s", .0.as_secs())]
    ConnectTimeout(Duration),
    /// The response took too long.
    #[error("no answer within {} s", .0.as_secs())]
    Timeout(Duration),
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(std::io::Error),
    /// The server closed the connection.
    #[error("the server closed the connection before the answer was complete")]
    Closed,
    /// The response cannot be parsed.
    #[error("{0}")]
    Malformed(String),
    /// The response is too long.
    #[error("the answer is longer than {0} bytes")]
    TooLarge(usize),
}

/// A response and its times; head and body are in the client until its next exchange.
#[derive(Debug, Clone)]
pub struct Exchange {
    pub status: u16,
    /// From the begin of sending (connecting included) to the last byte.
    pub elapsed: Duration,
    /// To the first byte of the response.
    pub latency: Duration,
    /// For connecting; zero on an open connection.
    pub connect: Duration,
    /// Bytes of head and body as received.
    pub bytes: usize,
    head: usize,
    body: BodyPlace,
}

#[derive(Debug, Clone)]
enum BodyPlace {
    Buffer(Range<usize>),
    Decoded,
}

/// A client with at most one open connection.
pub struct Client {
    endpoint: Arc<Endpoint>,
    limits: Limits,
    stream: Option<Stream>,
    buffer: Vec<u8>,
    filled: usize,
    decoded: Vec<u8>,
    alarm: Alarm,
    last_used: Instant,
}

impl Client {
    /// A client that is not connected yet. Must be created inside a tokio runtime.
    pub fn new(endpoint: Arc<Endpoint>, limits: Limits) -> Self {
        Self {
            endpoint,
            limits,
            stream: None,
            buffer: vec![0; BUFFER_BYTES],
            filled: 0,
            decoded: Vec::new(),
            alarm: Alarm::new(limits.response),
            last_used: Instant::now(),
        }
    }

    /// Status line and headers of a response.
    pub fn head(&self, exchange: &Exchange) -> &[u8] {
        &self.buffer[..exchange.head]
    }

    /// The body of a response.
    pub fn body(&self, exchange: &Exchange) -> &[u8] {
        match &exchange.body {
            BodyPlace::Buffer(range) => &self.buffer[range.clone()],
            BodyPlace::Decoded => &self.decoded,
        }
    }

    /// Sends a whole request and reads the whole response. A `repeatable` request is sent once more
    /// when the server closes a kept-alive connection without a response, as servers do to idle
    /// ones.
    ///
    /// # Errors
    /// When there is no whole response within the limits; the connection is then closed.
    pub async fn exchange(&mut self, request: &[u8], repeatable: bool) -> Result<Exchange, Fault> {
        let started = Instant::now();
        if self.stream.is_some() && started - self.last_used > STALE_AFTER {
            self.drop_if_stale().await;
        }
        let reused = self.stream.is_some();
        let mut result = self.attempt(request, started).await;
        let silent = self.filled == 0 && matches!(result, Err(Fault::Closed | Fault::Broken(_)));
        if reused && repeatable && silent {
            self.stream = None;
            result = self.attempt(request, started).await;
        }
        self.last_used = Instant::now();
        match &mut result {
            Ok(exchange) => exchange.elapsed = self.last_used - started,
            Err(_) => self.stream = None,
        }
        result
    }

    async fn drop_if_stale(&mut self) {
        let stale = poll_fn(|context| {
            Poll::Ready(
                self.stream
                    .as_ref()
                    .is_some_and(|stream| stream.is_stale(context)),
            )
        });
        if stale.await {
            self.stream = None;
        }
    }

    async fn attempt(&mut self, request: &[u8], started: Instant) -> Result<Exchange, Fault> {
        self.filled = 0;
        self.decoded.clear();
        if self.buffer.len() > BUFFER_BYTES_KEPT {
            self.buffer = vec![0; BUFFER_BYTES];
            self.decoded = Vec::new();
        }
        let connect = self.connect().await?;
        self.alarm.set(self.limits.response);
        self.send(request).await?;
        let to_head_request = request.starts_with(b"HEAD ");
        self.receive().await?;
        let latency = started.elapsed();
        let head = loop {
            let head = self.read_head(to_head_request).await?;
            if head.status >= 200 {
                break head;
            }
            // An interim response: the final one follows.
            self.buffer.copy_within(head.length..self.filled, 0);
            self.filled -= head.length;
        };
        let (body, bytes) = self.read_body(&head).await?;
        if !head.keep_alive || self.filled > bytes {
            self.stream = None;
        }
        let exchange = Exchange {
            status: head.status,
            elapsed: Duration::ZERO,
            latency,
            connect,
            bytes,
            head: head.length,
            body,
        };
        Ok(exchange)
    }

    async fn connect(&mut self) -> Result<Duration, Fault> {
        if self.stream.is_some() {
            return Ok(Duration::ZERO);
        }
        let started = Instant::now();
        let limit = self.limits.connect;
        let opened = tokio::time::timeout(limit, Stream::open(&self.endpoint)).await;
        let stream = opened
            .map_err(|_| Fault::ConnectTimeout(limit))?
            .map_err(Fault::Connect)?;
        self.stream = Some(stream);
        Ok(started.elapsed())
    }

    async fn send(&mut self, request: &[u8]) -> Result<(), Fault> {
        let stream = self.stream.as_mut().ok_or(Fault::Closed)?;
        let alarm = &mut self.alarm;
        let mut sent = 0;
        poll_fn(|context| {
            while sent < request.len() {
                match stream.poll_write(context, &request[sent..]) {
                    Poll::Ready(Ok(0)) => return Poll::Ready(Err(Fault::Closed)),
                    Poll::Ready(Ok(written)) => sent += written,
                    Poll::Ready(Err(error)) => return Poll::Ready(Err(Fault::Broken(error))),
                    Poll::Pending => return alarm.poll(context).map(Err),
                }
            }
            match stream.poll_flush(context) {
                Poll::Ready(done) => Poll::Ready(done.map_err(Fault::Broken)),
                Poll::Pending => alarm.poll(context).map(Err),
            }
        })
        .await
    }

    /// Reads at least one more byte.
    async fn receive(&mut self) -> Result<(), Fault> {
        match self.receive_some().await? {
            0 => Err(Fault::Closed),
            _ => Ok(()),
        }
    }

    async fn receive_some(&mut self) -> Result<usize, Fault> {
        if self.filled == self.buffer.len() {
            self.buffer.resize(self.filled * 2, 0);
        }
        let stream = self.stream.as_mut().ok_or(Fault::Closed)?;
        let (alarm, space) = (&mut self.alarm, &mut self.buffer[self.filled..]);
        let read = poll_fn(|context| match stream.poll_read(context, space) {
            Poll::Ready(read) => Poll::Ready(read.map_err(Fault::Broken)),
            Poll::Pending => alarm.poll(context).map(Err),
        })
        .await?;
        self.filled += read;
        Ok(read)
    }

    async fn read_head(&mut self, to_head_request: bool) -> Result<response::Head, Fault> {
        loop {
            let received = &self.buffer[..self.filled];
            match response::head(received, to_head_request) {
                Ok(Some(head)) => return Ok(head),
                Ok(None) if self.filled > HEAD_BYTES_MAX => {
                    return Err(Fault::TooLarge(HEAD_BYTES_MAX));
                }
                Ok(None) => self.receive().await?,
                Err(error) => return Err(Fault::Malformed(error.to_string())),
            }
        }
    }

    /// Reads the body; returns its position and the bytes of the whole response.
    async fn read_body(&mut self, head: &response::Head) -> Result<(BodyPlace, usize), Fault> {
        let limit = self.limits.body_bytes;
        match head.body {
            BodyLength::Bytes(length) if length > limit => Err(Fault::TooLarge(limit)),
            BodyLength::Bytes(length) => {
                let end = head.length + length;
                if self.buffer.len() < end {
                    self.buffer.resize(end, 0);
                }
                while self.filled < end {
                    self.receive().await?;
                }
                Ok((BodyPlace::Buffer(head.length..end), end))
            }
            BodyLength::Chunked => self.read_chunks(head.length).await,
            BodyLength::UntilClose => {
                while self.receive_some().await? > 0 {
                    if self.filled - head.length > limit {
                        return Err(Fault::TooLarge(limit));
                    }
                }
                Ok((BodyPlace::Buffer(head.length..self.filled), self.filled))
            }
        }
    }

    async fn read_chunks(&mut self, start: usize) -> Result<(BodyPlace, usize), Fault> {
        let limit = self.limits.body_bytes;
        let mut at = start;
        loop {
            let received = &self.buffer[at..self.filled];
            match response::chunks(received, &mut self.decoded, limit) {
                Ok(Chunks::Complete(used)) => return Ok((BodyPlace::Decoded, at + used)),
                Ok(Chunks::Partial(used)) => at += used,
                Err(response::Malformed::Length) => return Err(Fault::TooLarge(limit)),
                Err(error) => return Err(Fault::Malformed(error.to_string())),
            }
            // Endless tiny chunks must not fill the memory with framing either.
            if self.filled > limit.saturating_mul(2) + HEAD_BYTES_MAX {
                return Err(Fault::TooLarge(limit));
            }
            self.receive().await?;
        }
    }
}

/// A deadline without a cost for each exchange: the timer is only touched when it fires, and then
/// set again for the rest.
struct Alarm {
    at: Instant,
    limit: Duration,
    sleep: Pin<Box<Sleep>>,
}

impl Alarm {
    fn new(limit: Duration) -> Self {
        Self {
            at: Instant::now() + limit,
            limit,
            sleep: Box::pin(tokio::time::sleep(limit)),
        }
    }

    fn set(&mut self, limit: Duration) {
        self.at = Instant::now() + limit;
        self.limit = limit;
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Fault> {
        while self.sleep.as_mut().poll(context).is_ready() {
            if Instant::now() >= self.at {
                return Poll::Ready(Fault::Timeout(self.limit));
            }
            self.sleep.as_mut().reset(self.at.into());
        }
        Poll::Pending
    }
}
