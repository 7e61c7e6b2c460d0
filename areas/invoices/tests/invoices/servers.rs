//! Servers of files that others wrote, on the loopback: pyftpdlib and asyncssh. Where Python or one of them is missing,
//! a test says so and passes.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use octavo_testkit::Library;

/// The name and password that they know.
pub const NAME: &str = "otter";
pub const PASSWORD: &str = "a-secret-of-the-otter";

/// A server, stopped on drop.
pub struct FileServer {
    child: Child,
    pub port: u16,
    /// Where it keeps its files.
    pub folder: PathBuf,
}

impl Drop for FileServer {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

impl FileServer {
    pub fn ftp() -> Option<FileServer> {
        start("pyftpdlib", include_str!("servers/ftp.py"), folder(), &[])
    }

    /// With a key of this kind.
    pub fn sftp(key: &str) -> Option<FileServer> {
        let script = include_str!("servers/sftp.py");
        start("asyncssh", script, folder(), &[key, "0"])
    }

    /// The same server with another key.
    pub fn replaced(self, key: &str) -> FileServer {
        let (port, folder) = (self.port.to_string(), self.folder.clone());
        drop(self);
        std::fs::create_dir_all(&folder).expect("a folder");
        let script = include_str!("servers/sftp.py");
        start("asyncssh", script, folder, &[key, &port]).expect("it has run before")
    }

    /// What a file holds.
    pub fn file(&self, path: &str) -> String {
        std::fs::read_to_string(self.folder.join(path)).expect("a file")
    }

    /// The files of a folder.
    pub fn files(&self, path: &str) -> Vec<String> {
        let Ok(found) = std::fs::read_dir(self.folder.join(path)) else {
            return Vec::new();
        };
        found
            .map(|one| one.expect("an entry").file_name().display().to_string())
            .collect()
    }
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("octavo-files-{}", uuid::Uuid::new_v4()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn start(module: &str, script: &str, folder: PathBuf, more: &[&str]) -> Option<FileServer> {
    let python = |arguments: &[&str]| {
        let mut command = Command::new("python3");
        command.args(arguments).stderr(Stdio::null());
        command
    };
    let known = python(&["-c", &format!("import {module}")]).status();
    if !known.is_ok_and(|status| status.success()) {
        eprintln!("skipped: python3 with {module} is needed (pip install {module})");
        let _gone = std::fs::remove_dir_all(&folder);
        return None;
    }
    let mut child = python(&["-c", script])
        .arg(Path::new(&folder))
        .args([NAME, PASSWORD])
        .args(more)
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 has just run");
    let out = child.stdout.take().expect("it is piped");
    let mut line = String::new();
    BufReader::new(out)
        .read_line(&mut line)
        .expect("the server's first line");
    let port = line.trim().parse().expect("its port");
    Some(FileServer {
        child,
        port,
        folder,
    })
}

/// Whether a text stands anywhere in the rows of exports and of what was logged of them.
pub async fn is_told(library: &Library, text: &str) -> bool {
    let sql = "SELECT EXISTS (SELECT FROM tenant_diku.batch_voucher_exports WHERE jsonb::text LIKE '%' || $1 || '%') \
               OR EXISTS (SELECT FROM tenant_diku.octavo_audit WHERE octavo_audit::text LIKE '%' || $1 || '%') \
               OR EXISTS (SELECT FROM tenant_diku.outbox WHERE outbox::text LIKE '%' || $1 || '%') AS told";
    let database = &library.platform.store.database;
    let rows = database.query(sql, &[&text]).await;
    rows.expect("the tables")[0].get("told")
}
