// The library's events on their way to Kafka: who passes them on, how far behind, and what Kafka never took.
import { useQuery } from '@tanstack/react-query'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { Outcome } from '#/ui/Badge'
import card from '#/ui/Card.module.css'
import { Code } from '#/ui/Code'
import { cx } from '#/ui/cx'
import { Failed } from '#/ui/Failed'
import { type ParkedEvent, type RelayState, relayQuery } from '#/workbench/relay'
import { Refused } from './Refused'
import styles from './workbench.module.css'

export function Events() {
  const t = useText()
  const { data, error, refetch } = useQuery(relayQuery)
  const there = data?.state === 'there' ? data.data : undefined
  return (
    <section className="stack" aria-labelledby="bench-events">
      <h2 id="bench-events">{t('bench.events')}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <Refused of={data} missing={t('bench.noRoute')} />
      {there && !there.configured ? <p className="sm soft">{t('bench.noRelay')}</p> : null}
      {there?.configured ? <RelayCard relay={there} /> : null}
    </section>
  )
}

function RelayCard({ relay }: { relay: RelayState }) {
  const t = useText()
  const { number, dayTime } = useFormats()
  return (
    <div className={cx(card.card, 'stack tight')}>
      <p className="sm">
        <Passing relay={relay} />
      </p>
      <p className="sm soft">
        {relay.lastSent
          ? t('bench.eventsSent', {
              sent: number(relay.eventsSent ?? 0),
              at: dayTime(relay.lastSent),
            })
          : t('bench.noEventsSent')}
      </p>
      {relay.totalParked ? (
        <>
          <p className="sm">
            <Outcome kind="fee" icon="triangle-alert">
              {t('bench.parked', { count: relay.totalParked })}
            </Outcome>
          </p>
          <ul>
            {relay.parked?.map((event) => (
              <Parked key={event.eventId} event={event} />
            ))}
          </ul>
        </>
      ) : null}
    </div>
  )
}

function Passing({ relay }: { relay: RelayState }) {
  const t = useText()
  const { number, dayTime } = useFormats()
  if (!relay.running)
    return (
      <Outcome kind="blocked" icon="circle-x">
        {t('bench.relayStopped')}
      </Outcome>
    )
  if (!relay.eventsUnsent)
    return (
      <Outcome kind="ok" icon="check">
        {t('bench.upToDate')}
      </Outcome>
    )
  const oldest = Date.now() - (relay.oldestUnsentMilliseconds ?? 0)
  return (
    <Outcome kind="question" icon="refresh-cw">
      {t('bench.eventsWait', {
        count: relay.eventsUnsent,
        number: number(relay.eventsUnsent),
        at: dayTime(new Date(oldest).toISOString()),
      })}
    </Outcome>
  )
}

function Parked({ event: { topic, key, bytes, reason } }: { event: ParkedEvent }) {
  const units = useUnits()
  return (
    <li className={cx(styles.parked, 'sm stack tight')}>
      <p className="row top">
        <bdi dir="ltr" className={cx(styles.topic, 'medium')}>
          {topic}
        </bdi>
        <span className="soft num push">{units.bytes(bytes)}</span>
      </p>
      {key ? (
        <p className={styles.topic}>
          <Code>{key}</Code>
        </p>
      ) : null}
      <p className="soft" dir="auto">
        {reason}
      </p>
    </li>
  )
}
