// Writes the service worker into the build: worker/sw.js after the list of the built files.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('../dist/files/', import.meta.url))
const source = readFileSync(new URL('../worker/sw.js', import.meta.url), 'utf8')
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/\.br$|^manifest\.json$|^sw\.js$/.test(entry.name))
  .map((entry) => relative(dist, `${entry.parentPath}/${entry.name}`))
  .sort()
const hash = createHash('sha256').update(source)
for (const file of files) hash.update(file).update(readFileSync(`${dist}/${file}`))
const shell = { version: hash.digest('hex').slice(0, 12), files }
writeFileSync(`${dist}/sw.js`, `const SHELL = ${JSON.stringify(shell)}\n${source}`)
