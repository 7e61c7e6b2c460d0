//! The durations of a request's stages, for the `Server-Timing` header.

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
    /// When the request arrived.
    #[must_use]
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Adds a stage that began at `from` and ends now.
    pub fn stage(&self, name: &'static str, from: Instant) {
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        match stages.iter_mut().find(|(known, _)| *known == name) {
            Some((_, time)) => *time += from.elapsed(),
            None => stages.push((name, from.elapsed())),
        }
    }

    /// The header's value, in milliseconds as its specification requires.
    #[must_use]
    pub fn header(&self) -> Option<HeaderValue> {
        let mut text = String::with_capacity(96);
        let stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, time) in stages.iter() {
            duration(&mut text, name, *time);
            text.push_str(", ");
        }
        duration(&mut text, "total", self.started.elapsed());
        HeaderValue::try_from(text).ok()
    }
}

/// Milliseconds with three decimals, from whole microseconds: formatting floats costs several times
/// as much.
fn duration(text: &mut String, name: &str, time: Duration) {
    let us = time.as_micros();
    // Writing to a String cannot fail.
    let _ = write!(text, "{name};dur={}.{:03}", us / 1_000, us % 1_000);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_milliseconds_with_three_digits() {
        let mut text = String::new();
        duration(&mut text, "records", Duration::from_nanos(12_005_900));
        duration(&mut text, " total", Duration::from_micros(7));
        assert_eq!(text, "records;dur=12.005 total;dur=0.007");
    }

    #[test]
    fn a_stage_that_comes_twice_is_added_up() {
        let timing = Timing::default();
        timing.stage("records", timing.started());
        timing.stage("records", timing.started());
        let header = timing.header().expect("it is text");
        let header = header.to_str().expect("it is ASCII");
        assert_eq!(header.matches("records;dur=").count(), 1, "{header}");
        assert!(header.contains(", total;dur="), "{header}");
    }
}
