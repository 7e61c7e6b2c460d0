// The field for barcodes typed by hand; the scanner is heard wherever focus is.
import { type FormEvent, memo, type RefObject, useState } from 'react'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Icon } from '#/ui/Icon'
import styles from '../desk.module.css'

interface Props {
  field: RefObject<HTMLInputElement | null>
  label: string
  placeholder: string
  onScan: (barcode: string) => void
}

export const ScanField = memo(({ field, label, placeholder, onScan }: Props) => {
  const t = useText()
  const [text, setText] = useState('')
  const [live, setLive] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const barcode = text.trim()
    if (!barcode) return
    setText('')
    onScan(barcode)
  }
  return (
    <form className={styles.scan} onSubmit={submit}>
      <div className={cx(styles.box, live && styles.live)}>
        <Icon name="scan-barcode" />
        <input
          ref={field}
          type="text"
          aria-label={label}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir="auto"
          // biome-ignore lint/a11y/noAutofocus: the scan field is the page's purpose.
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
          onFocus={() => setLive(true)}
          onBlur={() => setLive(false)}
        />
        <span className="muted sm wide-only">{t('desk.heardAnywhere')}</span>
        <Button small type="submit">
          {t('desk.enter')} <Icon name="corner-down-left" />
        </Button>
      </div>
    </form>
  )
})
