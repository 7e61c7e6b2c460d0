//! The composed product over HTTP on real PostgreSQL: what holds for all areas. Tests of one area lie in
//! `areas/<area>/tests/`.

mod abuse;
mod access;
mod area_tables;
mod audit;
mod bad_input;
mod compatibility;
mod declarations;
mod demo;
mod events;
mod facts;
mod gateway;
mod guard;
mod indexes;
mod isolation;
mod job_queue;
mod limits;
mod okapi;
mod openapi;
mod records;
mod release;
mod shapes;
mod tenants;
mod tidy;
mod traces;
mod wire;
