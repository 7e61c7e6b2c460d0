//! Dematic EMS with its edge: lists as XML, each told once, and reports by XML.

use std::fmt::Write;

use serde_json::{Value, json};

use super::super::{ACCESSIONS, Annex, RETRIEVALS};

/// An element with a row's texts.
fn element(name: &str, row: &Value, fields: &[(&str, &str)]) -> String {
    let mut xml = format!("<{name}>");
    for (element, property) in fields {
        let text = row[*property].as_str().unwrap_or_default();
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = write!(xml, "<{element}>{text}</{element}>");
    }
    xml + &format!("</{name}>")
}

/// The answer of an edge to a list: rows that wait, which are done then.
pub async fn look_up(annex: &Annex, call: &str) -> String {
    let (queue, name, fields): (_, _, &[(&str, &str)]) = match call {
        "lookupNewAsrItems" => (
            ACCESSIONS,
            "asrItem",
            &[
                ("author", "instanceAuthor"),
                ("title", "instanceTitle"),
                ("itemNumber", "itemBarcode"),
                ("callNumber", "callNumber"),
            ],
        ),
        _ => (
            RETRIEVALS,
            "asrRequest",
            &[
                ("holdId", "holdId"),
                ("itemBarcode", "itemBarcode"),
                ("title", "instanceTitle"),
                ("author", "instanceAuthor"),
                ("callNumber", "callNumber"),
                ("patronBarcode", "patronBarcode"),
                ("patronName", "patronName"),
                ("pickupLocation", "pickupLocation"),
                ("requestStatus", "requestStatus"),
                ("requestNote", "requestNote"),
            ],
        ),
    };
    let rows = annex.waiting(queue).await;
    let mut xml = format!("<{name}s>");
    for row in &rows {
        xml += &element(name, row, fields);
        let barcode = row["itemBarcode"].as_str().expect("a barcode");
        let path = format!("{queue}/barcode/{barcode}");
        let _ = annex.client().put(&path, &json!(null)).await.expect(204);
    }
    xml + &format!("</{name}s>")
}

/// The texts of all elements of a name, as the machine reads them.
pub fn values<'x>(xml: &'x str, name: &str) -> Vec<&'x str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let parts = xml.split(&*open).skip(1);
    parts
        .filter_map(|part| part.split(&*close).next())
        .collect()
}

/// A report of the machine, passed on by the edge.
pub async fn update(annex: &Annex, call: &str, barcode: &str) {
    let report = format!(
        "<updateAsrItem><itemBarcode>{barcode}</itemBarcode><itemStatus>x</itemStatus>\
         <operatorId>1</operatorId></updateAsrItem>"
    );
    let path = match call {
        "updateASRItemStatusBeingRetrieved" => {
            format!("/remote-storage/retrieve/{}/checkInItem", annex.storage)
        }
        _ => format!("/remote-storage/return/{}", annex.storage),
    };
    let body = json!({"itemBarcode": values(&report, "itemBarcode")[0]});
    let _ = annex.client().post(&path, &body).await.expect(200);
}
