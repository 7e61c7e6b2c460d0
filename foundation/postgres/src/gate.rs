//! A gate that limits how many searches run at a time, in total, for one tenant and for one user. A
//! user's further searches wait, and those of others pass.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use octavo_trace::{self as trace, SpanKind};
use tokio::sync::oneshot;

use crate::asker::Asker;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub all: usize,
    pub of_tenant: usize,
    pub of_user: usize,
    /// How many searches of one user may wait.
    pub waiting_of_user: usize,
}

pub(crate) struct Gate {
    limits: Limits,
    state: Mutex<State>,
}

/// Why a search was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// A permit, released on drop.
pub(crate) struct GatePermit {
    gate: Arc<Gate>,
    asker: Asker,
}

#[derive(Default)]
struct State {
    inside: Inside,
    /// The waiting searches in the order of their arrival.
    waiting: VecDeque<Waiter>,
}

#[derive(Default)]
struct Inside {
    all: usize,
    tenants: HashMap<u64, usize>,
    users: HashMap<u64, usize>,
}

struct Waiter {
    asker: Asker,
    /// If the waiter has gone, the permit returns, or is dropped at the receiver.
    sender: oneshot::Sender<GatePermit>,
}

impl Gate {
    pub(crate) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            limits,
            state: Mutex::default(),
        })
    }

    /// Waits for a permit, no longer than `wait`.
    pub(crate) async fn enter(
        self: &Arc<Self>,
        asker: Asker,
        wait: Duration,
    ) -> Result<GatePermit, Full> {
        let receiver = {
            let mut state = self.lock();
            let waits = state.waiting_of(asker);
            if waits == 0 && state.inside.admits(asker, self.limits) {
                state.inside.add(asker);
                return Ok(self.place(asker));
            }
            if waits >= self.limits.waiting_of_user {
                return Err(Full);
            }
            let (sender, receiver) = oneshot::channel();
            state.waiting.push_back(Waiter { asker, sender });
            receiver
        };
        let mut span = trace::open(SpanKind::Wait, "wait behind other searches");
        let place = tokio::time::timeout(wait, receiver).await;
        span.end();
        match place {
            Ok(Ok(place)) => Ok(place),
            Ok(Err(_)) | Err(_) => Err(Full),
        }
    }

    fn place(self: &Arc<Self>, asker: Asker) -> GatePermit {
        GatePermit {
            gate: Arc::clone(self),
            asker,
        }
    }

    fn leave(self: &Arc<Self>, asker: Asker) {
        let mut unwanted = Vec::new();
        let mut state = self.lock();
        state.inside.remove(asker);
        let mut at = 0;
        while at < state.waiting.len() && state.inside.all < self.limits.all {
            let waiter = &state.waiting[at];
            let gone = waiter.sender.is_closed();
            if !gone && !state.inside.admits(waiter.asker, self.limits) {
                at += 1;
                continue;
            }
            let Some(waiter) = state.waiting.remove(at) else {
                break;
            };
            if gone {
                continue;
            }
            state.inside.add(waiter.asker);
            if let Err(place) = waiter.sender.send(self.place(waiter.asker)) {
                unwanted.push(place);
            }
        }
        // The lock is released first, since a permit that returns takes it again.
        drop(state);
        drop(unwanted);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// How many searches of a user wait; those that were abandoned are removed.
    fn waiting_of(&mut self, asker: Asker) -> usize {
        self.waiting.retain(|waiter| !waiter.sender.is_closed());
        let own = self.waiting.iter().filter(|waiter| waiter.asker == asker);
        own.count()
    }
}

impl Inside {
    fn admits(&self, asker: Asker, limits: Limits) -> bool {
        let of = |counts: &HashMap<u64, usize>, who| counts.get(&who).copied().unwrap_or_default();
        self.all < limits.all
            && of(&self.tenants, asker.tenant) < limits.of_tenant
            && of(&self.users, asker.user) < limits.of_user
    }

