//! Finds a process: by the port it listens on, by name, or as a postmaster.

use std::collections::HashSet;
use std::net::{IpAddr, ToSocketAddrs, UdpSocket};
use std::path::PathBuf;

use super::stat::{self, Stat};

/// Why no process was found; each message names the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FindError {
    #[error(
        "no address of the server is known, so `server` means nothing; name a process id or \
         port:N"
    )]
    NoTarget,
    #[error(
        "{0} is another machine; its processes cannot be seen from here. Run the workbench there, \
         or scrape an exporter with --probe-prometheus"
    )]
    Elsewhere(String),
    #[error("nothing listens on port {0} of this machine; is the server running?")]
    NobodyListens(u16),
    #[error(
        "port {0} belongs to a process that only root and its own user can see; run as one of \
         them, or name the process id"
    )]
    Hidden(u16),
    #[error("no process {0} runs here; is it still alive?")]
    NoProcess(i32),
    #[error("no process named {0} runs here; names are those of `ps -o comm`")]
    NoName(String),
    #[error("port {port} belongs to a process named {other}, not {name}")]
    OtherName {
        port: u16,
        name: String,
        other: String,
    },
    #[error("no PostgreSQL runs on this machine; leave `postgres` out of --probe-pid")]
    NoPostgres,
    #[error(
        "several PostgreSQL run here ({0}); name the one that is meant with --probe-postgres, or \
         its process id"
    )]
    ManyPostgres(String),
    #[error("the server has no PostgreSQL of its own; name its database with --probe-postgres URL")]
    NoneOfServer,
    #[error(
        "{0} cannot be read; run as root or as the user of PostgreSQL, or pass --probe-postgres \
         \"$(cat DATA_DIR/database.url)\""
    )]
    HiddenFiles(String),
}

/// The port of an address, if that is on this machine.
pub(crate) fn local_port(url: &str) -> Result<u16, FindError> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let authority = authority.rsplit('@').next().unwrap_or_default();
    let usual = if scheme == "https" { 443 } else { 80 };
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !host.ends_with(':') && !port.ends_with(']') => {
            (host, port.parse().map_err(|_| FindError::NoTarget)?)
        }
        _ => (authority, usual),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    match is_local(host) {
        true => Ok(port),
        false => Err(FindError::Elsewhere(host.to_owned())),
    }
}

/// Whether a host's address belongs to this machine: only such addresses can be bound.
pub(crate) fn is_local(host: &str) -> bool {
    let Ok(addresses) = (host, 0).to_socket_addrs() else {
        return false;
    };
    let mut addresses = addresses.map(|address| address.ip());
    addresses.any(|ip: IpAddr| ip.is_loopback() || UdpSocket::bind((ip, 0)).is_ok())
}

/// The process that listens on a TCP port. Of several that share the socket it is the first.
pub(crate) fn listener(port: u16) -> Result<Stat, FindError> {
    let mut sockets = HashSet::new();
    for file in ["/proc/net/tcp", "/proc/net/tcp6"] {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        sockets.extend(text.lines().filter_map(|line| listening(line, port)));
    }
    if sockets.is_empty() {
        return Err(FindError::NobodyListens(port));
    }
    let mut pids: Vec<i32> = stat::pids().collect();
    pids.sort_unstable();
    let holder = pids.into_iter().find(|pid| holds(*pid, &sockets));
    holder.and_then(stat::read).ok_or(FindError::Hidden(port))
}

/// The socket's inode, if the line describes one that listens on the port.
fn listening(line: &str, port: u16) -> Option<String> {
    const LISTEN: &str = "0A";
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let local = fields.get(1)?.rsplit_once(':')?.1;
    let here = u16::from_str_radix(local, 16).ok()? == port && *fields.get(3)? == LISTEN;
    here.then(|| fields.get(9).map(|inode| format!("socket:[{inode}]")))?
}

fn holds(pid: i32, sockets: &HashSet<String>) -> bool {
    let Ok(files) = std::fs::read_dir(format!("/proc/{pid}/fd")) else {
        return false;
    };
    let targets = files
        .flatten()
        .filter_map(|file| std::fs::read_link(file.path()).ok());
    let mut names = targets.filter_map(|target| target.into_os_string().into_string().ok());
    names.any(|name| sockets.contains(&name))
}

