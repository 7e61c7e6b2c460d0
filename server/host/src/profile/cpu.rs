//! Samples the threads' stacks by a timer of processor time (`SIGPROF`). Outside of a profile no
//! timer is installed and no signal sent.

use std::sync::Once;

use nix::sys::signal::{Signal, raise};
use pprof::{ProfilerGuard, ProfilerGuardBuilder, Report};
use tokio::sync::OwnedSemaphorePermit;

use super::ProfileError;
use super::folded::Folded;
use super::names::{self, Names};

/// A running profile; aborted on drop.
pub struct Sampling {
    running: Option<(ProfilerGuard<'static>, OwnedSemaphorePermit)>,
}

impl Sampling {
    /// Starts a profile. That takes a moment, the first time some tenths of a second: not for a
    /// thread that serves requests.
    ///
    /// # Errors
    /// When the system refuses the timer or the signal.
    pub fn begin(frequency: u32, turn: OwnedSemaphorePermit) -> Result<Sampling, ProfileError> {
        prepare()?;
        let guard = start(frequency)?;
        Ok(Sampling {
            running: Some((guard, turn)),
        })
    }

    /// Ends the profile and resolves the functions' names: not for a thread that serves requests.
    ///
    /// # Errors
    /// When the samples cannot be read.
    pub fn end(mut self) -> Result<Folded, ProfileError> {
        let Some((guard, _turn)) = self.running.take() else {
            return Ok(Folded::default());
        };
        let folded = guard.report().build().map(|report| folded(&report));
        names::forget();
        Ok(folded?)
    }
}

impl Drop for Sampling {
    fn drop(&mut self) {
        // Ending frees the samples, which takes too long for a thread that serves requests.
        if let Some(running) = self.running.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn_blocking(move || drop(running));
        }
    }
}

fn start(frequency: u32) -> Result<ProfilerGuard<'static>, pprof::Error> {
    ProfilerGuardBuilder::default()
        .frequency(frequency.cast_signed())
        .build()
}

/// The sampler reads the program's unwinding tables at its first signal, and allocates for that. A
/// signal may interrupt a thread inside the allocator, so the first one is sent here, to this
/// thread, which is not inside it; the timer's own first tick comes after a second of processor
/// time.
fn prepare() -> Result<(), pprof::Error> {
    static ONCE: Once = Once::new();
    let mut outcome = Ok(());
    ONCE.call_once(|| {
        outcome = start(1).map(|guard| {
            // If this thread could not signal itself, the tables would be read at the timer's first
            // tick.
            let _ = raise(Signal::SIGPROF);
            drop(guard);
        });
    });
    outcome
}

fn folded(report: &Report) -> Folded {
    let names = Names::of_this_program();
    let mut folded = Folded::default();
    for (frames, samples) in &report.data {
        let thread = frames.thread_name_or_id();
        // Innermost first, and of each frame the inlined functions first.
        let functions: Vec<String> = frames
            .frames
            .iter()
            .rev()
            .flat_map(|frame| names.of_frame(frame))
            .collect();
        let stack = std::iter::once(thread.as_str()).chain(functions.iter().map(String::as_str));
        folded.add(stack, u64::try_from(*samples).unwrap_or_default());
    }
    folded
}
