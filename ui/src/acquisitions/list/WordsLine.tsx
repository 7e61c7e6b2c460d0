// The words that a list is searched by, how many rows there are, and what narrows it.
import { useEffect, useRef, useState } from 'react'
import { useText } from '#/i18n/text'
import { Chip } from '#/ui/Chip'
import { NarrowButton } from '#/ui/NarrowButton'
import { TextField } from '#/ui/TextField'
import styles from './list.module.css'
import { FACETS, type ListSearch } from './search'
import type { FacetOf } from './useListFacets'

interface Props {
  /** None where the list has no words to be found by. */
  label?: string
  search: ListSearch
  facets: readonly FacetOf[]
  found: number
  narrow: boolean
  onNarrow: (shown: boolean) => void
  onChange: (patch: Partial<ListSearch>) => void
}

const PAUSE_MS = 250

export function WordsLine({ label, search, facets, found, narrow, onNarrow, onChange }: Props) {
  const t = useText()
  const [typed, setTyped] = useState(search.q ?? '')
  const sent = useRef(search.q ?? '')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  // The way back and a link change the words, too.
  useEffect(() => {
    if ((search.q ?? '') === sent.current) return
    sent.current = search.q ?? ''
    setTyped(search.q ?? '')
  }, [search.q])
  useEffect(() => {
    const timer = setTimeout(() => {
      const words = typed.trim()
      if (words === sent.current) return
      sent.current = words
      onChange({ q: words || undefined })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return (
    <search className={styles.line}>
      {label ? (
        <div className={styles.words}>
          <TextField
            label={label}
            type="search"
            inputRef={field}
            value={typed}
            onChange={setTyped}
          />
        </div>
      ) : null}
      <div className="row wrap">
        <NarrowButton
          shown={narrow}
          count={FACETS.flatMap((name) => search[name] ?? []).length}
          onShow={onNarrow}
        />
        <span className="sm muted" role="status">
          {t('list.total', { count: found })}
        </span>
        {facets.flatMap(({ id, values }) =>
          (search[id] ?? []).map((value) => (
            <Chip
              key={id + value}
              text={values.find((one) => one.value === value)?.text ?? value}
              onRemove={() => {
                const rest = search[id]?.filter((one) => one !== value)
                onChange({ [id]: rest?.length ? rest : undefined } as Partial<ListSearch>)
              }}
            />
          )),
        )}
      </div>
    </search>
  )
}
