// The words that the list of requests is searched by.
import { useEffect, useRef, useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { NarrowButton } from '#/ui/NarrowButton'
import { TextField } from '#/ui/TextField'
import styles from './requests.module.css'
import type { RequestsSearch } from './source'

interface Props {
  search: RequestsSearch
  found: number
  narrow: boolean
  onNarrow: (shown: boolean) => void
  onChange: (patch: Partial<RequestsSearch>) => void
}

const PAUSE_MS = 250

export function RequestLine({ search, found, narrow, onNarrow, onChange }: Props) {
  const t = useText()
  const { number } = useFormats()
  const [typed, setTyped] = useState(search.q ?? '')
  const sent = useRef(search.q ?? '')
  useEffect(() => {
    const timer = setTimeout(() => {
      const words = typed.trim()
      if (words === sent.current) return
      sent.current = words
      onChange({ q: words || undefined })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  })
  const { kind = [], status = [], level = [], pickup = [] } = search
  return (
    <search className={styles.search}>
      <div className={styles.words}>
        <TextField label={t('request.search')} type="search" value={typed} onChange={setTyped} />
      </div>
      <div className="row wrap">
        <NarrowButton
          shown={narrow}
          count={[kind, status, level, pickup].flat().length}
          onShow={onNarrow}
        />
        <span className="sm muted" role="status">
          {t('request.found', { count: found, shown: number(found) })}
        </span>
      </div>
    </search>
  )
}
