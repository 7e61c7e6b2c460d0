// The replicas that serve reads: up or not, how far behind, how many reads.
import { useQuery } from '@tanstack/react-query'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { Outcome } from '#/ui/Badge'
import card from '#/ui/Card.module.css'
import { cx } from '#/ui/cx'
import { Failed } from '#/ui/Failed'
import { type Reader, readersQuery } from '#/workbench/server'
import { Refused } from './Refused'

export function Readers() {
  const t = useText()
  const { number } = useFormats()
  const { data, error, refetch } = useQuery(readersQuery)
  const there = data?.state === 'there' ? data.data : undefined
  return (
    <section className="stack" aria-labelledby="bench-readers">
      <h2 id="bench-readers">{t('bench.replicas')}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <Refused of={data} missing={t('bench.noRoute')} />
      {there?.readers.length === 0 ? <p className="sm soft">{t('bench.noReplicas')}</p> : null}
      {there?.readers.map((one) => (
        <ReaderCard key={one.place} reader={one} />
      ))}
      {there?.readers.length ? (
        <p className="sm soft">
          {t('bench.onWriter', {
            waited: number(there.readsThatWaited ?? 0),
            writer: number(there.readsOnWriter ?? 0),
          })}
        </p>
      ) : null}
    </section>
  )
}

function ReaderCard({ reader }: { reader: Reader }) {
  const t = useText()
  const { number } = useFormats()
  const units = useUnits()
  return (
    <div className={cx(card.card, 'stack tight')}>
      <p className="medium">
        <bdi dir="ltr">{reader.place}</bdi>
      </p>
      <p className="sm">
        {reader.up ? (
          <Outcome kind="ok" icon="check">
            {reader.lagBytes
              ? t('bench.behind', { size: units.bytes(reader.lagBytes) })
              : t('bench.upToDate')}
          </Outcome>
        ) : (
          <Outcome kind="blocked" icon="circle-x">
            {t('bench.down')}
          </Outcome>
        )}
      </p>
      <p className="sm soft">
        {t('bench.reads', {
          reads: number(reader.reads),
          again: number(reader.readsRepeatedOnWriter),
        })}
      </p>
      {reader.reason ? (
        <p className="sm soft" dir="auto">
          {reader.reason}
        </p>
      ) : null}
    </div>
  )
}
