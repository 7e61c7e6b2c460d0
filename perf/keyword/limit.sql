-- The statement behind GET /instance-storage/instances?query=keyword all "…" sortBy title&limit=100,
-- with three words from the feed. The server's further statement, for the total, is its own cost.
\set n random(1, :rows)
SELECT v[1] AS v1, v[2] AS v2, v[3] AS v3 FROM bench.feed WHERE n = :n \gset
SELECT jsonb FROM tenant_bench.instance WHERE public.octavo_words(public.octavo_concat(VARIADIC ARRAY[jsonb->>'title', jsonb->>'indexTitle', public.octavo_join(jsonb->'alternativeTitles', 'alternativeTitle'), public.octavo_join(jsonb->'series', 'value'), public.octavo_join(jsonb->'contributors', 'name'), public.octavo_join(jsonb->'identifiers', 'value')])) @@ (public.octavo_phrase(:v1::text) && public.octavo_phrase(:v2::text) && public.octavo_phrase(:v3::text)) ORDER BY left(lower(public.f_unaccent(jsonb->>'title')), 600) COLLATE "C" LIMIT :limit::bigint;
