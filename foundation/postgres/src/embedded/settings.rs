//! The settings of an embedded server, computed from the machine's memory. Pure except for
//! [`memory_bytes`].

use std::fmt::Write as _;
use std::path::Path;

use super::Durability;

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// The input of the settings.
#[derive(Clone, Debug)]
pub(super) struct Facts<'a> {
    pub memory_bytes: u64,
    pub durability: Durability,
    pub socket_directory: &'a Path,
    pub port: u16,
    /// Whether the library of pg_stat_statements is installed.
    pub has_statistics: bool,
    /// Whether the server supports LZ4.
    pub has_lz4: bool,
    /// Whether the server supports syncfs.
    pub has_syncfs: bool,
}

/// The text of `octavo.conf`.
pub(super) fn render(facts: &Facts<'_>) -> String {
    let mut text = String::from("# Written by octavo at every start; changes here are lost.\n");
    let mut set = |name: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name} = {value}");
    };
    set("listen_addresses", "''");
    set("port", &facts.port.to_string());
    set(
        "unix_socket_directories",
        &quoted(&facts.socket_directory.to_string_lossy()),
    );
    set("unix_socket_permissions", "0700");
    set("jit", "off");
    set("random_page_cost", "1.1");
    set("autovacuum_naptime", "20s");
    set("autovacuum_vacuum_scale_factor", "0.05");
    set("autovacuum_vacuum_insert_scale_factor", "0.1");
    set("autovacuum_analyze_scale_factor", "0.02");
    set("autovacuum_vacuum_cost_limit", "1000");
    set("log_line_prefix", "'%m [%p] '");
    set("log_timezone", "'UTC'");
    set("timezone", "'UTC'");
    set("log_checkpoints", "off");
    set("lc_messages", "'C'");
    // Values in a failed statement may be patron data.
    set("log_min_error_statement", "panic");
    set("log_parameter_max_length", "0");
    set("log_error_verbosity", "terse");
    if facts.has_statistics {
        set("shared_preload_libraries", "'pg_stat_statements'");
    }
    match facts.durability {
        Durability::Full => full(facts, &mut set),
        Durability::Relaxed => relaxed(&mut set),
    }
    text
}

fn full(facts: &Facts<'_>, set: &mut impl FnMut(&str, &str)) {
    let memory = facts.memory_bytes;
    let shared_buffers = shared_buffers(memory);
    set("max_connections", "100");
    set("shared_buffers", &mib(shared_buffers));
    set(
        "effective_cache_size",
        &mib((memory / 2).max(shared_buffers)),
    );
    set("work_mem", &mib((memory / 1024).clamp(4 * MIB, 32 * MIB)));
    set(
        "maintenance_work_mem",
        &mib((memory / 32).clamp(32 * MIB, GIB)),
    );
    set("max_wal_size", &mib((memory / 4).clamp(GIB, 4 * GIB)));
    set("checkpoint_timeout", "15min");
    // Compression of full-page images in the log: pglz costs a batch of new records half its time.
    set("wal_compression", if facts.has_lz4 { "lz4" } else { "on" });
    // After a crash PostgreSQL syncs every file of the cluster one by one; with hundreds of tenants
    // that takes longer than everything else.
    if facts.has_syncfs {
        set("recovery_init_sync_method", "syncfs");
    }
    // For large records too: lz4 costs a fraction of pglz.
    if facts.has_lz4 {
        set("default_toast_compression", "lz4");
    }
    set("synchronous_commit", "on");
    set("fsync", "on");
    set("full_page_writes", "on");
}

fn relaxed(set: &mut impl FnMut(&str, &str)) {
    set("max_connections", "200");
    set("shared_buffers", "64MB");
    set("work_mem", "4MB");
    set("maintenance_work_mem", "32MB");
    set("max_wal_size", "1GB");
    set("wal_level", "minimal");
    set("max_wal_senders", "0");
    set("synchronous_commit", "off");
    set("fsync", "off");
    set("full_page_writes", "off");
}

/// An eighth of a small machine's memory up to a quarter of a large one's, 4 GB at most: beyond
/// that the operating system's cache does as well.
fn shared_buffers(memory: u64) -> u64 {
    let share = match memory {
        0..4_294_967_296 => memory / 8,
        4_294_967_296..8_589_934_592 => memory / 6,
        _ => memory / 4,
    };
    share.clamp(64 * MIB, 4 * GIB)
}

fn mib(bytes: u64) -> String {
    format!("{}MB", bytes / MIB)
}

/// A string value of the configuration file. It cannot contain a line break, and no path of ours
/// needs one.
fn quoted(text: &str) -> String {
    format!(
        "'{}'",
        text.replace(['\n', '\r'], "")
            .replace('\\', "\\\\")
            .replace('\'', "''")
    )
}

/// The memory this process may use: the machine's, or the container's when that is less. An
/// unknown amount counts as 2 GB.
pub(super) fn memory_bytes() -> u64 {
    let machine = std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| parse_meminfo(&text))
        .unwrap_or(2 * GIB);
    let container = std::fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(u64::MAX);
    machine.min(container)
}

fn parse_meminfo(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_grow_with_memory_and_stop() {
        for (memory, buffers) in [
            (256 * MIB, 64 * MIB),
            (2 * GIB, 256 * MIB),
            (6 * GIB, GIB),
            (8 * GIB, 2 * GIB),
            (64 * GIB, 4 * GIB),
        ] {
            assert_eq!(shared_buffers(memory), buffers, "{memory}");
        }
    }

    #[test]
    fn values_are_quoted() {
        assert_eq!(quoted("/a'b\\c\n"), "'/a''b\\\\c'");
    }

    #[test]
    fn meminfo_is_read() {
        assert_eq!(
            parse_meminfo("MemTotal:       2048 kB\nMemFree: 1 kB\n"),
            Some(2 * MIB)
        );
        assert_eq!(parse_meminfo("nothing"), None);
    }

    #[test]
    fn durable_unless_asked_otherwise() {
        let facts = |durability| Facts {
            memory_bytes: 8 * GIB,
            durability,
            socket_directory: Path::new("/run/x"),
            port: 5432,
            has_statistics: true,
            has_lz4: true,
            has_syncfs: true,
        };
        let full = render(&facts(Durability::Full));
        assert!(full.contains("\nfsync = on\n") && full.contains("pg_stat_statements"));
        assert!(full.contains("\nwal_compression = lz4\n"));
        assert!(full.contains("\nrecovery_init_sync_method = syncfs\n"));
        assert!(render(&facts(Durability::Relaxed)).contains("\nfsync = off\n"));
    }
}
