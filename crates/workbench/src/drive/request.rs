//! A virtual user's requests: pause, send, judge, take values, record; and the transactions they
//! add up to. Only sending and receiving is inside the measured time.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::shared::Shared;
use super::virtual_user::{End, VirtualUser};
use crate::feeder::Held;
use crate::measure::{Sample, TransactionSample};
use crate::workload::{Answer, Check, OnError, Request};
use octavo_client::{Exchange, Fault};

/// After a request without any answer the virtual user rests, or a dead server would be hammered
/// by thousands of refused connections a second.
const REST_AFTER_FAULT: Duration = Duration::from_millis(100);
/// What FOLIO answers to a token that it does not accept any more.
const UNAUTHORIZED: u16 = 401;
/// A token that is refused sooner than this after it was given will not become better by another.
const TOKEN_LASTS: Duration = Duration::from_millis(500);
/// Failure messages are cut to this many characters.
const MESSAGE_CHARACTERS_MAX: usize = 300;

/// What a request contributes to its transaction.
pub(super) struct Part {
    started: Instant,
    times: Times,
    sent: usize,
    pub(super) success: bool,
    /// The token was refused, and nothing is recorded yet.
    token_refused: bool,
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

impl VirtualUser {
    /// Runs the requests of a transaction in order and records their sum.
    pub(super) async fn transaction(
        &mut self,
        shared: &Shared,
        number: usize,
        held: &mut Held,
    ) -> End {
        let transaction = &shared.workload.transactions[number];
        let mut sum = TransactionSample::new(number, self.number);
        sum.late = self.late;
        for (at, request) in transaction.requests.iter().enumerate() {
            let (goes_on, idle) = self.think(shared, request).await;
            if !goes_on {
                return End::CutShort;
            }
            sum.idle += idle;
            let label = shared.catalogue.of(number, at);
            self.render(number, at);
            let renewable = self.may_renew(shared, request);
            let mut part = self.send(shared, request, label, renewable).await;
            if part.token_refused {
                if !self.log_in(shared).await {
                    return End::CutShort;
                }
                self.recorder
                    .borrow()
                    .count(|results| results.tokens_renewed += 1);
                self.render(number, at);
                part = self.send(shared, request, label, false).await;
            }
            add(&mut sum, &part);
            match (&request.moves, part.success) {
                (Some(moves), true) => held.rehome(moves.from, moves.to),
                (_, false) if shared.workload.on_error == OnError::NextIteration => break,
                _ => {}
            }
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

    fn render(&mut self, transaction: usize, request: usize) {
        let own = &self.requests[transaction][request];
        own.render(
            &self.variables,
            &mut self.random,
            &mut self.body_space,
            &mut self.out,
        );
    }

    /// Whether a refused token may be the reason of a 401: not when the plan wants one, nor when the
    /// token is brand new.
    fn may_renew(&self, shared: &Shared, request: &Request) -> bool {
        let wanted = |check: &Check| matches!(check, Check::Status(UNAUTHORIZED));
        shared.workload.login.is_some()
            && self.logged_in.elapsed() > TOKEN_LASTS
            && !request.checks.iter().any(wanted)
    }

    /// Pauses as the request's timer says; false when the run is over.
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

    /// Sends what was rendered, judges the answer, takes its values, records it. With `renewable` an
    /// answer that refuses the token is only told.
    pub(super) async fn send(
        &mut self,
        shared: &Shared,
        request: &Request,
        label: usize,
        renewable: bool,
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
                (answer, judge(request, answer))
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

/// The first condition that the answer misses. A plan that names a status wants exactly that one;
/// else every status below 400 is a success, as in JMeter.
fn judge(request: &Request, answer: Answer<'_>) -> Option<String> {
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
        .find_map(|check| check.judge(answer).err())
}

fn shorten(message: String) -> String {
    if message.len() <= MESSAGE_CHARACTERS_MAX {
        return message;
    }
    message.chars().take(MESSAGE_CHARACTERS_MAX).collect()
}
