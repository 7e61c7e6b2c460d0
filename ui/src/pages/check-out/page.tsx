// Check-out: the patron at the start side, scan zone, open questions and the list of what was lent.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { featuresQuery } from '#/api/features'
import { queryClient } from '#/api/query'
import styles from '#/desk/desk.module.css'
import type { Override } from '#/desk/types'
import { Asks } from '#/desk/ui/Asks'
import { ScanField } from '#/desk/ui/ScanField'
import { Stage } from '#/desk/ui/Stage'
import { useCapture } from '#/desk/useCapture'
import { useSnapshot } from '#/desk/useDeskSession'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { fullName } from '#/lib/names'
import { OrOffline } from '#/offline/ui/OrOffline'
import { useKeepBlocked, useLearnBlocked } from '#/offline/useKeepBlocked'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Head, page } from '#/ui/Page'
import { CheckOutList } from './CheckOutList'
import { endCheckOut } from './end'
import { FastAdd } from './FastAdd'
import { Foot } from './Foot'
import { OtherDate } from './OtherDate'
import { PatronSide } from './PatronSide'
import { patronQuery } from './patronQuery'
import { useCheckOut } from './useCheckOut'

export const loader = () => queryClient.ensureQueryData(featuresQuery)

export function CheckOutPage() {
  const desk = useCheckOut()
  useKeepBlocked()
  return (
    <OrOffline act="checkOut" session={desk.session}>
      <Online {...desk} />
    </OrOffline>
  )
}

function Online({ session, servicePointId }: ReturnType<typeof useCheckOut>) {
  const t = useText()
  const field = useRef<HTMLInputElement>(null)
  const { scans, last, patron } = useSnapshot(session)
  const { data: card } = useQuery(patronQuery(patron, servicePointId))
  useLearnBlocked(patron, card?.blocks)
  const [override, setOverride] = useState<Override>()
  const [sponsor, setSponsor] = useState<string>()
  const [dating, setDating] = useState<string>()
  const [adding, setAdding] = useState<string>()
  const scan = useCallback(
    (barcode: string) =>
      session.scan(barcode, { proxyBarcode: sponsor, answers: override ? { override } : {} }),
    [session, sponsor, override],
  )
  useCapture(field, scan)
  usePatronOfUrl(patron, scan)
  useEffect(() => {
    setOverride(undefined)
    setSponsor(undefined)
    setDating(undefined)
    setAdding(undefined)
  }, [patron])
  const rows = scans.filter((one) => !one.isCard)
  const lent = rows.filter((one) => one.state === 'done')
  const hasQuestion = rows.some((one) => one.state === 'question')
  const end = () => {
    if (patron) endCheckOut(patron)
    session.end()
    field.current?.focus()
  }
  const openDate = () => last?.loanId && setDating(last.id)
  useCommands([
    { id: 'desk.end', title: 'checkout.done', group: 'page', keys: 'Alt+E', run: end },
    // While a question is open Esc belongs to its card.
    {
      id: 'checkOut.next',
      title: 'checkout.nextPatron',
      group: 'page',
      keys: 'Esc',
      run: () => !hasQuestion && !dating && adding === undefined && end(),
    },
    {
      id: 'checkOut.fastAdd',
      title: 'checkout.fastAdd',
      group: 'page',
      keys: 'Alt+F',
      disabled: patron ? undefined : t('checkout.noPatron'),
      run: () => setAdding(''),
    },
    { id: 'checkOut.date', title: 'checkout.otherDate', group: 'page', keys: 'd', run: openDate },
  ])
  const name = card ? fullName(card.user.personal ?? {}) : undefined
  return (
    <div className={cx(page.split, page.start, page.desk)}>
      <PatronSide
        barcode={patron}
        card={card}
        override={override}
        onOverride={setOverride}
        sponsor={sponsor}
        onSponsor={setSponsor}
      />
      <div className={page.col}>
        <Head title={t('shell.checkOut')} sub={name ? t('checkout.to', { name }) : undefined}>
          {patron ? (
            <>
              <Button
                kind="quiet"
                icon="book-plus"
                keys="Alt+F"
                wideOnly
                onPress={() => setAdding('')}
              >
                {t('checkout.fastAdd')}
              </Button>
              <Button keys="Esc" onPress={end}>
                {t('checkout.nextPatron')}
              </Button>
            </>
          ) : null}
        </Head>
        <div className={page.pane}>
          <div className={cx(styles.zone, styles.ringed)}>
            <ScanField
              field={field}
              label={patron ? t('checkout.itemOrCard') : t('checkout.card')}
              placeholder={patron ? t('checkout.scanItems') : t('checkout.scanCard')}
              onScan={scan}
            />
            <Stage
              scan={last}
              act="checkOut"
              empty={patron ? t('checkout.emptyItems') : t('checkout.emptyCard')}
              button={
                last?.loanId
                  ? {
                      text: t('checkout.otherDate'),
                      icon: 'calendar-days',
                      keys: 'D',
                      run: openDate,
                    }
                  : undefined
              }
            />
            {dating ? (
              <OtherDate
                scan={rows.find((one) => one.id === dating)}
                session={session}
                onClose={() => {
                  setDating(undefined)
                  field.current?.focus()
                }}
              />
            ) : null}
            {adding === undefined ? null : (
              <FastAdd
                key={adding}
                barcode={adding}
                onAdded={(barcode) => {
                  setAdding(undefined)
                  scan(barcode)
                  field.current?.focus()
                }}
                onClose={() => {
                  setAdding(undefined)
                  field.current?.focus()
                }}
              />
            )}
            <Asks scans={rows} session={session} act="checkOut" field={field} />
          </div>
          <CheckOutList
            scans={rows.filter((one) => one.state !== 'question')}
            session={session}
            hasPatron={Boolean(patron)}
            onDate={setDating}
            onAdd={setAdding}
          />
        </div>
        {patron ? <Foot lent={lent} card={card} onDone={end} /> : null}
      </div>
    </div>
  )
}

/** `?patron=` starts with that patron, once. */
function usePatronOfUrl(current: string | undefined, open: (barcode: string) => void) {
  const { patron } = useSearch({ from: '/shell/check-out' })
  const navigate = useNavigate()
  const opened = useRef(false)
  useEffect(() => {
    if (!patron || opened.current) return
    opened.current = true
    if (patron !== current) open(patron)
    void navigate({ to: '/check-out', search: {}, replace: true })
  }, [patron, current, open, navigate])
  useEffect(() => {
    if (!patron) opened.current = false
  }, [patron])
}
