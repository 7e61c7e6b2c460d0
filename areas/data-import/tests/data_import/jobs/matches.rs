//! Each criterion of a match: records that it finds, records that it does not find, and refused
//! criteria.

use octavo_testkit::Client;
use serde_json::{Value, json};

use super::stock::field;
use super::{action, created, done, log, marc, match_by, property, raw};
use octavo_server_testkit::library;

const EXACTLY: &str = "EXACTLY_MATCHES";
const CONTAINS: &str = "EXISTING_VALUE_CONTAINS_INCOMING_VALUE";
/// FOLIO's types of identifiers.
const SYSTEM_NUMBER: &str = "7e591197-f335-4afb-bc6d-a6d76ca3bace";
const ISBN: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";

/// What is done at the end of a way through matches that found what they wanted. FOLIO takes no change of
/// MARC right below a match of instances: below these its MARC record is found.
fn noted(existing: &str) -> Value {
    if existing == "INSTANCE" {
        let there = marc("245", "**", "a");
        let title = fixed(json!({"staticValueType": "TEXT", "text": "bridges"}));
        let bib = "MARC_BIBLIOGRAPHIC";
        return json!([match_by(bib, &title, CONTAINS, &there, noted(bib))]);
    }
    let details = json!({"marcMappingOption": "MODIFY", "marcMappingDetails": [{"order": 0,
        "action": "ADD", "field": {"field": "590", "indicator1": "", "indicator2": "",
        "subfields": [{"subfield": "a", "data": {"text": "Found"}}]}}]});
    json!([action(0, "MATCH", "MODIFY", "MARC_BIBLIOGRAPHIC", details)])
}

/// A match with that below it.
fn matching(existing: &str, incoming: &Value, criterion: &str, there: &Value) -> Value {
    match_by(existing, incoming, criterion, there, noted(existing))
}

/// A side with what a value must have, or what of it is compared.
fn only(mut side: Value, name: &str, value: &str, part: &str) -> Value {
    side["qualifier"] = json!({"qualifierType": name, "qualifierValue": value,
        "comparisonPart": part});
    side["qualifier"]
        .as_object_mut()
        .expect("an object")
        .retain(|_, text| text != "");
    side
}

fn of_type(kind: &str) -> Value {
    let mut side = property("instance.identifiers[].value");
    let fields = side["fields"].as_array_mut().expect("a list");
    fields.push(json!({"label": "identifierTypeId", "value": kind}));
    side
}

fn fixed(details: Value) -> Value {
    json!({"dataValueType": "STATIC_VALUE", "staticValueDetails": details})
}

/// The instance that a job found, `nothing`, or why it was refused.
async fn outcome(client: &Client, tree: Value, record: &str) -> String {
    let done = done(client, json!([tree]), &[raw(record)]).await;
    let lines = log(client, &done).await;
    match done["status"].as_str() {
        Some("ERROR") => lines[0].to_string(),
        _ => match &lines[0]["relatedInstanceInfo"]["idList"][0] {
            Value::String(id) => id.clone(),
            _ => "nothing".to_owned(),
        },
    }
}

