// The days, the desk and the owner of a report.
import { useQuery } from '@tanstack/react-query'
import { servicePointsQuery } from '#/api/desks'
import { useText } from '#/i18n/text'
import { ownersQuery } from '#/patrons/fees/queries'
import type { Choice, Report } from '#/patrons/reports/reports'
import { Select } from '#/ui/Select'
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
          onChange={(desk) => onChange({ desk })}
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
    </section>
  )
}
