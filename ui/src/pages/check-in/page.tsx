// Check-in: scan zone, open questions, list of the session; tally and slips at the side.
import { useQuery } from '@tanstack/react-query'
import { memo, useCallback, useMemo, useRef, useState } from 'react'
import { featuresQuery } from '#/api/features'
import { queryClient } from '#/api/query'
import { slipsQuery } from '#/api/slips'
import styles from '#/desk/desk.module.css'
import type { DeskSession } from '#/desk/session'
import { isOf, type TallyKind } from '#/desk/tally'
import { Asks } from '#/desk/ui/Asks'
import { Modifiers } from '#/desk/ui/Modifiers'
import { ScanField } from '#/desk/ui/ScanField'
import { SlipList } from '#/desk/ui/SlipList'
import { Stage } from '#/desk/ui/Stage'
import { Tally } from '#/desk/ui/Tally'
import { useCapture } from '#/desk/useCapture'
import { useSnapshot } from '#/desk/useDeskSession'
import { useSlips } from '#/desk/useSlips'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { OrOffline } from '#/offline/ui/OrOffline'
import { Button } from '#/ui/Button'
import { Head, SideAtEnd } from '#/ui/Page'
import { CheckInList } from './CheckInList'
import { endCheckIn } from './end'
import { useCheckIn } from './useCheckIn'

export const loader = () =>
  Promise.all([queryClient.ensureQueryData(featuresQuery), queryClient.prefetchQuery(slipsQuery)])

export function CheckInPage() {
  const session = useCheckIn()
  return (
    <OrOffline act="checkIn" session={session}>
      <Online session={session} />
    </OrOffline>
  )
}

const withSlips = (session: DeskSession) => session.snapshot().scans.filter(({ slip }) => slip)

function Online({ session }: { session: DeskSession }) {
  const t = useText()
  const field = useRef<HTMLInputElement>(null)
  const { scans, last, modifiers, startedAt } = useSnapshot(session)
  const { data: features } = useQuery(featuresQuery)
  const [only, setOnly] = useState<TallyKind>()
  const print = useSlips(session)
  useCapture(field, session.scan)
  // What does not change with a scan is not drawn again with it.
  const end = useCallback(() => {
    void endCheckIn(session.end())
    setOnly(undefined)
    field.current?.focus()
  }, [session])
  const again = useCallback(() => void print(withSlips(session).slice(0, 1)), [session, print])
  const slip = useMemo(
    () =>
      last?.slip && {
        text: t('desk.slip'),
        icon: 'printer' as const,
        keys: 'P',
        run: () => void print([last]),
      },
    [last, t, print],
  )
  useCommands([
    { id: 'desk.end', title: 'desk.endSession', group: 'page', keys: 'Alt+E', run: end },
    { id: 'desk.lastSlip', title: 'desk.lastSlip', group: 'page', keys: 'F9', run: again },
    {
      id: 'desk.printSlips',
      title: 'desk.printAll',
      group: 'page',
      keys: 'Mod+P',
      run: () => void print(withSlips(session).filter((scan) => !scan.slip?.printed)),
    },
    {
      id: 'desk.slip',
      title: 'desk.slipOfLast',
      group: 'page',
      keys: 'p',
      run: () => slip?.run(),
    },
  ])
  const listed = scans.filter((scan) => scan.state !== 'question' && isOf(scan, only))
  return (
    <SideAtEnd
      label={t('desk.thisSession')}
      side={
        <>
          <section className="stack tight">
            <h2>
              {t('desk.thisSession')}{' '}
              <span className="muted">· {t('desk.items', { count: scans.length })}</span>
            </h2>
            <Tally scans={scans} chosen={only} onChoose={setOnly} />
          </section>
          <SlipList scans={scans} atOnce={modifiers.printAtOnce} onPrint={print} />
        </>
      }
    >
      <Top startedAt={startedAt} onAgain={again} onEnd={end} />
      <div className={styles.zone}>
        <ScanField
          field={field}
          label={t('desk.barcodeOfItem')}
          placeholder={t('desk.scanOrType')}
          onScan={session.scan}
        />
        <Modifiers
          value={modifiers}
          onChange={session.setModifiers}
          hasDesk={features?.desk ?? false}
        />
        <Stage scan={last} act="checkIn" empty={t('checkin.empty')} button={slip} />
        <Asks scans={scans} session={session} act="checkIn" field={field} />
      </div>
      <CheckInList scans={listed} session={session} onPrint={print} />
    </SideAtEnd>
  )
}

interface TopProps {
  startedAt: number
  onAgain: () => void
  onEnd: () => void
}

const Top = memo(({ startedAt, onAgain, onEnd }: TopProps) => {
  const t = useText()
  const formats = useFormats()
  return (
    <Head title={t('shell.checkIn')} sub={t('desk.since', { time: formats.clock(startedAt) })}>
      <Button kind="quiet" icon="printer" keys="F9" wideOnly onPress={onAgain}>
        {t('desk.lastSlip')}
      </Button>
      <Button keys="Alt+E" onPress={onEnd}>
        {t('desk.endSession')}
      </Button>
    </Head>
  )
})
