//! Readable names of functions. The program's debug information has lines but no full names, so a
//! function's name comes from the program's symbols, and an inlined function is named by its file.

use std::fs::File;

use object::read::ReadCache;
use object::{Object, ObjectKind, ObjectSymbol, SymbolKind};
use pprof::Symbol;

/// The program's functions by address.
#[derive(Default)]
pub(super) struct Names {
    /// Address and name, sorted.
    functions: Vec<(u64, String)>,
    /// The difference between an address in memory and in the file.
    base: u64,
    end: u64,
}

impl Names {
    /// The functions of the running program; none where the symbols cannot be read or were
    /// stripped.
    pub(super) fn of_this_program() -> Names {
        read().unwrap_or_default()
    }

    /// The names in a frame, from the outermost function on: the called one, then those that were
    /// inlined into it.
    pub(super) fn of_frame(&self, frame: &[Symbol]) -> Vec<String> {
        let mut names: Vec<String> = frame.iter().rev().map(inlined).collect();
        if let Some(first) = names.first_mut()
            && let Some(address) = frame.last().and_then(|symbol| symbol.addr)
            && let Some(called) = self.at(address.addr() as u64)
        {
            *first = called;
        }
        names
    }

    fn at(&self, address: u64) -> Option<String> {
        // Where debug information was found, the address is one in the file already.
        let address = address.checked_sub(self.base).unwrap_or(address);
        if address >= self.end {
            return None;
        }
        let after = self.functions.partition_point(|(from, _)| *from <= address);
        let (_, name) = self.functions.get(after.checked_sub(1)?)?;
        Some(without_generics(&demangled(name)))
    }
}

/// Frees the symbol tables that were read: some hundred megabytes for a program of this size.
pub(super) fn forget() {
    backtrace::clear_symbol_cache();
}

fn read() -> Option<Names> {
    let file = File::open("/proc/self/exe").ok()?;
    let cache = ReadCache::new(file);
    let program = object::File::parse(&cache).ok()?;
    let mut end = 0;
    let mut functions: Vec<(u64, String)> = program
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0)
        .filter_map(|symbol| {
            end = end.max(symbol.address() + symbol.size());
            Some((symbol.address(), symbol.name().ok()?.to_owned()))
        })
        .collect();
    functions.sort_unstable();
    let base = match program.kind() {
        ObjectKind::Dynamic => base()?,
        _ => 0,
    };
    Some(Names {
        functions,
        base,
        end,
    })
}

/// The address at which the program is mapped: the start of its first mapping.
fn base() -> Option<u64> {
    let program = std::fs::read_link("/proc/self/exe").ok()?;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let first = maps
        .lines()
        .find(|line| line.ends_with(&*program.to_string_lossy()))?;
    u64::from_str_radix(first.split('-').next()?, 16).ok()
}

fn demangled(name: &str) -> String {
    let symbol = Symbol {
        name: Some(name.as_bytes().to_vec()),
        addr: None,
        lineno: None,
        filename: None,
    };
    symbol.name()
}

/// The name of an inlined function, which lacks its module: that is derived from its file.
fn inlined(symbol: &Symbol) -> String {
    let name = without_generics(&symbol.name());
    let file = symbol.filename.as_ref().map(|file| file.to_string_lossy());
    match file.as_deref().and_then(module) {
        Some(module) if !name.contains("::") => format!("{module}::{name}"),
        _ => name,
    }
}

/// The module of a source file, as in `tokio::runtime::task`.
fn module(file: &str) -> Option<String> {
    let (before, inside) = file.rsplit_once("/src/")?;
    let room = before.rsplit('/').next()?;
    let package = match before.rsplit('/').nth(1) {
        Some("foundation" | "areas" | "workbench" | "server") => format!("octavo_{room}"),
        _ if room == "server" => "octavo_server".to_owned(),
        _ if before == room => return None,
        _ => without_version(room).to_owned(),
    };
    let inside = inside.strip_suffix(".rs")?;
    let inside = inside.trim_end_matches("/mod").replace('/', "::");
    let package = package.replace('-', "_");
    Some(match inside.as_str() {
        "lib" | "main" | "mod" => package,
        inside => format!("{package}::{inside}"),
    })
}

/// `hyper-util-0.1.20` is `hyper-util`.
fn without_version(room: &str) -> &str {
    match room.rsplit_once('-') {
        Some((name, version)) if version.starts_with(|first: char| first.is_ascii_digit()) => name,
        _ => room,
    }
}

/// Removes what stands in `<…>`, except for the outermost pair of `<Type as Trait>::function`.
fn without_generics(name: &str) -> String {
    let mut kept = usize::from(name.starts_with('<'));
    let mut depth = 0_usize;
    let mut before = ' ';
    let mut short = String::with_capacity(name.len());
    for character in name.chars() {
        let arrow = character == '>' && before == '-';
        before = character;
        if character == '<' {
            depth += 1;
        }
        if depth <= kept {
            short.push(character);
        }
        if character == '>' && !arrow {
            depth = depth.saturating_sub(1);
            kept = kept.min(depth);
        }
    }
    // What remains of `::<…>`.
    short
        .replace("::::", "::")
        .trim_end_matches("::")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_modules() {
        for (file, expected) in [
            (
                "foundation/platform/src/gateway.rs",
                Some("octavo_platform::gateway"),
            ),
            ("/x/server/src/cli.rs", Some("octavo_server::cli")),
            ("/x/server/host/src/key.rs", Some("octavo_host::key")),
            (
                "/x/areas/source-records/src/app/mod.rs",
                Some("octavo_source_records::app"),
            ),
            (
                "/r/tokio-1.54.1/src/runtime/task.rs",
                Some("tokio::runtime::task"),
            ),
            ("/r/hyper-util-0.1.20/src/lib.rs", Some("hyper_util")),
            (
                "/rustc/0a1b/library/std/src/thread/mod.rs",
                Some("std::thread"),
            ),
            ("src/main.rs", None),
            ("nptl/pthread_create.c", None),
        ] {
            assert_eq!(module(file).as_deref(), expected, "{file}");
        }
    }

    #[test]
    fn names_lose_their_generics() {
        for (name, short) in [
            ("run", "run"),
            ("call_once<fn() -> T, ()>", "call_once"),
            ("<a::B<C<D>> as e::F<G>>::run::<H>", "<a::B as e::F>::run"),
            ("a::b::<C>::d::{closure#0}", "a::b::d::{closure#0}"),
        ] {
            assert_eq!(without_generics(name), short, "{name}");
        }
    }

    #[test]
    fn the_programs_own_functions_are_found() {
        let names = Names::of_this_program();
        let address = module as fn(&str) -> Option<String> as *mut std::ffi::c_void;
        let frame = Symbol {
            name: Some(b"short".to_vec()),
            addr: Some(address),
            lineno: None,
            filename: None,
        };
        let in_file = Symbol {
            addr: Some(address.wrapping_byte_sub(names.base as usize)),
            ..frame.clone()
        };
        for frame in [frame, in_file] {
            let found = names.of_frame(&[frame]);
            assert_eq!(found, ["octavo_host::profile::names::module"]);
        }
    }
}
