//! The worker: renders what waits in the queue, and sends what is lined up, by a few connections at
//! a time. No transaction is open while a mail server is spoken to, so a message is no portion of a job
//! (`foundation/jobs`): it is claimed for a time. A process that dies between sending and noting leaves a claim
//! that runs out: that message is sent again (at least once).

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use http::Method;
use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_jobs::{PortionSize, RUN_MAX};
use octavo_platform::Call;
use octavo_platform::system_call;
use octavo_records::{StoreError, instant};
use serde_json::{Value, json};
use tokio::sync::watch;
use uuid::Uuid;

use super::mail_server::mail_server;
use super::print_letter::print_letter;
use super::render_queued::{BATCH_MAX, render_queued};
use crate::message::letter::{Channel, failure};
use crate::message::mime::mail;
use crate::message::settings::{INCOMPLETE, SmtpSettings};
use crate::smtp::{self, SEND_TIMEOUT, Session};
use crate::store::dispatch::{self, CLAIM_SECONDS, ClaimedMessage, Next, Tried};

/// Connections of one process to one tenant's mail server.
const CONNECTIONS: usize = 4;
/// Messages that each connection claims at a time.
const TAKEN_AT_ONCE: i64 = 10;
/// Messages that are claimed at a time where no mail server is set.
const FAILED_AT_ONCE: i64 = 100;
/// The pause after which a connection without messages looks for some while notices are still rendered.
const NEXT_LOOK: Duration = Duration::from_millis(200);
/// Maximal number of attempts for a message.
pub const ATTEMPTS_MAX: i64 = 3;

/// Starts a worker, unless one is running, which then checks the queue once more. Returns at once; it is
/// only an acceleration, since a timer starts the worker too.
pub fn soon(call: &Call) {
    // The request ends before the work does: the worker has a call of its own.
    let own = system_call(&call.platform, &call.view);
    let workers = &call.platform.workers;
    workers.spawn(&call.tenant, "notices", 1, move || {
        let call = own.clone();
        async move { work(&call).await }
    });
}

/// Renders and sends until nothing is left that this process can have. Both at the same time: neither waits for a
/// slow mail server, nor for very many notices.
///
/// # Errors
/// On a database error; what was committed before stays.
#[boxed]
pub async fn work(call: &Call) -> Result<(), StoreError> {
    if !dispatch::is_anything(&call.writer().database, &call.tenant).await? {
        return Ok(());
    }
    let started = Instant::now();
    let all_rendered = watch::Sender::new(false);
    let rendering = async {
        let outcome = render_until_empty(call, started).await;
        all_rendered.send_replace(true);
        outcome
    };
    let senders = (0..CONNECTIONS).map(|_| {
        let all_rendered = all_rendered.subscribe();
        send_until_empty(call, started, all_rendered)
    });
    let (rendered, sent) = tokio::join!(rendering, join_all(senders));
    rendered?;
    sent.into_iter().collect()
}

async fn render_until_empty(call: &Call, started: Instant) -> Result<(), StoreError> {
    let room = call.platform.workers.room();
    let mut size = PortionSize::at_most(BATCH_MAX);
    while started.elapsed() < RUN_MAX {
        let most = size.next();
        let rendering = async {
            let began = Instant::now();
            let rendered = render_queued(call, most).await?;
            size.took(rendered, began.elapsed());
            Ok::<usize, StoreError>(rendered)
        };
        let rendered = room.portion(rendering).await?;
        if i64::try_from(rendered).unwrap_or(i64::MAX) < most {
            break;
        }
    }
    Ok(())
}

async fn send_until_empty(
    call: &Call,
    started: Instant,
    mut all_rendered: watch::Receiver<bool>,
) -> Result<(), StoreError> {
    let mut session = None;
    let mut outcome = Ok(());
    while started.elapsed() < RUN_MAX {
        let is_all = *all_rendered.borrow();
        match send_some(call, &mut session).await {
            Ok(0) if is_all => break,
            Ok(0) => {
                let _ = tokio::time::timeout(NEXT_LOOK, all_rendered.changed()).await;
            }
            Ok(_) => {}
            Err(error) => {
                outcome = Err(error);
                break;
            }
        }
    }
    smtp::close(session).await;
    outcome
}

/// Claims some messages and tries each once; returns how many.
async fn send_some(call: &Call, session: &mut Option<Session>) -> Result<usize, StoreError> {
    let Some(settings) = mail_server(call).await? else {
        let room = call.platform.workers.room();
        return room.portion(fail_some(call)).await;
    };
    let database = &call.writer().database;
    let claim = Uuid::new_v4();
    let taken_at = Instant::now();
    let taken = dispatch::take(database, &call.tenant, claim, TAKEN_AT_ONCE).await?;
    // Leaves time for sending one more message before the lease expires.
    let safe = Duration::from_secs_f64(CLAIM_SECONDS) - SEND_TIMEOUT * 2;
    for (at, one) in taken.iter().enumerate() {
        // After the lease another worker may have claimed it: do not start with it.
        if taken_at.elapsed() > safe {
            let rest: Vec<Uuid> = taken[at..].iter().map(|one| one.id).collect();
            dispatch::give_back(database, &call.tenant, claim, &rest).await?;
            break;
        }
        try_and_note(call, session, Some(&settings), claim, one).await?;
    }
    Ok(taken.len())
}

