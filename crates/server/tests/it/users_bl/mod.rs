//! Users with all that belongs to them, over HTTP.
