//! Shares of a limited resource: bytes of bodies in memory, permits for uploads. When it is used
//! up, its heaviest users have to make room, the slowest first, not the newcomers. Does not know
//! what is shared.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use octavo_boxed::boxed;
use tokio::sync::Notify;
use uuid::Uuid;

/// How long a newcomer waits for room before it is refused.
const ROOM_WAIT: Duration = Duration::from_secs(1);
/// A user of more than this part of the whole may be asked to leave however fast it is.
const HEAVY_PART: usize = 8;
/// A user slower than so many bytes a second may be asked to leave for a newcomer that uses no
/// more,
const PACE_MIN: u64 = 16 * 1024;
/// unless it has just arrived.
const GRACE: Duration = Duration::from_secs(1);

/// The user of a share: a user of a tenant, or an address of which nothing more is known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Party {
    /// A client without a token.
    Address(Option<IpAddr>),
    /// A client with a token.
    User {
        tenant: String,
        /// The user; none for calls of a module by itself.
        user: Option<Uuid>,
    },
}

impl Party {
    /// An address as far as it distinguishes clients: for IPv6 the network, since one client has a
    /// whole network.
    #[must_use]
    pub fn at(address: Option<IpAddr>) -> Party {
        Party::Address(address.map(|address| match address.to_canonical() {
            IpAddr::V6(long) => {
                let [a, b, c, d, ..] = long.segments();
                IpAddr::V6([a, b, c, d, 0, 0, 0, 0].into())
            }
            short @ IpAddr::V4(_) => short,
        }))
    }

    fn tenant(&self) -> Option<&str> {
        match self {
            Party::User { tenant, .. } => Some(tenant),
            Party::Address(_) => None,
        }
    }
}

/// A limited amount of something.
#[derive(Debug)]
pub struct Shares {
    capacity: usize,
    state: Mutex<State>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct State {
    used: usize,
    next: u64,
    shares_held: HashMap<u64, HeldShare>,
}

/// The share of one party.
#[derive(Debug)]
struct HeldShare {
    party: Party,
    amount: usize,
    since: Instant,
    /// Bytes that have moved through it.
    moved: u64,
    may_go: bool,
    asked: bool,
    leave: Arc<Notify>,
}

impl HeldShare {
    fn pace(&self, now: Instant) -> u64 {
        let elapsed = now.saturating_duration_since(self.since).as_millis();
        self.moved.saturating_mul(1_000) / u64::try_from(elapsed).unwrap_or(u64::MAX).max(1)
    }
}

/// A share; released on drop.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Shares>,
    /// Its number among the shares that can be asked to leave; `None` for one that cannot.
    number: Option<u64>,
    amount: usize,
    leave: Arc<Notify>,
}

/// Nothing is left, and nobody makes room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

enum GrowAttempt {
    Grown,
    /// Another share was asked to make room.
    Asked,
    Full,
}

impl Shares {
    #[must_use]
    pub fn new(capacity: usize) -> Arc<Shares> {
        Arc::new(Shares {
            capacity,
            state: Mutex::default(),
            freed: Notify::new(),
        })
    }

    /// Takes some if any is left, for short use.
    #[must_use]
    pub fn take(self: &Arc<Shares>, amount: usize) -> Option<Share> {
        let mut state = self.lock();
        let used = state.used.saturating_add(amount);
        if used > self.capacity {
            return None;
        }
        state.used = used;
        Some(Share {
            shares: Arc::clone(self),
            number: None,
            amount,
            // Such a share is never asked to leave.
            leave: Arc::default(),
        })
    }

    /// An empty share, to be grown.
    #[must_use]
    pub fn enter(self: &Arc<Shares>, party: Party) -> Share {
        let leave = Arc::new(Notify::new());
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        let held = HeldShare {
            party,
            amount: 0,
            since: Instant::now(),
            moved: 0,
            may_go: true,
            asked: false,
            leave: Arc::clone(&leave),
        };
        state.shares_held.insert(number, held);
        drop(state);
        Share {
            shares: Arc::clone(self),
            number: Some(number),
            amount: 0,
            leave,
        }
    }

    fn try_grow(&self, number: u64, amount: usize) -> GrowAttempt {
        let mut state = self.lock();
        let used = state.used.saturating_add(amount);
        if used <= self.capacity {
            state.used = used;
            if let Some(held) = state.shares_held.get_mut(&number) {
                held.amount += amount;
            }
            return GrowAttempt::Grown;
        }
        if amount > self.capacity {
            return GrowAttempt::Full;
        }
        if state.shares_held.values().any(|held| held.asked) {
            // Waits for the one that was already asked, before asking another.
            return GrowAttempt::Asked;
        }
        match self.in_the_way(&state, number, amount) {
            Some(victim) => {
                if let Some(held) = state.shares_held.get_mut(&victim) {
                    held.asked = true;
                    held.leave.notify_one();
                }
                GrowAttempt::Asked
            }
            None => GrowAttempt::Full,
        }
    }

