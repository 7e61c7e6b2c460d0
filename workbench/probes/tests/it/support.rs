//! Helpers shared by the tests: waiting for values, temporary files, a scripted web server.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use octavo_figures::run::{Probed, ProbedSeries};
use octavo_probes::{ProbeOptions, Probes, Reading};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Options with a short interval.
pub fn options() -> ProbeOptions {
    ProbeOptions {
        interval: Duration::from_millis(100),
        ..ProbeOptions::default()
    }
}

/// Probes that have taken their first readings.
pub async fn started(options: ProbeOptions) -> Probes {
    let mut probes = Probes::start(options, Instant::now());
    probes.ready().await;
    probes
}

/// Waits for a value; panics after half a minute.
pub async fn value_of(
    probes: &Probes,
    source: &str,
    measure: &str,
    wanted: impl Fn(f64) -> bool,
) -> f64 {
    let began = Instant::now();
    loop {
        let latest = probes.latest();
        let found = latest
            .iter()
            .find(|one| one.source == source && one.measure == measure);
        if let Some(Reading { value, .. }) = found
            && wanted(*value)
        {
            return *value;
        }
        let patient = began.elapsed() < Duration::from_secs(30);
        assert!(patient, "{measure} of {source} never came: {latest:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A series that must be there.
pub fn series<'a>(probed: &'a Probed, source: &str, measure: &str) -> &'a ProbedSeries {
    let mut series = probed.series.iter();
    let found = series.find(|one| one.source == source && one.measure == measure);
    found.unwrap_or_else(|| panic!("no {measure} of {source}: {:?}", names(probed)))
}

pub fn names(probed: &Probed) -> Vec<String> {
    let name = |one: &ProbedSeries| format!("{} {}", one.source, one.measure);
    probed.series.iter().map(name).collect()
}

/// A line of the infrastructure.
pub fn line<'a>(probed: &'a Probed, name: &str) -> Option<&'a str> {
    let mut lines = probed.infrastructure.iter();
    lines
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.as_str())
}

/// Whether a note contains all of the words.
pub fn noted(probed: &Probed, words: &[&str]) -> bool {
    let mut notes = probed.notes.iter();
    notes.any(|note| words.iter().all(|word| note.contains(word)))
}

/// A path below the temporary directory, deleted at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        let path = std::env::temp_dir().join(format!("octavo-probes-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A web server that answers by a script: the path and the requests so far in, status and body out.
pub struct Web {
    pub url: String,
    pub requests: Arc<Mutex<Vec<String>>>,
    serving: JoinHandle<()>,
}

pub type Script = dyn Fn(&str, usize) -> (u16, String) + Send + Sync;

impl Web {
    pub async fn start(
        script: impl Fn(&str, usize) -> (u16, String) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (script, kept): (Arc<Script>, _) = (Arc::new(script), Arc::clone(&requests));
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (script, kept) = (Arc::clone(&script), Arc::clone(&kept));
                answer(stream, &*script, &kept).await;
            }
        });
        Self {
            url,
            requests,
            serving,
        }
    }

    /// Stops listening.
    pub fn stop(&self) {
        self.serving.abort();
    }
}

/// Serves one exchange a connection.
async fn answer(mut stream: TcpStream, script: &Script, requests: &Mutex<Vec<String>>) {
    let mut received = Vec::new();
    let mut portion = [0; 4096];
    while !received.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut portion).await {
            Ok(0) | Err(_) => return,
            Ok(read) => received.extend_from_slice(&portion[..read]),
        }
    }
    let request = String::from_utf8_lossy(&received).into_owned();
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    let number = {
        let mut requests = requests.lock().unwrap();
        requests.push(request);
        let same = |known: &&String| known.split(' ').nth(1) == Some(path.as_str());
        requests.iter().filter(same).count()
    };
    let (status, body) = script(&path, number);
    let text = format!(
        "HTTP/1.1 {status} x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(text.as_bytes()).await;
    let _ = stream.shutdown().await;
}
