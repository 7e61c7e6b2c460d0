// Fails when a route sends more JavaScript than the budget allows (gzip): the first 220 kB, each further 60.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const FIRST_KB = 220
const FURTHER_KB = 60
const dist = new URL('../dist/files/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('manifest.json', dist), 'utf8'))
const sizes = new Map()
const kb = (bytes) => (bytes / 1000).toFixed(1)

function size(file) {
  if (!sizes.has(file))
    sizes.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length)
  return sizes.get(file)
}

/** All scripts that a module needs at once: itself and its static imports. */
function scripts(key, seen = new Set()) {
  const chunk = manifest[key]
  if (!chunk || seen.has(chunk.file)) return seen
  seen.add(chunk.file)
  for (const next of chunk.imports ?? []) scripts(next, seen)
  return seen
}

const sum = (files) => [...files].reduce((total, file) => total + size(file), 0)
const entry = Object.keys(manifest).find((key) => manifest[key].isEntry)
const base = scripts(entry)
const pages = Object.keys(manifest).filter((key) => /^src\/pages\/.*\/page\.tsx$/.test(key))
// What the first visit loads: shell, the check-in page, English.
const first = new Set([
  ...base,
  ...scripts('src/app/Shell.tsx'),
  ...scripts('src/pages/check-in/page.tsx'),
  ...scripts('src/i18n/en.ts'),
])
let failed = sum(first) > FIRST_KB * 1000
console.log(
  `first route (check-in): ${kb(sum(first))} kB gz of ${FIRST_KB}; shell alone ${kb(sum(base))}`,
)
for (const page of pages) {
  const own = sum([...scripts(page)].filter((file) => !first.has(file)))
  const over = own > FURTHER_KB * 1000
  failed ||= over
  console.log(
    `${over ? 'OVER ' : ''}${page.replace('src/pages/', '').replace('/page.tsx', '')}: +${kb(own)} kB gz of ${FURTHER_KB}`,
  )
}
const styles = new Set(Object.values(manifest).flatMap((chunk) => chunk.css ?? []))
console.log(`all styles: ${kb(sum(styles))} kB gz`)
if (failed) {
  console.error('The budget is exceeded: load less at once, or move code into a lazy part.')
  process.exit(1)
}
