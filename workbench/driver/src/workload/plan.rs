//! A compiled workload: names resolved to numbers, templates and paths parsed. Immutable and
//! shared by all virtual users.

use std::time::Duration;

use rand::Rng;
use rand::rngs::SmallRng;

use super::body::Body;
use super::check::{Check, Extract};
use super::format::{OnError, Sharing, Together};
use super::json_path::JsonPath;
use super::template::Template;
use super::variables::{Names, Variables};

/// A workload ready to run.
#[derive(Debug, Clone)]
pub struct Workload {
    /// The name used on the command line and in reports.
    pub name: String,
    /// One line on what it simulates.
    pub title: String,
    /// What is simulated, and the sources of its facts.
    pub description: String,
    /// The variables and where they are set.
    pub names: Names,
    /// The variables that the driver itself sets.
    pub inputs: Inputs,
    /// Variables with a fixed initial value.
    pub initial: Vec<(usize, String)>,
    /// Each virtual user's first request.
    pub login: Option<Request>,
    /// The sources of test data.
    pub feeders: Vec<FeederSpec>,
    /// Virtual users who each do one part of the work; without groups, all do everything.
    pub groups: Vec<Group>,
    /// The alternatives of an iteration; never empty.
    pub branches: Vec<Branch>,
    /// The sequences of requests.
    pub transactions: Vec<Transaction>,
}

impl Workload {
    /// The virtual users of all groups; `None` without groups, where any number is possible.
    pub fn grouped_users(&self) -> Option<usize> {
        let users = || self.groups.iter().map(|group| group.virtual_users).sum();
        (!self.groups.is_empty()).then(users)
    }

    /// The group of a virtual user: the first users are the first group.
    pub fn group_of(&self, user: usize) -> Option<usize> {
        let mut before = 0;
        self.groups.iter().position(|group| {
            before += group.virtual_users;
            user < before
        })
    }
}

/// Virtual users who take only some of the branches.
#[derive(Debug, Clone)]
pub struct Group {
    pub name: String,
    pub virtual_users: usize,
    /// The rate, kept whether the server keeps up or not; without one the users continue when they
    /// are answered.
    pub pace: Option<Pace>,
}

/// The rate a minute of all users of a group together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    Iterations(f64),
    /// Single requests; their pauses are then skipped.
    Requests(f64),
}

/// Slots of the variables that the driver sets from its own options.
#[derive(Debug, Clone, Copy)]
pub struct Inputs {
    /// `${host}`: host and port of the server.
    pub host: usize,
    /// `${prefix}`: the path part of the server's address, usually empty.
    pub prefix: usize,
    /// `${tenant}`
    pub tenant: usize,
    /// `${username}`
    pub username: usize,
    /// `${password}`
    pub password: usize,
}

/// One alternative of an iteration.
#[derive(Debug, Clone)]
pub struct Branch {
    pub name: String,
    /// The share of iterations, relative to the other branches' weights (of its group).
    pub weight: u32,
    /// The group whose users take it, if there are groups.
    pub group: Option<usize>,
    /// Feeders, by number.
    pub draws: Vec<usize>,
    /// Transactions, by number.
    pub steps: Vec<usize>,
    /// Transactions that each user runs once before.
    pub setup: Vec<usize>,
    /// Transactions that each user who ran the set-up runs at the end.
    pub teardown: Vec<usize>,
}

