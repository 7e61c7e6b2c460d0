// Check-out and check-in while the server is away: scans are kept on this computer.
import { useRef } from 'react'
import styles from '#/desk/desk.module.css'
import type { DeskSession } from '#/desk/session'
import { ScanField } from '#/desk/ui/ScanField'
import { useCapture } from '#/desk/useCapture'
import { useSnapshot } from '#/desk/useDeskSession'
import type { DeskAct } from '#/desk/words'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { cx } from '#/ui/cx'
import { Head, page } from '#/ui/Page'
import { Segmented } from '#/ui/Segmented'
import { useOfflineDesk } from '../useOfflineDesk'
import { useQueue } from '../useQueue'
import { KeptFoot } from './KeptFoot'
import { KeptList } from './KeptList'
import { KeptStage } from './KeptStage'
import { OfflineSide } from './OfflineSide'

export default function OfflineDesk({ act, session }: { act: DeskAct; session: DeskSession }) {
  const t = useText()
  const field = useRef<HTMLInputElement>(null)
  const { modifiers } = useSnapshot(session)
  const { scan, last, card } = useOfflineDesk(act, session)
  const rows = useQueue()
  const isOut = act === 'checkOut'
  useCapture(field, (barcode) => void scan(barcode))
  const next = () => {
    session.setPatron(undefined)
    field.current?.focus()
  }
  useCommands([
    { id: 'desk.end', title: 'checkout.done', group: 'page', keys: 'Alt+E', run: next },
    { id: 'checkOut.next', title: 'checkout.nextPatron', group: 'page', keys: 'Esc', run: next },
  ])
  const kept = rows.filter(({ state }) => state === 'kept' || state === 'aside')
  return (
    <div className={cx(page.split, page.start, page.desk)}>
      <OfflineSide act={act} card={card} rows={rows} />
      <div className={page.col}>
        <Head
          title={t(isOut ? 'shell.checkOut' : 'shell.checkIn')}
          sub={
            card ? (
              <>
                {t('offline.outTo')} <Code>{card}</Code>
              </>
            ) : (
              t('offline.sub')
            )
          }
        >
          {card ? (
            <Button keys="Esc" onPress={next}>
              {t('checkout.nextPatron')}
            </Button>
          ) : null}
        </Head>
        <div className={page.pane}>
          <div className={cx(styles.zone, styles.ringed)}>
            <ScanField
              field={field}
              label={t(
                !isOut ? 'desk.barcodeOfItem' : card ? 'checkout.itemOrCard' : 'checkout.card',
              )}
              placeholder={t(
                !isOut ? 'desk.scanOrType' : card ? 'checkout.scanItems' : 'checkout.scanCard',
              )}
              onScan={(barcode) => void scan(barcode)}
            />
            {isOut ? null : (
              <div className="row">
                <Segmented
                  label={t('offline.whatReturns')}
                  value={modifiers.inHouse ? 'used' : 'aside'}
                  onChange={(value) =>
                    session.setModifiers({ ...modifiers, inHouse: value === 'used' })
                  }
                  choices={[
                    { value: 'aside', text: t('offline.aside') },
                    { value: 'used', text: t('offline.usedInHouse') },
                  ]}
                />
              </div>
            )}
            <KeptStage last={last} />
          </div>
          <KeptList rows={kept} />
        </div>
        <KeptFoot rows={kept} onDone={isOut ? next : undefined} />
      </div>
    </div>
  )
}
