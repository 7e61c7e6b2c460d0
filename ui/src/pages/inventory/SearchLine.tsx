// What is searched by and the words. Rows come while typing; Enter or "Search" asks at once.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type TextId, useText } from '#/i18n/text'
import { OPTIONS, optionOf, segmentOf } from '#/inventory/search'
import type { UrlSearch } from '#/inventory/useUrl'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import field from '#/ui/Field.module.css'
import { Icon } from '#/ui/Icon'
import styles from './inventory.module.css'

/** Between two questions: a letter after a pause is asked about at once, those of a quick hand together. */
const PAUSE_MS = 80
/** The letter itself is drawn first. */
const FRAME_MS = 16

interface Props {
  url: UrlSearch
  inputRef: React.RefObject<HTMLInputElement | null>
  advanced: boolean
  onAdvanced: () => void
  children: ReactNode
}

export function SearchLine({ url, inputRef, advanced, onAdvanced, children }: Props) {
  const t = useText()
  const { search, change } = url
  const segment = segmentOf(search)
  const [text, setText] = useState(search.q ?? '')
  const sent = useRef(search.q ?? '')
  const sentAt = useRef(Number.NEGATIVE_INFINITY)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // The address changed by itself: back, a link, "Clear".
    if ((search.q ?? '') === sent.current) return
    sent.current = search.q ?? ''
    setText(sent.current)
  }, [search.q])
  useEffect(() => () => clearTimeout(timer.current), [])
  const send = (next: string, replace: boolean) => {
    clearTimeout(timer.current)
    if (next === sent.current) return
    sent.current = next
    sentAt.current = performance.now()
    change({ q: next || undefined }, replace)
  }
  // A query in CQL is no query until it is whole.
  const live = search.by !== 'query'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(text, false)
  }
  return (
    <search>
      <form className="row wrap" aria-label={t('inventory.search')} onSubmit={submit}>
        <select
          className={cx(field.input, styles.by)}
          aria-label={t('inventory.searchBy')}
          value={optionOf(segment, search.by).id}
          onChange={(event) => change({ by: event.target.value })}
        >
          {OPTIONS[segment].map(({ id }) => (
            <option key={id} value={id}>
              {t(`inventory.by.${id}` as TextId)}
            </option>
          ))}
        </select>
        <div className={cx(styles.find, 'grow')}>
          <Icon name="search" />
          <input
            ref={inputRef}
            type="search"
            dir="auto"
            aria-label={t('inventory.words')}
            title={t('inventory.wordsHelp')}
            value={text}
            spellCheck={false}
            onChange={(event) => {
              const next = event.target.value
              setText(next)
              clearTimeout(timer.current)
              if (!live) return
              const wait = sentAt.current + PAUSE_MS - performance.now()
              timer.current = setTimeout(() => send(next, true), Math.max(FRAME_MS, wait))
            }}
          />
        </div>
        <Button type="submit">{t('inventory.searchDo')}</Button>
        {children}
        <Button kind="quiet" wideOnly aria-expanded={advanced} onPress={onAdvanced}>
          {t('inventory.advanced')}
        </Button>
      </form>
    </search>
  )
}
