//! A virtual user's requests: pause, send, check, extract, record; and the transactions that they
//! belong to. Only sending and receiving is inside the measured time.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::shared::Shared;
use super::virtual_user::{End, VirtualUser};
use crate::feeder::{HeldRows, Row};
use crate::measure::{Sample, TransactionSample};
use crate::workload::{Answer, Check, OnError, Request, Variables};
use octavo_client::{Exchange, Fault};

/// The pause after a request without any response; otherwise a dead server would get thousands of
/// connection attempts a second.
const REST_AFTER_FAULT: Duration = Duration::from_millis(100);
/// FOLIO's status for a token that is no longer valid.
const UNAUTHORIZED: u16 = 401;
/// A new token is of no use when the last one was issued less than this ago.
const TOKEN_LASTS: Duration = Duration::from_millis(500);
/// Failure messages are cut to this many characters.
const MESSAGE_CHARACTERS_MAX: usize = 300;

/// A request's contribution to its transaction.
pub(super) struct Part {
    started: Instant,
    times: Times,
    sent: usize,
    pub(super) success: bool,
    /// Whether the token was refused and nothing has been recorded yet.
    token_refused: bool,
    /// Whether it has to be sent again.
    again: bool,
}

#[derive(Clone, Copy)]
struct Times {
    elapsed: Duration,
    latency: Duration,
    connect: Duration,
    received: usize,
}

impl Times {
    fn of(started: Instant, outcome: &Result<Exchange, Fault>) -> Self {
        match outcome {
            Ok(exchange) => Self {
                elapsed: exchange.elapsed,
                latency: exchange.latency,
                connect: exchange.connect,
                received: exchange.bytes,
            },
            Err(_) => Self {
                elapsed: started.elapsed(),
                latency: Duration::ZERO,
                connect: Duration::ZERO,
                received: 0,
            },
        }
    }
}

/// How a response is handled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sending {
    /// Whether a repeated request is sent for the last time, so that its condition must hold.
    last: bool,
    /// Whether a response that refuses the token is only reported, and not recorded.
    renewable: bool,
}

impl Sending {
    /// Sent once, whatever the response.
    pub(super) const ONCE: Sending = Sending {
        last: true,
        renewable: false,
    };
}

impl VirtualUser {
    /// Runs the requests of a transaction in order and records their sum.
    pub(super) async fn transaction(
        &mut self,
        shared: &Shared,
        number: usize,
        held: &mut HeldRows,
    ) -> End {
        let transaction = &shared.workload.transactions[number];
        if !transaction
            .when
            .iter()
            .all(|when| when.holds(&self.variables))
        {
            return End::Well;
        }
        let mut sum = TransactionSample::new(number, self.number);
        sum.late = self.late;
        let (mut at, mut times) = (0, 0);
        while let Some(request) = transaction.requests.get(at) {
            if !request.when.iter().all(|when| when.holds(&self.variables)) {
                at += 1;
                continue;
            }
            let (goes_on, idle) = self.pause(shared, request).await;
            if !goes_on {
                return End::CutShort;
            }
            if sum.samples == 0 {
                sum.late = self.late;
            }
            sum.idle += idle;
            let label = shared.catalogue.of(number, at);
            self.render(request, number, at);
            times += u32::from(request.repeat.is_some());
            let repeat = request.repeat.as_ref();
            let last = repeat.is_none_or(|one| times >= one.at_most);
            let renewable = self.may_renew(shared, request);
            let sending = Sending { last, renewable };
            let mut part = self.send(shared, request, label, sending).await;
            if part.token_refused {
                if !self.log_in(shared).await {
                    return End::CutShort;
                }
                self.recorder
                    .borrow()
                    .count(|results| results.tokens_renewed += 1);
                self.render(request, number, at);
                let sending = Sending {
                    last,
                    renewable: false,
                };
                part = self.send(shared, request, label, sending).await;
            }
            add(&mut sum, &part);
            if part.success {
                self.hand_on(shared, request, held);
            } else if transaction.on_error == OnError::NextIteration {
                break;
            }
            match &request.repeat {
                Some(repeat) if part.again => {
                    let then = Instant::now() + repeat.every;
                    if !shared.sleep_until(then, &mut self.stop).await {
                        return End::CutShort;
                    }
                    sum.idle += repeat.every;
                    at = (at + 1).saturating_sub(repeat.requests);
                }
                _ => {
                    times = if request.repeat.is_some() { 0 } else { times };
                    at += 1;
                }
            }
        }
        if sum.samples == 0 {
            return End::Well;
        }
        if transaction.summed {
            let active = shared.active.load(Ordering::Relaxed);
            self.recorder
                .borrow_mut()
                .transaction(sum, &transaction.name, active);
        }
        if sum.failing == 0 {
            End::Well
        } else {
            End::Badly
        }
    }

    /// Sets the request's variables and renders it.
    fn render(&mut self, request: &Request, transaction: usize, at: usize) {
        for (slot, value) in &request.sets {
            self.body_space.clear();
            value.render(&self.variables, &mut self.random, &mut self.body_space);
            let value = String::from_utf8_lossy(&self.body_space);
            self.variables.set(*slot, &value);
        }
        self.requests[transaction][at].render(
            &self.variables,
            &mut self.random,
            &mut self.body_space,
            &mut self.out,
        );
    }

    /// Whether a refused token may be the reason for a 401: not when the plan expects one, nor when
    /// the token is new.
    fn may_renew(&self, shared: &Shared, request: &Request) -> bool {
        let wanted = |check: &Check| matches!(check, Check::Status(wanted) if wanted.contains(&UNAUTHORIZED));
        shared.workload.login.is_some()
            && self.logged_in.elapsed() > TOKEN_LASTS
            && !request.checks.iter().any(wanted)
    }

