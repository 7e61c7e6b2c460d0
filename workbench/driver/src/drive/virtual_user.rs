//! One virtual user: logs in once, then draws rows and runs transactions until the run ends.
//! `request` handles transactions and requests.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use tokio::sync::watch;

use super::arrivals::Arrivals;
use super::rendering::{OwnRequest, own_requests};
use super::request::Sending;
use super::schedule::EARLY;
use super::shared::Shared;
use crate::feeder::HeldRows;
use crate::measure::Recorder;
use crate::workload::{Branch, OnError, Variables};
use octavo_client::Client;

/// The pause between two attempts to log in.
const REST_AFTER_LOGIN: Duration = Duration::from_secs(1);

/// The state of a virtual user.
pub(super) struct VirtualUser {
    pub(super) recorder: Rc<RefCell<Recorder>>,
    pub(super) number: usize,
    pub(super) client: Client,
    pub(super) variables: Variables,
    pub(super) requests: Vec<Vec<OwnRequest>>,
    pub(super) random: SmallRng,
    pub(super) stop: watch::Receiver<bool>,
    pub(super) out: Vec<u8>,
    pub(super) body_space: Vec<u8>,
    /// How late the iteration began, until its first request has recorded it.
    pub(super) late: Duration,
    /// When it last logged in.
    pub(super) logged_in: Instant,
    /// The group it belongs to, if there are groups.
    pub(super) group: Option<usize>,
    /// By branch, whether its set-up was run.
    prepared: Vec<bool>,
    /// Whether its requests follow the group's rate: not those of a set-up.
    pub(super) is_paced: bool,
    /// Whether it only runs tear-downs.
    pub(super) is_finishing: bool,
}

/// Why a virtual user stopped working.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Departure {
    /// Fewer users are wanted.
    Unwanted,
    /// No work is left for any user.
    NothingMore,
}

/// How a request, a transaction or an iteration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Well,
    Badly,
    /// The run was over before it was.
    CutShort,
}

