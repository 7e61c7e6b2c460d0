//! Processor time and memory of real processes.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use octavo_probes::{ProbeOptions, ProcessTarget};

use crate::support::{line, noted, options, series, started, value_of};

const BURN: &str = "OCTAVO_PROBES_BURN";
const BURNT_BYTES: usize = 64 << 20;

/// Not a test but the program of the tests' child processes: it holds memory and uses two fifths of
/// a processor until it is killed.
#[test]
fn burner() {
    if std::env::var_os(BURN).is_none() {
        return;
    }
    let memory = vec![1_u8; BURNT_BYTES];
    let mut sum = 0_u64;
    loop {
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(20) {
            sum = memory[..1 << 16]
                .iter()
                .fold(sum, |sum, byte| sum.wrapping_mul(31) + u64::from(*byte));
        }
        std::hint::black_box(sum);
        std::thread::sleep(Duration::from_millis(30));
    }
}

struct Burner(Child);

impl Burner {
    fn start() -> Self {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["processes::burner", "--exact", "--nocapture"])
            .env(BURN, "1")
            .stdout(Stdio::null())
            .spawn();
        Self(child.unwrap())
    }

    fn target(&self) -> ProcessTarget {
        ProcessTarget::Pid(i32::try_from(self.0.id()).unwrap())
    }

    /// User and system time, in seconds.
    fn processor_s(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap();
        let fields: Vec<&str> = stat
            .rsplit_once(')')
            .unwrap()
            .1
            .split_whitespace()
            .collect();
        let ticks: f64 = fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap();
        ticks / 100.0
    }
}

impl Drop for Burner {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn what_a_process_burns_and_holds_is_seen() {
    let burner = Burner::start();
    let source = burner.target().to_string();
    let probes = started(ProbeOptions {
        processes: vec![burner.target()],
        ..options()
    })
    .await;
    value_of(&probes, &source, "memory", |megabytes| megabytes > 0.0).await;
    value_of(&probes, &source, "cpu", |share| share > 0.0).await;
    let (began, before) = (Instant::now(), burner.processor_s());
    tokio::time::sleep(Duration::from_secs(3)).await;
    let expected = 100.0 * (burner.processor_s() - before) / began.elapsed().as_secs_f64();
    let probed = probes.finish().await;
    let points = &series(&probed, &source, "cpu").points;
    let shares: Vec<f64> = points
        .iter()
        .rev()
        .take(25)
        .map(|(_, share)| *share)
        .collect();
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(
        expected > 5.0,
        "the machine is too busy to measure on: {expected}"
    );
    assert!((mean - expected).abs() < 8.0, "{mean} seen of {expected}");
    let (_, _, most) = series(&probed, &source, "memory").range().unwrap();
    let burnt = BURNT_BYTES as f64 / 1e6;
    assert!((burnt..burnt + 60.0).contains(&most), "{most} MB");
    assert!(line(&probed, &format!("memory of {source}")).is_some());
    assert!(probed.notes.is_empty(), "{:?}", probed.notes);
    let (_, _, machine) = series(&probed, "machine", "cpu").range().unwrap();
    assert!(machine > 0.0);
    assert!(line(&probed, "kernel").unwrap().starts_with("Linux "));
}

#[tokio::test]
async fn a_process_that_vanishes_is_reported_once_and_the_rest_goes_on() {
    let (gone, stays) = (Burner::start(), Burner::start());
    let probes = started(ProbeOptions {
        processes: vec![gone.target(), stays.target()],
        ..options()
    })
    .await;
    let source = gone.target().to_string();
    value_of(&probes, &source, "cpu", |_| true).await;
    drop(gone);
    let other = stays.target().to_string();
    let count = |probes: &octavo_probes::Probes| probes.latest().len();
    for _ in 0..5 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(count(&probes) > 0);
    }
    let probed = probes.finish().await;
    let about: Vec<&String> = probed
        .notes
        .iter()
        .filter(|note| note.starts_with(&source))
        .collect();
    assert_eq!(about.len(), 1, "{:?}", probed.notes);
    assert!(about[0].contains("gone"), "{about:?}");
    let (last_gone, last_other) = (
        series(&probed, &source, "cpu").points.last().unwrap().0,
        series(&probed, &other, "cpu").points.last().unwrap().0,
    );
    assert!(last_other > last_gone + 0.2, "{last_other} and {last_gone}");
}

#[tokio::test]
async fn the_server_is_whoever_listens_on_its_port() {
    let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    let own = std::fs::read_to_string("/proc/self/comm")
        .unwrap()
        .trim()
        .to_owned();
    let probes = started(ProbeOptions {
        target: Some(format!("http://127.0.0.1:{port}")),
        processes: vec![
            ProcessTarget::Server,
            ProcessTarget::Port(port),
            ProcessTarget::NameAtPort("somebody".into(), port),
            ProcessTarget::Name(own.clone()),
            ProcessTarget::Name("nobody-has-this".into()),
            ProcessTarget::Cgroup("/no/such/group".into()),
        ],
        ..options()
    })
    .await;
    for source in [
        "server".to_owned(),
        format!("port:{port}"),
        format!("name:{own}"),
    ] {
        value_of(&probes, &source, "memory", |megabytes| megabytes > 1.0).await;
    }
    let probed = probes.finish().await;
    let pid = std::process::id();
    assert!(
        line(&probed, "process server")
            .unwrap()
            .contains(&format!("pid {pid}"))
    );
    assert!(noted(&probed, &["somebody@", &own]), "{:?}", probed.notes);
    assert!(
        noted(&probed, &["nobody-has-this", "ps -o comm"]),
        "{:?}",
        probed.notes
    );
    assert!(noted(&probed, &["/no/such/group"]), "{:?}", probed.notes);
}

#[tokio::test]
async fn a_server_elsewhere_is_reported_and_no_harm() {
    let probes = started(ProbeOptions {
        target: Some("http://192.0.2.1:9130".into()),
        processes: vec![ProcessTarget::Server],
        ..options()
    })
    .await;
    let probed = probes.finish().await;
    assert!(
        noted(&probed, &["server", "192.0.2.1", "another machine"]),
        "{:?}",
        probed.notes
    );
    assert!(line(&probed, "generator's kernel").is_some());
}