    /// Moves rows after a successful request.
    fn hand_on(&self, shared: &Shared, request: &Request, held: &mut HeldRows) {
        if let Some(moves) = &request.moves {
            held.rehome(moves.from, moves.to);
        }
        if let Some(feeder) = request.fills {
            let slots = shared.workload.feeders[feeder].slots.iter();
            let row: Row = slots
                .map(|slot| self.variables.text(*slot).into())
                .collect();
            // As with records of the tenant, a row with a missing value is dropped.
            if row.iter().all(|value| !value.is_empty()) {
                shared.feeders.add(feeder, row);
            }
        }
    }

    /// Waits until the request may be sent: for its timer, or for the group's rate. False when the
    /// run is over.
    async fn pause(&mut self, shared: &Shared, request: &Request) -> (bool, Duration) {
        if self.is_finishing {
            return (true, Duration::ZERO);
        }
        let due = self.group.and_then(|group| shared.groups.requests(group));
        let Some(due) = due.filter(|_| self.is_paced) else {
            return self.think(shared, request).await;
        };
        let begun = Instant::now();
        match self.await_due(shared, due).await {
            Some(due) => {
                self.late = due.elapsed();
                (true, begun.elapsed())
            }
            None => (false, Duration::ZERO),
        }
    }

    /// Pauses for the request's timer; false when the run is over.
    pub(super) async fn think(&mut self, shared: &Shared, request: &Request) -> (bool, Duration) {
        match request
            .think
            .pause(&mut self.random)
            .filter(|_| shared.pauses())
        {
            None => (!shared.is_over(), Duration::ZERO),
            Some(pause) => (
                shared
                    .sleep_until(Instant::now() + pause, &mut self.stop)
                    .await,
                pause,
            ),
        }
    }

    /// Sends the rendered request, checks the response, extracts values, records it.
    pub(super) async fn send(
        &mut self,
        shared: &Shared,
        request: &Request,
        label: usize,
        Sending { last, renewable }: Sending,
    ) -> Part {
        let started = Instant::now();
        let outcome = self
            .client
            .exchange(&self.out, request.is_repeatable())
            .await;
        let times = Times::of(started, &outcome);
        let refused = matches!(&outcome, Ok(exchange) if exchange.status == UNAUTHORIZED);
        if renewable && refused {
            return Part {
                started,
                times,
                sent: self.out.len(),
                success: false,
                again: false,
                token_refused: true,
            };
        }
        let (answer, failure) = match &outcome {
            Ok(exchange) => {
                let answer = Answer {
                    status: exchange.status,
                    head: self.client.head(exchange),
                    body: self.client.body(exchange),
                };
                (answer, judge(request, answer, &self.variables))
            }
            Err(fault) => (
                Answer {
                    status: 0,
                    head: &[],
                    body: &[],
                },
                Some(fault.to_string()),
            ),
        };
        for extract in &request.extracts {
            extract.apply(answer, &mut self.variables, &mut self.random);
        }
        // After the extraction: a condition may use a value from this response.
        let missed = request.repeat.as_ref().filter(|_| failure.is_none());
        let missed =
            missed.and_then(|one| Some((one, one.until.judge(answer, &self.variables).err()?)));
        let again = missed.is_some() && !last;
        let failure = match missed {
            Some((repeat, missed)) if last => {
                Some(format!("after {} times still {missed}", repeat.at_most))
            }
            _ => failure,
        };
        let failure = failure.map(shorten);
        let sample = Sample {
            label,
            user: self.number,
            started,
            elapsed: times.elapsed,
            late: std::mem::take(&mut self.late),
            latency: times.latency,
            connect: times.connect,
            status: answer.status,
            failure: failure.as_deref(),
            received: times.received,
            request: &self.out,
            head: answer.head,
            body: answer.body,
        };
        let active = shared.active.load(Ordering::Relaxed);
        self.recorder.borrow_mut().request(sample, active);
        if outcome.is_err() {
            shared
                .sleep_until(Instant::now() + REST_AFTER_FAULT, &mut self.stop)
                .await;
        }
        Part {
            started,
            times,
            sent: self.out.len(),
            success: failure.is_none(),
            token_refused: false,
            again,
        }
    }
}

fn add(sum: &mut TransactionSample, part: &Part) {
    if sum.samples == 0 {
        sum.started = part.started;
    }
    sum.samples += 1;
    sum.failing += u32::from(!part.success);
    sum.elapsed += part.times.elapsed;
    sum.latency += part.times.latency;
    sum.connect += part.times.connect;
    sum.received += part.times.received as u64;
    sum.sent += part.sent as u64;
}

/// The first condition that the response violates. A plan that names a status requires exactly that
/// one; otherwise every status below 400 is a success, as in JMeter.
fn judge(request: &Request, answer: Answer<'_>, variables: &Variables) -> Option<String> {
    let names_status = request
        .checks
        .iter()
        .any(|check| matches!(check, Check::Status(_)));
    if answer.status >= 400 && !names_status {
        return Some(format!("HTTP {}", answer.status));
    }
    request
        .checks
        .iter()
        .find_map(|check| check.judge(answer, variables).err())
}

fn shorten(message: String) -> String {
    if message.len() <= MESSAGE_CHARACTERS_MAX {
        return message;
    }
    message.chars().take(MESSAGE_CHARACTERS_MAX).collect()
}
