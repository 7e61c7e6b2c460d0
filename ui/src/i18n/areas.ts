// Texts that only some pages use: such an area is a chunk of its own for each language, which a page's loader awaits.
// Shell, desk, check-in, check-out and the offline desk come with the language itself.
import { look } from '#/lib/look'
import type { Language } from './languages'

export type Messages = Record<string, unknown>

interface Words {
  messages: Messages
  areas: Record<string, () => Promise<Messages>>
}

/** A language knows its own areas: the first route carries the names of one language's files only. */
export const languages: Record<Language, () => Promise<Words>> = {
  en: () => import('./en'),
  de: () => import('./de'),
  es: () => import('./es'),
  fr: () => import('./fr'),
  ar: () => import('./ar'),
}

const wanted = new Set<string>()
const found = new Map<string, Messages>()
const listeners = new Set<() => void>()
let texts: Messages = {}

/** For a page's loader: the texts of `messages/<language>/<area>.json`. */
export async function loadTexts(...areas: string[]) {
  for (const area of areas) wanted.add(area)
  await loadWanted(look.read().language)
}

/** All areas that were asked for, in a language. */
export async function loadWanted(language: Language) {
  const { areas } = await languages[language]()
  const added = await Promise.all(
    [...wanted].map(async (area) => {
      const path = `../../messages/${language}/${area}.json`
      if (found.has(path)) return false
      found.set(path, (await areas[path]?.()) ?? {})
      return true
    }),
  )
  if (!added.some(Boolean)) return
  texts = Object.assign({}, ...found.values())
  for (const listener of listeners) listener()
}

/** The texts of the areas in one language. */
export function areaTexts(language: Language): Messages {
  const start = `../../messages/${language}/`
  const own = [...found].filter(([path]) => path.startsWith(start)).map(([, messages]) => messages)
  return Object.assign({}, ...own)
}

export const onTexts = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
/** Changes whenever an area has come. */
export const textsNow = () => texts
