//! Check-out and check-in by barcode, and what prevents them.

mod act_races;
mod allowed_points;
mod anonymization;
mod at_location;
mod audit;
mod default_rules;
mod desk_functions;
mod due_date_change;
mod fines;
mod hold_shelf;
mod instance_requests;
mod invariants;
mod lent;
mod limits;
mod loan_routes;
mod loans;
mod locks;
mod log_record_events;
mod loss;
mod notices;
mod placing;
mod policies;
mod print_slips;
mod printing;
mod refusals;
mod reminders;
mod renewal;
mod reports;
mod request_upkeep;
mod requests;
mod scan;
mod settings;
mod shown;
mod support;
mod terms;
mod titles_given;
mod together;
mod upkeep;
mod visits;

use octavo_testkit::Library;
use serde_json::{Value, json};

use octavo_server_testkit::operated;
use octavo_server_testkit::stock::Stock;

const OUT: &str = "/circulation/check-out-by-barcode";
const IN: &str = "/circulation/check-in-by-barcode";

async fn stocked() -> (Library, Stock) {
    let library = operated().await;
    let client = library.client().await;
    let stock = Stock::new(client).await;
    (library, stock)
}

fn check_in(item: &str, service_point: &str) -> Value {
    json!({"itemBarcode": item, "servicePointId": service_point,
           "checkInDate": "2026-03-01T10:00:00Z"})
}

fn messages(answer: &Value) -> Vec<&str> {
    answer["errors"]
        .as_array()
        .map(|errors| {
            errors
                .iter()
                .filter_map(|error| error["message"].as_str())
                .collect()
        })
        .unwrap_or_default()
}
