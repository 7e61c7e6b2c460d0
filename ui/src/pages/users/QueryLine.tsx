// What the list is narrowed by: the words, and what is chosen as chips.
import { useEffect, useRef, useState } from 'react'
import type { User } from '#/api/types'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Chip } from '#/ui/Chip'
import { ColumnPicker } from '#/ui/ColumnPicker'
import { NarrowButton } from '#/ui/NarrowButton'
import { TextField } from '#/ui/TextField'
import type { ColumnLayout } from '#/ui/useColumns'
import type { UsersSearch } from './source'
import styles from './users.module.css'

interface Props {
  search: UsersSearch
  found: number
  groups: readonly { id: string; group: string }[]
  layout: ColumnLayout<User>
  narrow: boolean
  onNarrow: (shown: boolean) => void
  onChange: (patch: Partial<UsersSearch>) => void
}

const PAUSE_MS = 250

export function QueryLine(props: Props) {
  const { search, found, groups, layout, narrow, onNarrow, onChange } = props
  const t = useText()
  const { number } = useFormats()
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
  const chosen = search.group ?? []
  const without = (id: string) => chosen.filter((one) => one !== id)
  return (
    <search className={styles.line}>
      <div className={styles.words}>
        <TextField
          label={t('users.search')}
          type="search"
          inputRef={field}
          value={typed}
          onChange={setTyped}
        />
      </div>
      <div className="row wrap">
        <NarrowButton
          shown={narrow}
          count={chosen.length + (search.status ? 1 : 0)}
          onShow={onNarrow}
        />
        <span className="sm muted" role="status">
          {t('users.found', { count: found, shown: number(found) })}
        </span>
        {search.status ? (
          <Chip
            text={search.status === 'active' ? t('users.active') : t('users.inactive')}
            onRemove={() => onChange({ status: undefined })}
          />
        ) : null}
        {chosen.map((id) => (
          <Chip
            key={id}
            text={groups.find((one) => one.id === id)?.group ?? id}
            onRemove={() => onChange({ group: without(id).length ? without(id) : undefined })}
          />
        ))}
        <span className="push">
          <ColumnPicker layout={layout} />
        </span>
      </div>
    </search>
  )
}
