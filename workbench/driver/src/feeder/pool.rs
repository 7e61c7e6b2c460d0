//! The feeders of a run. An exclusive row belongs to one virtual user until its iteration ends and
//! then returns to the end of a queue: its own, or another one if the workload moved it there.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use super::Row;
use crate::workload::Sharing;

/// All feeders of a run, by number.
#[derive(Debug, Default)]
pub struct Feeders {
    pools: Vec<Pool>,
    returned: Notify,
}

#[derive(Debug)]
enum Pool {
    Exclusive(Mutex<VecDeque<Row>>),
    Shared { rows: Vec<Row>, next: AtomicUsize },
}

impl Feeders {
    /// Feeders with their first rows, in the workload's order.
    pub fn new(contents: impl IntoIterator<Item = (Sharing, Vec<Row>)>) -> Self {
        let pools = contents.into_iter().map(|(sharing, rows)| match sharing {
            Sharing::Exclusive => Pool::Exclusive(Mutex::new(rows.into())),
            Sharing::Shared => Pool::Shared {
                rows,
                next: AtomicUsize::new(0),
            },
        });
        Self {
            pools: pools.collect(),
            returned: Notify::new(),
        }
    }

    /// How many rows a feeder can hand out now.
    pub fn len(&self, feeder: usize) -> usize {
        match &self.pools[feeder] {
            Pool::Exclusive(rows) => rows.lock().unwrap_or_else(PoisonError::into_inner).len(),
            Pool::Shared { rows, .. } => rows.len(),
        }
    }

    /// Draws one row from each of the feeders, or none at all.
    ///
    /// # Errors
    /// The number of the feeder that had no row.
    pub fn draw(self: &Arc<Self>, feeders: &[usize]) -> Result<HeldRows, usize> {
        let mut held = HeldRows {
            rows: Vec::with_capacity(feeders.len()),
            feeders: Arc::clone(self),
        };
        for &feeder in feeders {
            match self.take(feeder) {
                Some(row) => held.rows.push(HeldRow {
                    drawn_from: feeder,
                    home: feeder,
                    row,
                }),
                None => {
                    held.put_back_in_front();
                    return Err(feeder);
                }
            }
        }
        Ok(held)
    }

    /// Completes at the next return of a row after the first poll.
    pub fn row_returned(&self) -> tokio::sync::futures::Notified<'_> {
        self.returned.notified()
    }

    /// Adds a new row.
    pub fn add(&self, feeder: usize, row: Row) {
        self.put(feeder, row, false);
        self.returned.notify_waiters();
    }

    fn take(&self, feeder: usize) -> Option<Row> {
        match &self.pools[feeder] {
            Pool::Exclusive(rows) => rows
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .pop_front(),
            Pool::Shared { rows, .. } if rows.is_empty() => None,
            Pool::Shared { rows, next } => {
                Some(rows[next.fetch_add(1, Ordering::Relaxed) % rows.len()].clone())
            }
        }
    }

    fn put(&self, feeder: usize, row: Row, in_front: bool) {
        if let Pool::Exclusive(rows) = &self.pools[feeder] {
            let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
            if in_front {
                rows.push_front(row)
            } else {
                rows.push_back(row)
            }
        }
    }
}

/// Rows held by one virtual user; they return when this is dropped, however the iteration ends.
#[derive(Debug)]
pub struct HeldRows {
    rows: Vec<HeldRow>,
    feeders: Arc<Feeders>,
}

#[derive(Debug)]
struct HeldRow {
    drawn_from: usize,
    home: usize,
    row: Row,
}

impl HeldRows {
    /// The rows with the number of the feeder each was drawn from.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.rows.iter().map(|held| (held.drawn_from, &held.row))
    }

    /// Lets the row drawn from one feeder return to another.
    pub fn rehome(&mut self, drawn_from: usize, home: usize) {
        for held in self
            .rows
            .iter_mut()
            .filter(|held| held.drawn_from == drawn_from)
        {
            held.home = home;
        }
    }

    fn put_back_in_front(&mut self) {
        for held in self.rows.drain(..) {
            self.feeders.put(held.home, held.row, true);
        }
    }
}

impl Drop for HeldRows {
    fn drop(&mut self) {
        if self.rows.is_empty() {
            return;
        }
        for held in self.rows.drain(..) {
            self.feeders.put(held.home, held.row, false);
        }
        self.feeders.returned.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn rows(values: std::ops::Range<u32>) -> Vec<Row> {
        values
            .map(|value| Arc::from([value.to_string().into_boxed_str()]))
            .collect()
    }

    fn first(held: &HeldRows) -> String {
        held.rows().next().unwrap().1[0].to_string()
    }

    #[test]
    fn rows_go_round_and_move() {
        let exclusive = Sharing::Exclusive;
        let feeders = Arc::new(Feeders::new([
            (exclusive, rows(0..2)),
            (exclusive, rows(5..5)),
        ]));
        let mut held = feeders.draw(&[0]).unwrap();
        assert_eq!(first(&held), "0");
        held.rehome(0, 1);
        assert_eq!((feeders.len(0), feeders.len(1)), (1, 0));
        drop(held);
        assert_eq!((feeders.len(0), feeders.len(1)), (1, 1));
        drop(feeders.draw(&[0]).unwrap());
        assert_eq!(first(&feeders.draw(&[0]).unwrap()), "1");
    }

    #[test]
    fn a_draw_takes_all_or_nothing_and_names_the_empty_feeder() {
        let exclusive = Sharing::Exclusive;
        let feeders = Arc::new(Feeders::new([(exclusive, rows(0..2)), (exclusive, vec![])]));
        assert_eq!(feeders.draw(&[0, 1]).unwrap_err(), 1);
        assert_eq!(first(&feeders.draw(&[0]).unwrap()), "0");
    }

    #[test]
    fn a_new_row_can_be_drawn() {
        let feeders = Arc::new(Feeders::new([(Sharing::Exclusive, vec![])]));
        assert!(feeders.draw(&[0]).is_err());
        feeders.add(0, rows(3..4).remove(0));
        assert_eq!(first(&feeders.draw(&[0]).unwrap()), "3");
    }

    #[test]
    fn shared_rows_are_handed_out_in_turn_and_never_run_out() {
        let feeders = Arc::new(Feeders::new([(Sharing::Shared, rows(0..2))]));
        let held: Vec<_> = (0..5).map(|_| feeders.draw(&[0]).unwrap()).collect();
        assert_eq!(
            held.iter().map(first).collect::<Vec<_>>(),
            ["0", "1", "0", "1", "0"]
        );
    }

    #[test]
    fn no_two_threads_hold_one_row() {
        let feeders = Arc::new(Feeders::new([(Sharing::Exclusive, rows(0..8))]));
        let in_use = Mutex::new(HashSet::new());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2_000 {
                        let held = [feeders.draw(&[0]).unwrap(), feeders.draw(&[0]).unwrap()];
                        for one in &held {
                            assert!(in_use.lock().unwrap().insert(first(one)), "held twice");
                        }
                        for one in &held {
                            in_use.lock().unwrap().remove(&first(one));
                        }
                    }
                });
            }
        });
        assert_eq!(feeders.len(0), 8);
    }
}
