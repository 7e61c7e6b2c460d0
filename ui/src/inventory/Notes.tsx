// Notes of a record, with their kinds; those for staff only say so.
import { useText } from '#/i18n/text'
import { Section } from '#/ui/Section'
import { Facts } from './Facts'

interface Props {
  notes: readonly { note: string; type?: string; staffOnly?: boolean }[]
}

export function Notes({ notes }: Props) {
  const t = useText()
  if (!notes.length) return null
  return (
    <Section title={t('inventory.notes')} count={String(notes.length)}>
      <Facts
        facts={notes.map((one, at) => [
          `${one.type ?? t('inventory.by.note')}${at ? ` (${at + 1})` : ''}`,
          <span key={one.note}>
            <bdi>{one.note}</bdi>
            {one.staffOnly ? <span className="sm muted"> · {t('inventory.staffOnly')}</span> : null}
          </span>,
        ])}
      />
    </Section>
  )
}
