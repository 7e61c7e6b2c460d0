//! A FOLIO module in another process, to be plugged in beside the native ones.

fn main() {}
