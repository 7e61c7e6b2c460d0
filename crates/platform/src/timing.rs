//! Where a request's time goes: the stages of the `Server-Timing` header.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::HeaderValue;

/// The stages of one request. Cheap to clone; all clones write to one list.
#[derive(Debug, Clone)]
pub struct Timing {
    started: Instant,
    stages: Arc<Mutex<Vec<(&'static str, Duration)>>>,
}

impl Default for Timing {
    fn default() -> Timing {
        Timing {
            started: Instant::now(),
            stages: Arc::new(Mutex::new(Vec::with_capacity(6))),
        }
    }
}

impl Timing {
    /// Adds a stage that began at `from` and ends now.
    pub fn stage(&self, name: &'static str, from: Instant) {
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        match stages.iter_mut().find(|(known, _)| *known == name) {
            Some((_, time)) => *time += from.elapsed(),
            None => stages.push((name, from.elapsed())),
        }
    }

    /// The value of the header, milliseconds as the specification has it.
    #[must_use]
    pub fn header(&self) -> Option<HeaderValue> {
        let mut text = String::with_capacity(96);
        let stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, time) in stages.iter() {
            let _ = write!(text, "{name};dur={:.3}, ", time.as_secs_f64() * 1_000.0);
        }
        let _ = write!(
            text,
            "total;dur={:.3}",
            self.started.elapsed().as_secs_f64() * 1_000.0
        );
        HeaderValue::try_from(text).ok()
    }
}
