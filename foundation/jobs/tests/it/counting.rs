//! Work for tests: a job writes the numbers up to its end into a table, some at a time.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use octavo_jobs::{GivenUp, Job, NewJob, Outcome, Progress, Queue, STEPS, Work, Workers};
use octavo_postgres::testing::{TestCluster, TestDatabase};
use octavo_postgres::{Database, DatabaseOptions, Transaction};
use octavo_records::{Catalog, Context, Store, StoreError, Tenant};
use serde_json::{Value, json};
use uuid::Uuid;

const TABLE: (&str, &str) = (
    "numbers",
    "CREATE TABLE {schema}.number (job uuid, number bigint, PRIMARY KEY (job, number))",
);

/// Numbers of a portion.
pub const PORTION: i64 = 10;

/// A database with tenants.
pub struct Place {
    pub tenants: Vec<Tenant>,
    pub store: Store,
    pub database: TestDatabase,
}

impl Place {
    pub async fn new(tenants: &[&str]) -> Place {
        let database = TestCluster::shared().create_database().await;
        let place = Place {
            tenants: tenants.iter().map(|id| Tenant::new(id).unwrap()).collect(),
            store: store(&database).await,
            database,
        };
        place.store.provision_shared().await.unwrap();
        for tenant in &place.tenants {
            let steps = [STEPS.as_slice(), &[TABLE]].concat();
            place.store.provision(tenant, &steps).await.unwrap();
        }
        place
    }

    pub fn tenant(&self) -> &Tenant {
        &self.tenants[0]
    }

    /// Adds a job that counts to `end`.
    pub async fn add(&self, queue: &Queue, key: Option<Uuid>, end: i64) -> Uuid {
        let id = Uuid::new_v4();
        let progress = json!({"reached": 0, "end": end});
        let job = NewJob { id, key, progress };
        let database = &self.store.database;
        assert!(queue.add(database, self.tenant(), job).await.unwrap());
        id
    }

    pub async fn cancel(&self, queue: &Queue, job: Uuid) -> bool {
        let database = &self.store.database;
        queue.cancel(database, self.tenant(), job).await.unwrap()
    }

    pub async fn number(&self, sql: &str) -> i64 {
        let sql = sql.replace("{schema}", self.tenant().schema());
        let rows = self.store.database.query(&sql, &[]).await.unwrap();
        rows[0].get(0)
    }

    pub async fn run_sql(&self, sql: &str) {
        let sql = sql.replace("{schema}", self.tenant().schema());
        self.store.database.execute(&sql, &[]).await.unwrap();
    }

    /// As if the pauses of all jobs were over.
    pub async fn pauses_end(&self) {
        let sql = "UPDATE {schema}.octavo_job_attempt SET not_before = NULL";
        self.run_sql(sql).await;
    }

    /// Asserts that a job wrote each of its numbers once, and is over.
    pub async fn is_whole(&self, job: Uuid, end: i64) {
        let sql = format!("SELECT count(*) FROM {{schema}}.number WHERE job = '{job}'");
        assert_eq!(self.number(&sql).await, end);
        let sql = format!("SELECT count(*) FROM {{schema}}.octavo_job WHERE id = '{job}'");
        assert_eq!(self.number(&sql).await, 0);
        let sql = format!("SELECT count(*) FROM {{schema}}.octavo_job_attempt WHERE id = '{job}'");
        assert_eq!(self.number(&sql).await, 0);
    }

    pub async fn jobs(&self) -> i64 {
        self.number("SELECT count(*) FROM {schema}.octavo_job")
            .await
    }
}

/// A further store on a database: another process, as it were.
pub async fn store(database: &TestDatabase) -> Store {
    let options = DatabaseOptions {
        lanes: 2,
        pool_size: 8,
        ..DatabaseOptions::new(database.config())
    };
    let catalog = Catalog::new(Vec::new()).unwrap();
    Store::new(Database::connect(options).await.unwrap(), Arc::new(catalog))
}

/// What happens in a portion after its numbers are written.
pub type Between =
    Box<dyn Fn(Job, i64) -> BoxFuture<'static, Result<(), StoreError>> + Send + Sync>;

/// What was done, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A portion of so many numbers at most.
    Portion(Uuid, i64),
    GivenUp(Uuid, GivenUp),
    Cancelled(Uuid),
}

