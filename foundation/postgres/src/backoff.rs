//! The growing pause between attempts to reach a server.

use std::time::Duration;

/// A pause that doubles after each attempt, up to a limit.
#[derive(Debug)]
pub(crate) struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl Backoff {
    pub(crate) const fn new(first: Duration, longest: Duration) -> Backoff {
        Backoff {
            first,
            longest,
            next: first,
        }
    }

    /// For a connection to a running server. The longest pause bounds how long a server that is up
    /// again goes unnoticed.
    pub(crate) const fn of_connections() -> Backoff {
        Backoff::new(Duration::from_millis(50), Duration::from_secs(2))
    }

    /// The pause before the next attempt; the one after it is twice as long.
    pub(crate) fn pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(self.longest);
        pause
    }

    /// The pause that [`Backoff::pause`] returns next.
    pub(crate) const fn peek(&self) -> Duration {
        self.next
    }

    /// After an attempt that lasted: the next pause is the first one again.
    pub(crate) const fn reset(&mut self) {
        self.next = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_until_reset() {
        let mut backoff = Backoff::of_connections();
        let pauses: Vec<u128> = (0..8).map(|_| backoff.pause().as_millis()).collect();
        assert_eq!(pauses, [50, 100, 200, 400, 800, 1600, 2000, 2000]);
        backoff.reset();
        assert_eq!(backoff.peek(), backoff.pause());
        assert_eq!(backoff.pause(), Duration::from_millis(100));
    }
}
