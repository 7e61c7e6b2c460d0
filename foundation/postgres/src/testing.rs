//! PostgreSQL for tests: one throw-away cluster for a run of `cargo test`, a database per test.
//!
//! The test programs of a run follow one another. The first creates the cluster and the template,
//! and the later ones adopt them. `OCTAVO_TEST_DATABASE_URL` names a server to use instead. Panics
//! where a test would.

mod pair;

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::statfs::{TMPFS_MAGIC, statfs};
use nix::unistd::Pid;
use tokio::runtime::Handle;
use tokio_postgres::{Config, NoTls};

use crate::embedded::{Durability, Embedded, EmbeddedError, EmbeddedOptions};
use crate::migrate::quote_identifier;
use crate::storage::free_bytes;

pub use pair::{Primary, Replica};

/// The prefix of data directories and databases; the id of the process that owns them follows.
const PREFIX: &str = "octavo-test-";

/// A server shared by all tests of a process.
#[derive(Debug)]
pub struct TestCluster {
    /// The process whose end removes everything made here.
    run: u32,
    /// The connection of a user who may create databases.
    config: Config,
    /// The user of the tests; none where that is the user of `config`.
    user: Option<String>,
    handle: Handle,
    next: AtomicU32,
    /// Held while a template is looked up and created.
    templates: tokio::sync::Mutex<()>,
}

/// A database of one test, dropped with the value.
#[derive(Debug)]
pub struct TestDatabase {
    name: String,
    cluster: &'static TestCluster,
}

impl TestCluster {
    /// The cluster of this process, started at the first call.
    pub fn shared() -> &'static Self {
        static CLUSTER: OnceLock<TestCluster> = OnceLock::new();
        CLUSTER.get_or_init(|| {
            // On a thread and runtime of its own: the runtime of the first test ends with that
            // test.
            let (ready, started) = std::sync::mpsc::channel();
            std::thread::spawn(move || serve(&ready));
            started.recv().expect("the test cluster starts")
        })
    }

    /// The connection to a database of the cluster, with the role that octavo uses.
    pub fn config(&self, database: &str) -> Config {
        let mut config = self.superuser_config(database);
        if let Some(user) = &self.user {
            config.user(user);
        }
        config
    }

    /// The connection to a database of the cluster, as superuser.
    pub fn superuser_config(&self, database: &str) -> Config {
        let mut config = self.config.clone();
        config.dbname(database);
        config
    }

    /// `OWNER …` of a new database.
    fn owner(&self) -> String {
        self.user.as_deref().map_or_else(String::new, |user| {
            format!(" OWNER {}", quote_identifier(user))
        })
    }

    /// An empty database.
    pub async fn create_database(&'static self) -> TestDatabase {
        self.create_database_from_template("template0").await
    }

    /// A copy of a database, made by [`TestCluster::template`] or otherwise.
    pub async fn create_database_from_template(&'static self, template: &str) -> TestDatabase {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{}-{number}", self.run, std::process::id());
        self.run(&format!(
            "CREATE DATABASE {} TEMPLATE {}{}",
            quote_identifier(&name),
            quote_identifier(template),
            self.owner()
        ))
        .await;
        TestDatabase {
            name,
            cluster: self,
        }
    }

    /// The template with that name, filled by `build` when the run first needs it: all callers with
    /// the same name have to build the same. `build` must close its connections, since a database
    /// in use cannot be copied. Returns the name for
    /// [`TestCluster::create_database_from_template`].
    pub async fn template<F>(&'static self, name: &str, build: impl FnOnce(Config) -> F) -> String
    where
        F: Future<Output = ()>,
    {
        let database = format!("{PREFIX}{}-template-{name}", self.run);
        let _held = self.templates.lock().await;
        if !self.has(&database).await {
            // Renamed when complete, so that a killed program leaves no half-filled template.
            let half = format!("{database}-{}", std::process::id());
            let quoted = quote_identifier(&half);
            self.run(&format!("DROP DATABASE IF EXISTS {quoted} WITH (FORCE)"))
                .await;
            let owner = self.owner();
            self.run(&format!(
                "CREATE DATABASE {quoted} TEMPLATE template0{owner}"
            ))
            .await;
            build(self.config(&half)).await;
            let whole = quote_identifier(&database);
            self.run(&format!("ALTER DATABASE {quoted} RENAME TO {whole}"))
                .await;
        }
        database
    }

    async fn has(&self, database: &str) -> bool {
        let config = self.superuser_config("postgres");
        let (client, connection) = config
            .connect(NoTls)
            .await
            .expect("the test server answers");
        tokio::spawn(connection);
        let sql = "SELECT 1 AS found FROM pg_database WHERE datname = $1";
        let found = client.query_opt(sql, &[&database]).await;
        found
            .expect("the test server lists its databases")
            .is_some()
    }

    /// Runs SQL in the maintenance database.
    async fn run(&self, sql: &str) {
        run_in(&self.superuser_config("postgres"), sql)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    }
}

