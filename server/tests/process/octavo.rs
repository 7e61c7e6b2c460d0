//! A process under test: its output, its address, signals to it, and its end.

use std::net::SocketAddr;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use octavo_testkit::Client;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::PATIENCE;
use crate::place::remember;

/// The program.
pub const OCTAVO: &str = env!("CARGO_BIN_EXE_octavo");
const READY: &str = "Octavo is ready at ";

/// A running program, usually `octavo serve`.
#[derive(Debug)]
pub struct Octavo {
    child: Child,
    stdout: PipeOutput,
    stderr: PipeOutput,
    address: Option<SocketAddr>,
}

/// The result of a command.
#[derive(Debug)]
pub struct Outcome {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Octavo {
    /// Starts a server on a free port and waits until it is ready.
    pub async fn start(arguments: &[&str]) -> Octavo {
        Octavo::start_with(arguments, &[]).await
    }

    /// The same with environment variables.
    pub async fn start_with(arguments: &[&str], variables: &[(&str, &str)]) -> Octavo {
        let mut octavo = Octavo::begin(arguments, variables);
        octavo.ready().await;
        octavo
    }

    /// Starts a server without waiting.
    pub fn begin(arguments: &[&str], variables: &[(&str, &str)]) -> Octavo {
        let serve = ["serve", "--listen", "127.0.0.1:0", "--operator", "diku"];
        Octavo::begin_command(&[&serve[..], arguments].concat(), variables)
    }

    /// Starts any command without waiting.
    pub fn begin_command(arguments: &[&str], variables: &[(&str, &str)]) -> Octavo {
        let mut child = command()
            .args(arguments)
            .envs(variables.iter().copied())
            .kill_on_drop(true)
            .spawn()
            .expect("the program runs");
        remember(child.id().expect("a process just started"));
        let stdout = PipeOutput::follow(child.stdout.take().expect("a pipe"));
        let stderr = PipeOutput::follow(child.stderr.take().expect("a pipe"));
        Octavo {
            child,
            stdout,
            stderr,
            address: None,
        }
    }

    /// Waits for the line with its address.
    pub async fn ready(&mut self) {
        let said = tokio::select! {
            said = self.stdout.until(READY) => said,
            status = self.child.wait() => {
                panic!("it ended ({status:?}) before it was ready:\n{}", self.stderr.whole().await)
            }
        };
        let said = said.unwrap_or_else(|| panic!("not ready:\n{}", self.stderr.so_far()));
        let (_, rest) = said.split_once(READY).expect("the line");
        let (_, place) = rest.split_once("://").expect("a URL");
        let place = place.split_whitespace().next().expect("an address");
        self.address = Some(place.parse().expect("an IP address and a port"));
    }

    pub fn address(&self) -> SocketAddr {
        self.address.expect("a server that is ready")
    }

    /// The demo's administrator, logged in.
    pub async fn client(&self) -> Client {
        Client::log_in(self.address(), "diku", "diku_admin", "admin").await
    }

    /// The seconds that the start took, as printed.
    pub fn start_seconds(&self) -> f64 {
        let said = self.stdout.so_far();
        let (_, rest) = said
            .split_once("(started in ")
            .expect("the time of the start");
        rest.split_whitespace()
            .next()
            .and_then(|number| number.parse().ok())
            .expect("a number")
    }

    /// Everything it has written so far, standard output first.
    pub fn output(&self) -> String {
        self.stdout.so_far() + &self.stderr.so_far()
    }

    /// What it has logged so far.
    pub fn log(&self) -> String {
        self.stderr.so_far()
    }

    /// Waits until it logs a text.
    pub async fn logs(&self, text: &str) {
        let found = self.stderr.until(text).await;
        assert!(
            found.is_some(),
            "no {text:?} in the log:\n{}",
            self.stderr.so_far()
        );
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        self.signal(Signal::SIGTERM);
    }

    /// Sends SIGINT, as Ctrl-C does.
    pub fn interrupt(&self) {
        self.signal(Signal::SIGINT);
    }

    /// Sends SIGKILL, and waits until it is gone.
    pub async fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
        let _ = self.child.wait().await.expect("the end of a child");
    }

    fn signal(&self, signal: Signal) {
        let pid = self.child.id().expect("a running process");
        kill(Pid::from_raw(pid.cast_signed()), signal).expect("a signal to a child");
    }

    /// Waits for its end.
    pub async fn ended(&mut self) -> ExitStatus {
        let ended = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        let Ok(status) = ended else {
            panic!("it does not end:\n{}", self.stderr.so_far())
        };
        self.stderr.whole().await;
        status.expect("the status of a child")
    }

    /// Waits for its end and asserts that it was successful.
    pub async fn ended_well(&mut self) {
        let status = self.ended().await;
        assert!(status.success(), "{status}:\n{}", self.stderr.so_far());
    }

    /// Its resident memory, in kB.
    pub fn resident_kb(&self) -> u64 {
        let pid = self.child.id().expect("a running process");
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("its status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok())
            .expect("a number")
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Octavo {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "octavo wrote:\n{}{}",
                self.stdout.so_far(),
                self.stderr.so_far()
            );
        }
    }
}

/// Runs a command to its end.
pub async fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let running = command()
        .args(arguments)
        .envs(variables.iter().copied())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(PATIENCE, running).await;
    let output = output
        .unwrap_or_else(|_| panic!("{arguments:?} does not end"))
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Outcome {
        status: output.status,
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// The program without the environment of the person who runs the tests.
fn command() -> Command {
    let mut command = Command::new(OCTAVO);
    for (name, _) in std::env::vars_os() {
        let ours = name.to_string_lossy().starts_with("OCTAVO_");
        if ours && name != "OCTAVO_PG_BIN" {
            command.env_remove(name);
        }
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The output of a pipe.
#[derive(Debug)]
struct PipeOutput {
    text: watch::Receiver<String>,
    reading: Option<JoinHandle<()>>,
}

impl PipeOutput {
    fn follow(pipe: impl AsyncRead + Unpin + Send + 'static) -> PipeOutput {
        let (sender, text) = watch::channel(String::new());
        let reading = tokio::spawn(async move {
            let mut lines = BufReader::new(pipe).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                sender.send_modify(|text| {
                    text.push_str(&line);
                    text.push('\n');
                });
            }
        });
        PipeOutput {
            text,
            reading: Some(reading),
        }
    }

    fn so_far(&self) -> String {
        self.text.borrow().clone()
    }

    /// Waits for a text; returns everything once it is there.
    async fn until(&self, wanted: &str) -> Option<String> {
        let mut text = self.text.clone();
        let found = tokio::time::timeout(PATIENCE, text.wait_for(|text| text.contains(wanted)));
        match found.await {
            Ok(Ok(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// Everything, when the writer has ended. An orphaned child may keep the pipe open longer.
    async fn whole(&mut self) -> String {
        if let Some(reading) = self.reading.take() {
            let _ = tokio::time::timeout(Duration::from_secs(2), reading).await;
        }
        self.so_far()
    }
}
