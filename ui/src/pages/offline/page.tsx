// What this computer has kept: scans that the server refused, returns on the pile, what waits, what was done.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useConnection } from '#/api/useConnection'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { saveCopy } from '#/offline/copy'
import { queue } from '#/offline/queue'
import type { Kept } from '#/offline/types'
import { KeptList } from '#/offline/ui/KeptList'
import { useQueue } from '#/offline/useQueue'
import { sendNow } from '#/offline/watch'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { Head, page } from '#/ui/Page'
import { Segmented } from '#/ui/Segmented'
import { Aside } from './Aside'
import styles from './offline.module.css'
import { WorkOff } from './WorkOff'

const SHOWS = ['open', 'kept', 'all'] as const
type Show = (typeof SHOWS)[number]

export const loader = () => queue.read()

const isIn = ({ state }: Kept, show: Show) =>
  show === 'all' || (show === 'kept' ? state === 'kept' : state === 'refused' || state === 'aside')

export function OfflinePage() {
  const t = useText()
  const formats = useFormats()
  const { away } = useConnection()
  const { show = 'open' } = useSearch({ from: '/shell/offline' })
  const navigate = useNavigate()
  const rows = useQueue()
  const shown = rows.filter((row) => isIn(row, show))
  const waiting = rows.filter((row) => isIn(row, 'kept')).length
  const aside = rows.filter(({ state }) => state === 'aside')
  const count = (which: Show) => formats.number(rows.filter((row) => isIn(row, which)).length)
  const go = (value: Show) =>
    void navigate({
      to: '/offline',
      search: { show: value === 'open' ? undefined : value },
      replace: true,
    })
  const send = async () => {
    await sendNow()
    const left = queue.snapshot().filter(({ state }) => state === 'refused').length
    announce(t('offline.sent', { accepted: waiting, refused: formats.number(left) }))
  }
  return (
    <>
      <Head title={t('offline.title')} sub={t('offline.list')}>
        <Button
          icon="download"
          disabled={rows.length ? undefined : t('offline.nothingToSave')}
          onPress={() => saveCopy(rows)}
        >
          {t('offline.saveCopy')}
        </Button>
        <Button
          icon="upload"
          disabled={
            away ? t('offline.serverAway') : waiting ? undefined : t('offline.nothingWaits')
          }
          onPress={() => void send()}
        >
          {t('offline.sendNow')}
        </Button>
      </Head>
      <div className={page.pane}>
        <div className={cx(page.body, styles.lead)}>
          <Segmented
            label={t('offline.which')}
            value={show}
            onChange={go}
            choices={SHOWS.map((value) => ({
              value,
              text: t(`offline.show.${value}`, { count: count(value) }),
            }))}
          />
          {aside.length ? <Aside rows={aside} away={away} onSent={() => go('all')} /> : null}
        </div>
        <KeptList
          rows={shown}
          below={(row) => (row.state === 'refused' ? <WorkOff row={row} /> : null)}
          empty={
            <Empty
              icon="check"
              title={show === 'kept' ? t('offline.nothingWaits') : t('offline.allDone')}
              text={show === 'kept' ? undefined : t('offline.allDoneWhat')}
            />
          }
        />
      </div>
    </>
  )
}
