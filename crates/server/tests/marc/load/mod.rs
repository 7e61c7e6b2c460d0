//! Loading files of MARC as the command line does: what becomes of them, of broken ones, and of loads
//! that are cut off, repeated or given twice at the same time.

mod broken;
mod files;
mod matched;
mod resumed;
mod singly;

use std::io::{Cursor, ErrorKind};
use std::sync::Arc;

use octavo_data_import::load::{
    Input, LoadError, LoadEvent, LoadOptions, LoadProblem, Loaded, Progress, Taken, load,
};
use octavo_mapping::{RecordKind, References, Rules};
use octavo_marc::{Malformed, RecordError, parse_text, write_iso2709};
use octavo_records::Stamp;
use octavo_source_records::app::Context;
use octavo_testkit::{Client, Library};
use serde_json::Value;

/// What a load told.
pub(crate) struct Told {
    pub(crate) outcome: Result<Loaded, LoadError>,
    begun: Option<Progress>,
    pub(crate) problems: Vec<LoadProblem>,
    earlier: Vec<LoadProblem>,
}

impl Told {
    pub(crate) fn complete(&self) -> Progress {
        match &self.outcome {
            Ok(Loaded::Complete(progress)) => *progress,
            other => panic!("not complete: {other:?}; {:?}", self.problems),
        }
    }

    fn positions(&self) -> Vec<u64> {
        self.problems.iter().map(|one| one.position).collect()
    }
}

pub(crate) fn options() -> LoadOptions {
    let kind = RecordKind::Bib;
    let rules = Rules::parse(kind, &Rules::defaults(kind)).expect("rules that parse");
    LoadOptions::new("file.mrc", Arc::new(rules), Arc::new(References::shipped()))
}

/// Options of a file that is known again.
fn known_as(fingerprint: &str, batch_records: usize) -> LoadOptions {
    LoadOptions {
        fingerprint: Some(fingerprint.to_owned()),
        batch_records,
        ..options()
    }
}

async fn load_input(
    library: &Library,
    input: impl Iterator<Item = Taken> + Send + 'static,
    options: &LoadOptions,
) -> Told {
    let tenant = library.tenant();
    let context = Context {
        store: &library.platform.store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let (mut begun, mut problems, mut earlier) = (None, Vec::new(), Vec::new());
    let mut listen = |event| match event {
        LoadEvent::Begun(progress) => begun = Some(progress),
        LoadEvent::Problem(problem) => problems.push(problem),
        LoadEvent::EarlierProblem(problem) => earlier.push(problem),
        LoadEvent::Progress(_) => {}
    };
    let outcome = load(&context, input, options, &mut listen).await;
    Told {
        outcome,
        begun,
        problems,
        earlier,
    }
}

pub(crate) async fn load_bytes(library: &Library, bytes: Vec<u8>, options: &LoadOptions) -> Told {
    let input = Input::open(Cursor::new(bytes)).expect("bytes in memory can be read");
    load_input(library, input, options).await
}

/// A record in ISO 2709.
fn bib(number: usize, more: &str) -> Vec<u8> {
    let text = format!(
        "001 {number}\n003 NoOU\n050  4$aTG300$b.M{number}\n100 1 $aMason, Ada\n\
         245 10$aBridges, volume {number} /$cAda Mason\n{more}"
    );
    iso2709(&text)
}

fn iso2709(text: &str) -> Vec<u8> {
    write_iso2709(&parse_text(text).expect("well-formed lines")).expect("a short record")
}

fn bibs(numbers: impl IntoIterator<Item = usize>) -> Vec<u8> {
    numbers.into_iter().flat_map(|one| bib(one, "")).collect()
}

/// The records of bytes up to one, before which the input fails.
fn failing_at(position: usize, bytes: Vec<u8>) -> impl Iterator<Item = Taken> + Send {
    let input = Input::open(Cursor::new(bytes)).expect("bytes in memory can be read");
    let failure = std::iter::once_with(move || Taken {
        byte_offset: 0,
        bytes: Vec::new(),
        record: Err(RecordError {
            number: position as u64,
            offset: 0,
            reason: Malformed::Io(ErrorKind::UnexpectedEof.into()),
        }),
    });
    input.take(position - 1).chain(failure)
}

async fn total(client: &Client, path: &str) -> u64 {
    let page = client.get(&format!("{path}?limit=0")).await.expect(200);
    page.json()["totalRecords"].as_u64().expect("a number")
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {value}"))
}
