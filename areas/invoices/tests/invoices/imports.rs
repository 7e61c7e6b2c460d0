//! Invoices of EDIFACT messages, by jobs over HTTP: the sample is an interchange with two messages.

use std::time::{Duration, Instant};

use octavo_testkit::Client;
use reqwest::Method;
use serde_json::{Value, json};

use super::desk::{Desk, INVOICES, LINES, new_id};

const SAMPLE: &str = include_str!("samples/otter.edi");
const JOBS: &str = "/change-manager/jobExecutions";
/// FOLIO's default mapping profile for invoices of GOBI.
const GOBI: &str = "2ad182ee-75e8-4bdb-b859-530543a064dc";

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

async fn get(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200).json()
}

impl Desk {
    /// A copy of the default mapping for this library's vendor.
    async fn mapping(&self) -> Value {
        let path = format!("/data-import-profiles/mappingProfiles/{GOBI}");
        let mut profile = get(&self.client, &path).await;
        for name in [
            "id",
            "metadata",
            "userInfo",
            "parentProfiles",
            "childProfiles",
        ] {
            profile.as_object_mut().expect("an object").remove(name);
        }
        let fields = profile["mappingDetails"]["mappingFields"].as_array_mut();
        for field in fields.expect("fields") {
            match field["name"].as_str() {
                Some("vendorId") => field["value"] = json!(format!("\"{}\"", self.vendor)),
                Some("paymentMethod") => field["value"] = json!("\"EFT\""),
                Some("batchGroupId") => {
                    field["value"] = json!("\"FOLIO\"");
                    let known = json!({"2a2cb998-1437-41d1-88ad-01930aaeadd5": "FOLIO"});
                    field["acceptedValues"] = known;
                }
                _ => {}
            }
        }
        profile
    }

    /// Stores a profile below which another one lies; its id.
    async fn profile(&self, kind: &str, profile: &Value, below: Option<(&str, &str)>) -> String {
        let upper = kind.to_uppercase();
        let added: Vec<Value> = below
            .iter()
            .map(|(kind, id)| {
                json!({"masterProfileType": format!("{upper}_PROFILE"), "order": 0,
                       "detailProfileType": format!("{kind}_PROFILE"), "detailProfileId": id})
            })
            .collect();
        let body = json!({"profile": profile, "addedRelations": added});
        let path = format!("/data-import-profiles/{kind}Profiles");
        text(&self.client.post(&path, &body).await.expect(201).json()["id"])
    }

    /// A job profile that makes invoices.
    async fn job_profile(&self) -> String {
        let name = new_id();
        let mut mapping = self.mapping().await;
        mapping["name"] = json!(name);
        let mapping = self.profile("mapping", &mapping, None).await;
        let action = json!({"name": name, "action": "CREATE", "folioRecord": "INVOICE"});
        let action = self
            .profile("action", &action, Some(("MAPPING", &mapping)))
            .await;
        let job = json!({"name": name, "dataType": "EDIFACT"});
        self.profile("job", &job, Some(("ACTION", &action))).await
    }

