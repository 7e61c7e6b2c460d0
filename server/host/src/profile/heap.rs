//! Samples allocations, by the allocator: one in each half mebibyte, and only during a profile.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

use jemalloc_pprof::{JemallocProfCtl, PROF_CTL};
use pprof::Symbol;
use tokio::sync::{Mutex, OwnedMutexGuard, OwnedSemaphorePermit};

use super::folded::Folded;
use super::names::{self, Names};
use super::{Counted, ProfileError};

/// A running profile; aborted on drop.
pub(super) struct Sampling {
    allocator: OwnedMutexGuard<JemallocProfCtl>,
    _turn: OwnedSemaphorePermit,
}

impl Sampling {
    /// Starts a profile.
    ///
    /// # Errors
    /// When the allocator is not configured for sampling.
    pub(super) fn begin(turn: OwnedSemaphorePermit) -> Result<Sampling, ProfileError> {
        let known: &Arc<Mutex<JemallocProfCtl>> =
            PROF_CTL.as_ref().ok_or(ProfileError::NotReady)?;
        let allocator = Arc::clone(known).try_lock_owned();
        let mut allocator = allocator.map_err(|error| ProfileError::Heap(error.to_string()))?;
        let begun = allocator.activate();
        begun.map_err(|error| ProfileError::Heap(error.to_string()))?;
        Ok(Sampling {
            allocator,
            _turn: turn,
        })
    }

    /// Ends the profile and resolves the functions' names: not for a thread that serves requests.
    ///
    /// # Errors
    /// When the samples cannot be read.
    pub(super) fn end(mut self, counted: Counted) -> Result<Folded, ProfileError> {
        let dump = self.allocator.dump();
        let dump = dump.map_err(|error| ProfileError::Samples(error.to_string()))?;
        // The work below allocates too, and need not delay the next profile.
        drop(self);
        let folded = folded(dump, counted);
        names::forget();
        folded.map_err(|error| ProfileError::Samples(error.to_string()))
    }
}

impl Drop for Sampling {
    fn drop(&mut self) {
        if let Err(error) = self.allocator.deactivate() {
            tracing::warn!(%error, "the allocator's sampling could not be stopped");
        }
    }
}

fn folded(dump: File, counted: Counted) -> std::io::Result<Folded> {
    let names = Names::of_this_program();
    // Thousands of stacks share few addresses, so each is resolved once.
    let mut known: HashMap<usize, Vec<String>> = HashMap::new();
    let mut folded = Folded::default();
    for stack in stacks(BufReader::new(dump), counted)? {
        let mut functions: Vec<&str> = Vec::new();
        for address in &stack.addresses {
            let frame = || names.of_frame(&symbols(*address));
            known.entry(*address).or_insert_with(frame);
        }
        for address in stack.addresses.iter().rev() {
            functions.extend(known.get(address).into_iter().flatten().map(String::as_str));
        }
        // The innermost functions are the allocator's own, the same in every stack.
        while functions.last().is_some_and(|name| is_allocator(name)) {
            functions.pop();
        }
        folded.add(functions, stack.bytes);
    }
    Ok(folded)
}

fn is_allocator(name: &str) -> bool {
    [
        "_rjem_",
        "prof_",
        "imalloc",
        "iralloc",
        "do_rallocx",
        "tikv_jemallocator",
        "<tikv_jemallocator",
        "je_",
        "__rustc::__rust_",
        "alloc::alloc::",
        "<alloc::alloc::Global",
    ]
    .iter()
    .any(|one| name.starts_with(one))
}

fn symbols(address: usize) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    backtrace::resolve(std::ptr::with_exposed_provenance_mut(address), |symbol| {
        symbols.push(Symbol {
            name: symbol.name().map(|name| name.as_bytes().to_vec()),
            addr: symbol.addr(),
            lineno: symbol.lineno(),
            filename: symbol.filename().map(std::path::Path::to_owned),
        });
    });
    symbols
}

#[derive(Debug, PartialEq, Eq)]
struct Stack {
    /// Innermost first.
    addresses: Vec<usize>,
    bytes: u64,
}

/// Parses the allocator's format: `@` and addresses, then `t*: objects: bytes [objects: bytes]`,
/// first of what is live, then of what was ever allocated.
fn stacks(dump: impl BufRead, counted: Counted) -> std::io::Result<Vec<Stack>> {
    let mut stacks = Vec::new();
    let mut period = 1.0;
    let mut addresses: Option<Vec<usize>> = None;
    for line in dump.lines() {
        let line = line?;
        if let Some(every) = line.strip_prefix("heap_v2/") {
            period = every.trim().parse().unwrap_or(1.0);
        } else if let Some(list) = line.strip_prefix("@ ") {
            let address = |text: &str| usize::from_str_radix(text.trim_start_matches("0x"), 16);
            addresses = list
                .split_whitespace()
                .map(address)
                .collect::<Result<_, _>>()
                .ok();
        } else if line.starts_with("MAPPED_LIBRARIES") {
            break;
        } else if let Some(numbers) = line.trim_start().strip_prefix("t*:")
            && let Some(addresses) = addresses.take()
        {
            let numbers: Vec<f64> = numbers
                .split(|character: char| !character.is_ascii_digit())
                .filter(|text| !text.is_empty())
                .filter_map(|text| text.parse().ok())
                .collect();
            let pair = match counted {
                Counted::Held => numbers.get(..2),
                Counted::Allocated => numbers.get(2..4),
            };
            let Some([objects, bytes]) = pair else {
                continue;
            };
            if *objects > 0.0 {
                let bytes = estimated(*objects, *bytes, period);
                stacks.push(Stack { addresses, bytes });
            }
        }
    }
    Ok(stacks)
}

/// How many bytes the samples stand for: larger objects are sampled more often.
fn estimated(objects: f64, bytes: f64, period: f64) -> u64 {
    let met = 1.0 - (-(bytes / objects) / period).exp();
    (bytes / met).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "heap_v2/524288\n  t*: 3: 900 [5: 2000]\n  t0: 3: 900 [5: 2000]\n\
        @ 0x10 0x20\n  t*: 1: 1048576 [2: 2097152]\n  t0: 1: 1048576 [2: 2097152]\n\
        @ 0x30\n  t*: 0: 0 [1: 524288]\nMAPPED_LIBRARIES:\n@ 0x50\n  t*: 1: 1 [1: 1]\n";

    #[test]
    fn what_was_sampled_stands_for_more() {
        let held = stacks(DUMP.as_bytes(), Counted::Held).unwrap();
        let expected = Stack {
            addresses: vec![0x10, 0x20],
            bytes: 1_212_697,
        };
        assert_eq!(held, [expected]);
        let allocated = stacks(DUMP.as_bytes(), Counted::Allocated).unwrap();
        let bytes: Vec<u64> = allocated.iter().map(|stack| stack.bytes).collect();
        assert_eq!(bytes, [2_425_393, 829_411]);
    }
}
