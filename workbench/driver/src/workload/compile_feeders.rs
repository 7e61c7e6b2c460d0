//! Compiles the feeder sections of a workload file: their columns, and how they are filled from the
//! tenant.

use std::collections::{BTreeMap, HashSet};

use toml::Spanned;

use super::compile::{fault, json_path};
use super::format::{FeederSection, Sharing, TenantSection};
use super::json_path::JsonPath;
use super::plan::{FeederSpec, Lookup, TenantSource};
use super::source::Fault;
use super::target::encode_target;
use super::variables::Names;

/// The most rows that can be joined into one.
const TOGETHER_MAX: usize = 10_000;

/// Compiles all feeders; their columns become variables.
pub(super) fn feeders(
    sections: Vec<FeederSection>,
    names: &mut Names,
) -> Result<Vec<FeederSpec>, Fault> {
    let mut feeders: Vec<FeederSpec> = Vec::new();
    for section in sections {
        let name = section.name.get_ref().clone();
        if feeders.iter().any(|other| other.name == name) {
            return Err(fault(
                section.name.span(),
                format!("a second feeder `{name}`"),
            ));
        }
        if section.columns.is_empty() {
            return Err(fault(section.name.span(), "a feeder without columns"));
        }
        let slots = section
            .columns
            .iter()
            .map(|column| names.set_often(column))
            .collect();
        let tenant = match &section.tenant {
            Some(tenant) => Some(tenant_source(tenant, &section)?),
            None => None,
        };
        let together = match &section.together {
            Some(together) if !(1..=TOGETHER_MAX).contains(&together.get_ref().rows) => {
                let message = format!("rows together are 1 to {TOGETHER_MAX}");
                return Err(fault(together.span(), message));
            }
            together => together.as_ref().map(|one| one.get_ref().clone()),
        };
        let FeederSection {
            columns,
            rows,
            starts_empty,
            ..
        } = section;
        if starts_empty && (tenant.is_some() || rows == Sharing::Shared) {
            return Err(fault(
                section.name.span(),
                "a feeder that starts empty has no [feeder.tenant] and no shared rows",
            ));
        }
        feeders.push(FeederSpec {
            name,
            columns,
            slots,
            sharing: rows,
            together,
            starts_empty,
            tenant,
        });
    }
    Ok(feeders)
}

fn tenant_source(tenant: &TenantSection, feeder: &FeederSection) -> Result<TenantSource, Fault> {
    let columns = &feeder.columns;
    let lookup = match &tenant.lookup {
        None => None,
        Some(lookup) => {
            let by = columns
                .iter()
                .position(|column| column == lookup.by.get_ref());
            Some(Lookup {
                by: by.ok_or_else(|| fault(lookup.by.span(), "no such column"))?,
                path: lookup.path.get_ref().clone(),
                collection: lookup.collection.clone(),
                key: json_path(lookup.key.get_ref(), lookup.key.span())?,
                columns: column_paths(&lookup.columns, columns)?,
            })
        }
    };
    let own = column_paths(&tenant.columns, columns)?;
    let given: HashSet<usize> = own
        .iter()
        .chain(lookup.iter().flat_map(|lookup| &lookup.columns))
        .map(|(column, _)| *column)
        .collect();
    if given.len() != columns.len() {
        return Err(fault(
            tenant.path.span(),
            "not every column of the feeder is given",
        ));
    }
    let not_past = match &tenant.not_past {
        Some(path) => Some(json_path(path.get_ref(), path.span())?),
        None => None,
    };
    let requires = tenant
        .requires
        .iter()
        .map(|path| json_path(path.get_ref(), path.span()));
    Ok(TenantSource {
        requires: requires.collect::<Result<_, _>>()?,
        target: encode_target(tenant.path.get_ref()),
        collection: tenant.collection.clone(),
        columns: own,
        not_past,
        lookup,
        at_most: tenant.at_most,
    })
}

fn column_paths(
    paths: &BTreeMap<String, Spanned<String>>,
    columns: &[String],
) -> Result<Vec<(usize, JsonPath)>, Fault> {
    let mut found = Vec::new();
    for (name, path) in paths {
        let column = columns.iter().position(|column| column == name);
        let column = column.ok_or_else(|| fault(path.span(), format!("no column `{name}`")))?;
        found.push((column, json_path(path.get_ref(), path.span())?));
    }
    Ok(found)
}
