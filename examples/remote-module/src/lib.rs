//! Reading lists as a FOLIO module in a process of its own: what such a module must implement to
//! run beside the native ones; `README.md` explains it. A library as well as a program, so that
//! tests can run it.
//!
//! Requests come from the gateway, which has already checked token and permissions. The module
//! trusts the `X-Okapi-*` headers and therefore must be reachable by the gateway alone.

mod answer;
mod call_log;
mod caller;
mod descriptor;
mod events;
mod faults;
mod filter;
mod lists;
mod okapi;
mod options;
mod patron;
mod shelves;
mod tenant;
mod timer;
mod wire;

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use http::{Method, Request, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::answer::{Refusal, Response};
use crate::call_log::CallLog;
use crate::caller::Caller;
use crate::okapi::Okapi;
use crate::shelves::Shelves;
use crate::tenant::Jobs;
use crate::wire::Wire;

pub use crate::descriptor::descriptor;
pub use crate::options::{Options, Phase};

/// Time for a client to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// State shared by all requests.
#[derive(Debug)]
struct Module {
    options: Options,
    shelves: Shelves,
    jobs: Jobs,
    call_log: CallLog,
    okapi: Okapi,
}

/// Serves until `stop` is ready, then cuts the connections that are still open.
pub async fn serve(listener: TcpListener, options: Options, stop: impl Future<Output = ()>) {
    let module = Arc::new(Module {
        options,
        shelves: Shelves::default(),
        jobs: Jobs::default(),
        call_log: CallLog::default(),
        okapi: Okapi::default(),
    });
    let mut connections = JoinSet::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection(Arc::clone(&module), stream));
                }
                // Out of file descriptors: wait until a connection ends and frees one.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
            // Collects connections that have ended, so that the set does not grow.
            Some(_) = connections.join_next() => {}
            () = &mut stop => return,
        }
    }
}

async fn connection(module: Arc<Module>, stream: TcpStream) {
    let _ = stream.set_nodelay(true);
    let (wire, spoiler) = Wire::new(stream);
    let service = service_fn(move |mut request: Request<Incoming>| {
        let module = Arc::clone(&module);
        request.extensions_mut().insert(spoiler.clone());
        async move {
            let answered = route(&module, request).await;
            Ok::<_, Infallible>(answered.unwrap_or_else(Refusal::into_response))
        }
    });
    // A client that disconnects or sends nonsense is not an error of this module.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(wire), service)
        .await;
}

/// The router: from a path to its handler.
async fn route(module: &Module, request: Request<Incoming>) -> Result<Response, Refusal> {
    let path = request.uri().path().to_owned();
    let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
    let method = request.method().clone();
    // A filter is called for every path of the gateway, including those of this module.
    if let Some(phase) = module.options.filter {
        return filter::passed(module, phase, &request);
    }
    if let ["healthz"] | ["admin", "health"] = segments[..] {
        return Ok(answer::text(StatusCode::OK, "OK"));
    }
    let caller = Caller::of(request.headers())?;
    match (&method, &segments[..]) {
        (&Method::POST, ["_", "tenant"]) => tenant::change(module, caller, request).await,
        (&Method::GET, ["_", "tenant", id]) => tenant::job(module, &caller, id),
        (&Method::DELETE, ["_", "tenant", id]) => tenant::forget(module, &caller, id),
        (&Method::POST, ["_", "tenantPermissions"]) if module.options.permissions_listener => {
            call_log::permissions(module, caller, request).await
        }
        (&Method::POST, ["reading-lists", "timers", "tidy"]) => timer::tidy(module, &caller),
        (&Method::POST, ["reading-lists", "handlers", "event"]) => {
            events::take(module, caller, request).await
        }
        (_, ["reading-lists", "faults", fault]) => {
            faults::provoke(module, caller, fault, request).await
        }
        (&Method::GET, ["reading-lists"]) => lists::page(module, &caller, request.uri()),
        (&Method::POST, ["reading-lists"]) => lists::create(module, &caller, request).await,
        (&Method::GET, ["reading-lists", id]) => lists::read(module, &caller, id),
        (&Method::PUT, ["reading-lists", id]) => lists::replace(module, &caller, id, request).await,
        (&Method::DELETE, ["reading-lists", id]) => lists::delete(module, &caller, id),
        (&Method::GET, ["reading-lists", id, "patron"]) => {
            patron::of_list(module, &caller, id).await
        }
        _ => Err(Refusal::not_found()),
    }
}
