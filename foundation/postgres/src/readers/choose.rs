//! Decides where a read goes: positions in, a choice out. Does no I/O and never waits.

use super::position::{Lsn, Position};

/// The state of a replica that can be read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReplicaState {
    /// The position that it has replayed at least.
    pub at: Position,
    /// The position for which a read last waited in vain. Until the replica has reached it, it lags
    /// by more than the wait, and no other read waits for it.
    pub behind: Option<Lsn>,
}

impl ReplicaState {
    /// Whether it has everything up to a position.
    pub(super) fn has(&self, floor: Position) -> bool {
        self.at.timeline == floor.timeline && self.at.lsn >= floor.lsn
    }

    fn lags(&self) -> bool {
        self.behind.is_some_and(|place| self.at.lsn < place)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// To this replica, which has everything that the caller may have seen.
    Reader(usize),
    /// No replica is current enough yet, but one may be at any moment.
    Wait,
    Writer,
}

/// Chooses among replicas; those that cannot be read from are `None`. `turn` increases with every
/// read, so that replicas take turns.
pub(super) fn choose(states: &[Option<ReplicaState>], floor: Position, turn: usize) -> Choice {
    let fit = |at: &usize| states[*at].is_some_and(|state| state.has(floor));
    let count = states.iter().enumerate().filter(|(at, _)| fit(at)).count();
    if count > 0 {
        let mut fitting = (0..states.len()).filter(fit);
        return fitting
            .nth(turn % count)
            .map_or(Choice::Writer, Choice::Reader);
    }
    let hopeful = states
        .iter()
        .flatten()
        .any(|state| state.at.timeline == floor.timeline && !state.lags());
    if hopeful {
        Choice::Wait
    } else {
        Choice::Writer
    }
}

/// Whether no replica can be read from, whatever the writer answers: its position only grows, and
/// all replicas are known to lack an earlier one.
pub(super) fn hopeless(states: &[Option<ReplicaState>]) -> bool {
    states.iter().flatten().all(ReplicaState::lags)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lsn: u64) -> Option<ReplicaState> {
        on(1, lsn)
    }

    fn on(timeline: u32, lsn: u64) -> Option<ReplicaState> {
        let at = Position {
            timeline,
            lsn: Lsn(lsn),
        };
        Some(ReplicaState { at, behind: None })
    }

    fn behind(lsn: u64, place: u64) -> Option<ReplicaState> {
        at(lsn).map(|state| ReplicaState {
            behind: Some(Lsn(place)),
            ..state
        })
    }

    #[test]
    fn a_read_goes_where_everything_is_that_it_has_to_see() {
        let floor = Position {
            timeline: 1,
            lsn: Lsn(100),
        };
        for (states, choice) in [
            (vec![], Choice::Writer),
            (vec![None, None], Choice::Writer),
            (vec![at(100)], Choice::Reader(0)),
            (vec![at(101)], Choice::Reader(0)),
            (vec![at(99)], Choice::Wait),
            (vec![None, at(100)], Choice::Reader(1)),
            (vec![at(99), at(100)], Choice::Reader(1)),
            // A lagging replica is not waited for before it has reached what was waited for last.
            (vec![behind(50, 90)], Choice::Writer),
            (vec![behind(90, 90)], Choice::Wait),
            (vec![behind(50, 90), at(99)], Choice::Wait),
            (vec![behind(100, 200)], Choice::Reader(0)),
            // Positions on another timeline cannot be compared, however large they are.
            (vec![on(2, 500)], Choice::Writer),
            (vec![on(2, 500), at(100)], Choice::Reader(1)),
        ] {
            assert_eq!(choose(&states, floor, 0), choice, "{states:?}");
        }
    }

    #[test]
    fn replicas_that_fit_take_turns() {
        let floor = Position {
            timeline: 1,
            lsn: Lsn(100),
        };
        let states = [at(100), at(99), None, at(200)];
        let chosen: Vec<Choice> = (7..11).map(|turn| choose(&states, floor, turn)).collect();
        let (first, last) = (Choice::Reader(0), Choice::Reader(3));
        assert_eq!(chosen, [last, first, last, first]);
    }

    #[test]
    fn the_writer_is_not_asked_while_all_replicas_lag() {
        assert!(hopeless(&[]));
        assert!(hopeless(&[None]));
        assert!(hopeless(&[behind(50, 90), None]));
        assert!(!hopeless(&[behind(90, 90)]));
        assert!(!hopeless(&[behind(50, 90), at(1)]));
    }
}
