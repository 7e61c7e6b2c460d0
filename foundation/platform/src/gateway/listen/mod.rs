//! Accepts connections: HTTP/1.1 and HTTP/2 on one port, with or without TLS, with limits on what a
//! client may send and how long it may keep us waiting, and a shutdown that lets requests in flight
//! finish.

mod connections;
mod leftover;
mod watched;

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use octavo_boxed::boxed;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, TryAcquireError};
use tokio_rustls::TlsAcceptor;

use self::connections::{ClientWait, OpenConnections};
use self::leftover::Leftover;
use crate::from::Peer;
use crate::gateway;
use crate::gateway::admission::Limits;
use crate::platform::Platform;

/// Request heads longer than this get 431.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// How many connections are asked to close at once when the limit is reached.
const LEAVING_AT_ONCE: usize = 64;
/// How soon they are asked again when none could close.
const ROOM_INTERVAL: Duration = Duration::from_millis(50);
/// Time for requests in flight to finish at shutdown.
const FINISH_TIMEOUT: Duration = Duration::from_secs(30);

/// Serves until `stop` is ready, then lets requests in flight finish.
pub async fn serve(
    platform: Arc<Platform>,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    stop: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let limits = platform.gateway.admission.limits;
    let places = Arc::new(Semaphore::new(limits.connections));
    let connections = Arc::new(OpenConnections::default());
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places, &connections) => accepted,
            () = &mut stop => break,
        };
        let Some((stream, peer, place)) = accepted else {
            continue;
        };
        let watcher = graceful.watcher();
        let platform = Arc::clone(&platform);
        let tls = tls.clone();
        let entry = connections.add();
        tokio::spawn(async move {
            let _place = place;
            let client_wait = &entry.client_wait;
            let serving = async {
                let builder = builder(&limits);
                match tls {
                    None => {
                        connection(&builder, platform, stream, peer, client_wait, watcher).await
                    }
                    Some(tls) => {
                        let shaken = tokio::time::timeout(limits.head_timeout, tls.accept(stream));
                        if let Ok(Ok(stream)) = shaken.await {
                            connection(&builder, platform, stream, peer, client_wait, watcher)
                                .await;
                        }
                    }
                }
            };
            tokio::select! {
                () = serving => {}
                // An unfinished request ends with the connection.
                () = client_wait.must_close(limits.idle_timeout) => {}
            }
        });
    }
    drop(listener);
    platform.gateway.stopping.send_replace(true);
    if tokio::time::timeout(FINISH_TIMEOUT, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!(
            "some requests did not finish within {} s",
            FINISH_TIMEOUT.as_secs()
        );
    }
}

type ConnectionPermit = tokio::sync::OwnedSemaphorePermit;

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
    connections: &OpenConnections,
) -> Option<(TcpStream, Peer, ConnectionPermit)> {
    let place = loop {
        match Arc::clone(places).try_acquire_owned() {
            Ok(place) => break place,
            Err(TryAcquireError::Closed) => return None,
            Err(TryAcquireError::NoPermits) => connections.make_room(LEAVING_AT_ONCE),
        }
        let freed = Arc::clone(places).acquire_owned();
        if let Ok(place) = tokio::time::timeout(ROOM_INTERVAL, freed).await {
            break place.ok()?;
        }
    };
    match listener.accept().await {
        Ok((stream, address)) => {
            // Responses are written whole: waiting to fill a segment would only add delay.
            let _ = stream.set_nodelay(true);
            Some((stream, Peer(address.ip()), place))
        }
        Err(error) => {
            // Out of file descriptors: wait until a connection ends and frees one.
            tracing::warn!(%error, "a connection could not be accepted");
            tokio::time::sleep(Duration::from_millis(50)).await;
            None
        }
    }
}

fn builder(limits: &Limits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        // The case that FOLIO writes: some clients look for exactly `Location` and `X-Okapi-Token`.
        .title_case_headers(true)
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout)
        .max_buf_size(HEAD_BYTES_MAX);
    // Not `pipeline_flush`: with it the response to an unreadable head is never sent, since the
    // bytes of that head are still in the buffer.
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(HEAD_BYTES_MAX as u32)
        .max_concurrent_streams(256)
        .keep_alive_interval(Duration::from_secs(30));
    builder
}

async fn connection<S>(
    builder: &Builder<TokioExecutor>,
    platform: Arc<Platform>,
    stream: S,
    peer: Peer,
    client_wait: &Arc<ClientWait>,
    watcher: hyper_util::server::graceful::Watcher,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let stream = watched::Stream::new(stream, Arc::clone(client_wait));
    let client_wait = Arc::clone(client_wait);
    let service = service_fn(move |request: http::Request<Incoming>| {
        let platform = Arc::clone(&platform);
        let work = watched::Work::begin(&client_wait);
        let client_wait = Arc::clone(&client_wait);
        async move {
            let left = Leftover::of(&request);
            let mut request = request
                .map(|body| Body::new(watched::Request::new(body, client_wait, left.clone())));
            request.extensions_mut().insert(peer);
            // Boxed, so that an idle connection does not reserve memory for a request.
            let mut response = Box::pin(gateway::serve(platform, request)).await;
            if let Some(left) = left {
                left.close_unless_read(&mut response).await;
            }
            Ok::<_, Infallible>(response.map(|body| watched::Answer { body, _work: work }))
        }
    });
    let serving = builder
        .serve_connection(TokioIo::new(stream), service)
        .into_owned();
    // A client that disconnects or sends nonsense is not an error of the server.
    let _ = watcher.watch(serving).await;
}

/// Binds an address.
///
/// # Errors
/// Names the address, the reason and the remedy.
#[boxed]
pub async fn bind(address: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(address)
        .await
        .map_err(|error| match error.kind() {
            std::io::ErrorKind::AddrInUse => format!(
                "port {} of {} is taken by another program; stop it, or choose another with \
             --listen {}:PORT",
                address.port(),
                address.ip(),
                address.ip()
            ),
            std::io::ErrorKind::PermissionDenied => format!(
                "port {} needs more rights than this user has; choose one above 1023 with --listen",
                address.port()
            ),
            std::io::ErrorKind::AddrNotAvailable => format!(
                "{} is no address of this machine; --listen 0.0.0.0:{} listens on all of them",
                address.ip(),
                address.port()
            ),
            _ => format!("{address} cannot be listened on: {error}"),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size of the future that a function gives.
    fn size<A, B, F: Future>(_: impl Fn(A, B) -> F) -> usize {
        std::mem::size_of::<F>()
    }

    /// Futures that are rarely awaited are boxed, or every request reserves memory for them: the
    /// allocator handles some pages quickly, dozens not.
    #[test]
    fn a_request_takes_little_room() {
        let bytes = size(gateway::serve);
        assert!(bytes <= 12 * 1024, "{bytes} bytes");
    }
}
