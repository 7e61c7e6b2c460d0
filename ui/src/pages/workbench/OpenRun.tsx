// The record of a run by drop or choice: run.json of a report's folder. It is read here and sent nowhere.
import { useId, useState } from 'react'
import { useText } from '#/i18n/text'
import { cx } from '#/ui/cx'
import { Note } from '#/ui/Note'
import type { NotRead } from '#/workbench/run'
import { keepRun } from '#/workbench/runs'
import styles from './workbench.module.css'

export function OpenRun({ onOpened }: { onOpened: (id: string) => void }) {
  const t = useText()
  const input = useId()
  const [over, setOver] = useState(false)
  const [notRead, setNotRead] = useState<NotRead>()
  const read = async (file: File | undefined) => {
    if (!file) return
    setNotRead(undefined)
    const kept = await keepRun(await file.text())
    if ('id' in kept) onOpened(kept.id)
    else setNotRead(kept.notRead)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same by keyboard. */}
      <div
        className={cx(styles.drop, over && styles.over)}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void read(event.dataTransfer.files[0])
        }}
      >
        <label htmlFor={input} className="medium">
          {t('bench.openRun')}
        </label>
        <input
          id={input}
          type="file"
          accept=".json"
          onChange={(event) => void read(event.target.files?.[0])}
        />
        <p className="sm soft">{t('bench.openRunWhat')}</p>
      </div>
      {notRead ? (
        <Note kind="blocked" alert>
          <p>
            <strong>{t('bench.notOpened')}</strong> {t(`bench.not.${notRead}`)}
          </p>
        </Note>
      ) : null}
    </>
  )
}