/// A postmaster is named postgres, and its parent is not.
pub(crate) fn postmasters(all: &[Stat]) -> Vec<&Stat> {
    let is_postgres = |stat: &Stat| matches!(stat.name.as_str(), "postgres" | "postmaster");
    let servers = all.iter().filter(|stat| is_postgres(stat));
    let parent = |stat: &Stat| all.iter().find(|other| other.pid == stat.parent);
    servers
        .filter(|stat| !parent(stat).is_some_and(is_postgres))
        .collect()
}

/// The postmaster: the only one; or the server's child; or the one of a probed database's port or
/// socket.
pub(crate) fn postmaster(
    all: &[Stat],
    server: Option<i32>,
    known: &[i32],
) -> Result<Stat, FindError> {
    let found = postmasters(all);
    let one = match found.as_slice() {
        [] => return Err(FindError::NoPostgres),
        [only] => Some(*only),
        many => {
            let of_server = many.iter().find(|stat| Some(stat.parent) == server);
            let of_known = || many.iter().find(|stat| known.contains(&stat.pid));
            of_server.or_else(of_known).copied()
        }
    };
    one.cloned().ok_or_else(|| {
        let pids: Vec<String> = found.iter().map(|stat| stat.pid.to_string()).collect();
        FindError::ManyPostgres(pids.join(", "))
    })
}

/// A process and all its descendants.
pub(crate) fn family(all: &[Stat], root: i32) -> Vec<&Stat> {
    let mut members: Vec<&Stat> = all.iter().filter(|stat| stat.pid == root).collect();
    let mut known: HashSet<i32> = HashSet::from([root]);
    let mut next = 0;
    while next < members.len() {
        let parent = members[next].pid;
        next += 1;
        let children = all.iter().filter(|stat| stat.parent == parent);
        members.extend(children.filter(|stat| known.insert(stat.pid)));
    }
    members
}

/// The address of a postmaster: the directory of its socket and its port, from its pid file.
pub(crate) fn socket_of(postmaster: i32) -> Result<(PathBuf, u16), FindError> {
    let arguments = stat::arguments(postmaster);
    let named = arguments.iter().skip_while(|part| *part != "-D").nth(1);
    let directory = match named {
        Some(directory) => PathBuf::from(directory),
        None => {
            let working = PathBuf::from(format!("/proc/{postmaster}/cwd"));
            std::fs::read_link(&working)
                .map_err(|_| FindError::HiddenFiles(working.display().to_string()))?
        }
    };
    let file = directory.join("postmaster.pid");
    let hidden = || FindError::HiddenFiles(file.display().to_string());
    let text = std::fs::read_to_string(&file).map_err(|_| hidden())?;
    pid_file(&text).ok_or_else(hidden)
}

/// Lines: pid, data directory, start time, port, socket directory, …
fn pid_file(text: &str) -> Option<(PathBuf, u16)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let directory = lines.get(4).filter(|line| !line.is_empty())?;
    Some((PathBuf::from(directory), lines.get(3)?.parse().ok()?))
}

/// The postmaster behind a Unix socket: the lock file beside it has its process id.
pub(crate) fn behind_socket(directory: &std::path::Path, port: u16) -> Option<i32> {
    let lock = directory.join(format!(".s.PGSQL.{port}.lock"));
    let text = std::fs::read_to_string(lock).ok()?;
    text.lines().next()?.trim().parse().ok()
}

