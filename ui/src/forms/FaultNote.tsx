// Above a form that was not saved: how many faults, a link to each; or the server's reason. Focus comes here.
import { useEffect, useRef } from 'react'
import { detailOf, type Failure } from '#/api/errors'
import { useText } from '#/i18n/text'
import { Note } from '#/ui/Note'
import type { Faults } from './useForm'

interface Props {
  faults: Faults
  failure: Failure | undefined
}

export function FaultNote({ faults, failure }: Props) {
  const t = useText()
  const place = useRef<HTMLDivElement>(null)
  const names = Object.keys(faults)
  const shown = names.length > 0 || failure !== undefined
  useEffect(() => {
    if (shown) place.current?.focus()
  }, [shown])
  if (!shown) return null
  const go = (name: string) => {
    const field = document.getElementById(name)
    const target = field?.matches('input, textarea, select, button')
      ? field
      : field?.querySelector('input')
    ;(target as HTMLElement | null)?.focus()
  }
  const detail = failure && detailOf(failure)
  return (
    <div ref={place} tabIndex={-1}>
      <Note kind="blocked" alert>
        <p>
          <strong>{t('forms.notSaved')}</strong>{' '}
          {names.length
            ? t('forms.faults', { count: names.length })
            : t(`shell.failure.${failure?.kind ?? 'fault'}`)}
        </p>
        {names.length ? (
          <ul className="stack tight">
            {names.map((name) => (
              <li key={name}>
                <a
                  href={`#${name}`}
                  onClick={(event) => {
                    event.preventDefault()
                    go(name)
                  }}
                >
                  {faults[name]}
                </a>
              </li>
            ))}
          </ul>
        ) : detail ? (
          <p className="sm" dir="auto">
            {detail}
          </p>
        ) : null}
      </Note>
    </div>
  )
}
