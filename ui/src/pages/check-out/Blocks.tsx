// Why the patron may not borrow, and the override for this session: its comment goes with each loan.
import { type FormEvent, useState } from 'react'
import type { Override } from '#/desk/types'
import { useText } from '#/i18n/text'
import { useMay } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Note } from '#/ui/Note'
import { TextField } from '#/ui/TextField'

const SHOWN_MAX = 3

interface Props {
  reasons: readonly string[]
  override: Override | undefined
  onOverride: (override: Override | undefined) => void
}

export function Blocks({ reasons, override, onOverride }: Props) {
  const t = useText()
  const { reason } = useMay('overridePatronBlock')
  const [asking, setAsking] = useState(false)
  const [comment, setComment] = useState('')
  const [tried, setTried] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!comment.trim()) return
    onOverride({ blocks: ['patronBlock'], comment: comment.trim() })
    setAsking(false)
  }
  return (
    <Note kind="blocked">
      <p>
        <strong>{t('checkout.blocked')}</strong>
      </p>
      {reasons.slice(0, SHOWN_MAX).map((text) => (
        <p key={text} className="sm" dir="auto">
          {text}
        </p>
      ))}
      {override ? (
        <>
          <p className="sm">
            <span className="medium">{t('checkout.overridden')}</span> <q>{override.comment}</q>
          </p>
          <div className="row">
            <Button
              small
              kind="quiet"
              onPress={() => onOverride(undefined)}
              aria-label={t('checkout.undoOverride')}
            >
              {t('checkout.undo')}
            </Button>
          </div>
        </>
      ) : asking ? (
        <form className="stack" onSubmit={submit}>
          <TextField
            label={t('desk.comment')}
            mark="needed"
            value={comment}
            onChange={setComment}
            error={tried && !comment.trim() ? t('desk.commentNeeded') : undefined}
            autoFocus
          />
          <div className="row">
            <Button small type="submit">
              {t('checkout.override')}
            </Button>
            <Button small kind="quiet" onPress={() => setAsking(false)}>
              {t('desk.later')}
            </Button>
          </div>
        </form>
      ) : (
        <div className="row wrap">
          <Button small disabled={reason} onPress={() => setAsking(true)}>
            {t('checkout.override')}
          </Button>
          {reason ? <span className="xs soft">{reason}</span> : null}
        </div>
      )}
    </Note>
  )
}
