// An act that wants an answer or some fields, in the page where it was started: question, consequence, fields,
// the act and the way back. No modal: what it is about stays in sight. Esc is the way back.
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useText } from '#/i18n/text'
import { Button } from './Button'
import styles from './ConfirmCard.module.css'
import { cx } from './cx'

interface Props {
  title: string
  /** What follows from it, in one line. */
  text?: ReactNode
  /** The button repeats the verb and the number. */
  act: string
  danger?: boolean
  busy?: boolean
  /** Why it cannot be done now. */
  disabled?: string
  onAct: () => void
  onClose: () => void
  closeText?: string
  children?: ReactNode
}

export function ConfirmCard(props: Props) {
  const { title, text, act, danger, busy, disabled, onAct, onClose, closeText, children } = props
  const t = useText()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const find = (what: string) => form.current?.querySelector<HTMLElement>(what)
    // Without a field Enter does what was asked for; what destroys something wants another key first.
    const first =
      find('input:not([type="hidden"]), textarea, [aria-haspopup="listbox"]') ??
      find(danger ? 'button[type="button"]' : 'button[type="submit"]')
    first?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!disabled && !busy) onAct()
  }
  return (
    <form
      ref={form}
      className={styles.card}
      aria-label={title}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      noValidate
    >
      <div className="stack tight">
        <h2>{title}</h2>
        {text ? <div className="sm soft">{text}</div> : null}
      </div>
      {children}
      <div className={cx('row wrap', styles.acts)}>
        <Button
          kind={danger ? 'danger' : 'primary'}
          type="submit"
          busy={busy}
          disabled={disabled}
          keys="Enter"
        >
          {act}
        </Button>
        <Button kind="quiet" keys="Esc" onPress={onClose}>
          {closeText ?? t('forms.back')}
        </Button>
        {disabled ? <span className="sm soft">{disabled}</span> : null}
      </div>
    </form>
  )
}
