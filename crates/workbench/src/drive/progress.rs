//! The line that tells how a run goes: rewritten each second on a terminal, else printed every
//! five seconds. Silent runs show nothing.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};

use super::shared::Shared;
use octavo_figures::Series;

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
    /// Seconds since a line was shown.
    seconds: u32,
}

/// Seconds between printed lines.
const LINES_EVERY: u32 = 5;

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
            seconds: 0,
        }
    }

    /// Called each second; gives the transactions since the last call.
    pub(super) fn second(&mut self, shared: &Shared) -> Series {
        let since = self.totals.read(self.lives.iter().map(|live| &**live));
        self.seconds += 1;
        match self.style {
            ProgressStyle::Silent => {}
            ProgressStyle::Terminal => {
                let line = self.line(shared);
                self.bar.set_message(line);
                self.bar.tick();
            }
            ProgressStyle::Lines if self.seconds.is_multiple_of(LINES_EVERY) => {
                eprintln!("{}", self.line(shared));
            }
            ProgressStyle::Lines => {}
        }
        since
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
            "{elapsed}/{whole} s  {}{} users  {requests_per_s:.0} requests/s  \
             {transactions_per_s:.1} transactions/s  {} errors",
            shared
                .rate_now()
                .map_or(String::new(), |rate| format!("{rate:.0}/s due  ")),
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
