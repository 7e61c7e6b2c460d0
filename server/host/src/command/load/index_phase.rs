//! Shows the indexes that a large first load builds at its end.

use std::time::Duration;

use indicatif::ProgressBar;
use octavo_postgres::{BuildPhase, BuildProgress};

/// The indexes of a load.
#[derive(Debug, Default)]
pub(super) struct IndexPhase {
    dropped: usize,
    finished: usize,
    built: Option<Built>,
}

#[derive(Debug)]
struct Built {
    count: usize,
    failed: usize,
    elapsed: Duration,
}

impl IndexPhase {
    /// So many are dropped until the end.
    pub(super) fn dropped(&mut self, bar: &ProgressBar, count: usize) {
        self.dropped = count;
        bar.suspend(|| eprintln!("  a large first load: {count} indexes are built at its end"));
    }

    /// One of them is being built.
    pub(super) fn progress(&mut self, bar: &ProgressBar, news: &BuildProgress) {
        if news.phase == BuildPhase::Finished {
            self.finished += 1;
        }
        bar.set_message(format!(
            "index {} of {}: {}, {}",
            (self.finished + 1).min(self.dropped),
            self.dropped,
            news.index,
            news.step
        ));
    }

    pub(super) fn finished(&mut self, count: usize, failed: usize, elapsed: Duration) {
        self.built = Some(Built {
            count,
            failed,
            elapsed,
        });
    }

    /// Prints the line of the summary, if there is something to say.
    pub(super) fn report(&self) {
        let Some(built) = &self.built else { return };
        println!(
            "{:>10} indexes built in {:.1} s",
            built.count,
            built.elapsed.as_secs_f64()
        );
        if built.failed > 0 {
            println!(
                "{:>10} indexes could not be built: `octavo index list` shows why",
                built.failed
            );
        }
    }
}