    fn add(&mut self, asker: Asker) {
        self.all += 1;
        *self.tenants.entry(asker.tenant).or_default() += 1;
        *self.users.entry(asker.user).or_default() += 1;
    }

    fn remove(&mut self, asker: Asker) {
        self.all = self.all.saturating_sub(1);
        less(&mut self.tenants, asker.tenant);
        less(&mut self.users, asker.user);
    }
}

/// Decrements a count and removes it at zero.
fn less(counts: &mut HashMap<u64, usize>, who: u64) {
    if let Some(count) = counts.get_mut(&who) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&who);
        }
    }
}

impl Drop for GatePermit {
    fn drop(&mut self) {
        self.gate.leave(self.asker);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        all: 4,
        of_tenant: 3,
        of_user: 2,
        waiting_of_user: 2,
    };
    const LONG: Duration = Duration::from_secs(20);
    const AT_ONCE: Duration = Duration::ZERO;

    #[tokio::test]
    async fn a_user_and_a_tenant_get_no_more_than_their_share() {
        let gate = Gate::new(LIMITS);
        let (ann, ben) = (Asker::of("diku", "ann"), Asker::of("diku", "ben"));
        let (eve, joe) = (Asker::of("other", "ann"), Asker::of("third", "joe"));
        let first = gate.enter(ann, AT_ONCE).await.ok().unwrap();
        let _second = gate.enter(ann, AT_ONCE).await.ok().unwrap();
        assert_eq!(gate.enter(ann, AT_ONCE).await.err(), Some(Full));
        let _third = gate.enter(ben, AT_ONCE).await.ok().unwrap();
        // Ben's own limit is not reached, but his tenant's is.
        assert_eq!(gate.enter(ben, AT_ONCE).await.err(), Some(Full));
        let _fourth = gate.enter(eve, AT_ONCE).await.ok().unwrap();
        assert_eq!(gate.enter(joe, AT_ONCE).await.err(), Some(Full));
        drop(first);
        gate.enter(joe, AT_ONCE).await.ok().unwrap();
    }

    #[tokio::test]
    async fn whoever_waits_for_themselves_is_passed_by() {
        let gate = Gate::new(LIMITS);
        let (ann, ben) = (Asker::of("diku", "ann"), Asker::of("diku", "ben"));
        let held = [
            gate.enter(ann, AT_ONCE).await.ok().unwrap(),
            gate.enter(ann, AT_ONCE).await.ok().unwrap(),
        ];
        let waits = |asker| {
            let gate = Arc::clone(&gate);
            tokio::spawn(async move { gate.enter(asker, LONG).await.is_ok() })
        };
        let (one, other) = (waits(ann), waits(ann));
        while gate.lock().waiting.len() < 2 {
            tokio::task::yield_now().await;
        }
        // No more of hers may even wait.
        assert_eq!(gate.enter(ann, LONG).await.err(), Some(Full));
        gate.enter(ben, AT_ONCE).await.ok().unwrap();
        drop(held);
        assert!(one.await.unwrap() && other.await.unwrap());
        assert_eq!(gate.lock().inside.all, 0);
    }

    #[tokio::test]
    async fn whoever_goes_away_keeps_no_place() {
        let gate = Gate::new(Limits { all: 1, ..LIMITS });
        let ann = Asker::of("diku", "ann");
        let held = gate.enter(ann, AT_ONCE).await.ok().unwrap();
        let waiting = tokio::spawn({
            let gate = Arc::clone(&gate);
            async move { gate.enter(ann, LONG).await.is_ok() }
        });
        while gate.lock().waiting.is_empty() {
            tokio::task::yield_now().await;
        }
        waiting.abort();
        let _ = waiting.await;
        drop(held);
        gate.enter(ann, AT_ONCE).await.ok().unwrap();
        assert_eq!(gate.lock().inside.all, 0);
    }
}
