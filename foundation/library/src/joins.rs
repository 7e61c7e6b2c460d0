//! SQL joins from an item to its holdings, instance, location and types. Each join is a look-up by
//! primary key. The aliases are the same in every statement: `item`, `holdings`, `instance`,
//! `place`, `library`, `campus`, `institution`, `material`, `loan_type`.

use std::fmt;

use octavo_records::Tables;

/// Joins that are being composed, in the order of the calls.
#[derive(Debug, Clone)]
pub struct ItemJoins<'t> {
    tables: Tables<'t>,
    join: &'static str,
    item: &'static str,
    sql: String,
}

impl<'t> ItemJoins<'t> {
    /// LEFT JOINs: a row stays whatever is missing. Begin with [`ItemJoins::item`].
    #[must_use]
    pub fn outer(tables: Tables<'t>) -> ItemJoins<'t> {
        ItemJoins::new(tables, "LEFT JOIN", "item")
    }

    /// INNER JOINs, which drop rows whose holdings or instance is missing. `item` is the
    /// statement's own alias for the items.
    #[must_use]
    pub fn inner(tables: Tables<'t>, item: &'static str) -> ItemJoins<'t> {
        ItemJoins::new(tables, "JOIN", item)
    }

    fn new(tables: Tables<'t>, join: &'static str, item: &'static str) -> ItemJoins<'t> {
        let sql = String::new();
        ItemJoins {
            tables,
            join,
            item,
            sql,
        }
    }

    fn add(mut self, join: &str, table: &str, alias: &str, id: &str) -> ItemJoins<'t> {
        let table = self.tables.table(table);
        let one = format!("\n         {join} {table} AS {alias} ON {alias}.id = {id}");
        self.sql.push_str(&one);
        self
    }

    /// SQL of the id in a property of the item.
    fn of_item(&self, property: &str) -> String {
        format!("({}.jsonb->>'{property}')::uuid", self.item)
    }

    /// Joins the item with this id.
    #[must_use]
    pub fn item(self, id: &str) -> ItemJoins<'t> {
        let (join, item) = (self.join, self.item);
        self.add(join, "item", item, id)
    }

    /// Joins the item's holdings.
    #[must_use]
    pub fn holdings(self) -> ItemJoins<'t> {
        let (join, id) = (self.join, self.of_item("holdingsRecordId"));
        self.add(join, "holdings_record", "holdings", &id)
    }

    /// Joins the holdings and the instance.
    #[must_use]
    pub fn title(self) -> ItemJoins<'t> {
        let join = self.join;
        self.holdings()
            .add(join, "instance", "instance", "holdings.instanceid")
    }

    /// Joins the holdings and the instance, or the instance with this id where there is no item.
    #[must_use]
    pub fn title_or(self, id: &str) -> ItemJoins<'t> {
        let (join, id) = (self.join, format!("coalesce(holdings.instanceid, {id})"));
        self.holdings().add(join, "instance", "instance", &id)
    }

    /// Joins the effective location.
    #[must_use]
    pub fn place(self) -> ItemJoins<'t> {
        let id = self.of_item("effectiveLocationId");
        self.add("LEFT JOIN", "location", "place", &id)
    }

    /// Joins the units above the effective location; call it after [`ItemJoins::place`].
    #[must_use]
    pub fn units(self) -> ItemJoins<'t> {
        let units = [
            ("loclibrary", "library"),
            ("loccampus", "campus"),
            ("locinstitution", "institution"),
        ];
        units.into_iter().fold(self, |joins, (table, unit)| {
            let id = format!("(place.jsonb->>'{unit}Id')::uuid");
            joins.add("LEFT JOIN", table, unit, &id)
        })
    }

    /// Joins the material type.
    #[must_use]
    pub fn material(self) -> ItemJoins<'t> {
        let id = self.of_item("materialTypeId");
        self.add("LEFT JOIN", "material_type", "material", &id)
    }

    /// Joins the effective loan type: the temporary one, else the permanent one.
    #[must_use]
    pub fn loan_type(self) -> ItemJoins<'t> {
        let item = self.item;
        let id = format!(
            "coalesce({item}.jsonb->>'temporaryLoanTypeId', \
             {item}.jsonb->>'permanentLoanTypeId')::uuid"
        );
        self.add("LEFT JOIN", "loan_type", "loan_type", &id)
    }
}

impl fmt::Display for ItemJoins<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sql.trim_start())
    }
}
