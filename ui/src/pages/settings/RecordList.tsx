// The records of one kind.
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useLoaded } from '#/api/query'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import type { Kind } from '#/settings/kinds'
import { nameOf, type Row, recordsQuery } from '#/settings/records'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Head, page } from '#/ui/Page'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { TextField } from '#/ui/TextField'
import styles from './settings.module.css'
import { useMayWrite } from './useMayWrite'

export function RecordList({ kind }: { kind: Kind }) {
  const t = useText()
  const formats = useFormats()
  const navigate = useNavigate()
  const all = useLoaded(recordsQuery(kind))
  const [wanted, setWanted] = useState('')
  const cannot = useMayWrite(kind, 'post')
  const rows = useMemo(() => {
    const text = wanted.trim().toLocaleLowerCase()
    return text ? all.filter((row) => JSON.stringify(row).toLocaleLowerCase().includes(text)) : all
  }, [all, wanted])
  const make = () => void navigate({ to: '/settings', search: { of: kind.id, id: 'new' } })
  const makes = {
    id: 'set.new',
    title: 'set.new',
    group: 'page',
    keys: 'Alt+N',
    disabled: cannot,
    run: make,
  } as const
  useCommands(kind.fixed ? [] : [makes])
  const columns: Column<Row>[] = [
    {
      id: 'name',
      title: t('set.name'),
      kind: 'main',
      cell: (row) => (
        <Link to="/settings" search={{ of: kind.id, id: row.id }} className="title">
          <bdi>{nameOf(row, kind)}</bdi>
        </Link>
      ),
    },
    ...(kind.columns ?? []).map((name): Column<Row> => {
      const field = kind.fields.find((one) => one.name === name)
      return {
        id: name,
        title: field ? t(field.label) : t('set.source'),
        width: 16,
        soft: true,
        cell: (row) => <bdi>{String(row[name] ?? '')}</bdi>,
      }
    }),
  ]
  return (
    <>
      <Head title={t(kind.title)} sub={t('set.count', { count: all.length })}>
        {kind.fixed ? null : (
          <Button kind="primary" icon="plus" keys="Alt+N" disabled={cannot} onPress={make}>
            {t('set.new')}
          </Button>
        )}
      </Head>
      <div className={styles.bar}>
        <TextField label={t('set.filter')} type="search" value={wanted} onChange={setWanted} />
      </div>
      <div className={page.pane}>
        {rows.length ? (
          <div className={page.body}>
            <Table
              label={t(kind.title)}
              columns={columns}
              rows={rowsOf(rows)}
              keyOf={(row) => row.id}
              nameOf={(row) => nameOf(row, kind)}
              onOpen={(row) =>
                void navigate({ to: '/settings', search: { of: kind.id, id: row.id } })
              }
            />
          </div>
        ) : (
          <Empty icon="list" title={t('set.none')} text={wanted ? undefined : t('set.noneWhat')} />
        )}
      </div>
      {wanted ? (
        <div className={page.foot}>
          <p role="status">
            {t('set.shown', {
              shown: formats.number(rows.length),
              all: formats.number(all.length),
            })}
          </p>
        </div>
      ) : null}
    </>
  )
}