impl TestDatabase {
    pub fn config(&self) -> Config {
        self.cluster.config(&self.name)
    }

    /// The same as superuser.
    pub fn superuser_config(&self) -> Config {
        self.cluster.superuser_config(&self.name)
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // Kept for inspection after a failed test, while the process lives.
            return;
        }
        let config = self.cluster.superuser_config("postgres");
        let sql = format!(
            "DROP DATABASE IF EXISTS {} WITH (FORCE)",
            quote_identifier(&self.name)
        );
        self.cluster
            .handle
            .spawn(async move { run_in(&config, &sql).await });
    }
}

/// Everything in a schema but its rows, one line each and sorted: tables, columns with their types
/// and expressions, constraints, indexes, functions, triggers and sequences. Equal for two schemas
/// that were created in different ways but are the same; the order of columns is ignored.
pub async fn catalogue(config: &Config, schema: &str) -> Vec<String> {
    const PARTS: [&str; 6] = [
        "SELECT 'column ' || c.relname || '.' || a.attname || ' ' || \
           format_type(a.atttypid, a.atttypmod) || ' not null ' || a.attnotnull || ' ' || \
           a.attgenerated::text || a.attidentity::text || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') \
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
           LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum \
         WHERE c.relnamespace = $1::text::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') \
           AND a.attnum > 0 AND NOT a.attisdropped",
        "SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || \
           pg_get_constraintdef(oid) || ' validated ' || convalidated \
         FROM pg_constraint WHERE connamespace = $1::text::regnamespace",
        "SELECT pg_get_indexdef(i.indexrelid) || ' valid ' || i.indisvalid \
         FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
         WHERE c.relnamespace = $1::text::regnamespace",
        "SELECT pg_get_functiondef(oid) FROM pg_proc \
         WHERE pronamespace = $1::text::regnamespace AND prokind IN ('f', 'p')",
        "SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid \
         WHERE c.relnamespace = $1::text::regnamespace AND NOT t.tgisinternal",
        "SELECT 'sequence ' || c.relname || ' ' || s.seqtypid::regtype || ' by ' || s.seqincrement \
         FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid \
         WHERE c.relnamespace = $1::text::regnamespace",
    ];
    let (client, connection) = config.connect(NoTls).await.expect("the database answers");
    let driver = tokio::spawn(connection);
    let mut lines = Vec::new();
    for part in PARTS {
        let rows = client
            .query(&format!("SELECT line FROM ({part}) AS _(line)"), &[&schema])
            .await;
        let rows = rows.unwrap_or_else(|error| panic!("{part}: {error:?}"));
        lines.extend(rows.iter().map(|row| row.get::<_, String>("line")));
    }
    drop(client);
    let _ = driver.await;
    lines = lines
        .iter()
        .map(|line| line.replace(schema, "SCHEMA"))
        .collect();
    lines.sort_unstable();
    lines
}

