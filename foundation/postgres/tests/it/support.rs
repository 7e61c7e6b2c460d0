//! Helpers shared by the tests.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use octavo_postgres::testing::{TestCluster, TestDatabase};
use octavo_postgres::{Database, DatabaseOptions, Durability, EmbeddedOptions};

/// A fresh database and a connection to it.
pub async fn database() -> (Database, TestDatabase) {
    let test = TestCluster::shared().create_database().await;
    let database = Database::connect(options(&test)).await.unwrap();
    (database, test)
}

pub fn options(test: &TestDatabase) -> DatabaseOptions {
    DatabaseOptions {
        lanes: 2,
        pool_size: 4,
        ..DatabaseOptions::new(test.config())
    }
}

/// A directory below the temporary one, removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("octavo-scratch-{}-{number}", std::process::id());
        let path = octavo_postgres::testing::base_directory().join(name);
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn relaxed(&self) -> EmbeddedOptions {
        EmbeddedOptions {
            durability: Durability::Relaxed,
            ..EmbeddedOptions::new(&self.0)
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Polls until the condition holds; panics after ten seconds.
pub async fn eventually<F: Future<Output = bool>>(what: &str, mut is_so: impl FnMut() -> F) {
    for _ in 0..1000 {
        if is_so().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never happened: {what}");
}
