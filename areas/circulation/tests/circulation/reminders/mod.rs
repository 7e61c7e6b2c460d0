//! Reminders of overdue loans and their fees: when they are planned, what a run of the timer does, and
//! what it leaves alone. A run is given its time, so that weeks pass within a test.

mod acts;
mod at_once;
mod billed;
mod given_up;
mod mailed;

use std::sync::Arc;

use octavo_circulation::app::Desk;
use octavo_circulation::app::remind::{Reminded, remind_borrowers};
use octavo_circulation::config_cache::ConfigCache;
use octavo_platform::Platform;
use octavo_records::Stamp;
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};

use super::lent::{Lent, OwnPolicy};
use super::stocked;
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, Stock};

/// The overdue fine policy that the default rules name.
const POLICY: &str = "cd3f6cac-fa17-4079-9fae-2fb28e521412";
const TIMER: &str = "/circulation/scheduled-digital-reminders-processing";
const TEMPLATE: &str = "0ff6b0d1-8cb5-4d2e-9a44-0a5fd0f0c7a1";
/// A loan of thirty days made now is due on Saturday, 2 March 2024, at ten.
const LENT: &str = "2024-02-01T10:00:00Z";

/// A step of a schedule.
fn step(interval: i64, unit: &str, fee: f64, format: &str) -> Value {
    json!({"interval": interval, "timeUnitId": unit, "reminderFee": fee, "noticeFormat": format,
           "noticeTemplateId": TEMPLATE})
}

/// A fee after a day, a notice two days later, and a fee without a notice.
fn schedule() -> Value {
    json!({"countClosed": false, "allowRenewalOfItemsWithReminderFees": true,
           "reminderSchedule": [step(1, "day", 1.5, "Email"), step(2, "day", 0.0, "Print"),
                                step(1, "day", 2.29, "None")]})
}

/// Makes the overdue fine policy one with these reminders, or without.
async fn reminding(client: &Client, reminders: Value) {
    let mut policy = json!({"id": POLICY, "name": "Overdue fine policy"});
    if !reminders.is_null() {
        policy["reminderFeesPolicy"] = reminders;
    }
    let path = format!("/overdue-fines-policies/{POLICY}");
    let _ = client.put(&path, &policy).await.expect(204);
}

/// The first desk is open on workdays.
async fn open_on_workdays(client: &Client) {
    let days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"].map(
        |day| json!({"startDay": day, "startTime": "09:00", "endDay": day, "endTime": "17:00"}),
    );
    let calendar = json!({"name": "Workdays", "startDate": "2024-01-01", "endDate": "2024-12-31",
        "assignments": [CIRC_DESK_1], "normalHours": days, "exceptions": []});
    let _ = client
        .post("/calendar/calendars", &calendar)
        .await
        .expect(201);
}

async fn owner(client: &Client) -> String {
    let owner = json!({"owner": "Town library", "servicePointOwner": [
        {"value": CIRC_DESK_1, "label": "Circ Desk 1"}]});
    let owner = client.post("/owners", &owner).await.expect(201).json();
    owner["id"].as_str().expect("an id").to_owned()
}

/// A library that reminds, with somebody whom fees are owed to.
async fn reminding_library() -> (Library, Stock) {
    let (library, stock) = stocked().await;
    let _ = OwnPolicy::new(&stock).await;
    open_on_workdays(&stock.client).await;
    reminding(&stock.client, schedule()).await;
    let _ = owner(&stock.client).await;
    (library, stock)
}

/// A run of the timer in a process, at an instant.
async fn run_in(library: &Library, platform: &Arc<Platform>, at: &str) -> Reminded {
    let (tenant, cache) = (library.tenant(), ConfigCache::default());
    let desk = Desk {
        context: octavo_records::Context {
            store: &platform.store,
            tenant: &tenant,
            stamp: Stamp {
                user_id: None,
                at: at.parse().expect("an instant"),
            },
        },
        cache: &cache,
    };
    remind_borrowers(desk).await.expect("a run")
}

async fn run(library: &Library, at: &str) -> Reminded {
    run_in(library, &library.platform, at).await
}

/// What a run does to one loan: its fee is billed.
fn billed() -> Reminded {
    Reminded {
        reminded: 1,
        charged: 1,
        ..Reminded::default()
    }
}

fn dropped() -> Reminded {
    Reminded {
        dropped: 1,
        ..Reminded::default()
    }
}

/// The scheduled notices of a loan.
async fn notices(client: &Client, loan: &str) -> Vec<Value> {
    let path = "/scheduled-notice-storage/scheduled-notices";
    let query = format!("loanId=={loan} and triggeringEvent==\"Due date - with reminder fee\"");
    let found = client.query(path, &query).await.expect(200).json();
    found["scheduledNotices"]
        .as_array()
        .expect("a list")
        .clone()
}

/// When the one reminder of a loan is due.
async fn due(client: &Client, loan: &str) -> String {
    let found = notices(client, loan).await;
    assert_eq!(found.len(), 1, "{found:?}");
    let due = found[0]["nextRunTime"].as_str().expect("an instant");
    due.trim_end_matches(":00.000+00:00").to_owned()
}

/// The accounts of a loan, the first one first.
async fn accounts(client: &Client, loan: &str) -> Vec<Value> {
    let query = format!("loanId=={loan} sortby metadata.createdDate");
    let found = client.query("/accounts", &query).await.expect(200).json();
    found["accounts"].as_array().expect("a list").clone()
}

/// The lines of the log about notices and fees.
async fn logged(library: &Library) -> Vec<Value> {
    let sql = "SELECT jsonb FROM tenant_diku.circulation_logs
               WHERE jsonb->>'object' IN ('Notice', 'Fee/Fine') ORDER BY jsonb->>'date', ctid";
    let database = &library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("the log");
    rows.iter().map(|row| row.get(0)).collect()
}

/// The last number that a loan keeps.
async fn number(lent: &Lent, client: &Client) -> Value {
    lent.loan(client).await["reminders"]["lastFeeBilled"]["number"].clone()
}
