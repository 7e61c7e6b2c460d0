// Names of languages by the codes of MARC, in the person's own.
import { useMemo } from 'react'
import { useIntl } from 'react-intl'

export function useLanguageName(): (code: string) => string {
  const { locale } = useIntl()
  return useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' })
    return (code) => {
      try {
        return names.of(code) ?? code
      } catch {
        // Records have codes that are none.
        return code
      }
    }
  }, [locale])
}
