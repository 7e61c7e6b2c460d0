//! What may end a run from outside: Ctrl-C, and the system's wish.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Ctrl-C and the system's wish to end.
pub(super) struct Interrupts {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
}

impl Interrupts {
    pub(super) fn new() -> Self {
        // Where the system refuses a handler, its own way of ending a program is left.
        Self {
            interrupt: signal(SignalKind::interrupt()).ok(),
            terminate: signal(SignalKind::terminate()).ok(),
        }
    }

    /// Waits for the next, and tells it.
    pub(super) async fn next(&mut self) -> &'static str {
        tokio::select! {
            () = received(&mut self.interrupt) => "Ctrl-C ended the run.",
            () = received(&mut self.terminate) => "The system ended the run.",
        }
    }
}

async fn received(signal: &mut Option<Signal>) {
    let received = match signal {
        Some(signal) => signal.recv().await,
        None => None,
    };
    if received.is_none() {
        std::future::pending::<()>().await;
    }
}
