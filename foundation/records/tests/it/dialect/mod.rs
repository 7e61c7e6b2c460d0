//! Tests of the CQL dialect: a direct evaluator of queries, random comparison with the store on
//! PostgreSQL, queries that try to make PostgreSQL fail, and the examples of the documents.

mod agreement;
mod bookcase;
mod clauses;
mod decimal;
mod documented;
mod evaluator;
mod fields;
mod hostile;
mod json;
mod queries;
mod records;
mod text;
