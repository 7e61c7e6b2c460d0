// The text of a linked field: what comes from the authority cannot be typed over; the rest can.
import { useEffect, useRef, useState } from 'react'
import { useText } from '#/i18n/text'
import { Content } from './Content'
import styles from './marc.module.css'
import { joinSubfields, splitSubfields } from './model'

interface Props {
  tag: string
  text: string
  /** The codes that come from the authority. */
  codes: ReadonlySet<string>
  describedBy?: string
  invalid?: boolean
  onChange: (text: string) => void
}

export function LinkedContent({ tag, text, codes, describedBy, invalid, onChange }: Props) {
  const t = useText()
  const { controlled, own } = splitSubfields(text, codes)
  // What is being typed is no subfield yet, and may end with a blank.
  const [typed, setTyped] = useState(own)
  const sent = useRef(text)
  useEffect(() => {
    if (sent.current !== text) setTyped(own)
    sent.current = text
  }, [text, own])
  const change = (next: string) => {
    setTyped(next)
    sent.current = joinSubfields(controlled, next, codes)
    onChange(sent.current)
  }
  return (
    <div className={styles.both}>
      <Content
        tag={tag}
        label={t('inventory.controlledOf', { tag })}
        text={controlled}
        readOnly
        onChange={() => undefined}
      />
      <Content
        tag={tag}
        label={t('inventory.ownOf', { tag })}
        text={typed}
        invalid={invalid}
        describedBy={describedBy}
        onChange={change}
      />
    </div>
  )
}
