//! A page on this machine that shows a run in progress: plots, start and stop, the number of users.
//! Only someone who knows its address, with the key in it, can see or change anything.

mod line;
mod serve;

use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use serde::Serialize;

use crate::drive::{Control, Live};
use line::{Line, Point};

/// The page of one run; it ends with the program.
pub struct Page {
    /// Its URL.
    pub address: String,
    seen: Arc<Seen>,
}

/// The content of the page and the buttons that were pressed.
struct Seen {
    key: String,
    title: String,
    control: Control,
    state: Mutex<State>,
    /// Whether the run may begin.
    begun: Mutex<bool>,
    pressed: Condvar,
}

/// The response to the browser's poll every second.
#[derive(Debug, Clone, Default, Serialize)]
struct State {
    phase: &'static str,
    elapsed_s: f64,
    whole_s: f64,
    stage: usize,
    stages: usize,
    users: usize,
    wanted: usize,
    open: bool,
    requests: u64,
    errors: u64,
    names: Vec<String>,
    figures: Vec<octavo_figures::Statistics>,
    #[serde(skip)]
    line: Line,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The address cannot be bound.
    #[error("the page cannot be shown at {address}: {source}; give another with --page ADDRESS")]
    Address {
        address: SocketAddr,
        source: std::io::Error,
    },
    /// The address is reachable from other machines.
    #[error("the page is for this machine only: give --page 127.0.0.1:PORT, not {0}")]
    NotLocal(SocketAddr),
    /// The operating system refused a thread.
    #[error("cannot start the page: {0}")]
    Start(std::io::Error),
}

impl Page {
    /// Serves the page of a run. With `wait` the run begins when Start is pressed.
    ///
    /// # Errors
    /// When the address cannot be used.
    pub fn start(
        address: SocketAddr,
        title: &str,
        control: Control,
        wait: bool,
    ) -> Result<Self, PageError> {
        if !address.ip().is_loopback() {
            return Err(PageError::NotLocal(address));
        }
        let listener = std::net::TcpListener::bind(address)
            .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
            .map_err(|source| PageError::Address { address, source })?;
        let bound = listener.local_addr().map_err(PageError::Start)?;
        let seen = Arc::new(Seen {
            key: uuid::Uuid::new_v4().simple().to_string(),
            title: title.to_owned(),
            control,
            state: Mutex::new(State {
                phase: if wait { "waiting" } else { "begins" },
                ..State::default()
            }),
            begun: Mutex::new(!wait),
            pressed: Condvar::new(),
        });
        serve::start(listener, Arc::clone(&seen)).map_err(PageError::Start)?;
        Ok(Self {
            address: format!("http://{bound}/?key={}", seen.key),
            seen,
        })
    }

    /// Waits until Start or Stop is pressed; returns at once when the run need not wait.
    pub fn wait(&self) {
        let begun = self
            .seen
            .begun
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let waited = self.seen.pressed.wait_while(begun, |begun| !*begun);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Shows another second.
    pub fn show(&self, live: &Live<'_>) {
        let point = Point::of(live);
        let mut state = self
            .seen
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        state.phase = "runs";
        state.elapsed_s = live.elapsed.as_secs_f64();
        state.whole_s = live.whole.as_secs_f64();
        (state.stage, state.stages) = (live.stage.0 + 1, live.stage.1);
        (state.users, state.wanted) = (live.users, live.wanted);
        state.open = live.rate.is_some();
        (state.requests, state.errors) = live.requests;
        live.names.clone_into(&mut state.names);
        state.figures = live
            .transactions
            .iter()
            .map(|one| one.statistics())
            .collect();
        state.line.add(point);
    }

    /// Shows that the run is over.
    pub fn over(&self) {
        let mut state = self
            .seen
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        state.phase = "over";
    }
}

impl Seen {
    fn begin(&self) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        *begun = true;
        self.pressed.notify_all();
    }
}