async fn run_in(config: &Config, sql: &str) -> Result<(), tokio_postgres::Error> {
    let (client, connection) = config.connect(NoTls).await?;
    let driver = tokio::spawn(connection);
    let answer = client.batch_execute(sql).await;
    drop(client);
    // The result is here already; how the connection closes does not matter.
    let _ = driver.await;
    answer
}

/// Starts the cluster and runs its runtime until the process ends.
fn serve(ready: &std::sync::mpsc::Sender<TestCluster>) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime for the test cluster");
    runtime.block_on(async {
        let mut embedded = None;
        let mut run = process_of_run();
        let (config, user) = match std::env::var("OCTAVO_TEST_DATABASE_URL") {
            Ok(url) => {
                let config: Config = url.parse().expect("OCTAVO_TEST_DATABASE_URL is valid");
                drop_leftover_databases(&config).await;
                (config, None)
            }
            Err(_) => {
                let server;
                (run, server) = start(run).await;
                let server = embedded.insert(server);
                let user = server.config().get_user().map(str::to_owned);
                (server.superuser_config(), user)
            }
        };
        let cluster = TestCluster {
            run,
            config,
            user,
            handle: Handle::current(),
            next: AtomicU32::new(0),
            templates: tokio::sync::Mutex::default(),
        };
        if ready.send(cluster).is_ok() {
            std::future::pending::<()>().await;
        }
        drop(embedded);
    });
}

/// The directory of tests' data directories: in memory where that is large enough, since a database
/// is some two thousand files, which a disk's file system takes two seconds to create.
/// `OCTAVO_TEST_DIR` overrides it.
#[must_use]
pub fn base_directory() -> PathBuf {
    const MEMORY: &str = "/dev/shm";
    if let Some(named) = std::env::var_os("OCTAVO_TEST_DIR") {
        return PathBuf::from(named);
    }
    let memory = Path::new(MEMORY);
    let is_memory = statfs(memory).is_ok_and(|system| system.filesystem_type() == TMPFS_MAGIC);
    if is_memory && free_bytes(memory).is_some_and(|free| free >= MEMORY_NEEDED) {
        memory.to_owned()
    } else {
        std::env::temp_dir()
    }
}

/// Several times the 250 MB that all test programs together were measured to take.
const MEMORY_NEEDED: u64 = 2 << 30;

/// The process with which the run of tests ends: cargo if it started this program, otherwise this
/// process. A program that is started by hand must not use the template of an older build.
fn process_of_run() -> u32 {
    let parent = nix::unistd::getppid();
    let name = std::fs::read_to_string(format!("/proc/{parent}/comm")).unwrap_or_default();
    match u32::try_from(parent.as_raw()) {
        Ok(cargo) if name.trim() == "cargo" => cargo,
        _ => std::process::id(),
    }
}

/// Starts the cluster of a run, or adopts the one that an earlier program left running. A program
/// that runs beside another one that uses it gets one of its own. Also returns the process that
/// owns the cluster.
async fn start(run: u32) -> (u32, Embedded) {
    let base = base_directory();
    sweep(&base);
    let own = std::process::id();
    for owner in [run, own] {
        let directory = base.join(format!("{PREFIX}{owner}"));
        let is_first = !directory.exists();
        let options = EmbeddedOptions {
            durability: Durability::Relaxed,
            ..EmbeddedOptions::new(&directory)
        };
        match Embedded::start(options).await {
            Ok(embedded) => {
                if owner == own {
                    stop_when_we_end(&directory);
                } else if is_first {
                    stop_when_ends(owner, &directory);
                }
                return (owner, embedded);
            }
            Err(EmbeddedError::InUse { .. }) if owner != own => {}
            Err(error) => panic!("{error}"),
        }
    }
    unreachable!("a directory of one's own is in nobody else's use")
}

