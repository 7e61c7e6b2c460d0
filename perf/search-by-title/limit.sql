-- The statements behind GET /search/instances?query=keyword all "…" sortBy title&limit=100, with one word from
-- the feed: how many there are, and the page along the titles. What the planner believes, which the server asks
-- first, is its own cost.
\set n random(1, :rows)
SELECT v[1] AS v1 FROM bench.feed WHERE n = :n \gset
\set walked 10000
\set skipped 0
SELECT count(*) FROM tenant_bench.search_instance AS s WHERE (tenant_bench.search_keyword_words(s.words) @@ (public.octavo_phrase(:v1::text)));
WITH page AS MATERIALIZED (SELECT id, row_number() OVER () AS place FROM (SELECT s.id FROM (SELECT * FROM tenant_bench.search_instance AS s ORDER BY s.title_key, s.id LIMIT :walked::bigint) AS s WHERE (tenant_bench.search_keyword_words(s.words) @@ (public.octavo_phrase(:v1::text))) ORDER BY s.title_key, s.id LIMIT :limit::bigint OFFSET :skipped::bigint) AS hit) SELECT jsonb_strip_nulls(jsonb_build_object('id', page.id, 'tenantId', 'bench', 'shared', false, 'title', record.jsonb->'title', 'contributors', record.jsonb->'contributors', 'publication', record.jsonb->'publication', 'staffSuppress', coalesce(record.jsonb->'staffSuppress', 'false'), 'discoverySuppress', coalesce(record.jsonb->'discoverySuppress', 'false'), 'isBoundWith', EXISTS (SELECT FROM tenant_bench.search_item AS item JOIN tenant_bench.bound_with_part AS part ON part.itemid = item.id WHERE item.instance_id = page.id))) AS shown FROM page JOIN tenant_bench.instance AS record ON record.id = page.id ORDER BY page.place;