/// The postmaster of the server's own database. One that outlived a killed server has no such
/// parent; it is recognized by the settings that the server writes.
pub(crate) fn postmaster_of_server(all: &[Stat], server: i32) -> Result<Stat, FindError> {
    let found = postmasters(all);
    let child = found.iter().find(|stat| stat.parent == server);
    let adopted = || {
        let ours = |stat: &&&Stat| {
            let arguments = stat::arguments(stat.pid);
            let directory = arguments.iter().skip_while(|part| *part != "-D").nth(1);
            directory
                .is_some_and(|directory| PathBuf::from(directory).join("octavo.conf").is_file())
        };
        let mut orphans = found.iter().filter(|stat| stat.parent <= 1).filter(ours);
        let first = orphans.next();
        first.filter(|_| orphans.next().is_none())
    };
    let one = child.or_else(adopted);
    one.map(|stat| (*stat).clone())
        .ok_or(FindError::NoneOfServer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: i32, parent: i32, name: &str) -> Stat {
        Stat {
            pid,
            name: name.to_owned(),
            parent,
            ended: false,
            ticks: 0,
            reaped: 0,
            started: 0,
        }
    }

    #[test]
    fn a_port_is_in_the_address_or_follows_from_its_scheme() {
        assert_eq!(local_port("http://127.0.0.1:9130"), Ok(9130));
        assert_eq!(local_port("http://[::1]:9130/okapi"), Ok(9130));
        assert_eq!(local_port("https://localhost/okapi"), Ok(443));
        assert_eq!(local_port("http://u:p@localhost:81"), Ok(81));
        assert_eq!(local_port("http://127.0.0.1:x"), Err(FindError::NoTarget));
        // Reserved for documentation, so it belongs to nobody.
        let elsewhere = local_port("http://192.0.2.7:9130");
        assert_eq!(elsewhere, Err(FindError::Elsewhere("192.0.2.7".into())));
    }

    #[test]
    fn a_listener_is_found_by_its_port() {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = socket.local_addr().unwrap().port();
        let found = listener(port).unwrap();
        assert_eq!(found.pid, i32::try_from(std::process::id()).unwrap());
        drop(socket);
        assert_eq!(listener(port), Err(FindError::NobodyListens(port)));
    }

    #[test]
    fn the_line_of_a_socket_is_read() {
        let line = "  0: 0100007F:23AA 00000000:0000 0A 00000000:00000000 00:0 0 0 0 4711 1 0";
        assert_eq!(listening(line, 0x23AA).as_deref(), Some("socket:[4711]"));
        assert_eq!(listening(line, 80), None);
        assert_eq!(listening("sl local_address rem_address st", 80), None);
        assert_eq!(listening("0: 0100007F:0050 x 0A", 80), None);
    }

    #[test]
    fn of_several_postmasters_the_servers_child_or_the_probed_one_is_meant() {
        let all = [
            process(1, 0, "init"),
            process(10, 1, "octavo"),
            process(11, 10, "postgres"),
            process(12, 11, "postgres"),
            process(13, 12, "sh"),
            process(20, 1, "postgres"),
            process(21, 20, "postgres"),
        ];
        let pids: Vec<i32> = postmasters(&all).iter().map(|stat| stat.pid).collect();
        assert_eq!(pids, [11, 20]);
        assert_eq!(postmaster(&all, Some(10), &[20]).unwrap().pid, 11);
        assert_eq!(postmaster(&all, None, &[20]).unwrap().pid, 20);
        let many = postmaster(&all, None, &[]).unwrap_err();
        assert_eq!(many, FindError::ManyPostgres("11, 20".into()));
        assert_eq!(postmaster(&all[5..], None, &[]).unwrap().pid, 20);
        assert_eq!(postmaster(&all[..2], None, &[]), Err(FindError::NoPostgres));
        let members: Vec<i32> = family(&all, 11).iter().map(|stat| stat.pid).collect();
        assert_eq!(members, [11, 12, 13]);
        assert_eq!(postmaster_of_server(&all, 10).unwrap().pid, 11);
        let none = postmaster_of_server(&all, 99);
        assert_eq!(none, Err(FindError::NoneOfServer));
    }

    #[test]
    fn the_pid_file_says_where_the_socket_is() {
        let text = "11\n/data\n1700000000\n5433\n/run/pg\n\n123\nready\n";
        assert_eq!(pid_file(text), Some((PathBuf::from("/run/pg"), 5433)));
        assert_eq!(pid_file("11\n/data\n1\nx\n/run\n"), None);
        assert_eq!(pid_file("11\n/data\n1\n5432\n\n"), None);
    }
}
