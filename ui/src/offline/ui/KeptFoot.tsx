// How much is kept, and since when; a copy; done.
import { useEffect, useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { Note } from '#/ui/Note'
import { page } from '#/ui/Page'
import { saveCopy } from '../copy'
import type { Kept } from '../types'
import { isPersistent } from '../watch'

export function KeptFoot({ rows, onDone }: { rows: readonly Kept[]; onDone?: () => void }) {
  const t = useText()
  const formats = useFormats()
  const [safe, setSafe] = useState(true)
  useEffect(() => void isPersistent().then(setSafe), [])
  const [first] = rows
  const patrons = new Set(rows.flatMap(({ entry }) => entry.userBarcode ?? []))
  return (
    <>
      {safe || !first ? null : (
        <div className={page.body}>
          <Note kind="fee">
            <p className="sm">
              <strong>{t('offline.mayBeCleared')}</strong> {t('offline.mayBeClearedWhat')}
            </p>
          </Note>
        </div>
      )}
      <div className={page.foot}>
        <p>
          <span className="strong">{t('offline.scansKept', { count: rows.length })}</span>{' '}
          {first ? (
            <span className="muted">
              {t('offline.ofPatrons', {
                count: patrons.size,
                time: formats.clock(first.entry.at),
              })}
            </span>
          ) : null}
        </p>
        <div className="row push">
          <Button
            icon="download"
            disabled={first ? undefined : t('offline.nothingToSave')}
            onPress={() => saveCopy(rows)}
          >
            {t('offline.saveCopy')}
          </Button>
          {onDone ? (
            <Button kind="primary" keys="Alt+E" onPress={onDone}>
              {t('checkout.done')}
            </Button>
          ) : null}
        </div>
      </div>
    </>
  )
}