#[tokio::test]
async fn each_kind_of_match_finds_what_it_names() {
    let library = library().await;
    let client = library.client().await;
    let made = created(
        &client,
        &[
            raw(
                "001 n1\n020   $a9780000000001\n035   $a(ABC)x-00123-y\n035   $a(DEF)7\n\
                 245 10$aAlpha bridges",
            ),
            raw("001 n2\n020   $a7\n035   $a(ZZZ)00123\n245 10$aBeta bridges"),
        ],
    )
    .await;
    let (id, hrid) = made[0].clone();
    let source = super::source(&client, &id).await["matchedId"].clone();
    let source = source.as_str().expect("an id");
    let title = || property("instance.title");
    let own = |code: &str| marc("999", "ff", code);
    let (a035, bib) = (|| marc("035", "", "a"), "MARC_BIBLIOGRAPHIC");
    let numerics = |side: Value| only(side, "", "", "NUMERICS_ONLY");
    let letters = |side: Value| only(side, "", "", "ALPHANUMERICS_ONLY");
    let begins = |side: Value, part: &str| only(side, "BEGINS_WITH", "(ABC)", part);
    let cases = [
        // By the catalogue's own numbers.
        (bib, own("i"), own("i"), format!("999 ff$i{id}"), true),
        (bib, own("s"), own("s"), format!("999 ff$s{source}"), true),
        (bib, own("i"), own("i"), format!("999 ff$i{source}"), false),
        (
            bib,
            own("i"),
            own("i"),
            "999 ff$inonsense".to_owned(),
            false,
        ),
        (
            bib,
            marc("001", "", ""),
            marc("001", "", ""),
            format!("001 {hrid}"),
            true,
        ),
        (
            "INSTANCE",
            own("i"),
            property("instance.id"),
            format!("999 ff$i{id}"),
            true,
        ),
        (
            "INSTANCE",
            own("i"),
            property("instance.id"),
            "999 ff$inone".to_owned(),
            false,
        ),
        (
            "INSTANCE",
            marc("001", "", ""),
            property("instance.hrid"),
            format!("001 {hrid}"),
            true,
        ),
        // By identifiers, of a type or of any.
        (
            "INSTANCE",
            a035(),
            of_type(SYSTEM_NUMBER),
            "035   $a(DEF)7".to_owned(),
            true,
        ),
        (
            "INSTANCE",
            a035(),
            of_type(ISBN),
            "035   $a(DEF)7".to_owned(),
            false,
        ),
        (
            "INSTANCE",
            a035(),
            of_type(SYSTEM_NUMBER),
            "035   $a7".to_owned(),
            false,
        ),
        (
            "INSTANCE",
            marc("020", "", "a"),
            of_type(ISBN),
            "020   $a9780000000001".to_owned(),
            true,
        ),
        (
            "INSTANCE",
            a035(),
            property("instance.identifiers[].value"),
            "035   $a(DEF)7".to_owned(),
            true,
        ),
        // By other properties.
        (
            "INSTANCE",
            marc("245", "**", "a"),
            title(),
            "245 00$aAlpha bridges".to_owned(),
            true,
        ),
        (
            "INSTANCE",
            marc("245", "**", "a"),
            title(),
            "245 00$aAlpha".to_owned(),
            false,
        ),
        (
            "INSTANCE",
            fixed(json!({"staticValueType": "TEXT", "text": "Alpha bridges"})),
            title(),
            "245 00$ax".to_owned(),
            true,
        ),
        // By fields, and what of them counts.
        (bib, a035(), a035(), "035   $a(DEF)7".to_owned(), true),
        (bib, a035(), a035(), "035 9 $a(DEF)7".to_owned(), false),
        (
            bib,
            marc("035", "9 ", "a"),
            a035(),
            "035 9 $a(DEF)7".to_owned(),
            true,
        ),
        (
            bib,
            a035(),
            begins(a035(), ""),
            "035   $a(DEF)7".to_owned(),
            false,
        ),
        (
            bib,
            begins(a035(), ""),
            a035(),
            "035   $a(ABC)x-00123-y".to_owned(),
            true,
        ),
        (
            bib,
            begins(a035(), ""),
            a035(),
            "035   $a(DEF)7".to_owned(),
            false,
        ),
        (
            bib,
            only(a035(), "ENDS_WITH", "7", ""),
            only(a035(), "CONTAINS", "EF", ""),
            "035   $a(DEF)7".to_owned(),
            true,
        ),
        (
            bib,
            numerics(a035()),
            begins(a035(), "NUMERICS_ONLY"),
            "035   $a001/23".to_owned(),
            true,
        ),
        (
            bib,
            numerics(a035()),
            begins(a035(), "NUMERICS_ONLY"),
            "035   $a00124".to_owned(),
            false,
        ),
        (
            bib,
            letters(a035()),
            letters(a035()),
            "035   $aABCx.00123.y".to_owned(),
            true,
        ),
        (
            bib,
            letters(a035()),
            letters(a035()),
            "035   $aABCX00123y".to_owned(),
            false,
        ),
    ];
    for (at, (existing, incoming, there, line, is_found)) in cases.into_iter().enumerate() {
        let tree = matching(existing, &incoming, EXACTLY, &there);
        let given = if line.starts_with("001") {
            line.clone()
        } else {
            format!("001 other\n{line}")
        };
        let expected = if is_found { id.as_str() } else { "nothing" };
        let outcome = outcome(&client, tree, &format!("{given}\n650  0$aComes")).await;
        assert_eq!(outcome, expected, "{at}: {existing} {line}");
    }
    // A number that two have is no match of one.
    let tree = matching(bib, &numerics(a035()), EXACTLY, &numerics(a035()));
    let several = outcome(&client, tree, "001 x\n035   $a00123").await;
    assert!(several.contains("Found multiple records"), "{several}");
    let tree = matching(
        "INSTANCE",
        &marc("245", "**", "a"),
        "EXISTING_VALUE_BEGINS_WITH_INCOMING_VALUE",
        &title(),
    );
    assert_eq!(outcome(&client, tree, "001 x\n245 00$aAlpha").await, id);
}

