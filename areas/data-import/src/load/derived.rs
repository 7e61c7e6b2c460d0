//! Single records of a load, written with their derived records as jobs do.

use std::sync::Arc;

use octavo_boxed::boxed;
use octavo_cataloging::app::{Mapping, mapping_of};
use octavo_cataloging::bulk::raw;
use octavo_cataloging::overlay::{Protection, overlay};
use octavo_mapping::RecordKind;
use octavo_mapping::bib::keep_control_number;
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::Context;
use octavo_records::StoreError;
use octavo_records::store::fetch_locked;
use serde_json::{Map, Value};

use super::single::{Refused, Single, Singly, Storing};
use crate::app::profile;
use crate::apply::{self, Fault, Writing};
use crate::rules::parse::MarcRecordKind;
use crate::store::existing::source_of;

/// The context of a load for updates, and for holdings and authorities.
#[derive(Debug)]
pub struct Derived {
    bibs: Mapping,
    holdings: Mapping,
    authorities: Mapping,
    protections: Vec<Protection>,
}

impl Derived {
    /// Reads the tenant's rules, reference lists and protected fields.
    #[boxed]
    pub async fn read(context: &Context<'_>) -> Result<Arc<Derived>, StoreError> {
        let settings = profile::settings(context).await?;
        Ok(Arc::new(Derived {
            bibs: mapping_of(context, RecordKind::Bib).await?,
            holdings: mapping_of(context, RecordKind::Holdings).await?,
            authorities: mapping_of(context, RecordKind::Authority).await?,
            protections: profile::protections(&settings, &Value::Null),
        }))
    }

    /// The mapping of bibliographic records.
    #[must_use]
    pub fn of_bibs(&self) -> Mapping {
        self.bibs.clone()
    }

    async fn write(
        &self,
        context: &Context<'_>,
        transaction: &Transaction,
        single: Single,
    ) -> Result<(), Fault> {
        let (kind, mapping, table, property) = match single.kind {
            RecordKind::Bib => (MarcRecordKind::Bib, &self.bibs, "instance", "instanceId"),
            RecordKind::Holdings => {
                let holdings = "holdings_record";
                (
                    MarcRecordKind::Holdings,
                    &self.holdings,
                    holdings,
                    "holdingsId",
                )
            }
            RecordKind::Authority => {
                let authorities = &self.authorities;
                (
                    MarcRecordKind::Authority,
                    authorities,
                    "authority",
                    "authorityId",
                )
            }
        };
        let (raw, bytes) = raw(single.bytes, &single.record);
        let mut writing = Writing {
            raw: Some(raw),
            bytes,
            record: single.record,
            snapshot: single.snapshot_id,
            entity: single.changes,
            order: i64::try_from(single.position.saturating_sub(1)).unwrap_or(i64::MAX),
            set: Map::new(),
        };
        match single.changes {
            None => {
                apply::create(context, transaction, mapping, kind, writing).await?;
            }
            Some(changed) => {
                // Lock order: the described record before its source record.
                let collection = context.collection(table);
                fetch_locked(transaction, context.tenant, collection, changed).await?;
                let current = source_of(transaction, context.tenant, property, changed).await?;
                if let Some(current) = current {
                    let number =
                        |record: &Record| record.control("001").map(|one| one.trim().to_owned());
                    // The original control number is kept for later matching.
                    if kind == MarcRecordKind::Bib
                        && number(&writing.record) != number(&current.record)
                    {
                        keep_control_number(&mut writing.record);
                    }
                    writing.record = overlay(&current.record, &writing.record, &self.protections);
                }
                apply::update(context, transaction, mapping, kind, writing).await?;
            }
        }
        Ok(())
    }
}

impl Singly for Derived {
    fn store<'a>(
        &'a self,
        context: &'a Context<'a>,
        transaction: &'a Transaction,
        single: Single,
    ) -> Storing<'a> {
        Box::pin(async move {
            let written = self.write(context, transaction, single).await;
            written.map_err(|fault| match fault {
                Fault::Refused(reason) => Refused::Record(reason),
                Fault::Store(error) => Refused::Store(error),
            })
        })
    }
}
