//! Directories for the processes under test, and databases with the demo library; all of them are
//! deleted when the test binary ends, however it ends.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use octavo_testkit::{TestCluster, TestDatabase, database_url};
use tokio::sync::OnceCell;

use crate::octavo::{OCTAVO, Octavo};

/// A data directory of one test.
#[derive(Debug)]
pub struct DataDir {
    path: PathBuf,
}

impl DataDir {
    /// An existing, empty directory.
    pub fn new() -> DataDir {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let path = base().join(NEXT.fetch_add(1, Ordering::Relaxed).to_string());
        open_to_all(&path);
        DataDir { path }
    }

    /// A copy of the directory of a demo library that was started once and stopped.
    pub async fn of_demo() -> DataDir {
        let first = first_start().await;
        let copy = DataDir::new();
        let status = tokio::process::Command::new("cp")
            .arg("-a")
            .arg(first.path.join("."))
            .arg(&copy.path)
            .status()
            .await
            .expect("cp runs");
        assert!(status.success());
        copy
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its path as an argument.
    pub fn arg(&self) -> &str {
        self.path.to_str().expect("a path in UTF-8")
    }

    /// The process of the embedded server, from its pid file.
    pub fn postmaster(&self) -> Option<i32> {
        let text = fs::read_to_string(self.path.join("cluster/postmaster.pid")).ok()?;
        text.lines().next()?.trim().parse().ok()
    }

    /// The URL of the embedded database of a running octavo.
    pub fn database_url(&self) -> String {
        fs::read_to_string(self.path.join("database.url")).expect("the note of a running server")
    }
}

impl Drop for DataDir {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// The first start of a demo library.
#[derive(Debug)]
pub struct FirstStart {
    /// Its directory, which nobody changes.
    pub path: PathBuf,
    pub output: String,
    /// The seconds that it took, as printed.
    pub seconds: f64,
}

/// The demo library, created at the first call.
pub async fn first_start() -> &'static FirstStart {
    static FIRST: OnceCell<FirstStart> = OnceCell::const_new();
    FIRST
        .get_or_init(|| async {
            let path = base().join("demo");
            open_to_all(&path);
            let mut octavo =
                Octavo::start(&["--demo", "--data-dir", path.to_str().expect("UTF-8")]).await;
            octavo.terminate();
            octavo.ended_well().await;
            FirstStart {
                path,
                output: octavo.output(),
                seconds: octavo.start_seconds(),
            }
        })
        .await
}

/// A database with the demo library, on the tests' own server, and its URL.
pub async fn demo_database() -> (TestDatabase, String) {
    let cluster = TestCluster::shared();
    let template = cluster
        .template("demo", |config| async move {
            let directory = DataDir::new();
            let url = database_url(&config);
            let arguments = [
                "--demo",
                "--database-url",
                &url,
                "--data-dir",
                directory.arg(),
            ];
            let mut octavo = Octavo::start(&arguments).await;
            octavo.terminate();
            octavo.ended_well().await;
        })
        .await;
    let database = cluster.create_database_from_template(&template).await;
    let url = database_url(&database.config());
    (database, url)
}

/// Creates a directory that PostgreSQL's user may enter when the tests run as root.
fn open_to_all(path: &Path) {
    fs::create_dir_all(path).expect("a directory");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its mode");
}

/// Registers a process that must not outlive the tests.
pub fn remember(pid: u32) {
    let pids = base().join("pids");
    fs::create_dir_all(&pids)
        .and_then(|()| fs::write(pids.join(pid.to_string()), ""))
        .expect("a note");
}

/// The parent of all directories of this test binary.
fn base() -> &'static Path {
    static BASE: OnceLock<PathBuf> = OnceLock::new();
    BASE.get_or_init(|| {
        let path =
            octavo_testkit::base_directory().join(format!("octavo-process-{}", std::process::id()));
        open_to_all(&path);
        clear_when_we_end(&path);
        path
    })
}

/// Starts a shell that waits for the end of this process, which closes its standard input; then it
/// kills the processes that are left, each by its id once it is identified as ours, and deletes the
/// directories.
fn clear_when_we_end(base: &Path) {
    let script = r#"
        cat >/dev/null
        for note in "$1"/pids/*; do
            pid=${note##*/}
            [ "$(readlink "/proc/$pid/exe")" = "$2" ] && kill -KILL "$pid"
        done
        for file in "$1"/*/cluster/postmaster.pid; do
            [ -e "$file" ] && read -r pid <"$file" || continue
            [ "$(readlink "/proc/$pid/cwd")" = "${file%/*}" ] && kill -QUIT "$pid"
            n=0
            while [ -e "$file" ] && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done
        done
        rm -rf "$1"
    "#;
    let watcher = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(base)
        .arg(OCTAVO)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Ctrl-C at the terminal must not end it first.
        .process_group(0)
        .spawn()
        .expect("a shell");
    // Its standard input stays open as long as this process lives.
    std::mem::forget(watcher);
}
