//! Parses documents and checks what holds for any library.

use std::collections::{HashMap, HashSet};

use octavo_demo::{Document, table};
use serde_json::Value;

/// A fixed "now", so that tests do not depend on the day they run.
pub fn now() -> jiff::Timestamp {
    "2026-03-14T09:26:53.589Z".parse().unwrap()
}

/// Parsed documents, in the order in which they were made.
pub struct Library {
    pub records: Vec<(&'static str, Value)>,
}

impl Library {
    /// Parses every document; the record must hold the id it is filed under.
    pub fn read(documents: impl Iterator<Item = Document>) -> Self {
        let records = documents.map(|document| {
            let value: Value = serde_json::from_str(&document.json).unwrap();
            assert_eq!(value["id"], document.id.to_string());
            (document.table, value)
        });
        Self {
            records: records.collect(),
        }
    }

    pub fn of(&self, table: &str) -> impl Iterator<Item = &Value> {
        self.records
            .iter()
            .filter(move |(name, _)| *name == table)
            .map(|(_, value)| value)
    }

    pub fn count(&self, table: &str) -> usize {
        self.of(table).count()
    }

    /// Every reference between our tables points at a record that came earlier.
    pub fn assert_references_resolve(&self) {
        const REFERENCES: [(&str, &str, &str); 13] = [
            (table::CAMPUS, "/institutionId", table::INSTITUTION),
            (table::LIBRARY, "/campusId", table::CAMPUS),
            (table::LOCATION, "/libraryId", table::LIBRARY),
            (table::LOCATION, "/campusId", table::CAMPUS),
            (table::SOURCE_RECORD, "/snapshotId", table::SNAPSHOT),
            (
                table::SOURCE_RECORD,
                "/externalIdsHolder/instanceId",
                table::INSTANCE,
            ),
            (table::HOLDINGS, "/instanceId", table::INSTANCE),
            (table::HOLDINGS, "/permanentLocationId", table::LOCATION),
            (table::ITEM, "/holdingsRecordId", table::HOLDINGS),
            (table::ITEM, "/effectiveLocationId", table::LOCATION),
            (table::LOAN, "/itemId", table::ITEM),
            (table::LOAN, "/userId", table::USERS),
            (
                table::LOAN,
                "/itemEffectiveLocationIdAtCheckOut",
                table::LOCATION,
            ),
        ];
        let mut seen: HashMap<&str, HashSet<&str>> = HashMap::new();
        for (table, value) in &self.records {
            for (_, pointer, target) in REFERENCES.iter().filter(|(from, ..)| from == table) {
                let id = value.pointer(pointer).unwrap().as_str().unwrap();
                assert!(
                    seen.get(target).is_some_and(|ids| ids.contains(id)),
                    "{table}{pointer}"
                );
            }
            assert!(
                seen.entry(table)
                    .or_default()
                    .insert(value["id"].as_str().unwrap())
            );
        }
    }

    /// No two records of a table share what FOLIO keeps unique.
    pub fn assert_unique(&self) {
        for (table, properties) in [
            (table::LOCATION, &["name", "code"][..]),
            (table::USERS, &["username", "barcode", "externalSystemId"]),
            (table::INSTANCE, &["hrid"]),
            (table::SNAPSHOT, &["jobExecutionId"]),
            (table::SOURCE_RECORD, &["matchedId"]),
            (table::HOLDINGS, &["hrid"]),
            (table::ITEM, &["hrid", "barcode"]),
            (table::LOAN, &["itemId"]),
        ] {
            for property in properties {
                let mut seen = HashSet::new();
                for value in self.of(table) {
                    let text = value[property].as_str().unwrap().to_lowercase();
                    assert!(seen.insert(text), "{table}.{property} {}", value[property]);
                }
            }
        }
    }

