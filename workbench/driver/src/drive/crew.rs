//! The worker threads. Each has its own runtime, connections and recorder, so that threads share
//! nothing while they handle a request; and each runs as many of its users as are wanted.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;
use tokio::task::{Id, JoinSet, LocalSet};

use super::options::RunError;
use super::shared::Shared;
use super::virtual_user::{Departure, VirtualUser};
use crate::measure::{Fresh, JtlRows, Recorder, SampleSink};

/// Starts a worker; it reports when all its users are done.
pub(super) fn start_worker(
    (worker, threads): (usize, usize),
    shared: &Arc<Shared>,
    rows: Option<JtlRows>,
    done: mpsc::UnboundedSender<()>,
) -> Result<SampleSink, RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(RunError::Workers)?;
    let (labels, transactions) = (shared.catalogue.len(), shared.workload.transactions.len());
    let fresh = Fresh::new(shared.bounds.len(), labels, transactions);
    let sink = SampleSink::new(Mutex::new(fresh));
    let recorder = Recorder::new(
        Arc::clone(&shared.catalogue),
        Arc::clone(&sink),
        rows,
        Arc::clone(&shared.bounds),
        shared.is_open(),
    );
    let shared = Arc::clone(shared);
    let work = move || {
        let recorder = Rc::new(RefCell::new(recorder));
        let tasks = LocalSet::new();
        tasks.block_on(&runtime, supervise(worker, threads, &shared, &recorder));
        drop(tasks);
        recorder.borrow_mut().finish();
        // The receiver is gone only when the run was aborted.
        let _ = done.send(());
    };
    let named = std::thread::Builder::new().name(format!("load-{worker}"));
    named.spawn(work).map_err(RunError::Workers)?;
    Ok(sink)
}

/// Runs as many of this worker's users as are wanted, until the run is over for all of them.
async fn supervise(
    worker: usize,
    threads: usize,
    shared: &Arc<Shared>,
    recorder: &Rc<RefCell<Recorder>>,
) {
    let mut wanted = shared.wanted.clone();
    let mut stop = shared.stop.clone();
    let mut users: JoinSet<(usize, Departure)> = JoinSet::new();
    let mut at_work: HashMap<Id, usize> = HashMap::new();
    let mut nothing_more = false;
    loop {
        nothing_more |= shared.is_over();
        let most = *wanted.borrow_and_update();
        if !nothing_more {
            for number in (worker..most).step_by(threads) {
                if at_work.values().any(|known| *known == number) {
                    continue;
                }
                let (shared, recorder) = (Arc::clone(shared), Rc::clone(recorder));
                let task = users.spawn_local(async move {
                    let user = VirtualUser::new(&shared, recorder, number);
                    (number, user.work(&shared).await)
                });
                at_work.insert(task.id(), number);
            }
        }
        if nothing_more && at_work.is_empty() {
            return;
        }
        tokio::select! {
            Some(ended) = users.join_next_with_id() => {
                // A user that panicked has reported it on standard error; the others' results
                // count.
                let (id, left) = match ended {
                    Ok((id, (_, left))) => (id, left),
                    Err(error) => (error.id(), Departure::NothingMore),
                };
                at_work.remove(&id);
                nothing_more |= left == Departure::NothingMore;
            }
            changed = wanted.changed(), if !nothing_more => nothing_more |= changed.is_err(),
            () = tokio::time::sleep_until(shared.deadline.into()), if !nothing_more => {}
            _ = stop.wait_for(|stop| *stop), if !nothing_more => {}
        }
    }
}
