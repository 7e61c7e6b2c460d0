-- The statement behind a page of orders with orderFormat=="Physical Resource", twenty times with values that one more statement
-- brings. Written by a test of areas/orders (limits.rs).
\set n random(1, :rows)
SELECT 'physical resource' AS p1 FROM bench.feed WHERE n = :n \gset
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(orderformat_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
