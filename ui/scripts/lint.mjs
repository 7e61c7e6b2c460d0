// The house's own rules: short files, no values outside the tokens, languages complete.
import { readdirSync, readFileSync } from 'node:fs'

const LINES_MAX = 400
const root = new URL('../', import.meta.url)
const faults = []
const files = (folder, kind) =>
  readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && kind.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`)

const lengths = []
for (const path of files('src', /\.(ts|tsx)$/)) {
  if (path.endsWith('icons.tsx')) continue
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n').length
  lengths.push(lines)
  if (lines > LINES_MAX) faults.push(`${path}: ${lines} lines; split it`)
  // By the whole library's name the first route would carry all parts of it; only the router has no other.
  if (/from 'react-aria-components'/.test(text) && !path.endsWith('/main.tsx'))
    faults.push(
      `${path}: import React Aria's parts by their own names, react-aria-components/Button`,
    )
}
for (const path of files('src', /\.module\.css$/)) {
  const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  for (const [found] of text.matchAll(/#[0-9a-f]{3,8}\b(?![^{]*\{)/gi)) {
    if (found !== '#0000001a') faults.push(`${path}: colour ${found}; use a token`)
  }
  for (const [found] of text.matchAll(/(?<![\w.])(?!1px|2px|3px|4px|0px)\d+px/g))
    faults.push(`${path}: ${found}; use rem or a token`)
  for (const [found] of text.matchAll(/\b(margin|padding|border|inset)-(left|right)\b/g))
    faults.push(`${path}: ${found}; use a logical property`)
}

const read = (language) =>
  Object.assign(
    {},
    ...files(`messages/${language}`, /\.json$/).map((path) =>
      JSON.parse(readFileSync(path, 'utf8')),
    ),
  )
const english = read('en')
for (const language of ['de', 'es', 'fr', 'ar']) {
  const texts = read(language)
  for (const id of Object.keys(english))
    if (!(id in texts)) faults.push(`${language}: ${id} is missing`)
  for (const id of Object.keys(texts))
    if (!(id in english)) faults.push(`${language}: ${id} is not in English`)
  const names = (text) =>
    [...text.matchAll(/\{(\w+)[,}]/g)]
      .map((found) => found[1])
      .sort()
      .filter((v, i, a) => a.indexOf(v) === i)
      .join()
  for (const id of Object.keys(english)) {
    if (texts[id] && names(texts[id]) !== names(english[id]))
      faults.push(`${language}: ${id} has other values`)
  }
}
const sources = files('src', /\.(ts|tsx)$/)
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')
for (const id of Object.keys(english)) {
  const family = id.slice(0, id.lastIndexOf('.') + 1)
  if (
    !sources.includes(`'${id}'`) &&
    !sources.includes(`"${id}"`) &&
    !sources.includes(`\`${family}\${`)
  )
    faults.push(`en: ${id} is not used`)
}
lengths.sort((a, b) => a - b)
const at = (share) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))]
console.log(`${lengths.length} files, median ${at(0.5)} lines, p90 ${at(0.9)}`)
for (const fault of faults) console.error(fault)
if (faults.length) process.exit(1)
