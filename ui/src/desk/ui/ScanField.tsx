// The field for barcodes typed by hand; the scanner is heard wherever focus is. Its text is no state of a component: a
// scanner types faster than a slow machine draws, and whatever Enter finds in the field is the barcode.
import { type FormEvent, type KeyboardEvent, memo, type RefObject } from 'react'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
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
  const take = () => {
    const barcode = field.current?.value.trim()
    if (!field.current || !barcode) return
    field.current.value = ''
    onScan(barcode)
  }
  // The browser would press the button for it, with all that a press does.
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    take()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    take()
  }
  return (
    <form className={styles.scan} onSubmit={submit}>
      <div className={styles.box}>
        <Icon name="scan-barcode" />
        <div className={styles.typed}>
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
            defaultValue=""
            onKeyDown={press}
          />
        </div>
        <span className="muted sm wide-only">{t('desk.heardAnywhere')}</span>
        <Button small type="submit">
          {t('desk.enter')} <Icon name="corner-down-left" />
        </Button>
      </div>
    </form>
  )
})
