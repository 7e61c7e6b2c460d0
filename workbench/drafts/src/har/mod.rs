//! Browser recordings (HTTP Archive) as drafts: chooses the requests to FOLIO, replaces the login
//! by the draft's own, correlates values with earlier responses, and removes secrets.

mod archive;
mod choose;
mod correlate;
mod secrets;

use self::archive::{Archive, Entry};
use crate::draft::{Draft, DraftError, FILE_BYTES_MAX, RunOptions, workload_name};
use crate::model::{Branch, Call, Expect, Think, Transaction, Workload};
use crate::note::Notes;
use crate::{finish, login, reference, write};

/// Shorter pauses come from the browser itself.
const PAUSE_LEAST_MS: i64 = 200;
/// Longer pauses are breaks of the person recording.
const PAUSE_MOST_MS: i64 = 10 * 60 * 1000;
const REQUESTS: &str = "requests taken otherwise than they were recorded";
const LOGINS: &str = "logins";
const ENTRIES_MAX: usize = 100_000;

/// A request being converted.
struct RecordedRequest<'a> {
    entry: &'a Entry,
    call: Call,
    is_login: bool,
}

/// The draft of a recording.
pub(crate) fn draft(text: &str, name: &str) -> Result<Draft, DraftError> {
    if text.len() as u64 > FILE_BYTES_MAX {
        return Err(DraftError::TooMany {
            of: "bytes in the recording",
            limit: FILE_BYTES_MAX as usize,
            remedy: "record without the bodies of images, or in parts",
        });
    }
    let archive = archive::parse(text)?;
    if archive.log.entries.len() > ENTRIES_MAX {
        return Err(DraftError::TooMany {
            of: "requests in the recording",
            limit: ENTRIES_MAX,
            remedy: "record less at a time",
        });
    }
    let mut notes = Notes::default();
    let chosen = choose::choose(&archive.log.entries, &mut notes)?;
    let secrets = secrets::Secrets::of(&archive.log.entries);
    let mut taken: Vec<RecordedRequest<'_>> = chosen
        .entries
        .iter()
        .map(|entry| taken(entry, &chosen, &mut notes))
        .collect();
    pauses(&mut taken, &mut notes);
    correlate::correlate(&mut taken, &mut notes);
    for one in &mut taken {
        secrets.hide(&mut one.call);
        one.call.label = label(&one.call);
    }
    let mut workload = workload(&archive, taken, name, &secrets, &mut notes)?;
    finish::finish(&mut workload, &finish::Knowledge::default(), &mut notes);
    let requests = archive.log.entries.len();
    let count = workload.transactions.iter().map(|one| one.calls.len());
    let taken = count.sum::<usize>();
    let mut notes = notes.into_sorted();
    for note in &mut notes {
        note.what = secrets.hide_in_text(&note.what);
    }
    let mut head = String::from(
        "A draft of a recording, to be finished by hand. The format is described in \
         workloads/README.md.\nTokens, cookies and passwords of the recording are not in it.\n",
    );
    for group in notes.chunk_by(|one, next| one.group == next.group) {
        head.push_str(&format!(
            "To look at: {} ({})\n",
            group[0].group,
            group.len()
        ));
    }
    // The rules that found the secrets may miss some, so the whole draft is searched once more.
    let toml = secrets.hide_in_draft(&write::toml(&workload, &head));
    Ok(Draft {
        toml,
        notes,
        run: RunOptions {
            virtual_users: Some(1),
            ..RunOptions::default()
        },
        requests,
        taken,
    })
}

fn taken<'a>(
    entry: &'a Entry,
    chosen: &choose::Chosen<'_>,
    notes: &mut Notes,
) -> RecordedRequest<'a> {
    let request = &entry.request;
    let (target, path) = choose::target(&request.url, &chosen.prefix);
    let target = reference::literal(&target);
    let is_login = login::is_login(&request.method, &target);
    let headers = choose::headers(request, notes);
    let body = request.post_data.as_ref().and_then(|data| data.body());
    let body = body.map(|body| reference::literal(&body));
    let mut expect = Vec::new();
    if entry.response.status >= 400 {
        expect.push(Expect::Status(entry.response.status as u16));
        let what = format!(
            "{} {path} was answered {}, which the draft expects again",
            request.method, entry.response.status
        );
        notes.add(0, REQUESTS, what);
    }
    let call = Call {
        label: String::new(),
        method: request.method.to_uppercase(),
        target,
        headers,
        body,
        expect,
        ..Call::default()
    };
    RecordedRequest {
        entry,
        call,
        is_login,
    }
}

