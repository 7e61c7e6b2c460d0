//! A running library for one test.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use octavo_platform::{Composition, Platform, listen};
use octavo_postgres::testing::{TestCluster, TestDatabase};
use octavo_postgres::{Database, DatabaseOptions};
use octavo_records::Tenant;
use tokio::sync::oneshot;

use crate::client::Client;

/// The tenant of every test.
pub const TENANT: &str = "diku";
/// Its administrator.
pub const USERNAME: &str = "diku_admin";
/// The administrator's password.
pub const PASSWORD: &str = "admin";

/// A server with one provisioned tenant and reference data, in a database of its own.
#[derive(Debug)]
pub struct Library {
    /// The running platform, for direct access.
    pub platform: Arc<Platform>,
    pub address: SocketAddr,
    /// The database; dropped with the library.
    pub database: TestDatabase,
    _server: Server,
}

/// One server; stopped on drop.
#[derive(Debug)]
pub struct Server {
    /// The running platform, for direct access.
    pub platform: Arc<Platform>,
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
}

impl Server {
    async fn start(
        database: &TestDatabase,
        compose: fn() -> Composition,
        limit: Option<Duration>,
    ) -> Server {
        let platform = platform(database.config(), compose, limit).await;
        let following = platform
            .follow_changes()
            .await
            .expect("the database can be listened to");
        tokio::spawn(following);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port");
        let address = listener
            .local_addr()
            .expect("a bound socket has an address");
        platform.remotes.listens_at(format!("http://{address}"));
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = Arc::clone(&platform);
        tokio::spawn(listen::serve(serving, listener, None, async {
            let _ = stopped.await;
        }));
        Server {
            platform,
            address,
            stop: Some(stop),
        }
    }
}

impl Library {
    /// Starts a server on a copy of the template database, which the first test of the process
    /// creates: `compose` returns the modules, `prepare` fills the fresh tenant (administrator).
    ///
    /// # Panics
    /// When PostgreSQL or the product cannot be started.
    pub async fn start<F>(
        compose: fn() -> Composition,
        prepare: impl FnOnce(Arc<Platform>, Tenant) -> F + Send + 'static,
    ) -> Library
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let cluster = TestCluster::shared();
        let template = cluster
            .template("library", move |config| async move {
                let platform = platform(config, compose, None).await;
                let tenant = Tenant::new(TENANT).expect("the tenant's id is well formed");
                platform
                    .prepare_shared()
                    .await
                    .expect("shared objects can be made");
                platform
                    .tenants
                    .provision(&tenant, "Test library")
                    .await
                    .expect("the tenant can be provisioned");
                prepare(platform, tenant).await;
            })
            .await;
        let database = cluster.create_database_from_template(&template).await;
        let server = Server::start(&database, compose, None).await;
        Library {
            platform: Arc::clone(&server.platform),
            address: server.address,
            database,
            _server: server,
        }
    }

    /// Another server on the same database, as a second process would be.
    ///
    /// # Panics
    /// When it cannot be started.
    pub async fn beside(&self, compose: fn() -> Composition) -> Server {
        Server::start(&self.database, compose, None).await
    }

    /// The same with a statement time-out.
    ///
    /// # Panics
    /// When it cannot be started.
    pub async fn impatient(&self, compose: fn() -> Composition, limit: Duration) -> Server {
        Server::start(&self.database, compose, Some(limit)).await
    }

    /// A client that has logged in as the administrator.
    ///
    /// # Panics
    /// When the log-in fails.
    pub async fn client(&self) -> Client {
        Client::log_in(self.address, TENANT, USERNAME, PASSWORD).await
    }

    #[must_use]
    pub fn stranger(&self) -> Client {
        Client::new(self.address, TENANT)
    }

    #[must_use]
    pub fn tenant(&self) -> Tenant {
        Tenant::new(TENANT).expect("the tenant's id is well formed")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }
}

async fn platform(
    config: octavo_postgres::Config,
    compose: fn() -> Composition,
    limit: Option<Duration>,
) -> Arc<Platform> {
    let mut options = DatabaseOptions::new(config);
    options.lanes = 2;
    if let Some(limit) = limit {
        options.statement_timeout = limit;
    }
    let database = Database::connect(options)
        .await
        .expect("the test's database answers");
    let mut composition = compose();
    // A declared shape that a test's answer departs from makes this answer a 500.
    composition.governance.checks_contents = true;
    Arc::new(Platform::new(database, composition).expect("the product is composed rightly"))
}
