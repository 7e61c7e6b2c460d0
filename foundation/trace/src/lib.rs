//! Records what one request did and when, as a tree of spans. Only a request that runs inside
//! [`Recorder::run`] is recorded; for all others a span costs one look at a task-local.
//! [`RequestSpan`] carries the fields of every request's log lines.
//!
//! Knows nothing of HTTP, and of SQL only that it is text. Values never get here.

mod handle;
mod recorder;
mod request;
mod tree;

pub use handle::Handle;
pub use recorder::{Recorder, SPANS_MAX};
pub use request::RequestSpan;
pub use tree::{Node, SpanKind, Summary, Tree};

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;

use tracing::Instrument;

tokio::task_local! {
    static HERE: TracePosition;
}

/// The position of the running code in its request's tree.
#[derive(Clone)]
struct TracePosition {
    recorder: Arc<Recorder>,
    span: Cell<u32>,
}

/// Whether the present request is recorded.
#[must_use]
pub fn is_on() -> bool {
    HERE.try_with(|_| ()).is_ok()
}

/// A span of work that does not await: it lasts until the guard is dropped, and spans begun
/// meanwhile are inside it.
#[must_use]
pub fn span(name: &'static str) -> Span {
    let entered = HERE.try_with(|here| {
        let handle = here.recorder.open(here.span.get(), SpanKind::Work, name);
        let before = here.span.get();
        here.span.set(handle.id().unwrap_or(before));
        (handle, before)
    });
    Span {
        entered: entered.ok(),
        not_across_waits: PhantomData,
    }
}

/// The guard of [`span`]. It cannot be held across an await in a handler (it is not `Send`): use
/// [`within`] there.
#[derive(Debug)]
pub struct Span {
    entered: Option<(Handle, u32)>,
    not_across_waits: PhantomData<*const ()>,
}

impl Drop for Span {
    fn drop(&mut self) {
        if let Some((mut handle, before)) = self.entered.take() {
            handle.end();
            let _ = HERE.try_with(|here| here.span.set(before));
        }
    }
}

/// Awaits a future inside a span of this name.
pub async fn within<T>(name: &'static str, future: impl Future<Output = T>) -> T {
    let here = HERE.try_with(|here| {
        let handle = here.recorder.open(here.span.get(), SpanKind::Work, name);
        (Arc::clone(&here.recorder), here.span.get(), handle)
    });
    let Ok((recorder, parent, mut handle)) = here else {
        return future.await;
    };
    let here = TracePosition {
        recorder,
        span: Cell::new(handle.id().unwrap_or(parent)),
    };
    // Boxed, so that the future of an unrecorded request does not reserve memory for this one.
    let done = Box::pin(HERE.scope(here, future)).await;
    handle.end();
    done
}

/// A future for a task of its own that keeps recording, and logging, in its maker's position.
pub fn carried<T>(future: impl Future<Output = T>) -> impl Future<Output = T> {
    let here = HERE.try_with(Clone::clone).ok();
    let carrying = async move {
        match here {
            None => future.await,
            Some(here) => Box::pin(HERE.scope(here, future)).await,
        }
    };
    carrying.in_current_span()
}

/// A span that is ended by hand: for statements, transactions and waits, which may outlive the code
/// that began them.
pub fn open(kind: SpanKind, name: &'static str) -> Handle {
    HERE.try_with(|here| here.recorder.open(here.span.get(), kind, name))
        .unwrap_or_default()
}

/// The span of a statement that begins now; `under` is its transaction, if any.
pub fn statement(kind: SpanKind, sql: &str, under: &Handle) -> Handle {
    HERE.try_with(|here| {
        // A span that was opened after the transaction and is still open is the statement's parent.
        let parent = here.span.get().max(under.id().unwrap_or_default());
        let mut handle = here.recorder.open(parent, kind, "");
        handle.sql(sql);
        handle
    })
    .unwrap_or_default()
}
