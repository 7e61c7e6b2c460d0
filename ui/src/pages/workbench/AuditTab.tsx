// Who logged in, what was refused, which permissions and passwords changed, who read many patrons' data.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { Select } from '#/ui/Select'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { AUDIT_KINDS, type AuditEntry, auditKindOf, auditQuery } from '#/workbench/audit'
import { Refused } from './Refused'
import styles from './workbench.module.css'

export function AuditTab() {
  const t = useText()
  const { number, dayTime } = useFormats()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/workbench' })
  const kind = auditKindOf(search.kind)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery(kind),
  )
  const first = data?.pages[0]
  const entries =
    data?.pages.flatMap((one) => (one.state === 'there' ? one.data.auditEntries : [])) ?? []
  const columns: Column<AuditEntry>[] = [
    {
      id: 'what',
      title: t('bench.what'),
      kind: 'main',
      cell: (one) => {
        const known = auditKindOf(one.kind)
        return (
          <>
            {known ? t(`bench.audit.${known}`) : one.kind}
            {one.times && one.times > 1 ? ` × ${number(one.times)}` : ''}
            {one.detail ? (
              <p className="sm soft" dir="auto">
                {one.detail}
              </p>
            ) : null}
          </>
        )
      },
    },
    {
      id: 'who',
      title: t('bench.who'),
      width: 12,
      soft: true,
      cell: ({ userId }) =>
        userId ? (
          <Link to="/users/$userId" params={{ userId }} search={{}}>
            <span className="code">{userId.slice(0, 8)}</span>
          </Link>
        ) : (
          ''
        ),
    },
    {
      id: 'from',
      title: t('bench.address'),
      width: 11,
      soft: true,
      wide: true,
      cell: ({ address }) => <span className="code">{address}</span>,
    },
    { id: 'at', title: t('bench.at'), width: 11, soft: true, cell: ({ at }) => dayTime(at) },
  ]
  return (
    <section className="stack" aria-labelledby="bench-audit">
      <h2 id="bench-audit">{t('bench.tab.audit')}</h2>
      <p className="soft sm">{t('bench.auditWhat')}</p>
      <div className={styles.form}>
        <Select
          label={t('bench.kind')}
          value={kind ?? 'all'}
          onChange={(to) =>
            void navigate({
              to: '/workbench',
              search: { tab: 'audit', kind: to === 'all' ? undefined : to },
              replace: true,
            })
          }
          choices={[
            { value: 'all', text: t('data.all') },
            ...AUDIT_KINDS.map((value) => ({ value, text: t(`bench.audit.${value}`) })),
          ]}
        />
      </div>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <Refused of={first} missing={t('bench.noRoute')} />
      {entries.length ? (
        <Table
          label={t('bench.tab.audit')}
          columns={columns}
          rows={rowsOf(entries)}
          keyOf={(one) => String(one.position ?? one.at)}
          nameOf={(one) => one.kind}
        />
      ) : first?.state === 'there' ? (
        <Empty icon="history" title={t('bench.noAudit')} />
      ) : null}
      {hasNextPage ? (
        <div className="row">
          <Button kind="quiet" busy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t('bench.older')}
          </Button>
        </div>
      ) : null}
    </section>
  )
}
