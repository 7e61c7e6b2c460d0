-- The statement behind GET /item-storage/items?query=barcode==…, as the server prepares it, on the
-- sample library. The barcode is worked out here: 3, twelve digits, and a Codabar check digit in
-- which every second digit from the right counts double (less 9 where that passes 9).
\set n random(1, :items)
\set a :n % 10
\set b (:n / 10) % 10
\set c (:n / 100) % 10
\set d (:n / 1000) % 10
\set e (:n / 10000) % 10
\set f (:n / 100000) % 10
\set g (:n / 1000000) % 10
\set odd 2 * :a - 9 * (CASE WHEN :a > 4 THEN 1 ELSE 0 END) + 2 * :c - 9 * (CASE WHEN :c > 4 THEN 1 ELSE 0 END) + 2 * :e - 9 * (CASE WHEN :e > 4 THEN 1 ELSE 0 END) + 2 * :g - 9 * (CASE WHEN :g > 4 THEN 1 ELSE 0 END)
\set check (10 - (6 + :odd + :b + :d + :f) % 10) % 10
\set barcode 30000000000000 + :n * 10 + :check
SELECT jsonb FROM tenant_bench.item WHERE (lower(jsonb->>'barcode')) COLLATE "C" = :barcode::text LIMIT 10;
