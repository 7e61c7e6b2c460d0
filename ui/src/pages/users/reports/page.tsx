// Reports: what is overdue, claimed returned or on its way, and what was paid, refunded, done to fees. Report, days,
// desk and owner stand in the address; all rows go into a file.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { servicePointsQuery } from '#/api/desks'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { useNeeds } from '#/lib/permissions'
import { ownersQuery } from '#/patrons/fees/queries'
import { cellOf } from '#/patrons/reports/cells'
import { isReady, REPORTS, type Report, type Row, reportOf } from '#/patrons/reports/reports'
import { CsvSave } from '#/ui/CsvSave'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { ListFoot } from '#/ui/ListFoot'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Tabs } from '#/ui/Tabs'
import { useCsv } from '#/ui/useCsv'
import { useWindows } from '#/ui/useWindows'
import { VirtualTable } from '#/ui/VirtualTable'
import { Chosen } from './Chosen'
import { Sums } from './Sums'
import { type ReportSearch, useReportChoice } from './useReportChoice'
import { useReportColumns } from './useReportColumns'

export async function loader() {
  await Promise.all([
    loadTexts('lists', 'forms', 'users', 'loans', 'reports'),
    // Who may not read these chooses none.
    queryClient.prefetchQuery(servicePointsQuery),
    queryClient.prefetchQuery(ownersQuery),
  ])
}

export function ReportsPage() {
  const t = useText()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/users/reports' })
  const report = reportOf(search.of)
  const choice = useReportChoice(search)
  const may = useNeeds(report.permission)
  const change = (patch: Partial<ReportSearch>) =>
    void navigate({ to: '/users/reports', search: { ...search, ...patch }, replace: true })
  return (
    <>
      <RecordHead
        title={t('report.title')}
        path={
          <Link to="/users" search={{}}>
            {t('users.title')}
          </Link>
        }
      />
      <Tabs
        label={t('report.title')}
        current={report.id}
        tabs={REPORTS.map(({ id, title }) => ({ id, title: t(title) }))}
        linkOf={(id) => ({
          to: '/users/reports',
          search: { ...search, of: id === REPORTS[0]?.id ? undefined : id },
        })}
      />
      {may.reason ? (
        <Empty icon="lock" title={t(report.title)} text={may.reason} />
      ) : (
        <>
          {report.asks.length ? <Chosen report={report} choice={choice} onChange={change} /> : null}
          {isReady(report, choice) ? (
            <Rows key={report.id} report={report} choice={choice} />
          ) : (
            <Empty icon="list" title={t('report.choose')} text={t('report.chooseWhat')} />
          )}
        </>
      )}
    </>
  )
}

function Rows({ report, choice }: { report: Report; choice: ReturnType<typeof useReportChoice> }) {
  const t = useText()
  const navigate = useNavigate()
  const desk = useDesk()
  const [range, setRange] = useState({ first: 0, last: 0 })
  const columns = useReportColumns(report)
  const source = useMemo(
    () => ({
      key: ['report-rows', report.id, choice] as const,
      load: (offset: number, limit: number, signal: AbortSignal) =>
        report.load(choice, offset, limit, signal),
    }),
    [report, choice],
  )
  const rows = useWindows<Row>(source)
  const { data: whole } = useQuery({
    queryKey: ['report-sums', report.id, choice],
    queryFn: () => report.whole?.(choice) ?? null,
    enabled: Boolean(report.whole),
  })
  const csv = useCsv<Row>({
    name: `${report.id}${desk && report.asks.includes('desk') ? `-${desk.name}` : ''}`,
    load: source.load,
    head: report.columns.map(({ title }) => t(title)),
    row: (row) => report.columns.map((column) => cellOf(row, column)),
  })
  const open = (row: Row, newTab: boolean) => {
    const userId = String(row.userId ?? row.patronId ?? '')
    if (!userId) return
    if (newTab) window.open(`/staff/users/${userId}`, '_blank', 'noopener')
    else void navigate({ to: '/users/$userId', params: { userId } })
  }
  const sums = Object.entries(whole?.sums ?? {})
  if (rows.error && !rows.total)
    return (
      <div className={page.body}>
        <Failed error={rows.error} retry={rows.retry} />
      </div>
    )
  if (rows.total === 0 && !rows.isLoading)
    return <Empty icon="check" title={t('report.none')} text={t('report.noneWhat')} />
  const list = (
    <>
      <VirtualTable
        label={t(report.title)}
        listKey={JSON.stringify(source.key)}
        columns={columns}
        rows={rows}
        keyOf={(row) => row.$key}
        nameOf={(row) => String(cellOf(row, report.columns[0] as Report['columns'][0]) ?? '')}
        onOpen={open}
        onRange={(first, last) => {
          rows.onRange(first, last)
          setRange({ first, last })
        }}
      />
      <ListFoot
        first={range.first}
        last={Math.min(range.last, rows.total - 1)}
        total={rows.found}
        error={rows.error}
        retry={rows.retry}
      >
        <span className="row push">
          <CsvSave csv={csv} />
        </span>
      </ListFoot>
    </>
  )
  return sums.length ? (
    <div className={cx(page.split, page.record)}>
      <div className={page.col}>{list}</div>
      <Sums sums={sums} />
    </div>
  ) : (
    list
  )
}
