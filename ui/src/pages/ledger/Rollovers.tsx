// The rollovers of a ledger and their previews, the newest first.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type RolloverLog, rolloverLogsQuery } from '#/acquisitions/rollovers'
import { StateOf } from '#/acquisitions/StateOf'
import type { Ledger } from '#/acquisitions/types'
import { useWord } from '#/acquisitions/words'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Failed } from '#/ui/Failed'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'

export function Rollovers({ ledger }: { ledger: Ledger }) {
  const t = useText()
  const word = useWord()
  const navigate = useNavigate()
  const { dayTime, number } = useFormats()
  const { allowed } = useNeeds('finance.ledger-rollovers-logs.collection.get')
  const { data, error, refetch } = useQuery({
    ...rolloverLogsQuery(ledger.id),
    enabled: allowed,
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data?.length) return null
  const rows = data.toSorted((a, b) => b.startDate.localeCompare(a.startDate))
  const columns: Column<RolloverLog>[] = [
    {
      id: 'type',
      title: t('acq.what'),
      kind: 'main',
      cell: (one) => (
        <Link
          className={table.title}
          to="/finance/$kind/$id"
          params={{ kind: 'rollovers', id: one.ledgerRolloverId }}
          tabIndex={-1}
        >
          {word(one.ledgerRolloverType)}
        </Link>
      ),
    },
    {
      id: 'status',
      title: t('acq.status'),
      width: 9,
      cell: (one) => <StateOf value={one.rolloverStatus} />,
    },
    { id: 'start', title: t('fin.begun'), width: 12, cell: (one) => dayTime(one.startDate) },
    {
      id: 'end',
      title: t('fin.ended'),
      width: 12,
      wide: true,
      cell: ({ endDate }) => (endDate ? dayTime(endDate) : null),
    },
  ]
  return (
    <Section title={t('fin.rollovers')} count={number(rows.length)}>
      <Table
        label={t('fin.rollovers')}
        columns={columns}
        rows={rowsOf(rows)}
        keyOf={(one) => one.ledgerRolloverId}
        nameOf={(one) => word(one.ledgerRolloverType)}
        onOpen={(one) =>
          void navigate({
            to: '/finance/$kind/$id',
            params: { kind: 'rollovers', id: one.ledgerRolloverId },
          })
        }
      />
    </Section>
  )
}