/// A named sequence of requests.
#[derive(Debug, Clone)]
pub struct Transaction {
    /// The label.
    pub name: String,
    /// Whether the sum of its requests' times is itself a result.
    pub summed: bool,
    /// Run only if this holds when its turn comes.
    pub when: Option<When>,
    /// What follows a failed request.
    pub on_error: OnError,
    /// The requests in order.
    pub requests: Vec<Request>,
}

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    /// The label; requests of one transaction with equal labels are counted together.
    pub label: String,
    /// Sent only if this holds.
    pub when: Option<When>,
    /// Variables set before it is sent.
    pub sets: Vec<(usize, Template)>,
    /// The method in capitals.
    pub method: String,
    /// The path as the author wrote it, unencoded, with its variables.
    pub path: String,
    /// Request line and headers up to, but not including, the blank line.
    pub head: Template,
    /// The body; its Content-Length is added when it is rendered.
    pub body: Option<Body>,
    /// The pause before it.
    pub think: Think,
    /// Conditions on the response.
    pub checks: Vec<Check>,
    /// Variables extracted from the response.
    pub extracts: Vec<Extract>,
    /// The feeder that receives a drawn row after success.
    pub moves: Option<Move>,
    /// The feeder that gets the variables' values as a row after success.
    pub fills: Option<usize>,
    /// Repeats the request until a condition holds.
    pub repeat: Option<Repeat>,
}

/// A condition on a variable.
#[derive(Debug, Clone)]
pub struct When {
    pub slot: usize,
    pub text: String,
    /// Whether it must be equal, or must not.
    pub equal: bool,
}

impl When {
    /// Whether the condition holds.
    pub fn holds(&self, variables: &Variables) -> bool {
        (variables.text(self.slot) == self.text) == self.equal
    }
}

/// Repeats a request until a condition holds.
#[derive(Debug, Clone)]
pub struct Repeat {
    pub until: Check,
    /// How many requests are repeated, this one being the last of them.
    pub requests: usize,
    pub every: Duration,
    /// The most attempts.
    pub at_most: u32,
}

impl Request {
    /// Whether a server may safely receive this request twice.
    pub fn is_repeatable(&self) -> bool {
        self.method != "POST" && self.method != "PATCH"
    }
}

/// A pause: a constant part and a uniformly distributed part, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Think {
    pub constant_ms: u32,
    /// The upper bound of the additional wait.
    pub uniform_ms: u32,
}

impl Think {
    /// One pause; `None` when the request has none.
    pub fn pause(self, random: &mut SmallRng) -> Option<Duration> {
        if self.constant_ms == 0 && self.uniform_ms == 0 {
            return None;
        }
        let uniform_us = random.random_range(0..=u64::from(self.uniform_ms) * 1000);
        Some(Duration::from_micros(
            u64::from(self.constant_ms) * 1000 + uniform_us,
        ))
    }
}

/// A row drawn from `from` returns to `to`.
#[derive(Debug, Clone, Copy)]
pub struct Move {
    /// Feeder number.
    pub from: usize,
    /// Feeder number.
    pub to: usize,
}

/// A source of rows.
#[derive(Debug, Clone)]
pub struct FeederSpec {
    /// Its name, and that of its command line option.
    pub name: String,
    /// The columns' names.
    pub columns: Vec<String>,
    /// The variables that a row sets, one a column.
    pub slots: Vec<usize>,
    /// Whether several virtual users may hold one row.
    pub sharing: Sharing,
    /// Joins several rows into one.
    pub together: Option<Together>,
    /// Whether it has no rows at first.
    pub starts_empty: bool,
    /// How to fill it from the tenant.
    pub tenant: Option<TenantSource>,
}

/// A list of the tenant's API with rows.
#[derive(Debug, Clone)]
pub struct TenantSource {
    /// Encoded path and query, without `limit` and `offset`.
    pub target: String,
    /// The property that holds the records.
    pub collection: String,
    /// Column number and the path of its value in a record.
    pub columns: Vec<(usize, JsonPath)>,
    /// Records without a value at one of these are left out.
    pub requires: Vec<JsonPath>,
    /// Records whose date here has passed are left out.
    pub not_past: Option<JsonPath>,
    /// Columns from a second list.
    pub lookup: Option<Lookup>,
    /// The most rows to read.
    pub at_most: usize,
}

/// A second list with further columns.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// The column number whose values are looked up.
    pub by: usize,
    /// Unencoded path and query with `${keys}`.
    pub path: String,
    /// The property that holds the records.
    pub collection: String,
    /// The path of the looked-up value in a record.
    pub key: JsonPath,
    /// Column number and the path of its value.
    pub columns: Vec<(usize, JsonPath)>,
}