    /// Uploads a file and imports it; gives the job as it ended and its log.
    async fn imported(&self, bytes: &str) -> (Value, Vec<Value>) {
        let client = &self.client;
        let profile = self.job_profile().await;
        let uploads = "/data-import/uploadDefinitions";
        let wanted = json!({"fileDefinitions": [{"name": "otter.edi", "uiKey": "k"}]});
        let defined = client.post(uploads, &wanted).await.expect(201).json();
        let id = text(&defined["id"]);
        let file = text(&defined["fileDefinitions"][0]["id"]);
        let request = client
            .request(Method::POST, &format!("{uploads}/{id}/files/{file}"))
            .header("content-type", "application/octet-stream")
            .body(bytes.to_owned());
        let stored = client.send(request).await.expect(200).json();
        let job = text(&stored["fileDefinitions"][0]["jobExecutionId"]);
        let info = json!({"id": profile, "name": "Otter", "dataType": "EDIFACT"});
        let process = json!({"uploadDefinition": stored, "jobProfileInfo": info});
        let path = format!("{uploads}/{id}/processFiles");
        let _ = client.post(&path, &process).await.expect(204);
        let started = Instant::now();
        loop {
            let ended = get(client, &format!("{JOBS}/{job}")).await;
            if matches!(ended["status"].as_str(), Some("COMMITTED" | "ERROR")) {
                let log = get(client, &format!("/metadata-provider/jobLogEntries/{job}")).await;
                let entries = log["entries"].as_array().expect("entries").clone();
                assert_eq!(log["totalRecords"], entries.len());
                return (ended, entries);
            }
            assert!(started.elapsed() < Duration::from_secs(60), "{ended}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Changes an order line in the storage.
    async fn change_order_line(&self, id: &str, more: &Value) {
        let path = format!("/orders-storage/po-lines/{id}");
        let mut line = get(&self.client, &path).await;
        for (name, value) in more.as_object().expect("an object") {
            line[name] = value.clone();
        }
        let _ = self.client.put(&path, &line).await.expect(204);
    }

    async fn found(&self, path: &str, query: &str, key: &str) -> Vec<Value> {
        let found = self.client.query(path, query).await.expect(200).json();
        found[key].as_array().expect("a list").clone()
    }
}

#[tokio::test]
async fn a_file_of_invoices_is_imported() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 500.0).await;
    let (by_number, _) = desk.order("10001", &[]).await;
    let class = json!({"titleOrPackage": "River mills", "fundDistribution": [
        {"fundId": fund, "code": "HIST", "distributionType": "percentage", "value": 100}]});
    desk.change_order_line(&by_number, &class).await;
    let (by_reference, _) = desk.order("10002", &[]).await;
    let reference = json!({"titleOrPackage": "Weirs", "vendorDetail": {"instructions": "",
        "vendorAccount": "", "referenceNumbers": [{"refNumber": "OTTER-77",
            "refNumberType": "Vendor title number", "vendorDetailsSource": "OrderLine"}]}});
    desk.change_order_line(&by_reference, &reference).await;

    let (job, log) = desk.imported(SAMPLE).await;
    // One line of the second invoice is refused, and nothing else.
    assert_eq!(job["status"], "ERROR", "{log:?}");
    assert_eq!(
        (&job["progress"]["total"], &job["progress"]["current"]),
        (&json!(2), &json!(2))
    );
    let sorted = "source==EDI sortby vendorInvoiceNo";
    let invoices = desk.found(INVOICES, sorted, "invoices").await;
    let numbers: Vec<&Value> = invoices.iter().map(|one| &one["vendorInvoiceNo"]).collect();
    assert_eq!(numbers, ["OTT5001", "OTT5002"]);
    let first = &invoices[0];
    assert_eq!(first["status"], "Open");
    assert_eq!(first["vendorId"], json!(desk.vendor));
    assert_eq!(
        (&first["lockTotal"], &first["total"]),
        (&json!(65.5), &json!(65.5))
    );
    assert_eq!(first["poNumbers"], json!(["10001", "10002"]));
    assert!(text(&first["invoiceDate"]).starts_with("2026-03-02"));
    let query = format!("invoiceId=={} sortby invoiceLineNumber", text(&first["id"]));
    let lines = desk.found(LINES, &query, "invoiceLines").await;
    let described: Vec<&Value> = lines.iter().map(|line| &line["description"]).collect();
    // By the title of the order line, where there is one.
    assert_eq!(
        described,
        ["River mills", "Weirs", "What's new on the water"]
    );
    assert_eq!(lines[0]["poLineId"], json!(by_number));
    assert_eq!(lines[1]["poLineId"], json!(by_reference));
    assert!(lines[2].get("poLineId").is_none());
    assert_eq!(
        (&lines[0]["quantity"], &lines[0]["subTotal"]),
        (&json!(2), &json!(40.0))
    );
    assert_eq!(lines[0]["fundDistributions"][0]["fundId"], json!(fund));
    assert_eq!(lines[0]["fundDistributions"][0]["code"], "HIST");
    assert_eq!(lines[1]["referenceNumbers"][0]["refNumber"], "OTTER-77");

    let shown: Vec<(String, &str)> = log
        .iter()
        .map(|one| {
            let line = &one["relatedInvoiceLineInfo"];
            let state = line["actionStatus"].as_str().unwrap_or_default();
            (text(&line["fullInvoiceLineNumber"]), state)
        })
        .collect();
    let wanted = [
        ("OTT5001-1", "CREATED"),
        ("OTT5001-2", "CREATED"),
        ("OTT5001-3", "CREATED"),
        ("OTT5002-1", "CREATED"),
        ("OTT5002-2", "DISCARDED"),
    ];
    assert_eq!(
        shown,
        wanted.map(|(number, state)| (number.to_owned(), state))
    );
    assert_eq!(log[0]["relatedInvoiceInfo"]["idList"], json!([first["id"]]));
    assert_eq!(
        log[0]["relatedInvoiceInfo"]["hridList"],
        json!([first["folioInvoiceNo"]])
    );
    assert!(log[0]["invoiceLineJournalRecordId"].is_string());
    let error = text(&log[4]["relatedInvoiceLineInfo"]["error"]);
    assert!(error.contains("quantity"), "{error}");
    let summary = format!("/metadata-provider/jobSummary/{}", text(&job["id"]));
    let summary = get(&desk.client, &summary).await;
    let counted = &summary["invoiceSummary"];
    assert_eq!(
        (&counted["totalCreatedEntities"], &counted["totalErrors"]),
        (&json!(2), &json!(1))
    );
    desk.in_order().await;
}

#[tokio::test]
async fn what_cannot_be_read_makes_no_invoice() {
    let desk = Desk::new().await;
    for (file, reason) in [
        (SAMPLE.replace("BGM+380+OTT5001+43'\n", ""), "segments"),
        (SAMPLE.replace("UNT+15+2'", "UNT+15+9'"), "reference"),
        (SAMPLE.replace("INVOIC", "ORDERS"), "ORDERS"),
        (SAMPLE.replace("DTM+137:20260302", "DTM+137:2026"), "date"),
        ("no interchange at all".to_owned(), "UNA"),
    ] {
        let before = desk.found(INVOICES, "source==EDI", "invoices").await.len();
        let (job, log) = desk.imported(&file).await;
        assert_eq!(job["status"], "ERROR", "{reason}");
        let failed: Vec<String> = log
            .iter()
            .map(|one| {
                one["relatedInvoiceLineInfo"]["error"].to_string() + &one["error"].to_string()
            })
            .collect();
        assert!(
            failed.iter().any(|error| error.contains(reason)),
            "{reason}: {failed:?}"
        );
        // The other message of the file is imported.
        let after = desk.found(INVOICES, "source==EDI", "invoices").await.len();
        let expected = match reason {
            "ORDERS" | "UNA" => 0,
            _ => 1,
        };
        assert_eq!(after - before, expected, "{reason}");
    }
}