/// Counts.
pub struct Counting {
    queue: &'static Queue,
    pub between: Between,
    pub events: Mutex<Vec<Event>>,
    /// The tenants in the order of their portions.
    pub turns: Mutex<Vec<String>>,
    /// How many numbers a job leaves out that is given up; it ends when there are none.
    pub leaves_out: i64,
    /// Jobs that cannot be given up.
    pub stubborn: Mutex<HashSet<Uuid>>,
}

impl std::fmt::Debug for Counting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Counting")
    }
}

impl Counting {
    pub fn new(queue: &'static Queue) -> Counting {
        Counting {
            queue,
            between: Box::new(|_, _| Box::pin(async { Ok(()) })),
            events: Mutex::default(),
            turns: Mutex::default(),
            leaves_out: 0,
            stubborn: Mutex::default(),
        }
    }

    /// Does something in each portion, after its numbers are written.
    pub fn with<F>(
        queue: &'static Queue,
        between: impl Fn(Job, i64) -> F + Send + Sync + 'static,
    ) -> Counting
    where
        F: Future<Output = Result<(), StoreError>> + Send + 'static,
    {
        Counting {
            between: Box::new(move |job, most| Box::pin(between(job, most))),
            ..Counting::new(queue)
        }
    }

    pub fn shared(self) -> (Arc<Counting>, Arc<dyn Work>) {
        let counting = Arc::new(self);
        (Arc::clone(&counting), counting)
    }

    pub fn events(&self) -> Vec<Event> {
        self.events.lock().unwrap().clone()
    }

    /// The sizes of a job's portions.
    pub fn sizes(&self, job: Uuid) -> Vec<i64> {
        let events = self.events.lock().unwrap();
        let sizes = events.iter().filter_map(|event| match event {
            Event::Portion(id, most) if *id == job => Some(*most),
            _ => None,
        });
        sizes.collect()
    }

    fn note(&self, event: Event) {
        self.events.lock().unwrap().push(event);
    }
}

fn number(progress: &Value, name: &str) -> i64 {
    progress[name].as_i64().unwrap()
}

impl Work for Counting {
    fn queue(&self) -> &'static Queue {
        self.queue
    }

    fn portion<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
    ) -> Outcome<'a> {
        Box::pin(async move {
            let most = job.at_most(PORTION);
            self.note(Event::Portion(job.id, most));
            let tenant = context.tenant;
            self.turns.lock().unwrap().push(tenant.id().to_owned());
            let (reached, end) = (
                number(&job.progress, "reached"),
                number(&job.progress, "end"),
            );
            let next = (reached + most).min(end);
            let sql = format!(
                "INSERT INTO {}.number SELECT $1, generate_series($2::bigint + 1, $3::bigint)",
                tenant.schema()
            );
            transaction
                .execute(&sql, &[&job.id, &reached, &next])
                .await?;
            (self.between)(job.clone(), most).await?;
            Ok(match next == end {
                true => Progress::Done,
                false => Progress::More(json!({"reached": next, "end": end})),
            })
        })
    }

    fn give_up<'a>(
        &'a self,
        _: Context<'a>,
        _: &'a Transaction,
        job: &'a Job,
        reason: &'a GivenUp,
    ) -> Outcome<'a> {
        Box::pin(async move {
            self.note(Event::GivenUp(job.id, reason.clone()));
            if self.stubborn.lock().unwrap().contains(&job.id) {
                return Err(StoreError::fault("its document is gone"));
            }
            let (reached, end) = (
                number(&job.progress, "reached"),
                number(&job.progress, "end"),
            );
            let next = reached + self.leaves_out;
            Ok(match self.leaves_out == 0 || next >= end {
                true => Progress::Done,
                false => Progress::More(json!({"reached": next, "end": end})),
            })
        })
    }

    fn cancelled<'a>(
        &'a self,
        _: Context<'a>,
        _: &'a Transaction,
        job: &'a Job,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            self.note(Event::Cancelled(job.id));
            Ok(())
        })
    }
}

/// Does all that can be done.
pub async fn run(place: &Place, work: &dyn Work) -> usize {
    let workers = Workers::default();
    workers
        .run(&place.store, place.tenant(), work)
        .await
        .unwrap()
}

/// Waits for something to become true.
pub async fn until<F: Future<Output = bool>>(what: &str, is: impl Fn() -> F) {
    for _ in 0..1_000 {
        if is().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}");
}
