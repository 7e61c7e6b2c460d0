// Changes of a record in the editor, as functions: a list of lines in, another one out.
import type { Elements, Issue, Line, MarcField } from './types'

let made = 0
export const lineOf = (field: MarcField): Line => {
  made += 1
  return { ...field, key: `f${made}` }
}

export const isControl = (tag: string) => /^00\d$/.test(tag)

/** Fields that only the server writes. */
export const isOwn = (line: MarcField) =>
  line.isProtected === true || line.tag === '005' || line.tag === '001'

/** Without them no record is stored. */
export const isKept = (line: MarcField) => isOwn(line) || line.tag === '008'

export function insertAfter(lines: readonly Line[], key: string): { lines: Line[]; key: string } {
  const at = lines.findIndex((line) => line.key === key)
  // The fields of the catalogue stay at the end.
  const place = lines[at]?.tag === '999' ? at : at + 1
  const added = lineOf({ tag: '', content: '$a ', indicators: ['\\', '\\'] })
  return { lines: [...lines.slice(0, place), added, ...lines.slice(place)], key: added.key }
}

export const without = (lines: readonly Line[], key: string): Line[] =>
  lines.filter((line) => line.key !== key)

export function moved(lines: readonly Line[], key: string, step: 1 | -1): Line[] {
  const at = lines.findIndex((line) => line.key === key)
  const other = lines[at + step]
  const line = lines[at]
  // Control fields and the catalogue's own keep their places.
  if (!line || !other || isControl(other.tag) || isOwn(other) || isOwn(line)) return [...lines]
  const next = [...lines]
  next[at] = other
  next[at + step] = line
  return next
}

export const changed = (lines: readonly Line[], key: string, change: Partial<MarcField>): Line[] =>
  lines.map((line) => (line.key === key ? { ...line, ...change } : line))

/** The text in parts, so that codes of subfields can be marked. A dollar before a letter or figure is a code. */
export function parts(text: string): { text: string; code: boolean }[] {
  return text
    .split(/(\$[a-z0-9](?= |$))/g)
    .filter(Boolean)
    .map((part) => ({ text: part, code: /^\$[a-z0-9]$/.test(part) }))
}

/** Where the next subfield's value begins; back to the first after the last. */
export function nextSubfield(text: string, from: number, step: 1 | -1): number {
  const places = [...text.matchAll(/\$[a-z0-9] ?/g)].map((found) => found.index + found[0].length)
  if (step > 0) return places.find((place) => place > from) ?? places[0] ?? 0
  return places.findLast((place) => place < from) ?? places.at(-1) ?? 0
}

/** Messages of the server by the line that they are about; those of no line under "". */
export function byLine(lines: readonly Line[], issues: readonly Issue[]): Map<string, Issue[]> {
  const found = new Map<string, Issue[]>()
  for (const issue of issues) {
    const [, tag, number] = /^(\w+)(?:\[(\d+)\])?/.exec(issue.tag) ?? []
    const key = lines.filter((line) => line.tag === tag)[Number(number ?? 0)]?.key ?? ''
    found.set(key, [...(found.get(key) ?? []), issue])
  }
  return found
}

/** What is sent: no keys of lines, no lines that were begun and left empty. */
export const toFields = (lines: readonly Line[]): MarcField[] =>
  lines
    .filter(
      (line) => line.tag || (typeof line.content === 'string' && !/^\$a\s*$/.test(line.content)),
    )
    .map(({ key, ...field }) => ({
      ...field,
      indicators: isControl(field.tag) ? [] : field.indicators.map((one) => one || '\\'),
    }))

/** A character of the leader, or a list of single characters, replaced. */
export const withCharacter = (text: string, at: number, character: string): string =>
  text.slice(0, at) + (character || '\\') + text.slice(at + 1)

/** Shows a blank as a blank, and takes it back. */
export const shown = (value: string) => value.replaceAll('\\', ' ')
export const kept = (value: string, length: number) =>
  value.replaceAll(' ', '\\').padEnd(length, '\\').slice(0, length)

export function withElement(content: Elements, name: string, text: string): Elements {
  const old = content[name]
  if (Array.isArray(old)) return { ...content, [name]: [...kept(text, old.length)] }
  return { ...content, [name]: kept(text, old?.length ?? text.length) }
}

export const elementText = (value: string | string[] | undefined): string =>
  shown(Array.isArray(value) ? value.join('') : (value ?? ''))

/**
 * A field's text in two: the subfields of these codes, and the others. `$0` and `$9` stand behind what is joined again.
 */
export function splitSubfields(text: string, codes: ReadonlySet<string>) {
  const all = text.split(/(?=\$[a-z0-9] )/).map((part) => part.trim())
  const has = (part: string) => codes.has(/^\$([a-z0-9]) /.exec(part)?.[1] ?? '')
  const joined = (parts: readonly string[]) => parts.filter(Boolean).join(' ')
  return {
    controlled: joined(all.filter(has)),
    own: joined(all.filter((part) => !has(part))),
  }
}

/** The first value of a subfield. */
export const subfieldOf = (content: MarcField['content'] | undefined, code: string): string => {
  if (typeof content !== 'string') return ''
  const part = content.split(/(?=\$[a-z0-9] )/).find((one) => one.startsWith(`$${code} `))
  return part?.slice(3).trim() ?? ''
}

/** The text with this value of a subfield, in the place of its first one; before all others where there is none. */
export function withSubfield(text: string, code: string, value: string): string {
  const parts = text.split(/(?=\$[a-z0-9](?: |$))/).map((part) => part.trim())
  const at = parts.findIndex((part) => part.startsWith(`$${code}`))
  const own = `$${code} ${value}`
  return (at < 0 ? [own, ...parts] : parts.map((part, index) => (index === at ? own : part)))
    .filter(Boolean)
    .join(' ')
}

/** The controlled subfields and these others; those that only the authority gives are taken out of what was typed. */
export function joinSubfields(controlled: string, typed: string, codes: ReadonlySet<string>) {
  const { own } = splitSubfields(typed, codes)
  const ids = splitSubfields(controlled, new Set(['0', '9']))
  return [ids.own, own, ids.controlled].filter(Boolean).join(' ')
}
