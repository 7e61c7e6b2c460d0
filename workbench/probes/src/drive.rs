//! The schedule of every probe: a sample before the load, one at each interval, one after it.

use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, MissedTickBehavior};

/// A probe of one part of the system.
pub(crate) trait Probe {
    /// Samples the state before the load.
    async fn begin(&mut self);
    /// Takes one sample.
    async fn take_sample(&mut self);
    /// Samples the state after the load. `fresh` when the last sample is so recent that rates since
    /// then would be noise.
    async fn finish(&mut self, fresh: bool);
}

/// When a probe samples.
#[derive(Debug, Clone)]
pub(crate) struct Schedule {
    pub interval: Duration,
    /// True once the load has ended.
    pub ended: watch::Receiver<bool>,
    /// Dropped once everything before the load was sampled.
    pub ready: mpsc::Sender<()>,
}

pub(crate) async fn drive(mut probe: impl Probe, schedule: Schedule) {
    let Schedule {
        interval,
        mut ended,
        ready,
    } = schedule;
    probe.begin().await;
    drop(ready);
    let mut looked = Instant::now();
    let mut ticks = tokio::time::interval_at(looked + interval, interval);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            // The sender is gone: the load has ended as well.
            _ = ended.wait_for(|ended| *ended) => break,
            _ = ticks.tick() => {
                probe.take_sample().await;
                looked = Instant::now();
            }
        }
    }
    let fresh = looked.elapsed() < interval / 2;
    probe.finish(fresh).await;
}
