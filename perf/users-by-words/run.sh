# Users by the beginnings of three words, as the users app asks for what is typed, among as many users as
# the bench has items: a library of its own. Only when it is asked for. Sourced by perf/bench.sh.
if [ -z "$(sql -c "SELECT 1 FROM pg_namespace WHERE nspname = 'tenant_people'")" ]; then
  step "a library of $items users for tenant people"
  "$octavo" tenant create people --admin bench >/dev/null
  "$octavo" load sample --tenant people --items 3 --without-marc --patrons "$items" --loans 0 >"$work/people.log"
  sql -c 'VACUUM ANALYZE tenant_people.users, tenant_people.users_search'
fi
measure users-by-words
