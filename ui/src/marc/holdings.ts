// What can be said of a record of holdings before it is sent: FOLIO defines no fields of it, its editor looks for these.
import type { Text } from '#/i18n/text'
import { subfieldOf } from './model'
import type { Issue, Line } from './types'

const NEEDED = ['004', '008', '852']

/** `codes` are those of the library's locations; 852 $b names one of them, unless the library's rules say otherwise. */
export function checkHoldings(
  lines: readonly Line[],
  codes: ReadonlySet<string>,
  t: Text,
): Issue[] {
  const found: Issue[] = []
  const add = (tag: string, severity: Issue['severity'], message: string) =>
    found.push({ tag, severity, message })
  for (const tag of NEEDED) {
    const count = lines.filter((line) => line.tag === tag).length
    if (count === 0) add(tag, 'error', t('inventory.fieldNeeded', { tag }))
    for (let at = 1; at < count; at += 1)
      add(`${tag}[${at}]`, 'error', t('inventory.fieldOnce', { tag }))
  }
  lines.forEach((line, at) => {
    if (/^\d{3}$/.test(line.tag)) return
    const before = lines.slice(0, at).filter(({ tag }) => tag === line.tag).length
    add(`${line.tag}[${before}]`, 'error', t('inventory.tagIsThree'))
  })
  const place = lines.find(({ tag }) => tag === '852')
  const code = subfieldOf(place?.content, 'b')
  if (place && !code) add('852', 'warn', t('inventory.noPlace'))
  else if (place && !codes.has(code)) add('852', 'warn', t('inventory.noSuchPlace', { code }))
  return found
}
