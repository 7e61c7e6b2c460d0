// Rules are stored with ids; people read and write names. Both ways, keeping lines as they are, so that the
// server's line and column can be shown where they belong.
import { LETTERS, type Letter, type Ref, type Refs } from './refs'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
/** A comment, a word, or one of the signs. */
const TOKEN = /#.*|[^\s:,+!()#]+|[:,+!()]/g

export interface Token {
  text: string
  from: number
  kind: 'comment' | 'keyword' | 'letter' | 'sign' | 'name'
  /** Whose names stand here. */
  letter?: Letter
}

const KEYWORDS = new Set([
  'priority',
  'fallback-policy',
  'first-line',
  'last-line',
  'criterium',
  'number-of-criteria',
  'all',
])

export function tokensOf(line: string): Token[] {
  let letter: Letter | undefined
  const isPriority = /^\s*priority\s*:/.test(line)
  return [...line.matchAll(TOKEN)].map(({ 0: text, index }) => {
    if (text.startsWith('#')) return { text, from: index, kind: 'comment' }
    if (/^[:,+!()]$/.test(text)) return { text, from: index, kind: 'sign' }
    if (KEYWORDS.has(text)) return { text, from: index, kind: 'keyword' }
    if (LETTERS.includes(text as Letter)) {
      letter = isPriority ? undefined : (text as Letter)
      return { text, from: index, kind: 'letter' }
    }
    return { text, from: index, kind: 'name', letter }
  })
}

export function toNames(text: string, refs: Refs): string {
  const byId = new Map(Object.values(refs).flatMap((list) => list.map((ref) => [ref.id, ref.word])))
  return text.replace(UUID, (id) => byId.get(id.toLowerCase()) ?? id)
}

const isId = (text: string) => text.length === 36 && new RegExp(UUID.source, 'i').test(text)

export const refOf = (token: Token, refs: Refs): Ref | undefined =>
  token.letter && refs[token.letter].find(({ word }) => word === token.text)

export interface Unknown {
  line: number
  from: number
  to: number
  letter: Letter
  text: string
}

interface Written {
  text: string
  /** Names that stand for no record. */
  unknown: Unknown[]
  /** The place among the names of a place among the ids, both from 0. */
  columnOf: (line: number, column: number) => number
}

export function toIds(text: string, refs: Refs): Written {
  const unknown: Unknown[] = []
  const shifts: { at: number; by: number }[][] = []
  const lines = text.split('\n').map((line, number) => {
    const shift: { at: number; by: number }[] = []
    shifts.push(shift)
    let written = ''
    let from = 0
    for (const token of tokensOf(line)) {
      if (token.kind !== 'name' || !token.letter || isId(token.text)) continue
      const ref = refOf(token, refs)
      if (!ref) {
        const { from: start, letter, text: word } = token
        unknown.push({ line: number, from: start, to: start + word.length, letter, text: word })
        continue
      }
      written += line.slice(from, token.from) + ref.id
      from = token.from + token.text.length
      shift.push({ at: written.length, by: ref.id.length - token.text.length })
    }
    return written + line.slice(from)
  })
  const columnOf = (line: number, column: number) =>
    Math.max(
      0,
      column - (shifts[line] ?? []).reduce((sum, { at, by }) => sum + (at <= column ? by : 0), 0),
    )
  return { text: lines.join('\n'), unknown, columnOf }
}