/// The same where no mail server is set: nothing is waited for, and the results are recorded together. Letters are
/// printed all the same.
async fn fail_some(call: &Call) -> Result<usize, StoreError> {
    let database = &call.writer().database;
    let claim = Uuid::new_v4();
    let taken = dispatch::take(database, &call.tenant, claim, FAILED_AT_ONCE).await?;
    let mut failed = Vec::with_capacity(taken.len());
    for one in &taken {
        let (tried, _) = attempt(call, &mut None, None, one).await;
        match Channel::named(&one.channel) {
            Some(Channel::Mail) => {
                dispatch::note(database, &call.tenant, claim, &[tried]).await?;
            }
            _ => failed.push(tried),
        }
    }
    if !failed.is_empty() {
        dispatch::note(database, &call.tenant, claim, &failed).await?;
    }
    Ok(taken.len())
}

/// Tries a message once and records the result; returns the recorded text.
///
/// # Errors
/// On a database error; it is tried again when the lease has expired.
#[boxed]
pub async fn try_and_note(
    call: &Call,
    session: &mut Option<Session>,
    settings: Option<&SmtpSettings>,
    claim: Uuid,
    taken: &ClaimedMessage,
) -> Result<String, StoreError> {
    let (tried, message) = attempt(call, session, settings, taken).await;
    dispatch::note(&call.writer().database, &call.tenant, claim, &[tried]).await?;
    Ok(message)
}

/// Tries a message once; returns the result, and its text.
async fn attempt(
    call: &Call,
    session: &mut Option<Session>,
    settings: Option<&SmtpSettings>,
    taken: &ClaimedMessage,
) -> (Tried, String) {
    let outcome = match Channel::named(&taken.channel) {
        Some(Channel::Mail) => print(call, taken).await,
        _ => send(session, settings, &taken.record).await,
    };
    let attempts = taken.record["attemptCount"].as_i64().unwrap_or(0) + 1;
    let retry = outcome.is_err() && attempts < ATTEMPTS_MAX;
    let (status, message) = match &outcome {
        Ok(()) => {
            let to = taken.record["to"].as_str().unwrap_or_default();
            (
                "DELIVERED",
                format!("The message has been delivered to {to}"),
            )
        }
        Err(reason) => ("FAILURE", failure(reason)),
    };
    if outcome.is_err() {
        tracing::warn!(tenant = call.tenant.id(), email = %taken.id, attempts, "a message was not sent");
    }
    let mut changes = json!({
        "status": status, "message": message, "attemptCount": attempts, "shouldRetry": retry,
        "date": instant::format(Timestamp::now()),
    });
    let named = taken.record["from"]
        .as_str()
        .is_some_and(|from| !from.trim().is_empty());
    if let Some(settings) = settings.filter(|_| !named) {
        changes["from"] = json!(settings.from);
    }
    let tried = Tried {
        id: taken.id,
        changes,
        next: if retry { Next::Retry } else { Next::Never },
    };
    (tried, message)
}

async fn send(
    session: &mut Option<Session>,
    settings: Option<&SmtpSettings>,
    record: &Value,
) -> Result<(), String> {
    let settings = settings.ok_or(INCOMPLETE)?;
    let mail = mail(record, settings)?;
    smtp::send(session, settings, &mail).await
}

/// Prints by the module that provides `batch-print`: a remote one, or our own.
async fn print(call: &Call, taken: &ClaimedMessage) -> Result<(), String> {
    let record = &taken.record;
    let Some(module) = call.remote("batch-print") else {
        return print_here(call, taken).await;
    };
    let mut message = json!({});
    for name in [
        "notificationId",
        "from",
        "to",
        "header",
        "body",
        "outputFormat",
        "attachments",
    ] {
        if let Some(value) = record.get(name) {
            message[name] = value.clone();
        }
    }
    let answer = module
        .send(call, Method::POST, "/mail", Some(&message))
        .await;
    match answer {
        Ok(answer) if answer.status.is_success() => Ok(()),
        Ok(answer) => Err(format!(
            "the module of batch-print answered {}",
            answer.status.as_u16()
        )),
        Err(_) => Err("the module of batch-print did not answer".to_owned()),
    }
}

async fn print_here(call: &Call, taken: &ClaimedMessage) -> Result<(), String> {
    if !call.view.serves("batch-print") {
        let reason =
            "no module provides the interface batch-print, which prints what is sent by mail";
        return Err(reason.to_owned());
    }
    let text = |name: &str| taken.record[name].as_str();
    let body = (text("body").unwrap_or_default(), text("outputFormat"));
    let kept = print_letter(call, taken.id, text("to"), body).await;
    kept.map_err(|_| "the letter was not kept for printing".to_owned())
}
