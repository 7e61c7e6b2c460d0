//! Files of MARC become instances, holdings, items and source records.

use octavo_marc::{Malformed, Record, RecordError, parse_text};
use octavo_records::Stamp;
use octavo_source_records::app::load_marc::{HoldingsOptions, ItemOptions, LoadError};
use octavo_source_records::app::{
    Context, LoadEvent, LoadOptions, LoadProblem, LoadSummary, load_marc,
};
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use super::text;
use crate::library;
use crate::stock::{BOOK, CAN_CIRCULATE, Stock};

type Input = Vec<Result<Record, RecordError>>;

fn bib(number: u32, more: &str) -> Result<Record, RecordError> {
    let text = format!(
        "001 {number}\n003 NoOU\n050  4$aTG300$b.M{number}\n100 1 $aMason, Ada\n\
         245 10$aBridges, volume {number} /$cAda Mason\n{more}"
    );
    Ok(parse_text(&text).expect("well-formed lines"))
}

async fn load(
    library: &Library,
    input: Input,
    options: &LoadOptions,
) -> (Result<LoadSummary, LoadError>, Vec<LoadProblem>) {
    let tenant = library.tenant();
    let context = Context {
        store: &library.platform.store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let mut problems = Vec::new();
    let mut listen = |event| match event {
        LoadEvent::Problem(problem) => problems.push(problem),
        LoadEvent::Progress(_) => {}
    };
    let outcome = load_marc(&context, input, options, &mut listen).await;
    (outcome, problems)
}

fn with_items(location_id: Uuid) -> LoadOptions {
    let id = |text: &str| Uuid::try_parse(text).expect("a UUID");
    let items = ItemOptions {
        material_type_id: id(BOOK),
        loan_type_id: id(CAN_CIRCULATE),
    };
    let holdings = HoldingsOptions {
        location_id,
        holdings_type_id: None,
        items: Some(items),
    };
    LoadOptions {
        holdings: Some(holdings),
        batch_records: 4,
    }
}

async fn total(client: &Client, path: &str) -> Value {
    client
        .get(&format!("{path}?limit=0"))
        .await
        .expect(200)
        .json()["totalRecords"]
        .clone()
}

#[tokio::test]
async fn records_become_instances_with_their_source() {
    let library = library().await;
    let client = library.client().await;
    let input: Input = (1..=7).map(|number| bib(number, "")).collect();
    let options = LoadOptions {
        batch_records: 3,
        ..LoadOptions::default()
    };
    let (outcome, problems) = load(&library, input, &options).await;
    let summary = outcome.expect("the load ends well");
    assert_eq!(problems, []);
    assert_eq!(
        (summary.read, summary.instances, summary.holdings),
        (7, 7, 0)
    );

    let found = client
        .query("/instance-storage/instances", "title=\"volume 5\"")
        .await
        .expect(200)
        .json();
    let instance = &found["instances"][0];
    assert_eq!(
        (text(instance, "source"), &instance["_version"]),
        ("MARC", &json!(1))
    );
    let path = format!(
        "/source-storage/formattedRecords/{}?identifier=INSTANCE",
        text(instance, "id")
    );
    let record = client.get(&path).await.expect(200).json();
    assert_eq!(
        record["externalIdsHolder"]["instanceHrid"],
        instance["hrid"]
    );
    let formatted = text(&record["parsedRecord"], "formattedContent");
    assert!(
        formatted.contains(&format!("001 {}\n", text(instance, "hrid"))),
        "{formatted}"
    );
    let own = format!(
        "999 ff$i{}$s{}\n",
        text(instance, "id"),
        text(&record, "id")
    );
    assert!(formatted.ends_with(&own), "{formatted}");
    let snapshot = format!("/source-storage/snapshots/{}", summary.snapshot_id);
    assert_eq!(
        client.get(&snapshot).await.expect(200).json()["status"],
        "COMMITTED"
    );

    // Nothing says that a record is the same as one before: a file twice is everything twice.
    let again = (1..=7).map(|number| bib(number, "")).collect();
    let (outcome, _) = load(&library, again, &options).await;
    assert_eq!(outcome.expect("the load ends well").instances, 7);
    assert_eq!(total(&client, "/instance-storage/instances").await, 14);
}

#[tokio::test]
async fn what_cannot_be_loaded_is_told_and_costs_no_other() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let location = Uuid::try_parse(&stock.location).expect("a UUID");
    let item = |number: u32, barcode: &str| {
        bib(
            number,
            &format!("852 0 $bT/C/M/S$hTG300$iM{number}$p{barcode}"),
        )
    };
    let malformed = RecordError {
        number: 4,
        offset: 0,
        reason: Malformed::Truncated,
    };
    let input: Input = vec![
        item(1, "b1"),
        item(2, "b2"),
        Ok(parse_text("001 3\n500   $aNo title").expect("well-formed lines")),
        Err(malformed),
        item(5, "b1"),
        item(6, "b6"),
        bib(7, "500   $aA nul\u{0}byte"),
        item(8, "b8"),
        bib(9, ""),
    ];
    let (outcome, problems) = load(&library, input, &with_items(location)).await;
    let summary = outcome.expect("the load ends well");
    let positions: Vec<u64> = problems.iter().map(|problem| problem.position).collect();
    assert_eq!(positions, [3, 4, 5, 7], "{problems:?}");
    assert!(problems[2].reason.contains("b1"), "{problems:?}");
    assert_eq!(
        (summary.read, summary.instances, summary.problems),
        (9, 5, 4)
    );
    assert_eq!((summary.holdings, summary.items), (5, 4));
    // One more is the stock's own.
    assert_eq!(total(&client, "/instance-storage/instances").await, 6);
    let found = client
        .query("/item-storage/items", "barcode==b6")
        .await
        .expect(200)
        .json();
    let item = &found["items"][0];
    assert_eq!(item["effectiveLocationId"], json!(location));
    assert_eq!(
        item["effectiveCallNumberComponents"]["callNumber"],
        "TG300 M6"
    );
    assert!(text(item, "hrid").starts_with("it"));
    assert_eq!(item["order"], 1);
}

#[tokio::test]
async fn options_must_name_what_exists() {
    let library = library().await;
    let options = with_items(Uuid::from_u128(7));
    let (outcome, _) = load(&library, vec![bib(1, "")], &options).await;
    let message = outcome.expect_err("there is no such location").to_string();
    assert!(message.starts_with("there is no location"), "{message}");
}
