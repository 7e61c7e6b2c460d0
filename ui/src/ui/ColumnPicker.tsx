// Which columns are shown, and their order: check boxes, moved by buttons or by Alt and the arrow keys.
import { type KeyboardEvent, useState } from 'react'
import { useText } from '#/i18n/text'
import { Button } from './Button'
import { Checkbox } from './Checkbox'
import styles from './ColumnPicker.module.css'
import { Dialog } from './Dialog'
import type { ColumnLayout } from './useColumns'

export function ColumnPicker<T>({ layout }: { layout: ColumnLayout<T> }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const keys = (event: KeyboardEvent, id: string) => {
    if (!event.altKey || !/^Arrow(Up|Down)$/.test(event.key)) return
    event.preventDefault()
    layout.move(id, event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <>
      <Button small kind="quiet" icon="columns-3" onPress={() => setOpen(true)}>
        {t('list.columns')}
      </Button>
      <Dialog
        title={t('list.columns')}
        open={open}
        onClose={() => setOpen(false)}
        closeText={t('shell.close')}
      >
        <ul className={styles.picker}>
          {layout.all.map(({ id, title }) => (
            <li key={id} onKeyDown={(event) => keys(event, id)}>
              <Checkbox checked={layout.isShown(id)} onChange={(on) => layout.show(id, on)}>
                {title}
              </Checkbox>
              <span className="row push">
                <Button
                  small
                  kind="quiet"
                  icon="arrow-up"
                  aria-label={t('list.moveUp', { name: title })}
                  onPress={() => layout.move(id, -1)}
                />
                <Button
                  small
                  kind="quiet"
                  icon="arrow-down"
                  aria-label={t('list.moveDown', { name: title })}
                  onPress={() => layout.move(id, 1)}
                />
              </span>
            </li>
          ))}
        </ul>
        <p className="sm muted">{t('list.columnsHelp')}</p>
        <div className="row">
          <Button small onPress={layout.reset}>
            {t('list.resetColumns')}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
