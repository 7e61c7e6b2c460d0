// Loads the person's language and gives it to react-intl and React Aria.
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { IntlProvider } from 'react-intl'
import { useLook } from '#/lib/look'
import { areaTexts, languages, loadWanted, onTexts, textsNow } from './areas'
import { type Language, languageOf } from './languages'

type Messages = Record<string, unknown>
export function Words({ children }: { children: ReactNode }) {
  const { language } = useLook()
  const [loaded, setLoaded] = useState<{ language: Language; messages: Messages }>()
  useEffect(() => {
    let current = true
    Promise.all([languages[language](), loadWanted(language)]).then(([{ messages }]) => {
      if (!current) return
      const { dir } = languageOf(language)
      document.documentElement.lang = language
      document.documentElement.dir = dir
      setLoaded({ language, messages })
    })
    return () => {
      current = false
    }
  }, [language])
  const areas = useSyncExternalStore(onTexts, textsNow)
  const messages = useMemo(
    () => loaded && { ...loaded.messages, ...areaTexts(loaded.language) },
    [loaded, areas],
  )
  if (!loaded || !messages) return null
  const { tag } = languageOf(loaded.language)
  return (
    <IntlProvider locale={tag} messages={messages as Record<string, string>} onError={report}>
      <I18nProvider locale={tag}>{children}</I18nProvider>
    </IntlProvider>
  )
}

// A missing text is a fault that tests must see; the id is shown meanwhile.
function report(error: Error) {
  console.error(error.message)
}