#[tokio::test]
async fn what_cannot_be_looked_for_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let _ = created(&client, &[raw("001 n1\n035   $a(ABC)123\n245 10$aAlpha")]).await;
    let a035 = || marc("035", "", "a");
    let bib = "MARC_BIBLIOGRAPHIC";
    let numerics = |side: Value| only(side, "", "", "NUMERICS_ONLY");
    let range = json!({"staticValueType": "DATE_RANGE", "fromDate": "soon", "toDate": "later"});
    let cases = [
        matching(bib, &a035(), CONTAINS, &a035()),
        matching(
            bib,
            &marc("245", "", "a"),
            EXACTLY,
            &numerics(marc("245", "", "a")),
        ),
        matching(bib, &a035(), EXACTLY, &marc("LKR", "", "a")),
        matching(bib, &a035(), EXACTLY, &marc("035", "", "")),
        matching(bib, &marc("035", "", ""), EXACTLY, &a035()),
        matching("INSTANCE", &a035(), CONTAINS, &of_type(SYSTEM_NUMBER)),
        matching(
            "INSTANCE",
            &a035(),
            EXACTLY,
            &numerics(of_type(SYSTEM_NUMBER)),
        ),
        matching(
            "INSTANCE",
            &a035(),
            EXACTLY,
            &property("instance.contributors[].name"),
        ),
        matching(
            "INSTANCE",
            &a035(),
            "INCOMING_VALUE_BEGINS_WITH_EXISTING_VALUE",
            &property("instance.title"),
        ),
        matching(
            "INSTANCE",
            &fixed(range),
            EXACTLY,
            &property("instance.catalogedDate"),
        ),
        matching("INSTANCE", &a035(), EXACTLY, &json!({"fields": []})),
        matching(
            "INSTANCE",
            &a035(),
            "SOUNDS_LIKE",
            &property("instance.hrid"),
        ),
        matching("ORDER", &a035(), EXACTLY, &property("order.id")),
    ];
    for (at, tree) in cases.into_iter().enumerate() {
        // Whether the record has what is compared or not.
        for record in [
            "001 x\n035   $a(ABC)123\n245   $aAlpha",
            "001 x\n500   $aNone",
        ] {
            let error = outcome(&client, tree.clone(), record).await;
            let known = ["cannot be", "Match detail is invalid"];
            assert!(known.iter().any(|one| error.contains(one)), "{at}: {error}");
        }
    }
    let mut two = matching(bib, &a035(), EXACTLY, &a035());
    let detail = two["content"]["matchDetails"][0].clone();
    two["content"]["matchDetails"] = json!([detail, detail]);
    let error = outcome(&client, two.clone(), "001 x\n035   $a(ABC)123").await;
    assert!(error.contains("one thing"), "{error}");
    two["content"]["matchDetails"] = json!([]);
    let error = outcome(&client, two, "001 x\n035   $a(ABC)123").await;
    assert!(error.contains("Match detail is invalid"), "{error}");
}

#[tokio::test]
async fn a_match_below_another_looks_at_what_that_found() {
    let library = library().await;
    let client = library.client().await;
    let create = json!({"mappingFields": [field("instance.catalogedDate", "###TODAY###")]});
    let tree = json!([action(0, "MATCH", "CREATE", "INSTANCE", create)]);
    let records = [
        raw("001 n1\n035   $a(ABC)1\n100 1 $aMason, Ada\n245 10$aAlpha bridges"),
        raw("001 n2\n035   $a(ABC)2\n100 1 $aMason, Ada\n245 10$aBeta bridges"),
    ];
    let made = done(&client, tree, &records).await;
    let id = log(&client, &made).await[0]["relatedInstanceInfo"]["idList"][0].clone();
    let id = id.as_str().expect("an id");
    let below = |existing: &str, incoming: &Value, criterion: &str, there: &Value| {
        let inner = matching(existing, incoming, criterion, there);
        let a035 = marc("035", "", "a");
        match_by("MARC_BIBLIOGRAPHIC", &a035, EXACTLY, &a035, json!([inner]))
    };
    let dated = || property("instance.catalogedDate");
    let range = |from: &str, to: &str| {
        fixed(json!({"staticValueType": "DATE_RANGE", "fromDate": from, "toDate": to}))
    };
    let today = fixed(json!({"staticValueType": "EXACT_DATE", "exactDate": "###TODAY###"}));
    let name = || marc("100", "**", "a");
    let title = || property("instance.title");
    let cases = [
        ("INSTANCE", today, EXACTLY, dated(), true),
        (
            "INSTANCE",
            range("2020-01-01", "2999-12-31"),
            EXACTLY,
            dated(),
            true,
        ),
        (
            "INSTANCE",
            range("2020-01-01", "2020-12-31"),
            EXACTLY,
            dated(),
            false,
        ),
        // Two have the name, one of them has the number.
        (
            "INSTANCE",
            name(),
            CONTAINS,
            property("instance.contributors[].name"),
            true,
        ),
        (
            "MARC_BIBLIOGRAPHIC",
            name(),
            CONTAINS,
            marc("100", "1 ", "a"),
            true,
        ),
        ("INSTANCE", name(), CONTAINS, title(), false),
        (
            "INSTANCE",
            fixed(json!({"staticValueType": "TEXT", "text": "Beta bridges"})),
            EXACTLY,
            title(),
            false,
        ),
        (
            "INSTANCE",
            fixed(json!({"staticValueType": "TEXT", "text": "false"})),
            EXACTLY,
            property("instance.discoverySuppress"),
            true,
        ),
    ];
    let record = "001 x\n035   $a(ABC)1\n100 1 $aMason";
    for (at, (existing, incoming, criterion, there, is_found)) in cases.into_iter().enumerate() {
        let tree = below(existing, &incoming, criterion, &there);
        let expected = if is_found { id } else { "nothing" };
        assert_eq!(outcome(&client, tree, record).await, expected, "{at}");
    }
}