    /// Which share has to make room for one that wants more: of the heaviest parties' the slowest.
    /// Nobody makes room for a party that uses more.
    fn in_the_way(&self, state: &State, number: u64, amount: usize) -> Option<u64> {
        let now = Instant::now();
        let asking = &state.shares_held.get(&number)?.party;
        let (mut tenants, mut parties) = (HashMap::new(), HashMap::new());
        let wanted = [(asking, amount)];
        let held = state
            .shares_held
            .values()
            .map(|held| (&held.party, held.amount));
        for (party, amount) in held.chain(wanted) {
            *parties.entry(party).or_insert(0_usize) += amount;
            if let Some(tenant) = party.tenant() {
                *tenants.entry(tenant).or_insert(0_usize) += amount;
            }
        }
        let weight = |party: &Party| {
            let own = parties.get(party).copied().unwrap_or_default();
            let tenants = party.tenant().and_then(|id| tenants.get(id)).copied();
            (tenants.unwrap_or(own), own)
        };
        let least = weight(asking);
        let candidates = state.shares_held.iter().filter(|(other, held)| {
            let slow = held.pace(now) < PACE_MIN && now.duration_since(held.since) >= GRACE;
            let heavy = weight(&held.party).1 > self.capacity / HEAVY_PART;
            **other != number
                && held.may_go
                && held.amount > 0
                && (slow || heavy)
                && weight(&held.party) >= least
        });
        let victim = candidates.max_by_key(|(_, held)| {
            let slowest = std::cmp::Reverse(held.pace(now));
            (weight(&held.party), slowest)
        });
        victim.map(|(number, _)| *number)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// Takes more, after others have made room if necessary.
    ///
    /// # Errors
    /// When nobody makes room.
    #[boxed]
    pub async fn grow(&mut self, amount: usize) -> Result<(), Full> {
        let Some(number) = self.number else {
            return Err(Full);
        };
        let until = tokio::time::Instant::now() + ROOM_WAIT;
        loop {
            let mut freed = std::pin::pin!(self.shares.freed.notified());
            // Before the attempt, so that room that is made in between is not missed.
            freed.as_mut().enable();
            match self.shares.try_grow(number, amount) {
                GrowAttempt::Grown => {
                    self.amount += amount;
                    return Ok(());
                }
                GrowAttempt::Full => return Err(Full),
                GrowAttempt::Asked => {
                    let waited = tokio::time::timeout_at(until, freed).await;
                    waited.map_err(|_| Full)?;
                }
            }
        }
    }

    /// Records that so many bytes have arrived.
    pub fn moved(&self, bytes: usize) {
        self.change(|held| held.moved += bytes as u64);
    }

    /// From now on the share is not asked to leave.
    pub fn settle(&self) {
        self.change(|held| held.may_go = false);
    }

    /// Completes when the share has to make room.
    #[boxed]
    pub async fn asked_to_leave(&self) {
        self.leave.notified().await;
    }

    fn change(&self, change: impl FnOnce(&mut HeldShare)) {
        if let Some(number) = self.number
            && let Some(held) = self.shares.lock().shares_held.get_mut(&number)
        {
            change(held);
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut state = self.shares.lock();
        state.used = state.used.saturating_sub(self.amount);
        if let Some(number) = self.number {
            state.shares_held.remove(&number);
        }
        drop(state);
        self.shares.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(tenant: &str, number: u128) -> Party {
        Party::User {
            tenant: tenant.to_owned(),
            user: Some(Uuid::from_u128(number)),
        }
    }

    async fn with(shares: &Arc<Shares>, party: Party, amount: usize) -> Share {
        let mut share = shares.enter(party);
        share.grow(amount).await.expect("there is room");
        share
    }

    fn is_asked(share: &Share) -> bool {
        use futures_util::FutureExt;
        share.asked_to_leave().now_or_never().is_some()
    }

    #[tokio::test]
    async fn who_uses_most_makes_room_the_slowest_first() {
        let shares = Shares::new(100);
        let fast = with(&shares, user("one", 1), 40).await;
        let slow = with(&shares, user("one", 1), 40).await;
        let other = with(&shares, user("two", 2), 20).await;
        fast.moved(1_000_000);
        let mut coming = shares.enter(user("two", 3));
        let mut growing = Box::pin(coming.grow(10));
        assert!(futures_util::poll!(&mut growing).is_pending());
        assert!(is_asked(&slow) && !is_asked(&fast) && !is_asked(&other));
        drop(slow);
        growing.await.expect("room was made");
        // Nobody makes room for the heaviest users.
        let mut greedy = shares.enter(user("one", 1));
        fast.settle();
        assert_eq!(greedy.grow(80).await, Err(Full));
        assert_eq!(greedy.grow(101).await, Err(Full));
    }

    #[tokio::test]
    async fn who_is_fast_and_uses_little_stays() {
        let shares = Shares::new(16);
        let mut shares_held = Vec::new();
        for number in 0..16 {
            let share = with(&shares, user("one", number), 1).await;
            share.moved(10_000_000);
            shares_held.push(share);
        }
        let mut coming = shares.enter(user("two", 99));
        assert_eq!(coming.grow(1).await, Err(Full));
        assert!(!shares_held.iter().any(is_asked));
        assert!(shares.take(1).is_none());
        drop(shares_held.pop());
        assert!(shares.take(1).is_some());
        coming.grow(1).await.expect("it was given back");
    }

    #[test]
    fn addresses_of_a_network_are_one_party() {
        let at = |text: &str| Party::at(Some(text.parse().expect("an address")));
        assert_eq!(at("2001:db8::1"), at("2001:db8:0:0:ffff::2"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:192.0.2.1"), at("192.0.2.1"));
        assert_ne!(at("192.0.2.2"), at("192.0.2.1"));
    }
}
