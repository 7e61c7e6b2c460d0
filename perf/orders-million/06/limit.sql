-- The statement behind a page of orders with workflowStatus==Open, twenty times with values that one more statement
-- brings. Written by a test of areas/orders (limits.rs).
\set n random(1, :rows)
SELECT 'open' AS p1 FROM bench.feed WHERE n = :n \gset
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.purchase_order WHERE left(lower(public.f_unaccent(workflowstatus_text)), 600) COLLATE "C" = :p1::text LIMIT :limit::bigint;
