// What is searched by and the words. Rows come while typing; Enter or "Search" asks at once.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import field from '#/ui/Field.module.css'
import { Icon } from '#/ui/Icon'
import styles from './search.module.css'

/** Between two questions: a letter after a pause is asked about at once, those of a quick hand together. */
const PAUSE_MS = 80
/** The letter itself is drawn first. */
const FRAME_MS = 16

interface Props {
  label: string
  options: readonly { id: string; text: string }[]
  by: string
  /** The words as the address has them. */
  q: string | undefined
  onBy: (by: string) => void
  /** `replace`: a letter of what is being typed, which "back" need not undo. */
  onWords: (q: string | undefined, replace: boolean) => void
  inputRef: React.RefObject<HTMLInputElement | null>
  children?: ReactNode
}

export function SearchLine({ label, options, by, q, onBy, onWords, inputRef, children }: Props) {
  const t = useText()
  const [text, setText] = useState(q ?? '')
  const sent = useRef(q ?? '')
  const sentAt = useRef(Number.NEGATIVE_INFINITY)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // The address changed by itself: back, a link, "Clear".
    if ((q ?? '') === sent.current) return
    sent.current = q ?? ''
    setText(sent.current)
  }, [q])
  useEffect(() => () => clearTimeout(timer.current), [])
  const send = (next: string, replace: boolean) => {
    clearTimeout(timer.current)
    if (next === sent.current) return
    sent.current = next
    sentAt.current = performance.now()
    onWords(next || undefined, replace)
  }
  // A query in CQL is no query until it is whole.
  const live = by !== 'query'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(text, false)
  }
  return (
    <search>
      <form className="row wrap" aria-label={label} onSubmit={submit}>
        <select
          className={cx(field.input, styles.by)}
          aria-label={t('inventory.searchBy')}
          value={by}
          onChange={(event) => onBy(event.target.value)}
        >
          {options.map((one) => (
            <option key={one.id} value={one.id}>
              {one.text}
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
      </form>
    </search>
  )
}
