// Languages, currencies and time zones: the browser has their lists and names.
import type { LookupOf } from '#/inventory/form/specs'

const SHOWN_MAX = 50

/** Languages that libraries use; another one is found by its code. */
const LANGUAGES =
  'ar ca cs-CZ da-DK de-AT de-CH de-DE en-AU en-GB en-SE en-US es-419 es-ES eu fi-FI fr-CA fr-CH fr-FR he hi-IN hu-HU it-IT ja-JP ko-KR nb-NO nl-NL nn-NO pl-PL pt-BR pt-PT ru-RU sk-SK sv-SE tr-TR uk-UA ur zh-CN zh-TW'.split(
    ' ',
  )

const nameIn = (type: 'language' | 'currency', code: string): string => {
  try {
    return new Intl.DisplayNames(document.documentElement.lang || 'en', { type }).of(code) ?? code
  } catch {
    // Not a code: the server says so when it is saved.
    return code
  }
}

function listed(
  list: string,
  codes: () => readonly string[],
  nameOf: (code: string) => string,
): LookupOf {
  return {
    list: `codes-${list}`,
    search: async (words) => {
      const wanted = words.toLocaleLowerCase()
      return codes()
        .map((id) => ({ id, text: nameOf(id), detail: id }))
        .filter(({ id, text }) => `${text} ${id}`.toLocaleLowerCase().includes(wanted))
        .toSorted((one, other) => one.text.localeCompare(other.text))
        .slice(0, SHOWN_MAX)
    },
    nameOf: async (id) => nameOf(id),
  }
}

export const languages = listed(
  'languages',
  () => LANGUAGES,
  (code) => nameIn('language', code),
)
export const currencies = listed(
  'currencies',
  () => Intl.supportedValuesOf('currency'),
  (code) => nameIn('currency', code),
)
export const zones = listed(
  'zones',
  () => ['UTC', ...Intl.supportedValuesOf('timeZone')],
  (name) => name.replaceAll('_', ' '),
)
