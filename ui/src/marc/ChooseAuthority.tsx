// The authorities that a field may follow: those whose headings have its words, and others by other words.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { detailOf, type Failure } from '#/api/errors'
import { useText } from '#/i18n/text'
import { useSettled } from '#/lib/useSettled'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { Skeleton } from '#/ui/Skeleton'
import { TextField } from '#/ui/TextField'
import { LineCard } from './LineCard'
import { type Authority, authoritiesQuery, headingWords, type Rule } from './linking'
import styles from './marc.module.css'
import type { Line } from './types'

interface Props {
  line: Line
  rules: readonly Rule[]
  /** Why the last choice was not linked; the server's failure, or a field that it does not fit. */
  failure?: Failure | 'unfit'
  busy: boolean
  onChoose: (authority: Authority) => void
  onClose: () => void
}

const PAUSE_MS = 250

export function ChooseAuthority({ line, rules, failure, busy, onChoose, onClose }: Props) {
  const t = useText()
  const { tag, content } = line
  const [words, setWords] = useState(() =>
    typeof content === 'string' ? headingWords(content) : '',
  )
  const asked = useSettled(words.trim(), PAUSE_MS)
  const { data, isFetching } = useQuery(authoritiesQuery(rules, tag, asked))
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const found = data?.authorities ?? []
  return (
    <LineCard title={t('inventory.linkField', { tag })} onClose={onClose}>
      <TextField
        label={t('inventory.findAuthority')}
        type="search"
        value={words}
        onChange={setWords}
        inputRef={field}
        autoFocus
      />
      {failure ? (
        <p className="blocked" role="alert">
          {failure === 'unfit'
            ? t('inventory.notLinked')
            : detailOf(failure) || t(`shell.failure.${failure.kind}`)}
        </p>
      ) : null}
      {isFetching && !data ? (
        <Skeleton share={18} />
      ) : found.length ? (
        <ul className={styles.authorities}>
          {found.map((one) => (
            <li key={one.id} className="row wrap">
              <span className="grow">
                <bdi className="medium">{one.headingRef}</bdi>{' '}
                <span className="sm muted">
                  {one.headingType} · {t('inventory.titlesOf', { count: one.numberOfTitles ?? 0 })}
                </span>{' '}
                {one.naturalId ? <Code plain>{one.naturalId}</Code> : null}
              </span>
              <Button
                small
                icon="link"
                busy={busy}
                aria-label={t('inventory.linkTo', { name: one.headingRef })}
                onPress={() => onChoose(one)}
              >
                {t('inventory.link')}
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="sm muted" role="status">
          {t(asked ? 'inventory.noAuthorities' : 'inventory.typeWords')}
        </p>
      )}
    </LineCard>
  )
}
