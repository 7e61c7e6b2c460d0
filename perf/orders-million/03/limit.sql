-- The statement behind a page of orders with poLineNumber=="306857-1", twenty times with values that one more statement
-- brings. Written by a test of areas/orders (limits.rs).
\set n random(1, :rows)
SELECT v[1] AS v1, v[2] AS v2, v[3] AS v3, v[4] AS v4, v[5] AS v5, v[6] AS v6, v[7] AS v7, v[8] AS v8, v[9] AS v9, v[10] AS v10, v[11] AS v11, v[12] AS v12, v[13] AS v13, v[14] AS v14, v[15] AS v15, v[16] AS v16, v[17] AS v17, v[18] AS v18, v[19] AS v19, v[20] AS v20 FROM bench.feed WHERE n = :n \gset
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v1::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v2::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v3::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v4::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v5::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v6::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v7::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v8::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v9::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v10::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v11::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v12::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v13::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v14::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v15::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v16::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v17::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v18::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v19::text LIMIT :limit::bigint;
SELECT jsonb FROM tenant_millions.po_line WHERE left(lower(public.f_unaccent(polinenumber_text)), 600) COLLATE "C" = :v20::text LIMIT :limit::bigint;
