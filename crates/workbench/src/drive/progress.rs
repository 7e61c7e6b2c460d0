//! The line that tells how a run goes: rewritten each second on a terminal, else printed every
//! five seconds. Silent runs show nothing.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};

use super::shared::Shared;
use crate::measure::{Live, LiveTotals};

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressStyle {
    /// One line on the terminal, rewritten each second.
    Terminal,
    /// A line on standard error every five seconds.
    Lines,
    /// Nothing.
    Silent,
}

/// The progress of one run.
pub(super) struct Progress<'r> {
    style: ProgressStyle,
    bar: ProgressBar,
    lives: &'r [Arc<Live>],
    totals: LiveTotals,
    last: (Instant, u64, u64),
}

impl<'r> Progress<'r> {
    pub(super) fn new(style: ProgressStyle, shared: &Shared, lives: &'r [Arc<Live>]) -> Self {
        let bar = match style {
            ProgressStyle::Terminal => {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stdout());
                let template = BarStyle::with_template("{spinner} {msg}");
                bar.set_style(template.unwrap_or_else(|_| BarStyle::default_spinner()));
                bar
            }
            _ => ProgressBar::hidden(),
        };
        let totals = LiveTotals::new(shared.workload.transactions.len());
        Self {
            style,
            bar,
            lives,
            totals,
            last: (shared.started, 0, 0),
        }
    }

    pub(super) fn interval(&self) -> Duration {
        match self.style {
            ProgressStyle::Terminal => Duration::from_secs(1),
            _ => Duration::from_secs(5),
        }
    }

    pub(super) fn show(&mut self, shared: &Shared) {
        if self.style == ProgressStyle::Silent {
            return;
        }
        self.totals.read(self.lives.iter().map(|live| &**live));
        let line = self.line(shared);
        match self.style {
            ProgressStyle::Terminal => {
                self.bar.set_message(line);
                self.bar.tick();
            }
            _ => eprintln!("{line}"),
        }
    }

    fn line(&mut self, shared: &Shared) -> String {
        let now = Instant::now();
        let transactions = self
            .totals
            .transactions
            .iter()
            .map(|series| series.len())
            .sum::<u64>();
        let (then, requests_then, transactions_then) = self.last;
        let seconds = (now - then).as_secs_f64().max(0.001);
        let requests_per_s = (self.totals.requests - requests_then) as f64 / seconds;
        let transactions_per_s = (transactions - transactions_then) as f64 / seconds;
        self.last = (now, self.totals.requests, transactions);
        let elapsed = (now - shared.started).as_secs();
        let whole = (shared.deadline - shared.started).as_secs();
        let mut line = format!(
            "{elapsed}/{whole} s  {} users  {requests_per_s:.0} requests/s  \
             {transactions_per_s:.1} transactions/s  {} errors",
            shared.active.load(Ordering::Relaxed),
            self.totals.errors
        );
        for (transaction, series) in shared
            .workload
            .transactions
            .iter()
            .zip(&self.totals.transactions)
        {
            if !series.is_empty() {
                let p95 = series.percentile_ms(95.0);
                line.push_str(&format!("  p95 {} {p95:.1} ms", transaction.name));
            }
        }
        line
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
