//! The signals that end a run: Ctrl-C and SIGTERM.

use tokio::signal::unix::{Signal, SignalKind, signal};

pub(super) struct Interrupts {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
}

impl Interrupts {
    pub(super) fn new() -> Self {
        // If the system refuses a handler, signals end the program without one.
        Self {
            interrupt: signal(SignalKind::interrupt()).ok(),
            terminate: signal(SignalKind::terminate()).ok(),
        }
    }

    /// Waits for the next signal, and returns its name.
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
