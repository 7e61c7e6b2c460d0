//! Processor time and memory of a control group, in either version of cgroups.

use std::path::{Path, PathBuf};

/// The directories of a group's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// Version 2 has one hierarchy; in version 1 each controller has one.
    unified: bool,
    processor: PathBuf,
    memory: PathBuf,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "there is no control group {0} with processor time and memory; `systemd-cgls` lists groups, and \
     in a container only its own are seen"
)]
pub(super) struct NoGroup(String);

impl Group {
    pub(super) fn find(path: &Path) -> Result<Self, NoGroup> {
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        Self::find_in(&mounts, path)
    }

    fn find_in(mounts: &str, path: &Path) -> Result<Self, NoGroup> {
        let below = path.strip_prefix("/").unwrap_or(path);
        let mounts: Vec<Mount> = mounts.lines().filter_map(mount).collect();
        let place = |wanted: &dyn Fn(&Mount) -> bool| {
            let mount = mounts.iter().find(|mount| wanted(mount))?;
            Some(mount.at.join(below))
        };
        let second = place(&|mount| mount.kind == "cgroup2");
        let second = second.map(|at| Self {
            unified: true,
            processor: at.clone(),
            memory: at,
        });
        let first = || {
            let controller = |name: &'static str| {
                place(&|mount| {
                    mount.kind == "cgroup" && mount.options.split(',').any(|one| one == name)
                })
            };
            Some(Self {
                unified: false,
                processor: controller("cpuacct")?,
                memory: controller("memory")?,
            })
        };
        let readable = |group: &Self| group.processor_s().is_some() && group.memory_mb().is_some();
        let found = second.filter(readable).or_else(first).filter(readable);
        found.ok_or_else(|| NoGroup(path.display().to_string()))
    }

    /// Processor time so far, in seconds.
    pub(super) fn processor_s(&self) -> Option<f64> {
        if self.unified {
            let micros = value(&text(&self.processor, "cpu.stat")?, "usage_usec")?;
            return Some(micros / 1e6);
        }
        let nanos: f64 = text(&self.processor, "cpuacct.usage")?
            .trim()
            .parse()
            .ok()?;
        Some(nanos / 1e9)
    }

    /// Memory without inactive file pages: what Kubernetes calls the working set.
    pub(super) fn memory_mb(&self) -> Option<f64> {
        let (current, inactive) = match self.unified {
            true => ("memory.current", "inactive_file"),
            false => ("memory.usage_in_bytes", "total_inactive_file"),
        };
        let all: f64 = text(&self.memory, current)?.trim().parse().ok()?;
        let details = text(&self.memory, "memory.stat").unwrap_or_default();
        let unused = value(&details, inactive).unwrap_or(0.0);
        Some((all - unused).max(0.0) / 1e6)
    }
}

struct Mount {
    at: PathBuf,
    kind: String,
    options: String,
}

/// A line of mountinfo: number, parent, device, root, mount point, options, … - type, source,
/// options.
fn mount(line: &str) -> Option<Mount> {
    let (before, after) = line.split_once(" - ")?;
    let mut after = after.split(' ');
    Some(Mount {
        at: PathBuf::from(before.split(' ').nth(4)?),
        kind: after.next()?.to_owned(),
        options: after.nth(1)?.to_owned(),
    })
}

fn text(directory: &Path, file: &str) -> Option<String> {
    std::fs::read_to_string(directory.join(file)).ok()
}

fn value(text: &str, name: &str) -> Option<f64> {
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(key, _)| *key == name)?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    struct Directory(PathBuf);

    impl Directory {
        fn new() -> Self {
            let name = format!("octavo-probes-{}", uuid::Uuid::new_v4());
            Self(std::env::temp_dir().join(name))
        }

        fn write(&self, file: &str, text: &str) {
            let path = self.0.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    impl Drop for Directory {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn both_versions_are_read() {
        let root = Directory::new();
        root.write("two/a/x/cpu.stat", "usage_usec 2500000\nuser_usec 1\n");
        root.write("two/a/x/memory.current", "3000000\n");
        root.write("two/a/x/memory.stat", "anon 5\ninactive_file 1000000\n");
        root.write("cpu/a/y/cpuacct.usage", "500000000\n");
        root.write("memory/a/y/memory.usage_in_bytes", "7000000\n");
        root.write("memory/a/y/memory.stat", "total_inactive_file 0\n");
        let at = root.0.display();
        let mounts = format!(
            "1 2 0:3 / {at}/two rw,nosuid - cgroup2 none rw\n\
             4 2 0:5 / {at}/cpu rw shared:1 - cgroup none rw,cpu,cpuacct\n\
             6 2 0:7 / {at}/memory rw - cgroup none rw,memory\nnonsense\n"
        );
        let two = Group::find_in(&mounts, Path::new("/a/x")).unwrap();
        assert_eq!((two.processor_s(), two.memory_mb()), (Some(2.5), Some(2.0)));
        let one = Group::find_in(&mounts, Path::new("/a/y")).unwrap();
        assert_eq!((one.processor_s(), one.memory_mb()), (Some(0.5), Some(7.0)));
        let none = Group::find_in(&mounts, Path::new("/a/z")).unwrap_err();
        assert!(none.to_string().contains("/a/z"), "{none}");
    }
}
