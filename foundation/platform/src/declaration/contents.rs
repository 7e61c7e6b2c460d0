//! The contents of bodies and answers that modules declare: record types, and shapes of their own.
//! Knows no request; the gateway compares with them in tests, the self-description shows them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use octavo_records::shape::ObjectShape;
use octavo_records::{Collection, Reading, Shape};
use serde_json::Value;

use crate::module::Module;
use crate::route::Content;

/// All record types and shapes by their names.
#[derive(Debug, Default)]
pub struct Contents {
    records: HashMap<String, Arc<Collection>>,
    shapes: BTreeMap<&'static str, Shape>,
}

impl Contents {
    /// Collects and parses what modules declare.
    ///
    /// # Errors
    /// Names a shape that cannot be parsed, a name that is declared twice, and one that is used but
    /// not declared.
    pub fn of(modules: &[Module]) -> Result<Contents, String> {
        let collections = modules.iter().flat_map(|module| &module.collections);
        let records: HashMap<String, Arc<Collection>> = collections
            .map(|collection| (collection.table.clone(), Arc::clone(collection)))
            .collect();
        let mut shapes = BTreeMap::new();
        for (name, text) in modules.iter().flat_map(|module| &module.shapes) {
            let shape = Shape::parse_referring(text);
            let mut shape = shape.map_err(|error| format!("the shape {name}: {error}"))?;
            if let Some(like) = shape.like.take() {
                let record = records.get(&like).ok_or_else(|| {
                    format!("the shape {name} is like {like}, which is no record")
                })?;
                shape.extend(&record.shape.root);
            }
            if records.contains_key(*name) || shapes.insert(*name, shape).is_some() {
                return Err(format!("the shape {name} is declared twice"));
            }
        }
        let contents = Contents { records, shapes };
        contents.check(modules)?;
        Ok(contents)
    }

    fn check(&self, modules: &[Module]) -> Result<(), String> {
        for (name, shape) in &self.shapes {
            if let Some(unknown) = shape.names().iter().find(|one| self.object(one).is_none()) {
                return Err(format!(
                    "the shape {name} refers to {unknown}, which nobody declares"
                ));
            }
        }
        for module in modules {
            if let Some(stray) = module.strays.first() {
                return Err(format!(
                    "{} declares the contents of {stray}, which is none of its routes",
                    module.name
                ));
            }
            for route in module.interfaces.iter().flat_map(|one| &one.routes) {
                for content in [route.takes, route.answers].into_iter().flatten() {
                    if self.object(content.name()).is_none() {
                        return Err(format!(
                            "{} {} is declared with {}, which nobody declares",
                            route.method,
                            route.pattern,
                            content.name()
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// The shapes, by name.
    pub(crate) fn shapes(&self) -> impl Iterator<Item = (&'static str, &Shape)> {
        self.shapes.iter().map(|(name, shape)| (*name, shape))
    }

    /// The properties of a shape or record type.
    fn object(&self, name: &str) -> Option<&ObjectShape> {
        let shape = self.shapes.get(name).map(|shape| &shape.root);
        shape.or_else(|| self.records.get(name).map(|record| &record.shape.root))
    }

    /// Where a body departs from its declared content.
    pub(crate) fn departures(
        &self,
        content: Content,
        body: &Value,
        reading: Reading,
    ) -> Vec<String> {
        let of = |name: &str, value: &Value| match self.object(name) {
            Some(shape) => shape.departures(value, reading, &|name| self.object(name)),
            None => Vec::new(),
        };
        let Content::List(table) = content else {
            return of(content.name(), body);
        };
        let Some(collection) = self.records.get(table) else {
            return Vec::new();
        };
        let key = &collection.list_key;
        let Some(records) = body[key].as_array() else {
            return vec![format!("{key}: is required, and not there")];
        };
        let of_record = |(at, record)| {
            let found = of(table, record);
            found
                .into_iter()
                .map(move |one| format!("{key}[{at}].{one}"))
        };
        records.iter().enumerate().flat_map(of_record).collect()
    }
}