/// Stops the server of a directory and removes the directory.
const STOP: &str = r#"
    read -r pid <"$1/cluster/postmaster.pid" && kill -QUIT "$pid"
    n=0
    while [ -e "$1/cluster/postmaster.pid" ] && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done
    rm -rf "$1"
"#;

/// Starts a shell that waits for the end of this process, whatever its cause: then the shell's
/// standard input closes. Statics are not dropped, and a killed process runs no code at all.
fn stop_when_we_end(directory: &Path) {
    watch(&format!("cat >/dev/null\n{STOP}"), directory, None);
}

/// Starts a shell that waits for the end of another process and outlives this one.
fn stop_when_ends(process: u32, directory: &Path) {
    let script = format!("while kill -0 \"$2\" 2>/dev/null; do sleep 0.3; done\n{STOP}");
    watch(&script, directory, Some(process));
}

fn watch(script: &str, directory: &Path, process: Option<u32>) {
    let watcher = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(directory)
        .args(process.map(|process| process.to_string()))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Ctrl-C at the terminal must not end it first.
        .process_group(0)
        .spawn();
    // If it could not be started, the next run removes the leftovers. Its standard input stays open
    // as long as this process lives.
    if let Ok(watcher) = watcher {
        std::mem::forget(watcher);
    }
}

/// Removes data directories of test processes that have ended.
fn sweep(base: &Path) {
    let Ok(entries) = std::fs::read_dir(base) else {
        return;
    };
    for entry in entries.flatten() {
        if entry
            .file_name()
            .to_str()
            .and_then(owner_of)
            .is_some_and(is_gone)
        {
            remove(&entry.path());
        }
    }
}

fn remove(directory: &PathBuf) {
    let pid_file = directory.join("cluster/postmaster.pid");
    let pid = std::fs::read_to_string(pid_file)
        .ok()
        .and_then(|text| text.lines().next()?.trim().parse::<i32>().ok());
    if let Some(pid) = pid.filter(|pid| *pid > 1)
        && std::fs::read_link(format!("/proc/{pid}/cwd"))
            .is_ok_and(|cwd| cwd == directory.join("cluster"))
    {
        let _ = kill(Pid::from_raw(pid), Signal::SIGQUIT);
    }
    // Left by another user, or being removed by another process: not a failure of this run.
    let _ = std::fs::remove_dir_all(directory);
}

async fn drop_leftover_databases(config: &Config) {
    let (client, connection) = config
        .connect(NoTls)
        .await
        .expect("the test server answers");
    tokio::spawn(connection);
    let rows = client
        .query(
            "SELECT datname FROM pg_database WHERE starts_with(datname, $1)",
            &[&PREFIX],
        )
        .await
        .expect("the test server lists its databases");
    for name in rows.iter().map(|row| row.get::<_, String>("datname")) {
        if owner_of(&name).is_some_and(is_gone) {
            let drop = format!(
                "DROP DATABASE IF EXISTS {} WITH (FORCE)",
                quote_identifier(&name)
            );
            // Another run may be cleaning up too.
            let _ = client.batch_execute(&drop).await;
        }
    }
}

/// The process id in a name with our prefix.
fn owner_of(name: &str) -> Option<i32> {
    let rest = name.strip_prefix(PREFIX)?;
    rest.split('-').next()?.parse().ok().filter(|pid| *pid > 1)
}

fn is_gone(pid: i32) -> bool {
    kill(Pid::from_raw(pid), None) == Err(Errno::ESRCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_contain_their_process() {
        assert_eq!(owner_of("octavo-test-4711"), Some(4711));
        assert_eq!(owner_of("octavo-test-4711-4712-3"), Some(4711));
        assert_eq!(owner_of("octavo-test-4711-template-library"), Some(4711));
        assert_eq!(owner_of("octavo-test-x"), None);
        assert_eq!(owner_of("octavo-test-0"), None);
        assert_eq!(owner_of("other"), None);
    }
}