/// The time between the last response and the next request, as a pause.
fn pauses(taken: &mut [RecordedRequest<'_>], notes: &mut Notes) {
    let mut idle_since: Option<i64> = None;
    for one in taken {
        let Some(started) = one.entry.started_ms() else {
            continue;
        };
        if let Some(since) = idle_since {
            let mut pause = started.saturating_sub(since);
            if pause > PAUSE_MOST_MS {
                let what = format!("a pause of {} s is shortened to 600 s", pause / 1000);
                notes.add(0, REQUESTS, what);
                pause = PAUSE_MOST_MS;
            }
            if pause > PAUSE_LEAST_MS {
                one.call.think = Think {
                    constant_ms: pause.unsigned_abs(),
                    uniform_ms: 0,
                };
            }
        }
        let ended = started.saturating_add(one.entry.length_ms());
        idle_since = idle_since.max(Some(ended));
    }
}

/// Method and path without values.
fn label(call: &Call) -> String {
    let path = call.target.split('?').next().unwrap_or_default();
    format!("{} {}", call.method, path.replace("${", "{"))
}

fn workload(
    archive: &Archive,
    taken: Vec<RecordedRequest<'_>>,
    name: &str,
    secrets: &secrets::Secrets,
    notes: &mut Notes,
) -> Result<Workload, DraftError> {
    let mut workload = Workload {
        name: workload_name(name),
        title: format!("A recording: {name}"),
        description: format!("A draft of the recording {name}."),
        ..Workload::default()
    };
    let mut logins = Vec::new();
    for one in taken {
        if one.is_login {
            logins.push(one.call);
            continue;
        }
        let page = one.entry.page.as_deref().unwrap_or_default();
        let title = archive
            .title(page)
            .unwrap_or_else(|| "recording".to_owned());
        let title = secrets.hide_in_text(&title).replace("${", "$ {");
        // A page that is visited again is another step of the same task.
        match workload
            .transactions
            .iter_mut()
            .find(|open| open.name == title)
        {
            Some(open) => open.calls.push(one.call),
            None => workload.transactions.push(Transaction {
                name: title,
                summed: true,
                calls: vec![one.call],
            }),
        }
    }
    if workload.transactions.is_empty() {
        let reason = match logins.is_empty() {
            true => "no request of the recording is one to FOLIO",
            false => "the recording has a login only; record what follows it, too",
        };
        return Err(DraftError::NoRequest {
            reason: reason.to_owned(),
        });
    }
    if logins.len() > 1 {
        let what = format!(
            "{} logins were recorded; the draft has the first",
            logins.len()
        );
        notes.add(0, LOGINS, what);
    }
    let mut call = logins.into_iter().next().unwrap_or_else(|| {
        let what = "no login was recorded; the draft logs in by POST /authn/login";
        notes.add(0, LOGINS, what);
        login::own()
    });
    call.label = label(&call);
    let token = login::adopt(&mut call, notes);
    call.label = label(&call);
    call.think = Think::default();
    // Browsers with cookies send no token in a header; the driver does.
    for one in workload
        .transactions
        .iter_mut()
        .flat_map(|one| &mut one.calls)
    {
        one.headers
            .retain(|(name, _)| !login::is_token_header(name));
        let header = ("X-Okapi-Token".to_owned(), format!("${{{token}}}"));
        one.headers.push(header);
    }
    for one in workload.calls_mut().chain(std::iter::once(&mut call)) {
        one.headers
            .retain(|(name, _)| !login::is_tenant_header(name));
        let header = ("X-Okapi-Tenant".to_owned(), "${tenant}".to_owned());
        one.headers.push(header);
    }
    workload.login = Some(call);
    workload.branches = vec![Branch {
        name: "recording".to_owned(),
        weight: 1,
        draws: Vec::new(),
        steps: workload
            .transactions
            .iter()
            .map(|one| one.name.clone())
            .collect(),
    }];
    Ok(workload)
}