    /// What FOLIO's schemas require, and what its storage would have computed.
    pub fn assert_complete(&self) {
        const REQUIRED: [(&str, &[&str]); 12] = [
            (table::INSTITUTION, &["/name", "/code"]),
            (table::CAMPUS, &["/name", "/code"]),
            (table::LIBRARY, &["/name", "/code"]),
            (
                table::LOCATION,
                &["/institutionId", "/primaryServicePoint", "/details"],
            ),
            (
                table::CALENDAR,
                &["/assignments/0", "/normalHours/0", "/exceptions"],
            ),
            (
                table::USERS,
                &[
                    "/personal/lastName",
                    "/patronGroup",
                    "/username",
                    "/expirationDate",
                ],
            ),
            (
                table::INSTANCE,
                &[
                    "/source",
                    "/title",
                    "/instanceTypeId",
                    "/_version",
                    "/indexTitle",
                ],
            ),
            (table::SNAPSHOT, &["/status", "/processingStartedDate"]),
            (
                table::SOURCE_RECORD,
                &[
                    "/recordType",
                    "/generation",
                    "/rawRecord/content",
                    "/parsedRecord/formattedContent",
                    "/externalIdsHolder/instanceHrid",
                    "/additionalInfo/suppressDiscovery",
                    "/state",
                    "/leaderRecordStatus",
                ],
            ),
            (
                table::HOLDINGS,
                &[
                    "/sourceId",
                    "/_version",
                    "/effectiveLocationId",
                    "/callNumber",
                ],
            ),
            (
                table::ITEM,
                &[
                    "/status/name",
                    "/status/date",
                    "/materialTypeId",
                    "/permanentLoanTypeId",
                    "/_version",
                    "/effectiveShelvingOrder",
                    "/effectiveCallNumberComponents/callNumber",
                ],
            ),
            (
                table::LOAN,
                &[
                    "/loanDate",
                    "/action",
                    "/dueDate",
                    "/status/name",
                    "/itemStatus",
                    "/loanPolicyId",
                    "/overdueFinePolicyId",
                    "/lostItemPolicyId",
                    "/patronGroupIdAtCheckout",
                    "/checkoutServicePointId",
                ],
            ),
        ];
        for (table, pointers) in REQUIRED {
            for value in self.of(table) {
                for pointer in pointers.iter().chain(&["/metadata/createdDate"]) {
                    assert!(
                        value.pointer(pointer).is_some(),
                        "{table} lacks {pointer}: {value}"
                    );
                }
            }
        }
    }

    /// An item is checked out exactly when an open loan is on it, at the item's own location.
    pub fn assert_loans_match_items(&self) {
        let loans: HashMap<&str, &Value> = self
            .of(table::LOAN)
            .map(|loan| (loan["itemId"].as_str().unwrap(), loan))
            .collect();
        for item in self.of(table::ITEM) {
            let loan = loans.get(item["id"].as_str().unwrap());
            assert_eq!(item["status"]["name"] == "Checked out", loan.is_some());
            if let Some(loan) = loan {
                assert_eq!(loan["itemStatus"], "Checked out");
                assert_eq!(
                    loan["itemEffectiveLocationIdAtCheckOut"],
                    item["effectiveLocationId"]
                );
                assert_eq!(loan["loanDate"], item["status"]["date"]);
                assert!(time(&loan["loanDate"]) < now() && loan["dueDate"].is_string());
            }
        }
        let groups: HashMap<&str, &Value> = self
            .of(table::USERS)
            .map(|user| (user["id"].as_str().unwrap(), &user["patronGroup"]))
            .collect();
        for loan in self.of(table::LOAN) {
            assert_eq!(
                &loan["patronGroupIdAtCheckout"],
                groups[loan["userId"].as_str().unwrap()]
            );
        }
    }

    /// Share of open loans that are past their due date, in percent.
    pub fn overdue_percent(&self) -> usize {
        let overdue = self
            .of(table::LOAN)
            .filter(|loan| time(&loan["dueDate"]) < now())
            .count();
        overdue * 100 / self.count(table::LOAN).max(1)
    }
}

/// A date-time property as a moment.
pub fn time(value: &Value) -> jiff::Timestamp {
    value.as_str().unwrap().parse().unwrap()
}
