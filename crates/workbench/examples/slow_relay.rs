//! Stands before a server and makes it as slow as a FOLIO behind its gateway: each answer is held back
//! for a time drawn from a log-normal distribution. Generators that are compared on a server that
//! answers at once measure mostly themselves (perf/agreement).
//!
//! ```text
//! cargo run --release --package octavo-workbench --example slow_relay -- 127.0.0.1:9191 127.0.0.1:9130 20
//! ```
//!
//! The arguments are its own address, the server's, and the middle of the times in ms; one in twenty
//! is more than 2.7 times as long.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

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
    let [own, server, middle] = arguments.as_slice() else {
        return Err("give the own address, the server's, and milliseconds".into());
    };
    let middle: f64 = middle.parse()?;
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
                // Set by what the client sends, and taken by the first bytes of the answer.
                let asked = Rc::new(Cell::new(false));
                let (random, also_asked) = (Rc::clone(&random), Rc::clone(&asked));
                tokio::task::spawn_local(async move {
                    let _ = pass(from_client, to_server, || {
                        asked.set(true);
                        None
                    })
                    .await;
                });
                tokio::task::spawn_local(async move {
                    let _ = pass(from_server, to_client, || {
                        let first = also_asked.replace(false);
                        first.then(|| delay(middle, &mut random.borrow_mut()))
                    })
                    .await;
                });
            }
        })
        .await
}

/// Passes bytes on until one end hangs up, each time after the pause that the function asks for.
async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut pause: impl FnMut() -> Option<Duration>,
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
    }
}

fn delay(middle_ms: f64, random: &mut SmallRng) -> Duration {
    // Two uniform numbers make a normal one (Box and Muller).
    let (a, b): (f64, f64) = (random.random(), random.random());
    let normal = (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos();
    Duration::from_secs_f64(middle_ms / 1e3 * (SPREAD * normal).exp())
}
