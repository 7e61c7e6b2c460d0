//! A proxy that makes a server as slow as a FOLIO behind its gateway: each response is delayed for
//! a time drawn from a log-normal distribution. Generators that are compared on a server that
//! answers at once measure mostly themselves (perf/agreement).
//!
//! ```text
//! cargo run --release --package octavo-driver --example slow_relay -- \
//!     127.0.0.1:9191 127.0.0.1:9130 20 seen.jtl
//! ```
//!  The arguments are its own address, the server's, the median of the times in ms (one in twenty
//! is more than 2.7 times as long), and a file, to which it writes the true duration of each
//! exchange.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::Write;
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::LocalSet;

/// The standard deviation of the logarithm.
const SPREAD: f64 = 0.6;
const BUFFER_BYTES: usize = 64 << 10;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [own, server, middle, seen] = arguments.as_slice() else {
        return Err("give the own address, the server's, milliseconds and a file".into());
    };
    let middle: f64 = middle.parse()?;
    let seen = Rc::new(RefCell::new(File::create(seen)?));
    writeln!(
        seen.borrow_mut(),
        "timeStamp,elapsed,label,responseMessage,success"
    )?;
    let listener = TcpListener::bind(own).await?;
    println!("ready on {}", listener.local_addr()?);
    let random = Rc::new(RefCell::new(SmallRng::seed_from_u64(1)));
    let tasks = LocalSet::new();
    tasks
        .run_until(async {
            loop {
                let (client, _) = listener.accept().await?;
                let server = TcpStream::connect(server).await?;
                client.set_nodelay(true)?;
                server.set_nodelay(true)?;
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                let exchange = Rc::new(Exchange::new(Rc::clone(&seen)));
                let (asking, random) = (Rc::clone(&exchange), Rc::clone(&random));
                tokio::task::spawn_local(async move {
                    let _ = pass(from_client, to_server, || asking.asked(), || {}).await;
                    asking.ended();
                });
                tokio::task::spawn_local(async move {
                    let pause = || {
                        let first = exchange.is_first_of_answer();
                        first.then(|| delay(middle, &mut random.borrow_mut()))
                    };
                    let _ = pass(from_server, to_client, pause, || exchange.answered()).await;
                });
            }
        })
        .await
}

/// The state of an exchange between a client and the server.
struct Exchange {
    begun: Cell<Option<(SystemTime, Instant)>>,
    answered: Cell<Option<Instant>>,
    is_answered: Cell<bool>,
    seen: Rc<RefCell<File>>,
}

impl Exchange {
    fn new(seen: Rc<RefCell<File>>) -> Self {
        Self {
            begun: Cell::new(None),
            answered: Cell::new(None),
            is_answered: Cell::new(false),
            seen,
        }
    }

    /// Bytes from the client: the first ones, or those after a response, begin an exchange.
    fn asked(&self) -> Option<Duration> {
        if self.begun.get().is_none() || self.is_answered.get() {
            self.ended();
            self.begun.set(Some((SystemTime::now(), Instant::now())));
            self.is_answered.set(false);
        }
        None
    }

    fn is_first_of_answer(&self) -> bool {
        self.begun.get().is_some() && !self.is_answered.replace(true)
    }

    fn answered(&self) {
        self.answered.set(Some(Instant::now()));
    }

    /// Writes the completed exchange to the file.
    fn ended(&self) {
        let (Some((at, begun)), Some(answered)) = (self.begun.take(), self.answered.take()) else {
            return;
        };
        let at = at
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let elapsed = (answered - begun).as_secs_f64() * 1e3;
        // A relay whose disk is full still relays.
        let _ = writeln!(
            self.seen.borrow_mut(),
            "{},{elapsed:.3},exchange,,true",
            at.as_millis()
        );
    }
}

/// Forwards bytes until one end closes, each time after the pause that `before` returns, and
/// reports them afterwards.
async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut pause: impl FnMut() -> Option<Duration>,
    mut passed: impl FnMut(),
) -> std::io::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        let read = from.read(&mut buffer).await?;
        if read == 0 {
            return to.shutdown().await;
        }
        if let Some(pause) = pause() {
            tokio::time::sleep(pause).await;
        }
        to.write_all(&buffer[..read]).await?;
        passed();
    }
}

fn delay(middle_ms: f64, random: &mut SmallRng) -> Duration {
    // Two uniform numbers make a normal one (Box and Muller).
    let (a, b): (f64, f64) = (random.random(), random.random());
    let normal = (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos();
    Duration::from_secs_f64(middle_ms / 1e3 * (SPREAD * normal).exp())
}
