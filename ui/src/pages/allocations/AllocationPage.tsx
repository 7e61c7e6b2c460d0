// What was changed of funds and budgets at one time: each row as it was sent, and whether all of it was made.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FinanceRow, logQuery } from '#/acquisitions/allocations'
import { useMoney } from '#/acquisitions/money'
import { ledgersQuery, yearsQuery } from '#/acquisitions/queries'
import { StateOf } from '#/acquisitions/StateOf'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { CsvSave } from '#/ui/CsvSave'
import { Description } from '#/ui/Description'
import { Note } from '#/ui/Note'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { useCsv } from '#/ui/useCsv'
import { sheetOf } from './worksheet'

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'acquisitions', 'finance'),
    queryClient.ensureQueryData(logQuery(id)),
    queryClient.ensureQueryData(yearsQuery),
  ])
}

export function AllocationPage() {
  const t = useText()
  const money = useMoney()
  const navigate = useNavigate()
  const { dayTime, number } = useFormats()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const log = useLoaded(logQuery(id))
  const years = useLoaded(yearsQuery)
  const { data: ledgers } = useQuery(ledgersQuery)
  const rows = log.jobDetails?.fyFinanceData ?? []
  const currency = years.find((one) => one.id === rows[0]?.fiscalYearId)?.currency
  const csv = useCsv<FinanceRow>({
    name: log.jobName.replace(/\.csv$/, ''),
    load: async () => ({ rows: [...rows], total: rows.length }),
    head: sheetOf([])[0]?.map(String) ?? [],
    row: (one) => sheetOf([one])[1] ?? [],
  })
  const amount = (name: keyof FinanceRow & `budget${string}`, title: string, wide?: boolean) => ({
    id: name,
    title,
    width: 9,
    kind: 'num' as const,
    named: true,
    wide,
    cell: (one: FinanceRow) => money(one[name] as number | undefined, currency),
  })
  const columns: Column<FinanceRow>[] = [
    {
      id: 'fund',
      title: t('acq.fund'),
      kind: 'main',
      cell: (one) => (
        <Link to="/finance/funds/$id" params={{ id: one.fundId }} tabIndex={-1}>
          <bdi>{one.fundName}</bdi>
        </Link>
      ),
    },
    {
      id: 'status',
      title: t('fin.alloc.budgetStatus'),
      width: 8,
      cell: ({ budgetStatus }) => (budgetStatus ? <StateOf value={budgetStatus} /> : null),
    },
    amount('budgetCurrentAllocation', t('fin.alloc.before'), true),
    amount('budgetAllocationChange', t('fin.alloc.change')),
    amount('budgetAfterAllocation', t('fin.alloc.after')),
    {
      id: 'description',
      title: t('acq.description'),
      width: 14,
      soft: true,
      wide: true,
      cell: (one) => <bdi>{one.transactionDescription}</bdi>,
    },
  ]
  const ledger = ledgers?.find((one) => one.id === log.ledgerId)
  return (
    <>
      <RecordHead
        title={log.jobName}
        path={
          <>
            <Link to="/finance" search={{ view: 'ledgers' }}>
              {t('acq.list.ledgers')}
            </Link>{' '}
            /{' '}
            <Link to="/finance/ledgers/$id" params={{ id: log.ledgerId }}>
              <bdi>{ledger?.name ?? t('acq.ledger')}</bdi>
            </Link>
          </>
        }
        sub={<StateOf value={log.status ?? ''} />}
      />
      <div className={page.pane}>
        <div className={`${page.body} stack far`}>
          {log.status === 'ERROR' ? (
            <Note kind="blocked">
              <p>{t('fin.alloc.notMade')}</p>
            </Note>
          ) : null}
          <Section
            title={t('acq.list.funds')}
            count={number(rows.length)}
            acts={<CsvSave csv={csv} />}
          >
            <Table
              label={t('acq.list.funds')}
              columns={columns}
              rows={rowsOf(rows)}
              keyOf={(one) => one.fundId}
              nameOf={(one) => one.fundName ?? ''}
              onOpen={(one) =>
                void navigate({ to: '/finance/funds/$id', params: { id: one.fundId } })
              }
            />
          </Section>
          <Section title={t('acq.summary')}>
            <Description
              lines={[
                [t('fin.alloc.number'), log.jobNumber && String(log.jobNumber)],
                [t('acq.fiscalYear'), rows[0]?.fiscalYearCode],
                [t('fin.begun'), log.metadata?.createdDate && dayTime(log.metadata.createdDate)],
              ]}
            />
          </Section>
        </div>
      </div>
    </>
  )
}
