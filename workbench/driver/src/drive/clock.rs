//! Compares the system's clock with the monotonic one that times are measured with.

use std::time::{Duration, Instant, SystemTime};

/// When the two clocks differ by so much more than before, the system's clock was set.
const CLOCK_STEP: Duration = Duration::from_secs(1);

/// Detects that somebody set the system's clock. Times are measured with another one.
pub(super) struct Clock {
    started: Instant,
    system: SystemTime,
    /// The difference that was last reported.
    reported: f64,
}

impl Clock {
    pub(super) fn new(started: Instant) -> Self {
        Self {
            started,
            system: SystemTime::now(),
            reported: 0.0,
        }
    }

    pub(super) fn stepped(&mut self) -> Option<String> {
        let elapsed = self.started.elapsed().as_secs_f64();
        let by_system = match SystemTime::now().duration_since(self.system) {
            Ok(forward) => forward.as_secs_f64(),
            Err(back) => -back.duration().as_secs_f64(),
        };
        let off = by_system - elapsed;
        let step = off - self.reported;
        (step.abs() > CLOCK_STEP.as_secs_f64()).then(|| {
            self.reported = off;
            format!(
                "The system's clock was set by {step:+.1} s after {elapsed:.0} s. Times are not measured with \
                 it; the time stamps of a JTL file continue from the start of the run."
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_is_reported_once() {
        let mut clock = Clock::new(Instant::now());
        assert_eq!(clock.stepped(), None);
        // As if it had been an hour behind at the beginning and has been set forward since.
        clock.system -= Duration::from_secs(3_600);
        let reported = clock.stepped().unwrap();
        assert!(reported.contains("+3600.0 s"), "{reported}");
        assert_eq!(clock.stepped(), None);
        clock.system += Duration::from_secs(3_600);
        assert!(clock.stepped().unwrap().contains("-3600.0 s"));
    }
}
