//! `/_/octavo/workload-runs`: workloads that staff start against their own tenant, one at a time.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use jiff::Timestamp;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use octavo_platform::respond::{empty, json_bytes, pretty};
use octavo_platform::{ApiError, Call, Handler};
use octavo_records::instant;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use uuid::Uuid;

use super::Workbench;
use super::run_folder::{PAGE, REPORT, RunEnd, RunFacts, RunFolders, RunState};
use super::run_request::RunRequest;

/// Of what a run says, the last lines are kept as its reason where it fails.
const REASON_BYTES_MAX: usize = 2_000;

/// The runs of this process.
#[derive(Debug)]
pub(super) struct Runs {
    workbench: Arc<Workbench>,
    current: Mutex<Option<Current>>,
}

/// The run that is under way.
#[derive(Debug)]
struct Current {
    id: Uuid,
    tenant: String,
    process: Pid,
    stopped: bool,
}

impl Runs {
    pub(super) fn new(workbench: Arc<Workbench>) -> Self {
        Self {
            workbench,
            current: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Current>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folders(&self, call: &Call) -> Result<RunFolders, ApiError> {
        let folder = self.workbench.folder.as_ref().ok_or_else(not_allowed)?;
        Ok(RunFolders(folder.join(call.tenant.id())))
    }

    /// The state of a run: one that this process does not lead and that has no end was cut short.
    fn state(&self, id: Uuid, end: Option<&RunEnd>) -> RunState {
        match end {
            Some(end) => end.state,
            None if self.lock().as_ref().is_some_and(|current| current.id == id) => {
                RunState::Running
            }
            None => RunState::Failed,
        }
    }

    fn shown(&self, facts: &RunFacts, end: Option<&RunEnd>) -> Value {
        let state = self.state(facts.id, end);
        let so_far = || (Timestamp::now() - facts.started_at).get_seconds().max(0);
        let seconds = match (end, state) {
            (Some(end), _) => Some(i64::try_from(end.seconds).unwrap_or(i64::MAX)),
            (None, RunState::Running) => Some(so_far()),
            (None, _) => None,
        };
        json!({
            "id": facts.id,
            "name": facts.name,
            "workload": facts.workload,
            "state": state,
            "startedAt": instant::format(facts.started_at),
            "virtualUsers": facts.virtual_users,
            "rampUpSeconds": facts.ramp_up_seconds,
            "durationSeconds": facts.duration_seconds,
            "seconds": seconds,
            "reason": end.and_then(|end| end.reason.as_deref()),
        })
    }
}

/// A handler that has the runs.
pub(super) fn bound<F, R>(runs: &Arc<Runs>, handler: F) -> Handler
where
    F: Fn(Arc<Runs>, Call) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Response, ApiError>> + Send + 'static,
{
    let runs = Arc::clone(runs);
    Handler::call(move |call| handler(Arc::clone(&runs), call))
}

fn not_allowed() -> ApiError {
    ApiError::text(
        StatusCode::FORBIDDEN,
        "This server was not started with --workbench, which allows operators to run workloads: \
         they change records and take the server's time",
    )
}

pub(super) async fn workloads(runs: Arc<Runs>, call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let workloads = &runs.workbench.workloads;
    Ok(pretty(
        StatusCode::OK,
        &json!({
            "workloads": workloads,
            "runsAllowed": runs.workbench.allows_runs,
            "totalRecords": workloads.len(),
        }),
    ))
}

pub(super) async fn list(runs: Arc<Runs>, call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let folders = runs.folders(&call)?;
    let listed = blocking(move || folders.list()).await?;
    let shown = listed
        .iter()
        .map(|(facts, end)| runs.shown(facts, end.as_ref()));
    let shown: Vec<Value> = shown.collect();
    Ok(pretty(
        StatusCode::OK,
        &json!({"runs": shown, "totalRecords": listed.len()}),
    ))
}

/// Starts a run. Each virtual user logs in as the caller, whose password is not stored.
pub(super) async fn start(runs: Arc<Runs>, call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let workbench = &runs.workbench;
    let (true, Some(url)) = (workbench.allows_runs, workbench.url.get()) else {
        return Err(not_allowed());
    };
    let request = RunRequest::read(&call.body, workbench)?;
    let user = call
        .identity
        .as_ref()
        .map(|identity| identity.claims.sub.as_str());
    let user = user.ok_or_else(|| ApiError::bad_request("A run needs a user to log in as"))?;
    let facts = RunFacts {
        id: Uuid::new_v4(),
        name: request.name.clone(),
        workload: request.workload.clone(),
        started_at: Timestamp::now(),
        virtual_users: request.virtual_users,
        ramp_up_seconds: request.ramp_up_seconds,
        duration_seconds: request.duration_seconds,
    };
    let folders = runs.folders(&call)?;
    // Held from here on: of two who start at the same moment one is refused.
    let mut current = runs.lock();
    if let Some(other) = current.as_ref() {
        return Err(ApiError::text(
            StatusCode::CONFLICT,
            format!(
                "Run {} is under way on this server; wait until it has ended, or stop it",
                other.id
            ),
        ));
    }
    let folder = folders.make(&facts).map_err(ApiError::fault)?;
    let tenant = call.tenant.id();
    let words = request.arguments(url, tenant, user, workbench.is_self_signed, &folder);
    let program = own_program().map_err(ApiError::fault)?;
    let child = Command::new(program)
        .args(words)
        .env("OCTAVO_WORKLOAD_PASSWORD", &request.password)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(ApiError::fault)?;
    let process = child.id().and_then(|id| i32::try_from(id).ok());
    let process = process.ok_or_else(|| ApiError::fault("the run has no process id"))?;
    *current = Some(Current {
        id: facts.id,
        tenant: tenant.to_owned(),
        process: Pid::from_raw(process),
        stopped: false,
    });
    drop(current);
    tokio::spawn(follow(Arc::clone(&runs), folders, facts.clone(), child));
    Ok(pretty(StatusCode::CREATED, &runs.shown(&facts, None)))
}

/// This program as it runs: on Linux also where an upgrade has replaced its file meanwhile.
fn own_program() -> std::io::Result<PathBuf> {
    match cfg!(target_os = "linux") {
        true => Ok(PathBuf::from("/proc/self/exe")),
        false => std::env::current_exe(),
    }
}

/// Waits for the end of a run and writes it down.
async fn follow(runs: Arc<Runs>, folders: RunFolders, facts: RunFacts, mut child: Child) {
    let mut said = Vec::new();
    if let Some(errors) = child.stderr.take() {
        let mut lines = BufReader::new(errors).split(b'\n');
        while let Ok(Some(line)) = lines.next_segment().await {
            said.extend_from_slice(&line);
            said.push(b'\n');
            let above = said.len().saturating_sub(REASON_BYTES_MAX);
            said.drain(..above);
        }
    }
    let status = child.wait().await;
    // 1 is a run with errors among its responses, which its report shows.
    let completed = status.is_ok_and(|status| matches!(status.code(), Some(0 | 1)));
    let current = runs.lock().take();
    let state = match (completed, current.is_some_and(|current| current.stopped)) {
        (true, false) => RunState::Ended,
        (_, true) => RunState::Stopped,
        (false, false) => RunState::Failed,
    };
    let seconds = (Timestamp::now() - facts.started_at).get_seconds();
    let reason =
        (state == RunState::Failed).then(|| String::from_utf8_lossy(&said).trim().to_owned());
    let end = RunEnd {
        state,
        seconds: u64::try_from(seconds).unwrap_or_default(),
        reason,
    };
    if let Err(error) = folders.end(facts.id, &end) {
        tracing::warn!(run = %facts.id, %error, "the end of a workload run could not be stored");
    }
}

/// What is known of a run, and what it has measured so far.
pub(super) async fn read(runs: Arc<Runs>, call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let (folders, id) = (runs.folders(&call)?, id(&call)?);
    let found = blocking(move || Ok((folders.facts(id)?, folders.file(id, REPORT)?))).await?;
    let (Some((facts, end)), report) = found else {
        return Err(ApiError::not_found());
    };
    let mut answer = runs.shown(&facts, end.as_ref()).to_string().into_bytes();
    // The report is passed on as it was written.
    if let Some(report) = report {
        answer.pop();
        answer.extend_from_slice(b",\"report\":");
        answer.extend_from_slice(&report);
        answer.push(b'}');
    }
    Ok(json_bytes(StatusCode::OK, answer))
}

/// The report as a page for a browser.
pub(super) async fn report(runs: Arc<Runs>, call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let (folders, id) = (runs.folders(&call)?, id(&call)?);
    let page = blocking(move || folders.file(id, PAGE)).await?;
    let page = page.ok_or_else(ApiError::not_found)?;
    let mut response = Response::new(Body::from(page));
    let headers = response.headers_mut();
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, html);
    // Its scripts are inside it, and it may ask nobody for anything.
    let policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; sandbox allow-scripts";
    let policy = HeaderValue::from_static(policy);
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// Stops a run, which then writes its report.
pub(super) async fn stop(runs: Arc<Runs>, call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let id = id(&call)?;
    let mut current = runs.lock();
    let running = current
        .as_mut()
        .filter(|current| current.id == id && current.tenant == call.tenant.id());
    let Some(running) = running else {
        return Err(ApiError::text(
            StatusCode::NOT_FOUND,
            format!("Run {id} is not under way on this server"),
        ));
    };
    running.stopped = true;
    kill(running.process, Signal::SIGINT).map_err(ApiError::fault)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Reads files apart from the threads that answer requests.
async fn blocking<T: Send + 'static>(
    read: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, ApiError> {
    let read = tokio::task::spawn_blocking(read).await;
    read.map_err(ApiError::fault)?.map_err(ApiError::fault)
}

fn id(call: &Call) -> Result<Uuid, ApiError> {
    let text = call.segment("runId");
    text.parse()
        .map_err(|_| ApiError::bad_request(format!("{text} is no id of a run: it must be a UUID")))
}
