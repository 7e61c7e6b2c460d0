// Searches that read a whole collection for want of an index, those with the most time first.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { Outcome } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { type Advice, adviceQuery, indexesQuery } from '#/workbench/advice'
import { BuildCard } from './BuildCard'
import { Refused } from './Refused'
import styles from './workbench.module.css'

export function AdviceList() {
  const t = useText()
  const { number } = useFormats()
  const units = useUnits()
  const { data, error, refetch } = useQuery(adviceQuery)
  const { data: indexes } = useQuery(indexesQuery)
  const [chosen, setChosen] = useState<number>()
  const building = indexes?.state === 'there' ? indexes.data.building : undefined
  const list = data?.state === 'there' ? data.data.indexAdvice : []
  const columns: Column<Advice>[] = [
    {
      id: 'search',
      title: t('bench.search'),
      kind: 'main',
      cell: (one) => (
        <>
          <code className={styles.sql}>{one.query}</code>
          <p className="sm soft">
            {t('bench.lacks', {
              indexes: one.indexes
                .map(({ collection, index }) => [index.kind, collection, index.field].join(' '))
                .join(', '),
            })}
          </p>
        </>
      ),
    },
    {
      id: 'times',
      title: t('bench.times'),
      width: 6,
      kind: 'num',
      named: true,
      cell: (one) => number(one.times),
    },
    {
      id: 'records',
      title: t('bench.recordsRead'),
      width: 8,
      kind: 'num',
      named: true,
      cell: (one) => number(one.recordsInCollection),
    },
    {
      id: 'longest',
      title: t('bench.longest'),
      width: 7,
      kind: 'num',
      named: true,
      cell: (one) => units.milliseconds(one.longestMilliseconds),
    },
    {
      id: 'total',
      title: t('bench.total'),
      width: 7,
      kind: 'num',
      named: true,
      wide: true,
      cell: (one) => units.milliseconds(one.totalMilliseconds),
    },
    {
      id: 'build',
      title: t('bench.index'),
      width: 9,
      cell: (one) =>
        one.number === building ? (
          <Outcome kind="question" icon="refresh-cw">
            {t('bench.building')}
          </Outcome>
        ) : (
          <Button
            small
            aria-label={t('bench.buildFor', { query: one.query })}
            onPress={() => setChosen(one.number)}
          >
            {t('bench.build')}
          </Button>
        ),
    },
  ]
  const open = list.find((one) => one.number === chosen)
  return (
    <section className="stack" aria-labelledby="bench-advice">
      <h2 id="bench-advice">{t('bench.advice')}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <Refused of={data} missing={t('bench.noAdviceHere')} />
      {open ? (
        <BuildCard
          key={open.number}
          advice={open}
          canBuild={indexes?.state === 'there'}
          onClose={() => setChosen(undefined)}
        />
      ) : null}
      {list.length ? (
        <Table
          label={t('bench.advice')}
          columns={columns}
          rows={rowsOf(list)}
          keyOf={(one) => String(one.number)}
          nameOf={(one) => one.query}
        />
      ) : data?.state === 'there' ? (
        <Empty icon="check" title={t('bench.noAdvice')} text={t('bench.noAdviceWhat')} />
      ) : null}
    </section>
  )
}
