// The days, the desk and the owner of a report, and what it is narrowed to.
import { useQuery } from '@tanstack/react-query'
import { servicePointsQuery } from '#/api/desks'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import { ownersQuery } from '#/patrons/fees/queries'
import { type Choice, type Report, TAKERS_PERMISSION, takersQuery } from '#/patrons/reports/reports'
import { Select } from '#/ui/Select'
import { SelectSome } from '#/ui/SelectSome'
import { TextField } from '#/ui/TextField'
import styles from './reports.module.css'
import type { ReportSearch } from './useReportChoice'

interface Props {
  report: Report
  choice: Choice
  onChange: (patch: Partial<ReportSearch>) => void
}

export function Chosen({ report, choice, onChange }: Props) {
  const t = useText()
  const { data: desks = [] } = useQuery({ ...servicePointsQuery, enabled: false })
  const { data: owners = [] } = useQuery({ ...ownersQuery, enabled: false })
  const asks = (what: Report['asks'][number]) => report.asks.includes(what)
  return (
    <section className={styles.chosen} aria-label={t('report.about')}>
      {asks('days') ? (
        <>
          <TextField
            label={t('report.firstDay')}
            type="date"
            value={choice.from}
            onChange={(from) => onChange({ from: from || undefined })}
          />
          <TextField
            label={t('report.lastDay')}
            type="date"
            value={choice.to}
            error={choice.from > choice.to ? t('report.beforeFirst') : undefined}
            onChange={(to) => onChange({ to: to || undefined })}
          />
        </>
      ) : null}
      {asks('desk') ? (
        <Select
          label={t('report.desk')}
          placeholder={t('report.chooseDesk')}
          value={choice.desk}
          // Others take payments there.
          onChange={(to) => onChange({ desk: to, takers: undefined })}
          choices={desks.map(({ id, name }) => ({ value: id, text: name }))}
        />
      ) : null}
      {asks('owner') ? (
        <Select
          label={t('report.owner')}
          placeholder={t('report.chooseOwner')}
          value={choice.owner}
          onChange={(owner) => onChange({ owner })}
          choices={owners.map(({ id, owner }) => ({ value: id, text: owner }))}
        />
      ) : null}
      {report.narrows === 'takers' ? <Takers choice={choice} onChange={onChange} /> : null}
      {report.narrows === 'desks' ? (
        <SelectSome
          label={t('report.desks')}
          all={t('report.allDesks')}
          value={choice.desks ?? []}
          onChange={(to) => onChange({ desks: to.length ? to : undefined })}
          choices={desks.map(({ id, name }) => ({ value: id, text: name }))}
        />
      ) : null}
    </section>
  )
}

function Takers({ choice, onChange }: Omit<Props, 'report'>) {
  const t = useText()
  const may = useNeeds(TAKERS_PERMISSION)
  const { desk, takers = [] } = choice
  const { data = [] } = useQuery({
    ...takersQuery(desk),
    enabled: may.allowed && desk !== undefined,
  })
  // Those of the address stay to be taken back, also where nobody of that name takes payments.
  const names = [...new Set([...data, ...takers])]
  return (
    <SelectSome
      label={t('report.takenBy')}
      all={t('report.allTakers')}
      help={may.reason}
      value={takers}
      onChange={(to) => onChange({ takers: to.length ? to : undefined })}
      choices={names.map((name) => ({ value: name, text: name }))}
    />
  )
}
