//! A TCP proxy that simulates network failures: it can close all connections, slow the traffic down, or hold it
//! back and later resume.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use octavo_postgres::Config;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio_postgres::config::Host;

/// The server behind a proxy.
#[derive(Debug, Clone)]
pub enum Upstream {
    /// A TCP server, `host:port`.
    Tcp(String),
    /// A server behind a Unix socket.
    Unix(PathBuf),
}

impl Upstream {
    /// The first server that a database configuration names.
    ///
    /// # Panics
    /// When it names none.
    #[must_use]
    pub fn of(config: &Config) -> Upstream {
        let port = config.get_ports().first().copied().unwrap_or(5432);
        match config.get_hosts().first().expect("a host") {
            Host::Tcp(name) => Upstream::Tcp(format!("{name}:{port}")),
            Host::Unix(directory) => Upstream::Unix(directory.join(format!(".s.PGSQL.{port}"))),
        }
    }
}

/// What the proxy does with traffic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Forward,
    Cut,
    Hold,
    /// Each piece of at most 16 kB waits so long.
    Slow(Duration),
}

/// A proxy on a port of its own; a drop stops it and closes its connections.
#[derive(Debug)]
pub struct FaultProxy {
    address: SocketAddr,
    mode: watch::Sender<Mode>,
    task: AbortHandle,
}

impl FaultProxy {
    /// Starts forwarding to a server.
    ///
    /// # Panics
    /// When there is no free port.
    pub async fn start(upstream: Upstream) -> FaultProxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener
            .local_addr()
            .expect("a bound socket has an address");
        let (mode, modes) = watch::channel(Mode::Forward);
        let task = tokio::spawn(accept(listener, upstream, modes)).abort_handle();
        FaultProxy {
            address,
            mode,
            task,
        }
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The configuration that connects through the proxy to the database of `behind`.
    #[must_use]
    pub fn config(&self, behind: &Config) -> Config {
        let mut config = Config::new();
        config
            .host(self.address.ip().to_string())
            .port(self.address.port());
        if let Some(name) = behind.get_dbname() {
            config.dbname(name);
        }
        if let Some(user) = behind.get_user() {
            config.user(user);
        }
        if let Some(password) = behind.get_password() {
            config.password(password);
        }
        config
    }

    /// Closes all connections, and refuses new ones from now on.
    pub fn cut(&self) {
        self.mode.send_replace(Mode::Cut);
    }

    /// Holds back all traffic from now on, in both directions; connections stay open.
    pub fn hold(&self) {
        self.mode.send_replace(Mode::Hold);
    }

    /// Delays each piece of at most 16 kB from now on, in both directions.
    pub fn slow(&self, delay: Duration) {
        self.mode.send_replace(Mode::Slow(delay));
    }

    /// Forwards again, the held-back traffic included, and accepts connections.
    pub fn restore(&self) {
        self.mode.send_replace(Mode::Forward);
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.mode.send_replace(Mode::Cut);
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, upstream: Upstream, modes: watch::Receiver<Mode>) {
    while let Ok((client, _)) = listener.accept().await {
        tokio::spawn(connection(client, upstream.clone(), modes.clone()));
    }
}

async fn connection(client: TcpStream, upstream: Upstream, mut modes: watch::Receiver<Mode>) {
    let carrying = modes.clone();
    let carried = async move {
        // A small response must not wait for a segment to fill.
        client.set_nodelay(true)?;
        match upstream {
            Upstream::Tcp(place) => carry(client, TcpStream::connect(place).await?, carrying).await,
            Upstream::Unix(path) => carry(client, UnixStream::connect(path).await?, carrying).await,
        }
    };
    // Either end may close the connection at any time; that is not a test failure.
    tokio::select! {
        _ = carried => {}
        _ = modes.wait_for(|mode| *mode == Mode::Cut) => {}
    }
}

async fn carry(
    client: TcpStream,
    server: impl AsyncRead + AsyncWrite + Unpin,
    modes: watch::Receiver<Mode>,
) -> io::Result<()> {
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = tokio::io::split(server);
    let outward = pump(from_client, to_server, modes.clone());
    let inward = pump(from_server, to_client, modes);
    tokio::try_join!(outward, inward).map(|_| ())
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut modes: watch::Receiver<Mode>,
) -> io::Result<()> {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let length = from.read(&mut buffer).await?;
        let mode = *modes
            .wait_for(|mode| *mode != Mode::Hold)
            .await
            .map_err(io::Error::other)?;
        if let Mode::Slow(delay) = mode {
            tokio::time::sleep(delay).await;
        }
        if length == 0 {
            return to.shutdown().await;
        }
        to.write_all(&buffer[..length]).await?;
        to.flush().await?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn echo() -> Upstream {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (mut from, mut to) = stream.into_split();
                tokio::spawn(async move { tokio::io::copy(&mut from, &mut to).await });
            }
        });
        Upstream::Tcp(address.to_string())
    }

    async fn echoes(stream: &mut TcpStream) -> io::Result<bool> {
        let mut heard = [0; 2];
        stream.write_all(b"hi").await?;
        stream.read_exact(&mut heard).await?;
        Ok(&heard == b"hi")
    }

    #[tokio::test]
    async fn it_forwards_holds_and_cuts_as_configured() {
        let proxy = FaultProxy::start(echo().await).await;
        let mut stream = TcpStream::connect(proxy.address())
            .await
            .expect("a connection");
        assert!(echoes(&mut stream).await.expect("an echo"));
        proxy.hold();
        let silence = tokio::time::timeout(Duration::from_millis(100), echoes(&mut stream));
        assert!(silence.await.is_err());
        proxy.restore();
        let mut held = [0; 2];
        stream
            .read_exact(&mut held)
            .await
            .expect("what was held back");
        assert!(echoes(&mut stream).await.expect("an echo"));
        proxy.slow(Duration::from_millis(60));
        let begun = tokio::time::Instant::now();
        assert!(echoes(&mut stream).await.expect("an echo"));
        assert!(begun.elapsed() >= Duration::from_millis(120));
        proxy.cut();
        assert!(echoes(&mut stream).await.is_err());
        let mut late = TcpStream::connect(proxy.address())
            .await
            .expect("a connection");
        assert!(echoes(&mut late).await.is_err());
        proxy.restore();
        let mut again = TcpStream::connect(proxy.address())
            .await
            .expect("a connection");
        assert!(echoes(&mut again).await.expect("an echo"));
    }
}
