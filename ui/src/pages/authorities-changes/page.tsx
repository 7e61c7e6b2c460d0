// What changed of authorities in some days, and the links to titles that could not follow. Kind and days stand in the
// address; all of it goes into a file.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient } from '#/api/query'
import {
  CHANGES_OF,
  type ChangesOf,
  changesQuery,
  type Days,
  everyChange,
} from '#/authorities/changes'
import { lastSearch } from '#/authorities/lastSearch'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { csvOf } from '#/lib/csv'
import { download } from '#/lib/download'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { useSaving } from '#/transfer/useSaving'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { Fields } from '#/ui/Fields'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { rowsOf, Table } from '#/ui/Table'
import { Tabs } from '#/ui/Tabs'
import { TextField } from '#/ui/TextField'
import { useChangeColumns } from './useChangeColumns'

export interface ChangesSearch extends Days {
  of?: ChangesOf
}

export async function loader({ deps: { of = 'headings', from, to } }: { deps: ChangesSearch }) {
  await Promise.all([
    loadTexts('lists', 'inventory', 'authorities'),
    queryClient.prefetchQuery(changesQuery(of, { from, to }, 1)),
  ])
}

export function AuthorityChangesPage() {
  const t = useText()
  const { number } = useFormats()
  const navigate = useNavigate()
  const { of = 'headings', from, to } = useSearch({ from: '/shell/authorities/changes' })
  const [pages, setPages] = useState(1)
  const may = useNeeds(
    `instance-authority-links.${of === 'failed' ? 'instance' : 'authority'}-statistics.collection.get`,
  )
  const { data, error, refetch } = useQuery({
    ...changesQuery(of, { from, to }, pages),
    placeholderData: keepPreviousData,
    enabled: may.allowed,
  })
  const columns = useChangeColumns(of)
  const file = useSaving()
  const rows = data?.changes ?? []
  const choose = (days: Days) => {
    setPages(1)
    void navigate({
      to: '/authorities/changes',
      search: { of: of === 'headings' ? undefined : of, from, to, ...days },
      replace: true,
    })
  }
  const save = () =>
    file.run(async (signal) => {
      const all = await everyChange(of, { from, to }, signal)
      const lines = all.map((one) => columns.map(({ text }) => text(one)))
      const head = columns.map(({ title }) => title)
      const day = new Date().toISOString().slice(0, 10)
      download(`authorities-${of}-${day}.csv`, csvOf([head, ...lines]), 'text/csv;charset=utf-8')
      return t('list.csvDone', { count: number(all.length) })
    })
  return (
    <>
      <RecordHead
        title={t('authority.changes')}
        path={
          <Link to="/authorities" search={lastSearch()}>
            {t('shell.authorities')}
          </Link>
        }
      >
        <span className="sm soft" role="status">
          {file.said}
        </span>
        <Button icon="download" busy={file.busy} disabled={may.reason} onPress={save}>
          {t('list.csv')}
        </Button>
      </RecordHead>
      <Tabs
        label={t('authority.changes')}
        current={of}
        tabs={CHANGES_OF.map((id) => ({ id, title: t(`authority.changes.${id}`) }))}
        linkOf={(id) => ({
          to: '/authorities/changes',
          search: { of: id === 'headings' ? undefined : (id as ChangesOf), from, to },
        })}
      />
      <div className={page.pane}>
        <div className={cx(page.body, page.first, 'stack')}>
          <Fields>
            <TextField
              label={t('authority.changes.from')}
              type="date"
              value={from ?? ''}
              onChange={(day) => choose({ from: day || undefined })}
            />
            <TextField
              label={t('authority.changes.to')}
              type="date"
              value={to ?? ''}
              error={from && to && from > to ? t('authority.changes.beforeFirst') : undefined}
              onChange={(day) => choose({ to: day || undefined })}
            />
          </Fields>
          {may.reason ? (
            <Empty icon="lock" title={t(`authority.changes.${of}`)} text={may.reason} />
          ) : error ? (
            <Failed error={error} retry={() => void refetch()} />
          ) : rows.length ? (
            <Table
              label={t(`authority.changes.${of}`)}
              columns={columns}
              rows={rowsOf(rows)}
              keyOf={(one) => one.id}
              nameOf={(one) => one.headingNew ?? one.title ?? one.naturalIdNew ?? one.id}
            />
          ) : data ? (
            <Empty
              icon="check"
              title={t('authority.changes.none')}
              text={t('authority.changes.noneWhat')}
            />
          ) : null}
          {data?.next ? (
            <div className="row">
              <Button kind="quiet" onPress={() => setPages(pages + 1)}>
                {t('authority.changes.older')}
              </Button>
            </div>
          ) : null}
        </div>
      </div>
    </>
  )
}
