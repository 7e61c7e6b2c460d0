//! Reports of constructed runs: their content, and that they are safe to open.

mod forms;
mod sample;
mod sentences;
mod several;
