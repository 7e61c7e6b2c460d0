// A line to be typed elsewhere, such as a command: read left to right, copied by a press.
import { useEffect, useState } from 'react'
import { useText } from '#/i18n/text'
import { Button } from './Button'
import styles from './CopyLine.module.css'

const SHOWN_MS = 2000

export function CopyLine({ text, label }: { text: string; label: string }) {
  const t = useText()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <div className={styles.line}>
      <section className={styles.text} aria-label={label}>
        <code>{text}</code>
      </section>
      <Button
        small
        icon={copied ? 'check' : 'copy'}
        aria-label={copied ? undefined : t('list.copy', { name: label })}
        onPress={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      >
        {t(copied ? 'list.copied' : 'list.copyIt')}
      </Button>
    </div>
  )
}
