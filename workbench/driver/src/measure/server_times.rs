//! The durations that the server reports: the stages in the `Server-Timing` of its responses.

use std::time::Duration;

use octavo_figures::Series;
use octavo_figures::run::ServerTiming;

/// Further stages are counted together, since a server could give each response new ones.
const STAGES_MAX: usize = 32;
const HEADER: &[u8] = b"server-timing:";

/// Times by stage, and by stage and label.
#[derive(Debug, Clone, Default)]
pub struct ServerTimes {
    labels: usize,
    stages: Vec<Stage>,
}

#[derive(Debug, Clone)]
struct Stage {
    name: String,
    series: Series,
    /// By label number: the number of responses with it, and the sum in microseconds.
    by_label: Vec<(u64, u64)>,
}

impl ServerTimes {
    pub fn new(labels: usize) -> Self {
        Self {
            labels,
            stages: Vec::new(),
        }
    }

    /// Records the stages in a response's head.
    pub fn record(&mut self, label: usize, head: &[u8]) {
        let Some(value) = header(head) else { return };
        for (name, time) in metrics(value) {
            let Some(stage) = self.stage(name) else {
                continue;
            };
            stage.series.record(time, true);
            let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
            if let Some((count, sum)) = stage.by_label.get_mut(label) {
                *count += 1;
                *sum = sum.saturating_add(micros);
            }
        }
    }

    fn stage(&mut self, name: &str) -> Option<&mut Stage> {
        let known = self.stages.iter().position(|stage| stage.name == name);
        let at = match known {
            Some(at) => at,
            None if self.stages.len() >= STAGES_MAX => return None,
            None => {
                self.stages.push(Stage {
                    name: name.to_owned(),
                    series: Series::default(),
                    by_label: vec![(0, 0); self.labels],
                });
                self.stages.len() - 1
            }
        };
        self.stages.get_mut(at)
    }

    /// Adds another worker's times.
    pub fn add(&mut self, other: &ServerTimes) {
        for theirs in &other.stages {
            let Some(mine) = self.stage(&theirs.name) else {
                continue;
            };
            mine.series.add(&theirs.series);
            for (mine, theirs) in mine.by_label.iter_mut().zip(&theirs.by_label) {
                mine.0 += theirs.0;
                mine.1 = mine.1.saturating_add(theirs.1);
            }
        }
    }

    /// Resets the times, keeping the names and the memory.
    pub fn clear(&mut self) {
        for stage in &mut self.stages {
            stage.series.clear();
            stage.by_label.fill((0, 0));
        }
    }

    /// The form in the record of a run; `label` returns the text of a label's number.
    pub fn timings<'l>(&self, label: impl Fn(usize) -> &'l str) -> Vec<ServerTiming> {
        let stages = self.stages.iter().filter(|stage| !stage.series.is_empty());
        stages
            .map(|stage| {
                let by_label = stage.by_label.iter().enumerate();
                let by_label = by_label.filter(|(_, (count, _))| *count > 0);
                ServerTiming {
                    stage: stage.name.clone(),
                    series: stage.series.clone(),
                    by_label: by_label
                        .map(|(number, (count, sum))| {
                            (
                                label(number).to_owned(),
                                *count,
                                *sum as f64 / *count as f64 / 1000.0,
                            )
                        })
                        .collect(),
                }
            })
            .collect()
    }
}

/// The header's value.
fn header(head: &[u8]) -> Option<&str> {
    let mut lines = head.split(|byte| *byte == b'\n');
    let line = lines.find(|line| {
        line.len() > HEADER.len() && line[..HEADER.len()].eq_ignore_ascii_case(HEADER)
    })?;
    std::str::from_utf8(&line[HEADER.len()..]).ok()
}

/// Names with their durations; names without one are left out.
fn metrics(value: &str) -> impl Iterator<Item = (&str, Duration)> {
    value.split(',').filter_map(|metric| {
        let mut parts = metric.split(';').map(str::trim);
        let name = parts.next().filter(|name| !name.is_empty())?;
        let ms: f64 = parts
            .find_map(|part| part.strip_prefix("dur="))?
            .trim_matches('"')
            .parse()
            .ok()?;
        let time = Duration::try_from_secs_f64(ms / 1000.0).ok()?;
        Some((name, time))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &[u8] =
        b"HTTP/1.1 200 OK\r\nServer-Timing: token;dur=0.5, handler;desc=\"x\";dur=12.25, \
        cache, bad;dur=-1, worse;dur=x\r\nContent-Length: 2\r\n\r\n";

    #[test]
    fn stages_are_reported_by_label() {
        let mut times = ServerTimes::new(3);
        times.record(1, HEAD);
        times.record(2, HEAD);
        times.record(2, b"HTTP/1.1 204 No Content\r\n\r\n");
        let mut sum = ServerTimes::new(3);
        sum.add(&times);
        sum.add(&times);
        let found = sum.timings(|number| ["login", "a", "b"][number]);
        let names: Vec<_> = found.iter().map(|one| one.stage.as_str()).collect();
        assert_eq!(names, ["token", "handler"]);
        assert_eq!(found[1].series.len(), 4);
        assert_eq!(
            found[1].by_label,
            [("a".to_owned(), 2, 12.25), ("b".to_owned(), 2, 12.25)]
        );
        times.clear();
        assert!(times.timings(|_| "").is_empty());
    }

    #[test]
    fn a_server_that_names_endless_stages_fills_no_memory() {
        let mut times = ServerTimes::new(1);
        for number in 0..1000 {
            times.record(0, format!("server-timing: s{number};dur=1\n").as_bytes());
        }
        assert_eq!(times.timings(|_| "").len(), STAGES_MAX);
    }
}
