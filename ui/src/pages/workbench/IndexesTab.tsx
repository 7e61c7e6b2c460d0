// The indexes of this library's collections: which are used, how large they are, and those made here.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { Outcome } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import type { IconName } from '#/ui/icons'
import type { Kind } from '#/ui/kinds'
import { Segmented } from '#/ui/Segmented'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { type Index, indexesQuery } from '#/workbench/advice'
import { DropCard } from './DropCard'
import { Refused } from './Refused'
import styles from './workbench.module.css'

const SHOWN = ['own', 'unused', 'all'] as const
const STATES: Record<Index['state'], [Kind, IconName]> = {
  'in use': ['ok', 'check'],
  unused: ['offline', 'pause'],
  building: ['question', 'refresh-cw'],
  failed: ['blocked', 'circle-x'],
  missing: ['blocked', 'circle-alert'],
}

export function IndexesTab() {
  const t = useText()
  const { number } = useFormats()
  const units = useUnits()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/workbench' })
  const shown = SHOWN.find((one) => one === search.kind) ?? 'own'
  const { data, error, refetch } = useQuery(indexesQuery)
  const [chosen, setChosen] = useState<string>()
  const all = data?.state === 'there' ? data.data.indexes : []
  const list = all.filter(
    ({ from, state }) =>
      shown === 'all' || (shown === 'own' ? from !== 'release' : state === 'unused'),
  )
  const columns: Column<Index>[] = [
    {
      id: 'index',
      title: t('bench.index'),
      kind: 'main',
      cell: (one) => (
        <>
          <code className={styles.sql}>{one.index}</code>
          {one.reason ? (
            <p className="sm soft" dir="auto">
              {one.reason}
            </p>
          ) : null}
        </>
      ),
    },
    {
      id: 'collection',
      title: t('bench.collection'),
      width: 11,
      soft: true,
      cell: ({ collection }) => <bdi dir="ltr">{collection}</bdi>,
    },
    {
      id: 'from',
      title: t('bench.from'),
      width: 9,
      soft: true,
      wide: true,
      cell: ({ from }) => t(`bench.from.${from}`),
    },
    {
      id: 'bytes',
      title: t('bench.size'),
      width: 7,
      kind: 'num',
      named: true,
      cell: ({ bytes }) => (bytes === undefined ? '' : units.bytes(bytes)),
    },
    {
      id: 'scans',
      title: t('bench.scans'),
      width: 7,
      kind: 'num',
      named: true,
      cell: ({ scans }) => (scans === undefined ? '' : number(scans)),
    },
    {
      id: 'state',
      title: t('data.state'),
      width: 9,
      cell: ({ state }) => {
        const [kind, icon] = STATES[state] ?? STATES.missing
        return (
          <Outcome kind={kind} icon={icon}>
            {t(`bench.index.${state}`)}
          </Outcome>
        )
      },
    },
    {
      id: 'drop',
      title: t('bench.drop'),
      width: 7,
      cell: ({ index, from }) =>
        from === 'applied' ? (
          <Button
            small
            aria-label={t('bench.dropOf', { name: index })}
            onPress={() => setChosen(index)}
          >
            {t('bench.drop')}
          </Button>
        ) : null,
    },
  ]
  const open = all.find(({ index }) => index === chosen)
  return (
    <section className="stack" aria-labelledby="bench-indexes">
      <div className="row wrap">
        <h2 id="bench-indexes">{t('bench.tab.indexes')}</h2>
        <Segmented
          label={t('data.show')}
          value={shown}
          onChange={(kind) =>
            void navigate({ to: '/workbench', search: { tab: 'indexes', kind }, replace: true })
          }
          choices={SHOWN.map((value) => ({ value, text: t(`bench.shown.${value}`) }))}
        />
      </div>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <Refused of={data} missing={t('bench.noRoute')} />
      {open ? (
        <DropCard key={open.index} index={open} onClose={() => setChosen(undefined)} />
      ) : null}
      {list.length ? (
        <Table
          label={t('bench.tab.indexes')}
          columns={columns}
          rows={rowsOf(list)}
          keyOf={({ index }) => index}
          nameOf={({ index }) => index}
        />
      ) : data?.state === 'there' ? (
        <Empty icon="check" title={t('bench.noIndexes')} text={t('bench.noIndexesWhat')} />
      ) : null}
    </section>
  )
}
