//! Reports of constructed runs: what they say, and that they are safe to open.

mod forms;
mod sample;
mod sentences;
mod several;
