//! `GET /_/octavo/profile/…`: where the running server spends processor time, and what allocates
//! its memory. The response is text: one line for each stack, its functions from the outermost on
//! separated by `;`, and a number.
//!
//! Stacks are names of functions and contain nothing of a request or a record.

mod cpu;
mod folded;
#[cfg(feature = "heap-profiles")]
mod heap;
#[cfg(not(feature = "heap-profiles"))]
#[path = "no_heap.rs"]
mod heap;
mod names;

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, Method, StatusCode, header};
use octavo_platform::{ApiError, Call, Handler, Interface, Module};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub use folded::Folded;

/// The permission to profile the server.
pub const PERMISSION: &str = "octavo.profile.get";
/// The duration of a profile, in seconds.
pub const SECONDS: RangeInclusive<u32> = 1..=300;
/// Samples in a second of processor time. The default is 99 and not 100, so as not to be in step
/// with periodic work.
pub const FREQUENCIES: RangeInclusive<u32> = 1..=999;

/// The routes as a module of their own, since FOLIO has none like them.
#[must_use]
pub fn module() -> Module {
    let turns = Arc::new(Semaphore::new(1));
    let heap_turns = Arc::clone(&turns);
    let cpu = Handler::call(move |call| cpu(Arc::clone(&turns), call));
    let heap = Handler::call(move |call| heap(Arc::clone(&heap_turns), call));
    let interface = Interface::new("octavo-profile", "1.0")
        .route(Method::GET, "/_/octavo/profile/cpu", PERMISSION, cpu)
        .route(Method::GET, "/_/octavo/profile/heap", PERMISSION, heap);
    Module::new("octavo-profile", env!("CARGO_PKG_VERSION"))
        .permissions(include_str!("permissions.tsv"))
        .interface(interface)
}

/// Which of the memory allocated during a profile is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// All of it.
    Allocated,
    /// What was still allocated at the end.
    Held,
}

/// Why a profile failed.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The timer or the signal failed.
    #[error("the processor cannot be sampled: {0}")]
    Cpu(#[from] pprof::Error),
    /// The allocator failed.
    #[error("memory cannot be sampled: {0}")]
    Heap(String),
    /// The allocator writes its samples to a file, which cannot be read.
    #[error(
        "the samples of memory cannot be read: {0}; TMPDIR must name a directory that the server \
         may write into"
    )]
    Samples(String),
    /// The program has another allocator.
    #[error(
        "This server's allocator cannot say who allocates. Build it with `make dist`, or with \
         `cargo build --release --features heap-profiles`"
    )]
    NotBuilt,
    /// The allocator is not configured for sampling.
    #[error(
        "This server's allocator was not built or not started to sample. Build the program in its \
         workspace, where .cargo/config.toml sees to it, or start it with \
         _RJEM_MALLOC_CONF=prof:true,prof_active:false,prof_accum:true"
    )]
    NotReady,
}

impl From<ProfileError> for ApiError {
    fn from(error: ProfileError) -> ApiError {
        match error {
            ProfileError::NotReady | ProfileError::NotBuilt => {
                ApiError::text(StatusCode::NOT_IMPLEMENTED, error.to_string())
            }
            ProfileError::Samples(_) => {
                ApiError::text(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
            }
            other => ApiError::fault(other),
        }
    }
}

/// A profile of processor time of all threads, in samples.
async fn cpu(turns: Arc<Semaphore>, call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let seconds = number(&call, "seconds", 30, &SECONDS)?;
    let frequency = number(&call, "frequency", 99, &FREQUENCIES)?;
    let turn = turn(turns)?;
    let sampling = blocking(move || cpu::Sampling::begin(frequency, turn)).await?;
    // When the client disconnects, the future is dropped here, which ends the profile.
    tokio::time::sleep(Duration::from_secs(seconds.into())).await;
    let folded = blocking(move || sampling.end()).await?;
    Ok(text(folded.to_string()))
}

/// A profile of allocated memory, in bytes: all of it, or what was still allocated at the end.
async fn heap(turns: Arc<Semaphore>, call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let seconds = number(&call, "seconds", 30, &SECONDS)?;
    let counted = match call.parameter("count")?.as_deref() {
        None | Some("allocated") => Counted::Allocated,
        Some("held") => Counted::Held,
        Some(_) => return Err(ApiError::bad_request("count must be allocated or held")),
    };
    let sampling = heap::Sampling::begin(turn(turns)?)?;
    tokio::time::sleep(Duration::from_secs(seconds.into())).await;
    let folded = blocking(move || sampling.end(counted)).await?;
    Ok(text(folded.to_string()))
}

/// One profile at a time: a second one would only see the work of the first and share its timer.
fn turn(turns: Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
    turns.try_acquire_owned().map_err(|_| {
        ApiError::text(
            StatusCode::CONFLICT,
            "Another profile of this server is being taken; wait until it has ended",
        )
    })
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ProfileError> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => Ok(done?),
        Err(error) => Err(ApiError::fault(format!("profiling: {error}"))),
    }
}

fn number(
    call: &Call,
    name: &str,
    default: u32,
    bounds: &RangeInclusive<u32>,
) -> Result<u32, ApiError> {
    let Some(text) = call.parameter(name)? else {
        return Ok(default);
    };
    let number = text.parse().ok().filter(|number| bounds.contains(number));
    number.ok_or_else(|| {
        ApiError::bad_request(format!(
            "{name} must be a whole number from {} to {}",
            bounds.start(),
            bounds.end()
        ))
    })
}

fn text(body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}
