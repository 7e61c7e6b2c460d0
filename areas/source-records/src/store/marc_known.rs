//! PostgreSQL's statistics of search terms: which are common, and how common.

use std::collections::HashMap;

use octavo_postgres::Database;
use octavo_records::{Executor, StoreError, Tenant};

use crate::expression::Expression;
use crate::terms::{Terms, filter};

/// The number of records, and the frequencies of an expression's common terms. Other terms are rare:
/// statistics have the thousand most common ones.
#[derive(Debug, Clone, Default)]
pub struct TermStatistics {
    records: f64,
    parts: HashMap<i64, f64>,
}

impl TermStatistics {
    /// Reads the statistics of an expression's terms.
    pub async fn read(
        database: &Database,
        tenant: &Tenant,
        expression: &Expression,
    ) -> Result<TermStatistics, StoreError> {
        let mut numbers = Vec::new();
        collect(expression, &mut numbers);
        let sql = "SELECT greatest(class.reltuples, 0)::float8 AS records, \
             array(SELECT one.number FROM unnest(known.numbers, known.parts) AS one(number, part) \
               WHERE one.number = ANY($2) ORDER BY one.number) AS numbers, \
             array(SELECT one.part::float8 FROM unnest(known.numbers, known.parts) AS one(number, part) \
               WHERE one.number = ANY($2) ORDER BY one.number) AS parts \
             FROM pg_class AS class \
             JOIN pg_namespace AS schema ON schema.oid = class.relnamespace \
             LEFT JOIN LATERAL (SELECT most_common_elems::text::bigint[] AS numbers, \
               most_common_elem_freqs AS parts FROM pg_stats WHERE schemaname = schema.nspname \
               AND tablename = class.relname AND attname = 'terms') AS known ON true \
             WHERE schema.nspname = $1 AND class.relname = 'marc_term'";
        let rows = database.rows(sql, &[&tenant.schema(), &numbers]).await?;
        Ok(rows.first().map_or_else(TermStatistics::default, |row| {
            let (numbers, parts): (Vec<i64>, Vec<f64>) = (row.get("numbers"), row.get("parts"));
            TermStatistics {
                records: row.get("records"),
                parts: numbers.into_iter().zip(parts).collect(),
            }
        }))
    }

    /// The estimated number of matches, assuming that joined comparisons are independent.
    #[must_use]
    pub fn matches(&self, expression: &Expression) -> i64 {
        (self.part(expression) * self.records) as i64
    }

    /// The number of records before the end of a page, if matches are evenly distributed.
    #[must_use]
    pub fn rows_to(&self, expression: &Expression, shown: i64) -> i64 {
        let part = self.part(expression).max(f64::MIN_POSITIVE);
        (shown as f64 / part).min(self.records) as i64
    }

    fn part(&self, expression: &Expression) -> f64 {
        match expression {
            Expression::All(parts) => parts.iter().map(|one| self.part(one)).product(),
            Expression::Any(parts) => {
                let sum: f64 = parts.iter().map(|one| self.part(one)).sum();
                sum.min(1.0)
            }
            Expression::Is(operand) => self.part_of(&filter(operand).terms),
        }
    }

    fn part_of(&self, terms: &Terms) -> f64 {
        let of = |number: &i64| self.parts.get(number).copied().unwrap_or(0.0);
        match terms {
            Terms::All(all) => all.iter().map(of).fold(1.0, f64::min),
            Terms::Any(any) => any.iter().map(of).sum::<f64>().min(1.0),
            Terms::Without(none) => (1.0 - none.iter().map(of).sum::<f64>()).max(0.0),
            Terms::Only(there, missing) => (of(there) - of(missing)).max(0.0),
            // Dates have their own index, and the probe ends soon if there are many matches.
            Terms::Changed(_) | Terms::Nothing => 0.0,
        }
    }
}

/// The terms of an expression.
fn collect(expression: &Expression, numbers: &mut Vec<i64>) {
    match expression {
        Expression::All(parts) | Expression::Any(parts) => {
            parts.iter().for_each(|one| collect(one, numbers));
        }
        Expression::Is(operand) => match filter(operand).terms {
            Terms::All(some) | Terms::Any(some) | Terms::Without(some) => numbers.extend(some),
            Terms::Only(there, missing) => numbers.extend([there, missing]),
            Terms::Changed(_) | Terms::Nothing => {}
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Tag;
    use crate::expression::parse;
    use crate::terms::{has_code, has_tag};

    #[test]
    fn what_nothing_is_known_of_is_rare() {
        let tag = Tag::new("035").expect("a tag");
        let known = TermStatistics {
            records: 1_000.0,
            parts: HashMap::from([(has_tag(tag), 0.9), (has_code(tag, 'a'), 0.6)]),
        };
        for (expression, matches) in [
            ("001.value = 'in1'", 0),
            ("245.value = 'Glass'", 0),
            ("035.a is 'present'", 600),
            ("035.value is 'present'", 900),
            ("035.value is 'absent'", 100),
            ("035.a is 'absent'", 300),
            ("(001.value = 'in1' or 035.a is 'present')", 600),
            ("(001.value = 'in1' and 035.a is 'present')", 0),
            ("(035.value is 'present' and 035.a is 'present')", 540),
        ] {
            let parsed = parse(expression, "fields").expect(expression);
            let found = known.matches(&parsed);
            assert!((found - matches).abs() <= 1, "{expression}: {found}");
        }
        for (expression, rows) in [
            ("035.a is 'present'", 50),
            ("035.a is 'absent'", 100),
            ("001.value = 'in1'", 1_000),
        ] {
            let parsed = parse(expression, "fields").expect(expression);
            let found = known.rows_to(&parsed, 30);
            assert!((found - rows).abs() <= 1, "{expression}: {found}");
        }
    }
}
