//! Ten thousand idle connections: others are served beside them, and their memory is limited.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use octavo_testkit::Client;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::octavo::Octavo;
use crate::place::{DataDir, demo_database};

/// Somewhat more than the server's limit.
const CLIENTS: u64 = 10_200;
/// The most memory that one of them may cost the server, in kB.
const COST_KB_MAX: u64 = 40;
/// A new client has to be served within this time.
const SERVED_WITHIN: Duration = Duration::from_secs(5);

#[tokio::test]
async fn ten_thousand_idle_clients_keep_nobody_out() {
    let (_database, url) = demo_database().await;
    let directory = DataDir::new();
    let octavo = Octavo::start(&["--database-url", &url, "--data-dir", directory.arg()]).await;
    let admin = octavo.client().await;
    let _ = admin.get("/users").await.expect(200);
    let clients = possible();
    let before = octavo.resident_kb();
    let mut idle = Vec::new();
    while (idle.len() as u64) < clients {
        let mut coming = JoinSet::new();
        for at in 0..200 {
            coming.spawn(connected(octavo.address(), at % 2 == 0));
        }
        idle.extend(coming.join_all().await);
        // Earlier clients still work, and new ones are served.
        let _ = admin.get("/material-types").await.expect(200);
    }
    let gained = octavo.resident_kb().saturating_sub(before);
    println!("{clients} clients, {gained} kB");
    assert!(
        gained < clients * COST_KB_MAX,
        "{clients} clients cost {gained} kB"
    );
    for _ in 0..20 {
        let begun = Instant::now();
        let newcomer = Client::log_in(octavo.address(), "diku", "diku_admin", "admin").await;
        let _ = newcomer.get("/material-types").await.expect(200);
        assert!(begun.elapsed() < SERVED_WITHIN, "{:?}", begun.elapsed());
    }
    assert!(
        !octavo.log().contains("could not be accepted"),
        "{}",
        octavo.log()
    );
}

/// As many as this machine allows a process.
fn possible() -> u64 {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).expect("a limit");
    let wanted = (CLIENTS + 500).min(hard);
    if soft < wanted {
        setrlimit(Resource::RLIMIT_NOFILE, wanted, hard).expect("a limit that is allowed");
    }
    let (soft, _) = getrlimit(Resource::RLIMIT_NOFILE).expect("a limit");
    let clients = CLIENTS.min(soft - 400);
    assert!(
        clients >= 1_000,
        "`ulimit -Hn` is too low for this test: {hard}"
    );
    clients
}

/// A client that sends one request, or none, and then stays connected.
async fn connected(address: SocketAddr, asks: bool) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    if asks {
        let request = b"GET /_/version HTTP/1.1\r\nHost: x\r\n\r\n";
        stream.write_all(request).await.expect("it is taken");
        let mut answer = [0; 1024];
        let length = stream.read(&mut answer).await.expect("an answer");
        assert!(answer[..length].starts_with(b"HTTP/1.1 200"), "{length}");
    }
    stream
}
