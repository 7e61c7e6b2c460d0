// What the server does by the clock for this library, and how often.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { useUnits } from '#/lib/units'
import { Badge, Outcome } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { Failed } from '#/ui/Failed'
import type { IconName } from '#/ui/icons'
import type { Kind } from '#/ui/kinds'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { moduleOf, type Timer, timersQuery, unitOf } from '#/workbench/timers'
import { Refused } from './Refused'
import { TimerCard } from './TimerCard'
import styles from './workbench.module.css'

const LAST: Record<NonNullable<Timer['lastStatus']>, [Kind, IconName]> = {
  running: ['question', 'refresh-cw'],
  succeeded: ['ok', 'check'],
  failed: ['blocked', 'circle-x'],
}

export function TimersTab() {
  const t = useText()
  const { data, error, refetch } = useQuery(timersQuery)
  const { clock } = useFormats()
  const units = useUnits()
  const may = useNeeds('okapi.proxy.self.timers.patch')
  const [chosen, setChosen] = useState<string>()
  const timers = data?.state === 'there' ? data.data : []
  const every = ({ routingEntry: { schedule, unit, delay } }: Timer) => {
    if (schedule?.cron)
      return t('bench.cron', { cron: schedule.cron, zone: schedule.zone ?? 'UTC' })
    const known = unitOf(unit)
    return known && delay ? t(`bench.every.${known}`, { count: Number(delay) }) : t('bench.never')
  }
  const columns: Column<Timer>[] = [
    {
      id: 'what',
      title: t('bench.request'),
      kind: 'main',
      cell: ({ routingEntry: { methods, pathPattern, path } }) => (
        <code className={styles.sql}>{`${methods?.[0] ?? ''} ${pathPattern ?? path ?? ''}`}</code>
      ),
    },
    {
      id: 'module',
      title: t('bench.module'),
      width: 14,
      soft: true,
      wide: true,
      cell: ({ id }) => <bdi dir="ltr">{moduleOf(id)}</bdi>,
    },
    {
      id: 'every',
      title: t('bench.howOften'),
      width: 12,
      cell: (timer) => (
        <>
          {every(timer)} {timer.modified ? <Badge>{t('bench.changed')}</Badge> : null}
        </>
      ),
    },
    {
      id: 'last',
      title: t('bench.lastRun'),
      width: 12,
      cell: ({ lastRun, lastStatus, lastMilliseconds, lastError }) => {
        if (!lastRun || !lastStatus) return ''
        const [kind, icon] = LAST[lastStatus] ?? LAST.failed
        return (
          <>
            <Outcome kind={kind} icon={icon}>
              {clock(lastRun)}
            </Outcome>{' '}
            <span className="sm soft">
              {lastMilliseconds === undefined ? '' : units.milliseconds(lastMilliseconds)}
            </span>
            <span className="vh">{t(`bench.last.${lastStatus}`)}</span>
            {lastError ? (
              <p className="sm soft" dir="auto">
                {lastError}
              </p>
            ) : null}
          </>
        )
      },
    },
    {
      id: 'next',
      title: t('bench.nextRun'),
      width: 8,
      soft: true,
      wide: true,
      cell: ({ nextRun }) => (nextRun ? clock(nextRun) : ''),
    },
    {
      id: 'change',
      title: t('bench.change'),
      width: 8,
      cell: (timer) => (
        <Button
          small
          disabled={may.reason}
          aria-label={t('bench.changeOf', { name: timer.routingEntry.pathPattern ?? timer.id })}
          onPress={() => setChosen(timer.id)}
        >
          {t('bench.change')}
        </Button>
      ),
    },
  ]
  const open = timers.find(({ id }) => id === chosen)
  return (
    <section className="stack" aria-labelledby="bench-timers">
      <h2 id="bench-timers">{t('bench.tab.timers')}</h2>
      <p className="soft sm">{t('bench.timersWhat')}</p>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <Refused of={data} missing={t('bench.noRoute')} />
      {may.reason && timers.length ? <p className="sm soft">{may.reason}</p> : null}
      {open ? (
        <TimerCard
          key={open.id}
          timer={open}
          every={every(open)}
          onClose={() => setChosen(undefined)}
        />
      ) : null}
      {timers.length ? (
        <Table
          label={t('bench.tab.timers')}
          columns={columns}
          rows={rowsOf(timers)}
          keyOf={({ id }) => id}
          nameOf={({ routingEntry, id }) => routingEntry.pathPattern ?? id}
        />
      ) : null}
    </section>
  )
}
