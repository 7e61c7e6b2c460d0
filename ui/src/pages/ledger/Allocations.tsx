// What was changed of the ledger's funds and budgets together, the newest first.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { logsQuery, type UpdateLog } from '#/acquisitions/allocations'
import { StateOf } from '#/acquisitions/StateOf'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Failed } from '#/ui/Failed'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'

export function Allocations({ ledgerId }: { ledgerId: string }) {
  const t = useText()
  const navigate = useNavigate()
  const { dayTime, number } = useFormats()
  const { allowed } = useNeeds('finance.fund-update-logs.collection.get')
  const { data, error, refetch } = useQuery({ ...logsQuery(ledgerId), enabled: allowed })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data?.length) return null
  const open = ({ id }: UpdateLog) =>
    void navigate({ to: '/finance/$kind/$id', params: { kind: 'allocations', id } })
  const columns: Column<UpdateLog>[] = [
    {
      id: 'name',
      title: t('acq.name'),
      kind: 'main',
      cell: (one) => (
        <Link
          className={table.title}
          to="/finance/$kind/$id"
          params={{ kind: 'allocations', id: one.id }}
          tabIndex={-1}
        >
          <bdi>{one.jobName}</bdi>
        </Link>
      ),
    },
    {
      id: 'status',
      title: t('acq.status'),
      width: 9,
      cell: ({ status }) => (status ? <StateOf value={status} /> : null),
    },
    {
      id: 'rows',
      title: t('acq.list.funds'),
      width: 6,
      kind: 'num',
      named: true,
      cell: ({ recordsCount }) => number(recordsCount ?? 0),
    },
    {
      id: 'start',
      title: t('fin.begun'),
      width: 12,
      cell: ({ metadata }) => (metadata?.createdDate ? dayTime(metadata.createdDate) : null),
    },
  ]
  return (
    <Section title={t('fin.alloc.logs')} count={number(data.length)}>
      <Table
        label={t('fin.alloc.logs')}
        columns={columns}
        rows={rowsOf(data)}
        keyOf={(one) => one.id}
        nameOf={(one) => one.jobName}
        onOpen={open}
      />
    </Section>
  )
}
