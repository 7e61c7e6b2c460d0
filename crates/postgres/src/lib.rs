//! Finds or starts PostgreSQL; connection lanes, prepared statements, migrations.
