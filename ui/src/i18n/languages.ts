// The languages that are complete. `tag` is given to Intl.
export const LANGUAGES = [
  { code: 'en', tag: 'en-GB', name: 'English', dir: 'ltr' },
  { code: 'de', tag: 'de-DE', name: 'Deutsch', dir: 'ltr' },
  { code: 'es', tag: 'es-ES', name: 'Español', dir: 'ltr' },
  { code: 'fr', tag: 'fr-FR', name: 'Français', dir: 'ltr' },
  // Latin digits: barcodes have them, and figures must compare at a glance.
  { code: 'ar', tag: 'ar-u-nu-latn', name: 'العربية', dir: 'rtl' },
] as const

export type Language = (typeof LANGUAGES)[number]['code']
export const CODES = LANGUAGES.map((one) => one.code)

export const languageOf = (code: Language) =>
  LANGUAGES.find((one) => one.code === code) ?? LANGUAGES[0]

/** The first language of the browser that is complete, else English. */
export function preferred(asked: readonly string[] = navigator.languages ?? []): Language {
  for (const tag of asked) {
    const found = CODES.find((code) => tag.toLowerCase().split('-')[0] === code)
    if (found) return found
  }
  return 'en'
}