impl VirtualUser {
    pub(super) fn new(shared: &Shared, recorder: Rc<RefCell<Recorder>>, number: usize) -> Self {
        let workload = &shared.workload;
        let mut variables = Variables::new(&workload.names);
        for (slot, value) in &workload.initial {
            variables.set(*slot, value);
        }
        let inputs = workload.inputs;
        variables.set(inputs.host, &shared.endpoint.host);
        variables.set(inputs.prefix, &shared.endpoint.prefix);
        variables.set(inputs.tenant, &shared.target.tenant);
        variables.set(inputs.username, &shared.target.username);
        variables.set(inputs.password, &shared.target.password);
        let seed = shared
            .seed
            .wrapping_add((number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        Self {
            client: Client::new(Arc::clone(&shared.endpoint), shared.limits),
            recorder,
            number,
            variables,
            requests: Vec::new(),
            random: SmallRng::seed_from_u64(seed),
            stop: shared.stop.clone(),
            out: Vec::with_capacity(4096),
            body_space: Vec::with_capacity(1024),
            late: Duration::ZERO,
            logged_in: Instant::now(),
            group: workload.group_of(number),
            prepared: vec![false; workload.branches.len()],
            is_paced: true,
            is_finishing: false,
        }
    }

    /// Works until the run is over or fewer users are wanted.
    pub(super) async fn work(mut self, shared: &Shared) -> Departure {
        shared.active.fetch_add(1, Ordering::Relaxed);
        let mut left = Departure::NothingMore;
        if self.log_in(shared).await {
            while self.iterate(shared).await {
                if self.number >= *shared.wanted.borrow() {
                    left = Departure::Unwanted;
                    break;
                }
            }
            self.tear_down(shared).await;
        }
        shared.active.fetch_sub(1, Ordering::Relaxed);
        left
    }

    /// Logs in, repeatedly if necessary; false when the run ended before.
    pub(super) async fn log_in(&mut self, shared: &Shared) -> bool {
        let Some(request) = &shared.workload.login else {
            self.requests = own_requests(&shared.workload, &self.variables);
            return true;
        };
        loop {
            if !self.think(shared, request).await.0 {
                return false;
            }
            let own = OwnRequest::new(request, &shared.workload, &self.variables);
            own.render(
                &self.variables,
                &mut self.random,
                &mut self.body_space,
                &mut self.out,
            );
            let label = shared.catalogue.login;
            if self
                .send(shared, request, label, Sending::ONCE)
                .await
                .success
            {
                self.logged_in = Instant::now();
                self.requests = own_requests(&shared.workload, &self.variables);
                return true;
            }
            let later = Instant::now() + REST_AFTER_LOGIN;
            if !shared.sleep_until(later, &mut self.stop).await {
                return false;
            }
        }
    }

    /// One iteration; false when no further one may start.
    async fn iterate(&mut self, shared: &Shared) -> bool {
        if !shared.may_iterate() {
            return false;
        }
        let Some(due) = self.turn(shared).await else {
            return false;
        };
        let Some((branch, mut held)) = self.draw(shared).await else {
            return false;
        };
        let begun = Instant::now();
        self.late = due.map_or(Duration::ZERO, |due| due.elapsed());
        for (feeder, row) in held.rows() {
            let slots = &shared.workload.feeders[feeder].slots;
            for (slot, value) in slots.iter().zip(row.iter()) {
                self.variables.set(*slot, value);
            }
        }
        let end = match self.set_up(shared, branch, &mut held).await {
            End::Well => {
                let steps = &shared.workload.branches[branch].steps;
                self.steps(shared, steps, &mut held).await
            }
            end => end,
        };
        let cut_short = end == End::CutShort;
        self.recorder.borrow().iteration(begun, cut_short);
        end != End::CutShort
    }

    /// Runs transactions in order; after a failed one it continues only if the plan says so.
    async fn steps(&mut self, shared: &Shared, steps: &[usize], held: &mut HeldRows) -> End {
        let mut end = End::Well;
        for &step in steps {
            end = self.transaction(shared, step, held).await;
            let transaction = &shared.workload.transactions[step];
            let stops = end == End::Badly && transaction.on_error == OnError::NextIteration;
            if stops || end == End::CutShort {
                break;
            }
        }
        end
    }

    /// Runs a branch's set-up before the branch is taken for the first time. After a failure it is
    /// tried again with the next iteration, not at once.
    async fn set_up(&mut self, shared: &Shared, branch: usize, held: &mut HeldRows) -> End {
        if self.prepared[branch] {
            return End::Well;
        }
        let setup = &shared.workload.branches[branch].setup;
        let late = std::mem::take(&mut self.late);
        self.is_paced = false;
        let mut end = End::Well;
        for &step in setup {
            end = self.transaction(shared, step, held).await;
            if end != End::Well {
                break;
            }
        }
        self.is_paced = true;
        self.prepared[branch] = end == End::Well;
        self.late = late;
        if end == End::Badly {
            let later = Instant::now() + REST_AFTER_LOGIN;
            shared.sleep_until(later, &mut self.stop).await;
        }
        end
    }

    /// Runs the tear-downs of branches whose set-up was run.
    async fn tear_down(&mut self, shared: &Shared) {
        self.is_finishing = true;
        for branch in 0..self.prepared.len() {
            let teardown = &shared.workload.branches[branch].teardown;
            if !self.prepared[branch] || teardown.is_empty() {
                continue;
            }
            if let Ok(mut held) = shared.feeders.draw(&[]) {
                self.steps(shared, teardown, &mut held).await;
            }
        }
    }

    /// In the open model waits until the next iteration is due, and returns when that is; `None`
    /// when there is no further one.
    async fn turn(&mut self, shared: &Shared) -> Option<Option<Instant>> {
        let arrivals = match self.group {
            Some(group) => shared.groups.iterations(group),
            None => shared.arrivals.as_ref(),
        };
        match arrivals {
            Some(arrivals) => self.await_due(shared, arrivals).await.map(Some),
            None => Some(None),
        }
    }

    /// Waits until the next of these is due, and returns when that is; `None` when there is no
    /// further one.
    pub(super) async fn await_due(
        &mut self,
        shared: &Shared,
        arrivals: &Arrivals,
    ) -> Option<Instant> {
        let due = shared.schedule.at(shared.ramp_up + arrivals.take()?);
        let free = Instant::now();
        if free < due && !shared.sleep_until(due - EARLY, &mut self.stop).await {
            return None;
        }
        self.recorder.borrow().count(|results| match free < due {
            true => results.generator.record(due.elapsed(), true),
            false => results.overdue += 1,
        });
        Some(due)
    }

    /// Chooses a branch by weight and draws its rows. When one of its feeders is empty the other
    /// branches are tried; when none has rows, it waits for a row to return.
    async fn draw(&mut self, shared: &Shared) -> Option<(usize, HeldRows)> {
        let wanted = self.choose(shared);
        loop {
            let returned = shared.feeders.row_returned();
            tokio::pin!(returned);
            // Before drawing, so that a row that returns in between is not missed.
            returned.as_mut().enable();
            match self.draw_for(shared, wanted) {
                Some(drawn) => return Some(drawn),
                None => self.recorder.borrow().count(|results| results.waits += 1),
            }
            tokio::select! {
                () = returned => {}
                () = tokio::time::sleep_until(shared.deadline.into()) => return None,
                _ = self.stop.wait_for(|stop| *stop) => return None,
            }
        }
    }

    fn draw_for(&mut self, shared: &Shared, wanted: usize) -> Option<(usize, HeldRows)> {
        let branches = &shared.workload.branches;
        let empty = match shared.feeders.draw(&branches[wanted].draws) {
            Ok(held) => return Some((wanted, held)),
            Err(empty) => empty,
        };
        let others = (0..branches.len()).filter(|other| *other != wanted);
        let others = others.filter(|other| branches[*other].group == self.group);
        for other in others.filter(|other| shared.weights[*other] > 0) {
            if let Ok(held) = shared.feeders.draw(&branches[other].draws) {
                self.recorder.borrow().count(|results| {
                    *results.substitutions.entry((wanted, empty)).or_default() += 1;
                });
                return Some((other, held));
            }
        }
        None
    }

    /// A branch of the user's group, chosen by weight.
    fn choose(&mut self, shared: &Shared) -> usize {
        let branches = shared.workload.branches.iter().zip(&shared.weights);
        let mine = |(branch, weight): (&Branch, &u32)| match branch.group == self.group {
            true => *weight,
            false => 0,
        };
        let total: u32 = branches.clone().map(mine).sum();
        let mut ticket = self.random.random_range(0..total.max(1));
        for (branch, weight) in branches.map(mine).enumerate() {
            match ticket.checked_sub(weight) {
                Some(rest) => ticket = rest,
                None => return branch,
            }
        }
        0
    }
}
