// A template: its text, and how it looks with an invented reader and book.
import { useEffect, useRef, useState } from 'react'
import { fromTemplate } from '#/desk/slips'
import { useText } from '#/i18n/text'
import type { Field } from '#/settings/kinds'
import { type Values, valueAt } from '#/settings/paths'
import { sampleContext } from '#/settings/sample'
import { Segmented } from '#/ui/Segmented'
import { TextField } from '#/ui/TextField'
import styles from './settings.module.css'

interface Props {
  field: Extract<Field, { type: 'html' }>
  record: Values
  error: string | undefined
  onChange: (value: unknown) => void
}

export function Html({ field, record, error, onChange }: Props) {
  const t = useText()
  const [shows, setShows] = useState<'text' | 'preview'>('text')
  const value = String(valueAt(record, field.name) ?? '')
  const subject = field.subject && String(valueAt(record, field.subject) ?? '')
  return (
    <div className="stack">
      <div className="row">
        <Segmented
          label={t(field.label)}
          value={shows}
          onChange={setShows}
          choices={[
            { value: 'text', text: t('set.text') },
            { value: 'preview', text: t('set.preview') },
          ]}
        />
      </div>
      {shows === 'text' ? (
        <TextField
          label={t(field.label)}
          help={t('set.tokens', { example: '{{item.title}}, {{user.lastName}}, {{loan.dueDate}}' })}
          lines
          value={value}
          error={error}
          onChange={onChange}
        />
      ) : (
        <Preview subject={subject} template={value} label={t('set.preview')} />
      )}
    </div>
  )
}

function Preview({
  template,
  subject,
  label,
}: {
  template: string
  subject?: string
  label: string
}) {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    const context = sampleContext(Date.now())
    const parts = [fromTemplate(template, context)]
    if (subject) {
      const line = document.createElement('h3')
      line.append(fromTemplate(subject, context))
      parts.unshift(document.createDocumentFragment())
      parts[0]?.append(line)
    }
    // Elements, never markup: what a template brings along beyond plain ones is left out.
    place.current?.replaceChildren(...parts)
  }, [template, subject])
  return <section ref={place} className={styles.preview} aria-label={label} dir="auto" />
}
